#ifndef CR_QUERY_FOLD_GROUPS_P_H
#define CR_QUERY_FOLD_GROUPS_P_H

#include "base/vec.h"
#include "model/profile.h"
#include "query/fold/select.h"

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

/*
 * The same for a key of derived.h, of the event that f selects. Names: "mem=L1 hit" and "no mem".
 * Fails like cr_filter_field(), and with CR_EUSAGE if something was not recorded.
 */
int cr_derived_groups(const struct cr_profile *p, const struct cr_filter *f, const char *word,
	const uint8_t *select, struct cr_groups *out, struct cr_err *err);
void cr_groups_fini(struct cr_groups *g);

#endif
