#ifndef CR_QUERY_FOLD_GROUP_ROWS_P_H
#define CR_QUERY_FOLD_GROUP_ROWS_P_H

#include "base/vec.h"
#include "model/tree/fold_template.h"

/*
 * Samples put in order by group, to add up one group after the other. Where most stacks occur in
 * many groups, such as in all cpus, that is several times as fast as to look up each sum by group
 * and node: the sums of a group are an array by node, which stays in the cache, and they come out
 * sorted. It takes two passes over the samples, one to count them and one to place them.
 */
struct cr_group_rows {
	CR_VEC(uint64_t)
	ends;             /* by group: of its places; while rows are counted, how many it has */
	uint64_t n;       /* rows that were counted */
	uint32_t *node;   /* by place */
	uint64_t *weight; /* likewise; NULL if all rows weigh the same */
};

/* True if so many sums of all groups and nodes are not too many for the rows that there are. */
bool cr_group_rows_fit(uint64_t n_groups, uint64_t n_nodes, uint64_t n_rows);

/* The first pass. rows: the numbers of n rows; group: by number. */
void cr_group_rows_count(
	struct cr_group_rows *r, const uint32_t *rows, uint32_t n, const uint32_t *group);

/* Between the passes: make room for what was counted. */
void cr_group_rows_begin(struct cr_group_rows *r, bool weighs);

/* The second pass, over the same rows. weight: by number, as node; unused if all weigh the same. */
void cr_group_rows_put(struct cr_group_rows *r, const uint32_t *rows, uint32_t n,
	const uint32_t *group, const uint32_t *node, const uint64_t *weight);

/*
 * The sums, by group, then by node, in *out, which the caller frees; returns how many. weight: of
 * each row, if all weigh the same. is_count: a row stands for as many samples as its weight, and
 * sums without weight are left out. The rows are used up. If the work is cancelled, there are
 * none.
 */
size_t cr_group_rows_sum(struct cr_group_rows *r, uint32_t n_nodes, uint64_t weight, bool is_count,
	struct cr_fold_template_sum **out);

void cr_group_rows_fini(struct cr_group_rows *r);

#endif
