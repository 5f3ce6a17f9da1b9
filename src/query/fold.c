#include "cresset/query/fold.h"

#include "cresset/base/hash.h"
#include "cresset/base/vec.h"
#include "cresset/profile/detail.h"
#include "cresset/profile/outline.h"

#include <stdlib.h>

#define MOST_GROUPS 65536u

static void
tree_label(struct cr_tree *t, const struct cr_event *e)
{
	t->event = e->name;
	t->unit = e->unit;
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
	const bool by_comm = group == CR_GROUP_COMM && (p->flags & CR_PROFILE_HAS_TASK);
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
	tree_label(*out, &p->events[event.i]);
	free(sel);
	return CR_OK;
}

/* ---- by the values of a detail */

/* Its distinct values, in order of appearance, and what they are called. */
struct groups {
	const struct cr_profile *p;
	const struct cr_detail *d;
	CR_VEC(uint64_t) values;
	struct cr_index index;
	CR_VEC(struct cr_str) names; /* one more than values where there are too many of them */
	struct cr_arena made;        /* the names */
};

static void
groups_name(struct groups *g, const char *before, const uint64_t *value)
{
	struct cr_text t = {0};

	cr_text_puts(&t, before);
	cr_text_str(&t, g->d->name);
	if (value) {
		cr_text_char(&t, '=');
		if (g->d->form == CR_FORM_TEXT)
			cr_text_str(&t, g->p->texts[*value]); /* as it is: what draws it makes it safe */
		else
			cr_detail_put(g->p, g->d, *value, &t);
	}
	cr_vec_push(&g->names, ((struct cr_str){cr_arena_copy(&g->made, t.p, t.len), (uint32_t)t.len}));
	cr_text_fini(&t);
}

static uint32_t
groups_row(struct groups *g, uint64_t value)
{
	const bool none = value == cr_form_none(g->d->form);
	const uint64_t h = cr_hash_mix(value, 0);
	uint32_t at = cr_index_first(&g->index, h), row;

	for (; (row = cr_index_row(&g->index, &at, h)) != CR_NO_ROW; at = cr_index_next(&g->index, at))
		if (g->values.p[row] == value)
			return row;
	row = (uint32_t)g->values.n;
	if (row == MOST_GROUPS) {
		if (g->names.n == MOST_GROUPS)
			groups_name(g, "other ", NULL);
		return MOST_GROUPS;
	}
	cr_vec_push(&g->values, value);
	groups_name(g, none ? "no " : "", none ? NULL : &value);
	cr_index_add(&g->index, h, row);
	return row;
}

/* sel selects samples of the detail's event alone. */
static struct cr_tree *
fold_grouped(const struct cr_profile *p, const uint8_t *sel, enum cr_grain grain, const struct cr_detail *d)
{
	struct groups g = {.p = p, .d = d};
	uint32_t *group = cr_alloc(p->samples.n, sizeof(*group)); /* by sample, of those selected */
	struct cr_folder *folder;
	struct cr_tree_builder *tb;
	uint64_t row = 0;

	for (uint64_t i = 0; i < p->samples.n; i++) {
		if (sel[i])
			group[i] = groups_row(&g, d->value[row]);
		row += p->samples.event[i] == d->event.i;
	}
	folder = cr_folder_new_grouped(p, grain, g.names.p, (uint32_t)g.names.n, 1);
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (sel[i])
			cr_folder_add_to(folder, group[i], i, 0);
	tb = cr_folder_end(folder, 0, NULL);
	cr_tree_builder_keep(tb, &g.made);
	free(group);
	cr_vec_fini(&g.values);
	cr_vec_fini(&g.names);
	cr_index_fini(&g.index);
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
	tree_label(*out, &p->events[event.i]);
	free(sel);
	return CR_OK;
}
