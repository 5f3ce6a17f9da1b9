#ifndef CR_QUERY_DIFF_TRANSFORMED_COSTS_P_H
#define CR_QUERY_DIFF_TRANSFORMED_COSTS_P_H

#include "part_costs_p.h"
#include "query/diff/diff.h"
#include "query/table/table.h"

/*
 * Add the costs of both sides to the rows of `table`, which is of their difference after the
 * transforms of the query of side 1. o: as for the difference, with its frames. Samples are folded
 * once: the nodes of the difference are followed through the transforms.
 *
 * *done is false, and nothing was added, if a transform has moved costs to frames in which they
 * were not sampled: then nodes do not say what is self cost. Fails as cr_fold(), cr_diff() and
 * cr_transform() do.
 */
int cr_transformed_costs_add(const struct cr_parts *const parts[CR_SIDES],
	const struct cr_diff_opts *o, const struct cr_table *table,
	struct cr_part_costs *const out[CR_SIDES], bool *done, struct cr_err *err);

#endif
