#include "fold_p.h"

#include "model/tree/default_tree.h"

#include <stdlib.h>

/* Folds that the default tree answers. */

/* Functions, with the default grouping. */
static bool
is_usual(const struct cr_fold_opts *o)
{
	return o->granularity == CR_GRANULARITY_FUNCTION && !o->apart && !o->outermost &&
	       !o->bare && o->n_groups == 1 && o->groups[0] == CR_GROUP_USUAL;
}

bool
cr_plan_is_stored(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o)
{
	struct cr_filter rest = *f;

	if (p && cr_profile_by_comm(p))
		rest.comms.n = 0; /* the default tree separates comms */
	return (!p || p->default_tree) && is_usual(o) && !cr_filter_needs_samples(&rest);
}

/* The stacks that end in one of `leaves`, see cr_default_tree_tree_of(). */
static int
fold(const struct cr_profile *p, const struct cr_filter *f, const uint8_t *leaves,
	struct cr_tree **out, struct cr_err *err)
{
	const struct cr_default_tree *o = p->default_tree;
	cr_event_id event;
	uint8_t *takes = NULL;
	int rc;

	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if (f->comms.n)
		takes = cr_alloc(o->n_frames, 1);
	for (uint32_t i = 1; takes && i < o->n_frames; i++)
		takes[i] = o->frame_function[i] == CR_NO_ROW &&
			   cr_selector_any(&f->comms, o->frame_comm[i]);
	*out = cr_default_tree_tree_of(p, event, takes, leaves);
	free(takes);
	cr_plan_label_event(*out, p, event);
	return CR_OK;
}

int
cr_plan_stored(const struct cr_profile *p, const struct cr_filter *f, struct cr_tree **out,
	struct cr_err *err)
{
	return fold(p, f, NULL, out, err);
}

/* ---- filters by leaf */

bool
cr_fold_is_by_leaf(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o)
{
	struct cr_filter rest = *f;

	rest.dsos.n = 0;
	rest.modes = 0;
	return p && (f->dsos.n || f->modes) && cr_plan_is_stored(p, &rest, o);
}

/*
 * True if the functions of each location are selected like the location itself. They are of one
 * dso, unless the file says something else.
 */
static bool
agrees(const struct cr_profile *p, const uint8_t *dso)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		for (uint32_t k = l->first_line; k < l->first_line + l->lines; k++)
			if (dso[p->functions[p->lines[k].function.i].dso.i] != dso[l->dso.i])
				return false;
	}
	return p->n_locations != 0;
}

bool
cr_fold_by_leaf(const struct cr_profile *p, const struct cr_filter *f, struct cr_tree **out)
{
	const struct cr_default_tree *o = p->default_tree;
	struct cr_err ignored = CR_ERR_INIT;
	uint8_t *dso, *leaves;
	bool done;

	if (cr_selector_can(p, f, &ignored) < 0)
		return false;
	cr_needed(p, CR_NEEDS_TREE);
	dso = cr_selector_dsos(p, f);
	leaves = cr_alloc(o->n_frames, 1);
	for (uint32_t i = 0; i < o->n_frames; i++)
		leaves[i] = dso[o->frame_function[i] == CR_NO_ROW
					? 0
					: p->functions[o->frame_function[i]].dso.i];
	done = agrees(p, dso) && fold(p, f, leaves, out, &ignored) == CR_OK;
	free(dso);
	free(leaves);
	return done;
}
