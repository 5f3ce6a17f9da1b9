#ifndef CR_QUERY_FOLD_GROUPS_P_H
#define CR_QUERY_FOLD_GROUPS_P_H

#include "base/vec.h"
#include "model/profile.h"

/*
 * The values of a field as groups, in order of appearance; all values after the first 65536 form
 * one group.
 */
struct cr_groups {
	uint32_t *of_sample;         /* by sample, for selected ones */
	CR_VEC(struct cr_str) names; /* "prio=120", "no prio" */
	struct cr_arena made;        /* owns the names */
};

/*
 * sel must select only samples of the field's event. Reads the values and the events of all
 * samples.
 */
void cr_groups_make(const struct cr_profile *p, const uint8_t *sel, const struct cr_field *d,
	struct cr_groups *out);
void cr_groups_fini(struct cr_groups *g);

#endif
