#ifndef CR_WRITE_SPILL_P_H
#define CR_WRITE_SPILL_P_H

#include "base/err.h"
#include "base/text.h"

#include <stdio.h>

/* Text is collected to about this much: a call of stdio for a name costs more than the name. */
#define CR_SPILL_BYTES ((size_t)128 << 10)

/* Hand all of t on to out and empty it. CR_EIO when the system takes no more. */
static inline int
cr_spill(struct cr_text *t, FILE *out, struct cr_err *err)
{
	const size_t n = t->len;

	if (n == 0)
		return CR_OK;
	if (fwrite(t->p, 1, n, out) != n)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	cr_text_clear(t);
	return CR_OK;
}

/* The same, once it is worth it. */
static inline int
cr_spill_much(struct cr_text *t, FILE *out, struct cr_err *err)
{
	return t->len < CR_SPILL_BYTES ? CR_OK : cr_spill(t, out, err);
}

#endif
