/* Any bytes as a jitdump: what comes out lies in it, in order, and names can be read. */
#include <stdint.h>
#include <stdlib.h>

#include "symbol/jit/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* so that nothing read is optimised away */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_jitdump d;

	if (cr_jitdump_parse(data, size, &d, &err) == CR_OK) {
		for (size_t i = 0; i < d.code.n; i++) {
			const struct cr_jit_code *c = &d.code.p[i];

			if (c->start >= c->end || c->offset > size ||
				c->end - c->start > size - c->offset)
				abort();
			if (i && d.code.p[i - 1].time > c->time)
				abort();
			for (uint32_t k = 0; k < c->name.len; k++)
				sink += (unsigned char)c->name.p[k];
		}
	}
	cr_jitdump_fini(&d);
	return 0;
}
