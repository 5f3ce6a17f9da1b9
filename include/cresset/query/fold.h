#ifndef CR_QUERY_FOLD_H
#define CR_QUERY_FOLD_H

#include "cresset/base/err.h"
#include "cresset/profile/folder.h"
#include "cresset/query/select.h"

enum cr_group {
	CR_GROUP_COMM, /* stacks stand under their comm, when the profile knows tasks */
	CR_GROUP_NONE,
};

/*
 * Fold what the filter selects into a call tree. Of functions it is served from the outline when no
 * sample has to be read. out borrows p's names: free it before p.
 */
int cr_fold(const struct cr_profile *p, const struct cr_filter *f, enum cr_grain grain, enum cr_group group,
	struct cr_tree **out, struct cr_err *err);

/*
 * The same with the stacks under "FIELD=VALUE" of a detail of the event, or "no FIELD". Past 65536
 * values the rest stands under "other FIELD". Always from the samples; CR_ENOTFOUND when the event
 * has no such detail.
 */
int cr_fold_by(const struct cr_profile *p, const struct cr_filter *f, enum cr_grain grain, const char *field,
	struct cr_tree **out, struct cr_err *err);

#endif
