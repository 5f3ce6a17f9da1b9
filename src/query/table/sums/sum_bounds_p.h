#ifndef CR_QUERY_TABLE_SUM_BOUNDS_P_H
#define CR_QUERY_TABLE_SUM_BOUNDS_P_H

#include "sum_codes_p.h"

/*
 * Which codes may be among the first rows of a table of sums. Of a million codes the exact costs of
 * some hundred decide; the others are known to be less.
 */

/*
 * By code: no row of it costs more, in the cost that decides the order first. no_code is the code
 * of samples without a stack.
 */
uint64_t *cr_sum_bounds(
	const struct cr_sum_codes *c, const struct cr_table_spec *spec, uint32_t no_code);

/* The n-th largest of the bounds; 0 if there are fewer. */
uint64_t cr_sum_bounds_nth(const struct cr_sum_codes *c, const uint64_t *bounds, uint32_t n);

/* How many rows the table has in all. */
uint64_t cr_sum_rows(const struct cr_sum_codes *c, const struct cr_table_spec *spec,
	uint32_t no_code, const struct cr_sum_group *groups);

/* Stacks that only matter where some codes are. */
struct cr_sum_chosen {
	uint32_t *slot;  /* by code: its number among the chosen ones; CR_NO_ROW for others */
	uint32_t n;      /* how many are chosen */
	uint32_t *near;  /* by node: itself or its nearest caller that has a chosen code; or 0 */
	uint32_t *depth; /* by node: of its innermost frame, below the groups */
};

/* Choose the codes with bounds of at least `least`, and no_code. */
void cr_sum_chosen_init(struct cr_sum_chosen *chosen, const struct cr_sum_codes *c,
	const uint64_t *bounds, uint64_t least, uint32_t no_code);
void cr_sum_chosen_fini(struct cr_sum_chosen *chosen);

#endif
