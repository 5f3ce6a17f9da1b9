#ifndef CR_READ_KIT_BRANCH_ROWS_P_H
#define CR_READ_KIT_BRANCH_ROWS_P_H

#include "model/build/builder.h"

/*
 * Recorded branches as samples of two derived events, for all readers:
 *
 * - "branch-stack": a branch, as a stack of two frames: where it was, and below it where it went.
 *   The weight counts how often it was taken.
 * - "branch-blocks": code that ran from one branch to the next without another one, as a stack of
 *   the start and below it the branch that ended it.
 *
 * Their weights are counts, not time. Branches of different threads, predicted and mispredicted
 * ones, and those with and without a number of cycles, are different samples. They have no times.
 */
enum cr_branch_kind {
	CR_BRANCH_BLOCK = 1,
	CR_BRANCH_MISSED = 2,
	CR_BRANCH_PREDICTED = 4,
	CR_BRANCH_IN_TX = 8,
	CR_BRANCH_ABORT = 16,
	CR_BRANCH_TIMED = 32, /* its cycles were counted */
};

#define CR_BRANCH_BLOCK_BYTES ((uint64_t)1 << 20) /* longer ones are errors of the recording */

/* Equal branches, or equal blocks, of a thread. */
struct cr_branch_row {
	cr_task_id task;
	cr_node_id node;
	uint8_t kind; /* bits of enum cr_branch_kind */
	uint64_t count, cycles;
	uint64_t cycles_min, cycles_max; /* of one of them; 0 if none was counted */
};

static inline void
cr_branch_row_count(struct cr_branch_row *row, uint64_t cycles)
{
	row->count = cr_add_sat(row->count, 1);
	row->cycles = cr_add_sat(row->cycles, cycles);
	if (cycles && (!row->cycles_min || cycles < row->cycles_min))
		row->cycles_min = cycles;
	row->cycles_max = CR_MAX(row->cycles_max, cycles);
}

/*
 * Add all rows as samples, first those of branches, then those of blocks. Each row is the first
 * member of a struct of `size` bytes. Returns true if there were blocks.
 */
bool cr_branch_rows_put(struct cr_builder *b, const void *rows, size_t n, size_t size);

/* Record that the event of branches, or that of blocks, is a derived one. */
void cr_branch_rows_derived(struct cr_builder *b, bool blocks);

#endif
