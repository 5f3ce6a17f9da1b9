#ifndef CR_QUERY_DIFF_NORM_P_H
#define CR_QUERY_DIFF_NORM_P_H

#include "part_costs_p.h"
#include "query/diff/norm.h"
#include "query/table/table.h"

/*
 * Store the amount that the whole of each recording of a side stands for: 1 for shares, its weight,
 * its weight per second, or its weight divided by the total cost of the function. amount[]: by
 * recording. CR_EUSAGE if the amount cannot be computed: the recording has no times, its unit is
 * not one of time, or the function has no cost in it.
 */
int cr_norm_amounts(const struct cr_norm *norm, const struct cr_parts *parts,
	const struct cr_part_costs *costs, const struct cr_table *table, struct cr_str unit,
	double *amount, struct cr_err *err);

#endif
