#ifndef CR_QUERY_DIFF_NORM_P_H
#define CR_QUERY_DIFF_NORM_P_H

#include "part_costs_p.h"
#include "query/diff/norm.h"

/*
 * Store in amount[], by recording of a side, what its whole stands for: 1 for shares, its weight,
 * its weight per second, or its weight as a multiple of the function's total cost. CR_EUSAGE if
 * that does not follow from the recording: no times, no unit of time, no cost of the function.
 */
int cr_norm_amounts(const struct cr_norm *norm, const struct cr_parts *parts,
	const struct cr_part_costs *costs, const struct cr_table *table, struct cr_str unit,
	double *amount, struct cr_err *err);

#endif
