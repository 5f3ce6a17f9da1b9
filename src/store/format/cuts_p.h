#ifndef CR_STORE_FORMAT_CUTS_P_H
#define CR_STORE_FORMAT_CUTS_P_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where the bytes of a block change their kind. zstd gives each part codes of its own. A part of
 * few bytes is joined with the next one, since its codes would take more than they save.
 */
#define CR_CUTS 64u

struct cr_cuts {
	uint32_t n;
	uint32_t at[CR_CUTS]; /* offsets in the block, rising */
};

#define CR_CUT_LEAST 1024u

/* The bytes of the block end here, so far. A block has CR_CUTS cuts at most; more are ignored. */
static inline void
cr_cuts_add(struct cr_cuts *c, size_t at)
{
	const size_t last = c->n ? c->at[c->n - 1] : 0;

	if (c->n < CR_CUTS && at - last >= CR_CUT_LEAST)
		c->at[c->n++] = (uint32_t)at;
}

#endif
