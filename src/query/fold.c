#include "cresset/query/fold.h"

#include "cresset/profile/outline.h"
#include "groups.h"

#include <stdlib.h>

static void
tree_label(struct cr_tree *t, const struct cr_profile *p, cr_event_id event)
{
	t->event = p->events[event.i].name;
	t->unit = p->events[event.i].unit;
	t->summed = cr_event_is_summed(p, event);
}

static struct cr_tree *
fold_samples(const struct cr_profile *p, const uint8_t *sel, enum cr_grain grain, bool by_comm)
{
	struct cr_folder *f = cr_folder_new(p, grain, by_comm, 1);

	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i])
			cr_folder_add(f, i, 0);
	return cr_tree_builder_finish(cr_folder_end(f, 0, NULL), NULL);
}

int
cr_fold(const struct cr_profile *p, const struct cr_filter *f, enum cr_grain grain, enum cr_group group,
	struct cr_tree **out, struct cr_err *err)
{
	const bool by_comm = group == CR_GROUP_COMM && cr_profile_by_comm(p);
	cr_event_id event;
	uint8_t *sel;
	int rc;

	*out = NULL;
	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if (p->outline && grain == CR_GRAIN_FUNCTION && group == CR_GROUP_COMM && !cr_filter_needs_samples(f)) {
		*out = cr_outline_tree(p, event);
		return CR_OK;
	}
	if ((rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	*out = fold_samples(p, sel, grain, by_comm);
	tree_label(*out, p, event);
	free(sel);
	return CR_OK;
}

/* ---- by the values of a detail */

/* sel selects samples of the detail's event alone. */
static struct cr_tree *
fold_grouped(const struct cr_profile *p, const uint8_t *sel, enum cr_grain grain, const struct cr_detail *d)
{
	struct cr_groups g;
	struct cr_folder *folder;
	struct cr_tree_builder *tb;

	cr_groups_make(p, sel, d, &g);
	folder = cr_folder_new_grouped(p, grain, g.names.p, (uint32_t)g.names.n, 1);
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i])
			cr_folder_add_to(folder, g.of_sample[i], i, 0);
	tb = cr_folder_end(folder, 0, NULL);
	cr_tree_builder_keep(tb, &g.made);
	cr_groups_fini(&g);
	return cr_tree_builder_finish(tb, NULL);
}

int
cr_fold_by(const struct cr_profile *p, const struct cr_filter *f, enum cr_grain grain, const char *field,
	struct cr_tree **out, struct cr_err *err)
{
	const struct cr_detail *d;
	cr_event_id event;
	uint8_t *sel;
	int rc;

	*out = NULL;
	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if ((rc = cr_filter_field(p, event, cr_str_of(field), &d, err)) < 0)
		return rc;
	if ((rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	*out = fold_grouped(p, sel, grain, d);
	tree_label(*out, p, event);
	free(sel);
	return CR_OK;
}
