#ifndef CR_QUERY_TABLE_BLOCK_CYCLES_H
#define CR_QUERY_TABLE_BLOCK_CYCLES_H

#include "base/err.h"
#include "base/vec.h"
#include "model/profile.h"
#include "query/fold/select.h"

/*
 * Basic blocks and the cycles that they took, from the events branch-stack and branch-blocks. The
 * cycles of a branch are those since the branch before it, so they belong to the block that it
 * ends.
 */

/* Blocks that end with the same branch. */
struct cr_block_end {
	uint32_t location;       /* of the branch */
	uint32_t start_location; /* of the first start in the same function; CR_NO_ROW: unknown */
	uint64_t cycles;         /* sum of all that were counted */
	uint64_t n;              /* how many had cycles; at least 1 */
	/* Of one block; 0 if not known. Profiles stored by older versions do not have them. */
	uint64_t least, most;
};

/* A block inside one function, from the target of a branch to the branch at its end. */
struct cr_block_run {
	cr_function_id function;
	uint64_t from, to; /* addresses in the dso */
	uint64_t cycles, n;
};

struct cr_block_cycles {
	CR_VEC(struct cr_block_end) ends; /* by falling cycles, then by dso and address */
	CR_VEC(struct cr_block_run) runs; /* by function, start, end */
	uint64_t cycles;                  /* sum of all ends */
};

/* Bits of enum cr_needs. */
unsigned cr_block_cycles_needs(const struct cr_filter *f);

/*
 * Add up the branches that f selects, whatever event it names. CR_ENOTFOUND if the profile has no
 * branches, or none with cycles; otherwise fails like cr_select(). Free them with
 * cr_block_cycles_fini() in any case.
 */
int cr_block_cycles_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_block_cycles *out, struct cr_err *err);
void cr_block_cycles_fini(struct cr_block_cycles *b);

/* True if some branch of the profile has cycles. */
bool cr_block_cycles_has(const struct cr_profile *p);

/* The function of the symbol table that a location is in, not an inlined one. */
cr_function_id cr_block_function(const struct cr_profile *p, uint32_t location);

#endif
