#include "bytes/inflate.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zstd.h>

#define WINDOW_LOG_MAX 27

struct cr_inflate {
	ZSTD_DStream *z;
};

struct cr_inflate *
cr_inflate_new(void)
{
	struct cr_inflate *z = cr_alloc(1, sizeof(*z));

	z->z = ZSTD_createDStream();
	if (!z->z) {
		free(z);
		return NULL;
	}
	ZSTD_DCtx_setParameter(z->z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return z;
}

void
cr_inflate_free(struct cr_inflate *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->z);
	free(z);
}

bool
cr_inflate_some(
	struct cr_inflate *z, struct cr_inflate_in *in, unsigned char *out, size_t cap, size_t *n)
{
	ZSTD_inBuffer from = {in->p, in->len, 0};
	ZSTD_outBuffer to = {out, cap, 0};
	size_t left, before;
	bool good = true;

	do {
		before = from.pos + to.pos;
		left = ZSTD_decompressStream(z->z, &to, &from);
		good = !ZSTD_isError(left);
	} while (good && to.pos < cap && from.pos + to.pos > before);
	*n = to.pos;
	in->p += from.pos;
	in->len -= from.pos;
	return good && (in->len == 0 || to.pos == cap);
}
