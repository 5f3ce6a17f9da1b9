#include "query/lang/query.h"

#include "base/hash.h"
#include "model/columns.h"

#include <stdlib.h>

/* Recursion compares functions, and a granularity that was asked for stays. */
static bool
may_have_lines(const struct cr_query *q)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->steps[i].word == CR_WORD_RECURSION ||
			q->steps[i].word == CR_WORD_GRANULARITY)
			return false;
	return true;
}

static void
drop_derived(const struct cr_profile *p, uint32_t *place)
{
	const struct cr_event_column events = cr_column_events(p);
	bool *derived = cr_alloc(p->n_events, sizeof(*derived));

	for (uint32_t i = 0; i < p->n_events; i++)
		derived[i] = cr_event_is_derived(p, (cr_event_id){i});
	for (uint64_t row = 0; row < p->samples.n; row++)
		if (derived[cr_event_of(&events, row)])
			place[row] = CR_NO_ROW;
	free(derived);
}

static int
fold_places(const struct cr_profile *p, const struct cr_query *q, bool lines, struct cr_tree **out,
	uint32_t **place, struct cr_err *err)
{
	struct cr_fold_opts o = cr_query_opts(q);
	struct cr_filter f = *cr_query_filter(q);
	struct cr_plan *plan;
	int rc;

	f.all_events = !f.event && f.wheres.n == 0;
	if (!cr_query_groups(q))
		o.n_groups = 0;
	if (lines && may_have_lines(q))
		o.granularity = CR_GRANULARITY_LINE;
	plan = cr_plan_new(p, &o);
	rc = cr_plan_fold_places(plan, &f, out, place, err);
	cr_plan_free(plan);
	if (rc == CR_OK && f.all_events)
		drop_derived(p, *place);
	return rc;
}

/* Apply a transform to the tree, and move the samples with their nodes. */
static int
step_apply(const struct cr_profile *p, const struct cr_step *step, struct cr_tree **t,
	uint32_t *place, struct cr_err *err)
{
	const struct cr_word_info *w = cr_word_info(step->word);
	struct cr_tree *next;
	uint32_t *map;
	const int rc = cr_transform_mapped(*t, w->transform, step->arg, &next, &map, err);

	if (rc < 0)
		return rc;
	for (uint64_t row = 0; row < p->samples.n; row++)
		if (place[row] != CR_NO_ROW)
			place[row] = map[place[row]];
	free(map);
	cr_tree_free(*t);
	*t = next;
	return CR_OK;
}

int
cr_query_place(const struct cr_profile *p, const struct cr_query *q, bool lines,
	struct cr_tree **out, uint32_t **place, struct cr_err *err)
{
	int rc = fold_places(p, q, lines, out, place, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == CR_OK && i < q->n; i++)
		if (cr_word_info(q->steps[i].word)->kind == CR_WORD_TRANSFORMS)
			rc = step_apply(p, &q->steps[i], out, *place, err);
	if (rc == CR_OK && (rc = cr_query_left(q, *out, err)) == CR_OK)
		return rc;
	cr_tree_free(*out);
	free(*place);
	*out = NULL;
	*place = NULL;
	return rc;
}
