#ifndef CR_QUERY_DIFF_PART_COSTS_P_H
#define CR_QUERY_DIFF_PART_COSTS_P_H

#include "evidence_parts_p.h"

/* What each row of a table costs in each part of a side: [row * parts + part]. */
struct cr_part_costs {
	double *self, *total;
	double *whole; /* by part */
};

/* Where the samples of a side are in a tree of stacks. All of it is borrowed. */
struct cr_part_stacks {
	uint32_t n; /* nodes, in preorder */
	const uint32_t *parent;
	const uint32_t *row;      /* by node: its row of the table, or CR_NO_ROW */
	const uint32_t *self_row; /* by node: the row whose self cost samples at the node are */
	const uint32_t *node;     /* by number in rows[] of the parts: its node, or CR_NO_ROW */
};

/* Add the costs of a side to a table of n_rows rows: one pass over its samples and its stacks. */
void cr_part_costs_add(const struct cr_parts *parts, const struct cr_part_stacks *stacks,
	uint32_t n_rows, struct cr_part_costs *out);

#endif
