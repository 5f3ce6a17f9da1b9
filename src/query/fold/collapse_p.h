#ifndef CR_QUERY_FOLD_COLLAPSE_P_H
#define CR_QUERY_FOLD_COLLAPSE_P_H

#include "base/vec.h"
#include "groups_p.h"
#include "model/tree/path_sums.h"
#include "query/fold/collapse.h"

/*
 * The names of a collapsed profile: of its groups, and of its locations in each way that a group
 * has.
 */
struct cr_spelt {
	struct cr_spelling s;
	uint32_t *task_group;           /* by task; NULL where the groups are given */
	struct cr_arena made;           /* names that are none of the profile's */
	CR_VEC(struct cr_frame) frames; /* from here on what s points at */
	CR_VEC(uint8_t) starts;
	CR_VEC(uint32_t) run;
	CR_VEC(uint32_t) group;
	CR_VEC(uint8_t) group_way;
	uint32_t *of_location[CR_WAYS * 2];
};

/* groups: what stacks stand under; NULL is their tasks. */
void cr_spelt_make(const struct cr_profile *p, const struct cr_collapse_opts *o,
	const struct cr_groups *groups, struct cr_spelt *out);
void cr_spelt_fini(struct cr_spelt *s); /* but for `made`, which somebody has taken */

#endif
