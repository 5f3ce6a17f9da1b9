#ifndef CR_QUERY_FOLD_COLLAPSE_P_H
#define CR_QUERY_FOLD_COLLAPSE_P_H

#include "base/vec.h"
#include "groups_p.h"
#include "model/tree/path_sums.h"
#include "query/fold/collapse.h"

/*
 * The names of a collapsed profile: of its groups, and of its locations in each way that a group
 * needs.
 */
struct cr_spelt {
	struct cr_spelling s;
	uint32_t *task_group;           /* by task; NULL if the caller assigns the groups */
	struct cr_arena made;           /* names that are not in the profile */
	CR_VEC(struct cr_frame) frames; /* memory of what s points at, from here on */
	CR_VEC(uint8_t) starts;
	CR_VEC(uint32_t) run;
	CR_VEC(uint32_t) group;
	CR_VEC(uint8_t) group_way;
	uint32_t *of_location[CR_WAYS * 2];
};

/* groups: what to group stacks by; NULL: their tasks. */
void cr_spelt_make(const struct cr_profile *p, const struct cr_collapse_opts *o,
	const struct cr_groups *groups, struct cr_spelt *out);
void cr_spelt_fini(struct cr_spelt *s); /* except `made`, which the caller moves elsewhere */

#endif
