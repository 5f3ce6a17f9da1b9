#include "cresset/query/fold.h"

#include "cresset/profile/folder.h"
#include "cresset/profile/outline.h"

#include <stdlib.h>

static struct cr_tree *
fold_samples(const struct cr_profile *p, const uint8_t *sel, bool by_comm)
{
	struct cr_folder *f = cr_folder_new(p, by_comm, 1);

	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i])
			cr_folder_add(f, i, 0);
	return cr_tree_builder_finish(cr_folder_end(f, 0, NULL), NULL);
}

int
cr_fold(const struct cr_profile *p, const struct cr_filter *f, enum cr_group group, struct cr_tree **out,
	struct cr_err *err)
{
	const bool by_comm = group == CR_GROUP_COMM && (p->flags & CR_PROFILE_HAS_TASK);
	cr_event_id event;
	uint8_t *sel;
	int rc;

	*out = NULL;
	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if (p->outline && group == CR_GROUP_COMM && !cr_filter_needs_samples(f)) {
		*out = cr_outline_tree(p, event);
		return CR_OK;
	}
	if ((rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	*out = fold_samples(p, sel, by_comm);
	(*out)->event = p->events[event.i].name;
	(*out)->unit = p->events[event.i].unit;
	free(sel);
	return CR_OK;
}
