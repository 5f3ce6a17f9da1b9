#include "trees_p.h"

#include "selection_set_p.h"

#include "base/vec.h"
#include "base/work.h"
#include "model/cost.h"
#include "model/profile.h"
#include "model/tree/kept_trees.h"
#include "query/diff/diff.h"
#include "query/fold/sketch/sketch.h"
#include "query/fold/sketch/wide_stacks.h"
#include "session/load.h"
#include "store/store.h"

#include <stdlib.h>

/* What a base depends on. */
#define BASE_KINDS (CR_WORD_SELECTS | CR_WORD_FOLDS)
#define KEPT_BYTES (UINT64_C(40) << 20) /* the inverted tree of a million nodes */
/* A complete tree of so many nodes takes seconds and more than a gigabyte. */
#define SKETCH_NODES (UINT64_C(1) << 25)
/* Of stacks alone: so many take 100 MB. */
#define WIDE_NODES (UINT64_C(1) << 21)

/* A copy of a profile that has other costs. */
struct costed {
	const struct cr_profile *recorded;
	struct cr_profile *p;
};

/* What a sketch is a part of; one of the two, or none. */
struct behind {
	struct cr_tree *plain; /* of query/fold/sketch/sketch.h */
	struct cr_wide_stacks *wide;
};

struct path {
	uint32_t n, *frames;
};

struct cr_trees {
	struct cr_tree *base; /* the selected samples, folded; NULL if none yet */
	/* If the base is a sketch: its group that is complete, + 1, and more of the sketch. */
	uint32_t opened1, path1;
	struct behind shown_of; /* of the sketch that is shown */
	struct behind made_of;  /* of the base, a sketch that is not shown; or empty */
	uint64_t unresolved;
	uint64_t least_nodes, wide_nodes; /* of trees that are made as sketches */
	CR_VEC(struct path) paths;
	struct cr_query base_query; /* query whose selections it has, including the event */
	struct cr_plan *plan[CR_SIDES];
	struct cr_query plan_query; /* options of the plans, which borrow from it */
	/* Trees of earlier queries, so that undo need not make them again. */
	struct cr_kept_trees kept;
	char *made, *shown; /* keys of the tree that was made last and of the one shown, or NULL */
	CR_VEC(struct costed) costed;
	uint64_t numbers; /* of trees given out so far */
};

struct cr_trees *
cr_trees_new(void)
{
	struct cr_trees *ts = cr_alloc(1, sizeof(*ts));

	ts->kept.bytes_most = KEPT_BYTES;
	ts->least_nodes = SKETCH_NODES;
	ts->wide_nodes = WIDE_NODES;
	return ts;
}

void
cr_trees_set_least(struct cr_trees *ts, uint64_t least_nodes)
{
	ts->least_nodes = ts->wide_nodes = least_nodes;
}

/* Forget the old one. */
static void
behind_replace(struct behind *b, struct behind by)
{
	cr_tree_free(b->plain);
	cr_wide_stacks_free(b->wide);
	*b = by;
}

static void
plans_free(struct cr_trees *ts)
{
	for (int side = 0; side < CR_SIDES; side++) {
		cr_plan_free(ts->plan[side]);
		ts->plan[side] = NULL;
	}
	cr_query_fini(&ts->plan_query);
}

void
cr_trees_free(struct cr_trees *ts)
{
	if (!ts)
		return;
	cr_tree_free(ts->base);
	behind_replace(&ts->shown_of, (struct behind){.plain = NULL});
	behind_replace(&ts->made_of, (struct behind){.plain = NULL});
	for (size_t i = 0; i < ts->paths.n; i++)
		free(ts->paths.p[i].frames);
	cr_vec_fini(&ts->paths);
	cr_query_fini(&ts->base_query);
	plans_free(ts);
	cr_kept_trees_clear(&ts->kept);
	free(ts->made);
	free(ts->shown);
	for (size_t i = 0; i < ts->costed.n; i++)
		cr_profile_free(ts->costed.p[i].p);
	cr_vec_fini(&ts->costed);
	free(ts);
}

/* ---- costs */

static int
with_cost(struct cr_trees *ts, struct cr_profile *recorded, const char *cost,
	struct cr_profile **out, struct cr_err *err)
{
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */
	int rc;

	*out = recorded;
	if (!cost || !recorded)
		return CR_OK;
	for (size_t i = 0; i < ts->costed.n; i++)
		if (ts->costed.p[i].recorded == recorded &&
			cr_cost_same(ts->costed.p[i].p->cost, cost)) {
			*out = ts->costed.p[i].p;
			return CR_OK;
		}
	if ((rc = cr_store_fetch(recorded, CR_STORE_ALL, &log, err)) == CR_OK &&
		(rc = cr_cost_copy(recorded, cost, out, err)) == CR_OK)
		cr_vec_push(&ts->costed, ((struct costed){recorded, *out}));
	return rc;
}

int
cr_trees_set_cost(struct cr_trees *ts, struct cr_session *s, const char *cost, struct cr_err *err)
{
	struct cr_profile *to[CR_SIDES];
	int rc;

	for (int side = 0; side < CR_SIDES; side++)
		if ((rc = with_cost(ts, s->recorded[side], cost, &to[side], err)) < 0)
			return rc;
	for (int side = 0; side < CR_SIDES; side++) {
		s->profile[side] = to[side];
		if (s->diff.profile[side])
			s->diff.profile[side] = to[side];
	}
	plans_free(ts);
	return CR_OK;
}

/* The steps of these kinds as a text, which the caller frees. q has an event. */
static char *
key_of(const struct cr_query *q, unsigned kinds)
{
	struct cr_text key = {0};

	for (size_t i = 0; i < q->n; i++) {
		if (!(cr_word_info(q->steps[i].word)->kind & kinds))
			continue;
		cr_query_put_step(q->steps[i].word, q->steps[i].arg, &key);
		cr_text_char(&key, '\n');
	}
	return key.p;
}

static struct cr_tree *
take_kept(struct cr_trees *ts, const struct cr_query *q, unsigned kinds)
{
	char *key = key_of(q, kinds);
	struct cr_tree *t = cr_kept_trees_take(&ts->kept, key);

	free(key);
	return t;
}

static void
keep(struct cr_trees *ts, const struct cr_query *q, unsigned kinds, struct cr_tree *t)
{
	char *key = key_of(q, kinds);

	cr_kept_trees_add(&ts->kept, key, t);
	free(key);
}

/* ---- reading */

/*
 * Read further parts of the stored profile of one side. Columns that the filter examines are read
 * completely, which makes their zones exact; of the others only zones that may contain selected
 * samples are read.
 */
static int
fetch(struct cr_profile *p, const struct cr_query *q, struct cr_err *err)
{
	const struct cr_fold_opts o = cr_query_opts(q);
	const unsigned needs = cr_query_needs(p, q);
	struct cr_log log = {0}; /* losses are in the profile's quality too */
	uint8_t *want;
	int rc;

	if (!needs)
		return CR_OK;
	if ((rc = cr_store_fetch(p,
		     cr_load_parts(needs & cr_fold_needs_whole(cr_query_filter(q), &o)), &log,
		     err)) < 0)
		return rc;
	want = cr_alloc(CR_MAX(p->samples.n_zones, 1u), 1);
	if ((rc = cr_fold_zones(p, cr_query_filter(q), &o, want, err)) == CR_OK)
		rc = cr_store_fetch_zones(p, cr_load_parts(needs), want, &log, err);
	free(want);
	return rc;
}

static int
fetch_all(struct cr_profile *p, const struct cr_query *q, struct cr_err *err)
{
	struct cr_log log = {0};

	return cr_store_fetch(p, cr_load_parts(cr_query_needs(p, q)), &log, err);
}

/* ---- folding */

/* For a query; the caller frees it. */
static char *
name_of(const struct cr_event *e)
{
	return cr_memdup(e->name.len ? e->name.p : "", e->name.len);
}

/* The plans are those of q's options from now on. */
static void
plans_for(struct cr_trees *ts, const struct cr_query *q)
{
	if (cr_query_same(&ts->plan_query, q, CR_WORD_FOLDS))
		return;
	plans_free(ts);
	cr_query_copy(q, &ts->plan_query);
}

/*
 * The plan of a side. Its stacks are prepared before samples are read, so that the memory needed
 * for that is free again. needs: what is read, bits of enum cr_needs.
 */
static int
plan_make(struct cr_trees *ts, struct cr_profile *p, uint32_t side, unsigned needs,
	struct cr_err *err)
{
	const struct cr_fold_opts o = cr_query_opts(&ts->plan_query);
	struct cr_log log = {0};
	int rc;

	if (ts->plan[side])
		return CR_OK;
	if ((needs & CR_NEEDS_TREE) && (rc = cr_store_fetch(p, CR_STORE_TREE, &log, err)) < 0)
		return rc;
	ts->plan[side] = cr_plan_new(p, &o);
	cr_plan_prepare(ts->plan[side]);
	return cr_work_check(err);
}

void
cr_trees_prepare(struct cr_trees *ts, const struct cr_session *s)
{
	struct cr_err ignored = CR_ERR_INIT;

	if (s->sides != 1 || cr_state_is_within(s) ||
		!(s->profile[0]->flags & CR_PROFILE_HAS_SAMPLES))
		return;
	plans_for(ts, &s->query);
	if (plan_make(ts, s->profile[0], 0, CR_NEEDS_TREE, &ignored) == CR_OK)
		cr_plan_prepare(ts->plan[0]); /* work on it may have been stopped before */
}

/* Fold a filter by leaf from the default tree; returns false if that does not do. */
static bool
fold_by_leaf(struct cr_profile *p, const struct cr_query *q, struct cr_tree **out)
{
	const struct cr_fold_opts o = cr_query_opts(q);
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_log log = {0}; /* losses are in the profile's quality too */

	return cr_fold_is_by_leaf(p, cr_query_filter(q), &o) &&
	       cr_store_fetch(p, CR_STORE_TREE, &log, &ignored) == CR_OK &&
	       cr_fold_by_leaf(p, cr_query_filter(q), out);
}

static int
fold_side(struct cr_trees *ts, const struct cr_session *s, uint32_t side, const struct cr_query *q,
	struct cr_tree **out, struct cr_err *err)
{
	int rc;

	if (!cr_query_needs(s->profile[side], q))
		return cr_query_fold(s->profile[side], q, out, err);
	if (fold_by_leaf(s->profile[side], q, out))
		return CR_OK;
	if ((rc = plan_make(ts, s->profile[side], side, cr_query_needs(s->profile[side], q), err)) <
			0 ||
		(rc = fetch(s->profile[side], q, err)) < 0)
		return rc;
	return cr_plan_fold(ts->plan[side], cr_query_filter(q), out, err);
}

static int
fold_within(const struct cr_session *s, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err)
{
	const struct cr_fold_opts o = cr_query_opts(q);
	const int rc = fetch_all(s->profile[0], q, err);

	return rc < 0 ? rc : cr_diff_within(s->profile[0], cr_query_filter(q), &o, out, err);
}

/* q with the event of the other profile that is compared with its event. */
static int
query_after(const struct cr_session *s, uint32_t event, const struct cr_query *q,
	struct cr_query *out, struct cr_err *err)
{
	const struct cr_event *e = &s->profile[0]->events[event];
	cr_event_id partner;
	char *name;
	int rc;

	if ((rc = cr_diff_partner(s->profile[1], e, s->diff.force, &partner, err)) < 0)
		return rc;
	name = name_of(&s->profile[1]->events[partner.i]);
	cr_query_copy(q, out);
	rc = cr_query_add(out, CR_WORD_EVENT, name, err);
	free(name);
	return rc;
}

/* Add "time FROM..TO", as far as that lies within the time that q asks for. */
static int
add_time(struct cr_query *q, const struct cr_times *within, uint64_t from, uint64_t to,
	struct cr_err *err)
{
	struct cr_selection range = {.parts = CR_SELECTED_TIME, .from_ns = from, .to_ns = to};
	struct cr_text text = {0};
	int rc = CR_OK;

	if (within->n == 1 && !within->p[0].is_share) {
		range.from_ns = CR_MAX(from, within->p[0].from);
		range.to_ns = CR_MIN(to, within->p[0].to);
	}
	if (range.from_ns < range.to_ns) {
		cr_selection_put_time(&range, &text);
		rc = cr_query_add(q, CR_WORD_TIME, text.p, err);
	}
	cr_text_fini(&text);
	return rc;
}

/* Of a comparison by time, what is of a side: the marked time, or what is before and after it. */
static int
query_by_time(const struct cr_session *s, uint32_t side, const struct cr_query *q,
	struct cr_query *out, struct cr_err *err)
{
	const struct cr_times *within = &cr_query_filter(q)->times;
	int rc;

	cr_query_copy(q, out);
	cr_query_remove(out, CR_WORD_TIME);
	if (side)
		return add_time(out, within, s->from_ns, s->to_ns, err);
	if ((rc = add_time(out, within, 0, s->from_ns, err)) < 0)
		return rc;
	return s->to_ns == UINT64_MAX ? CR_OK : add_time(out, within, s->to_ns, UINT64_MAX, err);
}

bool
cr_trees_own_event(const struct cr_session *s, uint32_t side, cr_event_id *out)
{
	const struct cr_filter *f = cr_query_filter(&s->own[side]);
	struct cr_err unused = CR_ERR_INIT;

	return f->event && cr_filter_event(s->profile[side], f, out, &unused) == CR_OK;
}

/* What the query q for `event`, an event of the first profile, asks of a side. */
static int
query_of_side(const struct cr_session *s, uint32_t event, uint32_t side, const struct cr_query *q,
	struct cr_query *out, struct cr_err *err)
{
	struct cr_query common;
	cr_event_id own;
	int rc;

	if (s->by_time)
		return query_by_time(s, side, q, out, err);
	if (!side || cr_trees_own_event(s, side, &own))
		cr_query_copy(q, &common);
	else if ((rc = query_after(s, event, q, &common, err)) < 0)
		return rc;
	cr_query_override(&common, &s->own[side], out);
	cr_query_fini(&common);
	return CR_OK;
}

/*
 * The query and the tree of each side; *out is zeros at first. The caller ends it with
 * cr_trees_sides_fini(), also on failure.
 */
static int
fold_sides(struct cr_trees *ts, const struct cr_session *s, uint32_t event,
	const struct cr_query *q, struct cr_trees_sides *out, struct cr_err *err)
{
	int rc = CR_OK;

	for (uint32_t i = 0; i < s->sides && rc == CR_OK; i++) {
		rc = query_of_side(s, event, i, q, &out->query[i], err);
		if (rc == CR_OK)
			rc = fold_side(ts, s, i, &out->query[i], &out->tree[i], err);
	}
	return rc;
}

void
cr_trees_sides_fini(struct cr_trees_sides *sides)
{
	for (int i = 0; i < CR_SIDES; i++) {
		cr_query_fini(&sides->query[i]);
		cr_tree_free(sides->tree[i]);
	}
	*sides = (struct cr_trees_sides){.tree = {NULL}};
}

/* event: that of q, a row of the first profile's. */
static int
fold(struct cr_trees *ts, const struct cr_session *s, uint32_t event, const struct cr_query *q,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_diff_opts opts = s->diff;
	struct cr_trees_sides sides = {.tree = {NULL}};
	int rc;

	*out = NULL;
	opts.keep_groups = cr_query_groups(q);
	plans_for(ts, q);
	if (cr_state_is_within(s))
		return fold_within(s, q, out, err);
	rc = fold_sides(ts, s, event, q, &sides, err);
	if (rc == CR_OK && s->sides == 2) {
		rc = cr_diff(sides.tree[0], sides.tree[1], &opts, out, err);
	} else if (rc == CR_OK) {
		*out = sides.tree[0];
		sides.tree[0] = NULL;
	}
	cr_trees_sides_fini(&sides);
	return rc;
}

/* ---- transforming */

/* True if b is a, optionally followed by transforms. */
static bool
begins_with(const struct cr_query *b, const struct cr_query *a)
{
	for (size_t i = 0; i < b->n; i++)
		if (i < a->n ? b->steps[i].word != a->steps[i].word ||
					strcmp(b->steps[i].arg, a->steps[i].arg) != 0
			     : cr_word_info(b->steps[i].word)->kind != CR_WORD_TRANSFORMS)
			return false;
	return a->n <= b->n;
}

/* Apply the steps from `from` on; returns t itself if none of them transforms. */
static int
transform(struct cr_tree *t, const struct cr_query *q, size_t from, struct cr_tree **out,
	struct cr_err *err)
{
	struct cr_tree *at = t, *next;
	int rc = cr_work_check(err); /* t may be incomplete: then nothing is made of it */

	for (size_t i = from; i < q->n && rc == CR_OK; i++) {
		const struct cr_word_info *w = cr_word_info(q->steps[i].word);

		if (w->kind != CR_WORD_TRANSFORMS)
			continue;
		if ((rc = cr_transform(at, w->transform, q->steps[i].arg, &next, err)) < 0)
			continue;
		if (at != t)
			cr_tree_free(at);
		at = next;
		rc = cr_work_check(err);
	}
	if (rc == CR_OK)
		rc = cr_query_left(q, at, err);
	if (rc < 0 && at != t)
		cr_tree_free(at);
	*out = rc < 0 ? NULL : at;
	return rc;
}

/* Replace the base; s may still have the old one, which is kept when s has shown another one. */
static void
base_replace(struct cr_trees *ts, const struct cr_session *s, struct cr_tree *base,
	const struct cr_query *asked)
{
	if (ts->base && ts->base != s->tree && ts->base_query.n && !ts->base->is_sketch)
		keep(ts, &ts->base_query, BASE_KINDS, ts->base);
	else if (ts->base != s->tree)
		cr_tree_free(ts->base);
	cr_query_fini(&ts->base_query);
	ts->base = base;
	cr_query_copy(asked, &ts->base_query);
}

/* ---- sketches */

static bool
has_sketch(const struct cr_session *s, const struct cr_query *asked)
{
	return s->sides == 1 && !cr_state_is_within(s) && !cr_query_has(asked, CR_WORD_TRANSFORMS);
}

/* What is made instead of a complete tree. */
struct made {
	struct cr_tree *tree; /* NULL: nothing */
	struct behind of;
	uint64_t unresolved;
};

/* The sketch of what there is, in which a path is open. */
static int
sketch_wide(struct cr_trees *ts, struct cr_wide_stacks *wide, uint32_t path1, struct made *out,
	struct cr_err *err)
{
	static const struct path none;
	const struct path *open = path1 ? &ts->paths.p[path1 - 1] : &none;

	out->unresolved = wide->unresolved;
	out->of.wide = wide;
	return cr_wide_stacks_sketch(wide, CR_SKETCH_SHARE, open->frames, open->n, &out->tree, err);
}

/* Fold q to a sketch of very many stacks, or to the complete tree if there are not so many. */
static int
fold_wide(struct cr_trees *ts, struct cr_plan *plan, const struct cr_query *q, uint32_t path1,
	struct made *out, struct cr_err *err)
{
	struct cr_wide_stacks *wide;
	int rc;

	if (!cr_plan_can_be_wide(plan, cr_query_filter(q)))
		return CR_OK;
	rc = cr_plan_fold_wide(plan, cr_query_filter(q), ts->wide_nodes, &out->tree, &wide, err);
	if (rc < 0 || !wide)
		return rc;
	wide->number = ++ts->numbers;
	return sketch_wide(ts, wide, path1, out, err);
}

/* Fold q to a sketch of groups. */
static int
fold_groups(struct cr_trees *ts, const struct cr_query *q, uint32_t opened1, struct made *out,
	struct cr_err *err)
{
	const struct cr_sketch_opts opts = {ts->least_nodes, opened1};
	struct cr_sketch sketch;
	const int rc = cr_plan_sketch(ts->plan[0], cr_query_filter(q), &opts, &sketch, err);

	*out = (struct made){sketch.tree, {.plain = sketch.plain}, sketch.unresolved};
	return rc;
}

/* Fold q, the query of the only side, to a sketch, if it has one. */
static int
fold_sketch(struct cr_trees *ts, const struct cr_session *s, const struct cr_query *q,
	const struct cr_sketching *how, struct made *out, struct cr_err *err)
{
	const struct cr_fold_opts o = cr_query_opts(q);
	struct cr_profile *p = s->profile[0];
	const unsigned needs = cr_query_needs(p, q);
	int rc;

	if (!needs || cr_fold_is_by_leaf(p, cr_query_filter(q), &o))
		return CR_OK;
	plans_for(ts, q);
	if ((rc = plan_make(ts, p, 0, needs, err)) < 0 || (rc = fetch(p, q, err)) < 0)
		return rc;
	/*
	 * A sketch of groups keeps the complete tree of all groups together. Of very many stacks
	 * that would be as large as what it spares; then the sums are kept, unless rows have to be
	 * walked anyway.
	 */
	if (cr_query_groups(q) &&
		(cr_plan_has_rows(ts->plan[0]) || p->n_nodes <= ts->wide_nodes ||
			!cr_plan_can_be_wide(ts->plan[0], cr_query_filter(q))) &&
		((rc = fold_groups(ts, q, how->opened1, out, err)) < 0 || out->tree))
		return rc;
	return fold_wide(ts, ts->plan[0], q, how->path1, out, err);
}

/* What the base is a part of. */
static struct cr_wide_stacks *
wide_of_base(const struct cr_trees *ts)
{
	return ts->made_of.wide ? ts->made_of.wide : ts->shown_of.wide;
}

/* The tree that was made becomes the base, unless nothing is left or making it failed. */
static int
take_made(struct cr_trees *ts, const struct cr_session *s, const struct cr_query *asked,
	const struct cr_sketching *how, int rc, struct made *made, struct cr_err *err)
{
	if (rc == CR_OK && made->tree)
		rc = cr_query_left(asked, made->tree, err);
	if (rc < 0) {
		cr_tree_free(made->tree);
		behind_replace(&made->of, (struct behind){.plain = NULL});
		made->tree = NULL;
	}
	if (!made->tree)
		return rc;
	made->tree->is_small = !made->tree->is_sketch;
	behind_replace(&ts->made_of, made->of);
	ts->unresolved = made->unresolved;
	ts->opened1 = how->opened1;
	ts->path1 = how->path1;
	base_replace(ts, s, made->tree, asked);
	return CR_OK;
}

/* *out is NULL if the query has no sketch, or none is wanted. */
static int
make_sketch(struct cr_trees *ts, const struct cr_session *s, uint32_t event,
	const struct cr_query *asked, const struct cr_sketching *how, struct cr_tree **out,
	struct cr_err *err)
{
	const bool has_base = ts->base && ts->base->is_sketch &&
			      cr_query_same(&ts->base_query, asked, BASE_KINDS);
	struct made made = {.tree = NULL};
	struct cr_query q;
	int rc;

	*out = NULL;
	if (!how->wanted || !has_sketch(s, asked))
		return CR_OK;
	if (has_base &&
		(ts->base->is_wide ? ts->path1 == how->path1 : ts->opened1 == how->opened1)) {
		*out = ts->base;
		return CR_OK;
	}
	if (has_base && ts->base->is_wide) {
		rc = sketch_wide(ts, cr_wide_stacks_hold(wide_of_base(ts)), how->path1, &made, err);
		rc = take_made(ts, s, asked, how, rc, &made, err);
	} else {
		if ((rc = query_of_side(s, event, 0, asked, &q, err)) == CR_OK)
			rc = fold_sketch(ts, s, &q, how, &made, err);
		rc = take_made(ts, s, asked, how, rc, &made, err);
		cr_query_fini(&q);
	}
	*out = made.tree;
	return rc;
}

/* ---- trees of queries */

/* The tree of a query: one that was kept, or else from a tree that has its first `done` steps. */
static int
from_tree(struct cr_trees *ts, struct cr_tree *t, size_t done, const struct cr_query *asked,
	const struct cr_query *q, struct cr_tree **out, struct cr_err *err)
{
	*out = cr_query_has(asked, CR_WORD_TRANSFORMS) ? take_kept(ts, asked, CR_WORD_ANY) : NULL;
	return *out ? CR_OK : transform(t, q, done, out, err);
}

/* True if a complete tree is what is made of a query even if a sketch is wanted. */
static bool
is_made(const struct cr_trees *ts, const struct cr_tree *t, const struct cr_query *asked,
	const struct cr_sketching *how)
{
	return t && !t->is_sketch &&
	       (!how->wanted || t->is_small || cr_query_has(asked, CR_WORD_TRANSFORMS) ||
		       (!cr_query_groups(asked) && t->n <= ts->wide_nodes));
}

/* A tree of earlier, without transforms. */
static struct cr_tree *
kept_base(struct cr_trees *ts, const struct cr_query *asked, const struct cr_sketching *how)
{
	struct cr_tree *base = take_kept(ts, asked, BASE_KINDS);

	if (!base || is_made(ts, base, asked, how))
		return base;
	keep(ts, asked, BASE_KINDS, base);
	return NULL;
}

/* asked: q with the event. */
static int
make(struct cr_trees *ts, const struct cr_session *s, uint32_t event, const struct cr_query *asked,
	const struct cr_query *q, const struct cr_sketching *how, struct cr_tree **out,
	struct cr_err *err)
{
	struct cr_tree *base;
	int rc;

	if (is_made(ts, ts->base, asked, how) &&
		cr_query_same(&ts->base_query, asked, BASE_KINDS)) {
		struct cr_tree *from = ts->base;
		size_t done = 0;

		if (s->tree && !s->tree->is_sketch && event == s->event &&
			begins_with(q, &s->query)) {
			from = s->tree;
			done = s->query.n;
		}
		return from_tree(ts, from, done, asked, q, out, err);
	}
	base = kept_base(ts, asked, how);
	if (!base && ((rc = make_sketch(ts, s, event, asked, how, out, err)) < 0 || *out))
		return rc;
	if (!base && (rc = fold(ts, s, event, asked, &base, err)) < 0)
		return rc;
	base->is_small |= how->wanted && has_sketch(s, asked);
	if ((rc = from_tree(ts, base, 0, asked, q, out, err)) < 0)
		keep(ts, asked, BASE_KINDS, base);
	else
		base_replace(ts, s, base, asked);
	return rc;
}

/* q with the name of an event of the first profile. The caller ends *out, also on failure. */
static int
query_with_event(const struct cr_session *s, uint32_t event, const struct cr_query *q,
	struct cr_query *out, struct cr_err *err)
{
	char *name = name_of(&s->profile[0]->events[event]);
	int rc;

	cr_query_copy(q, out);
	rc = cr_query_add(out, CR_WORD_EVENT, name, err);
	free(name);
	return rc;
}

int
cr_trees_make(struct cr_trees *ts, const struct cr_session *s, uint32_t event,
	const struct cr_query *q, const struct cr_sketching *how, struct cr_tree **out,
	struct cr_err *err)
{
	struct cr_query asked;
	int rc = query_with_event(s, event, q, &asked, err);

	*out = NULL;
	if (rc == CR_OK)
		rc = make(ts, s, event, &asked, q, how, out, err);
	if (rc == CR_OK) {
		free(ts->made);
		ts->made = key_of(&asked, CR_WORD_ANY);
		if (!(*out)->number)
			(*out)->number = ++ts->numbers;
	}
	cr_query_fini(&asked);
	return rc;
}

void
cr_trees_show(struct cr_trees *ts, struct cr_tree *old)
{
	const bool is_sketch = ts->base && ts->base->is_sketch;

	if (is_sketch && (ts->made_of.plain || ts->made_of.wide)) {
		behind_replace(&ts->shown_of, ts->made_of);
		ts->made_of = (struct behind){.plain = NULL};
	} else if (!is_sketch) {
		behind_replace(&ts->shown_of, (struct behind){.plain = NULL});
		behind_replace(&ts->made_of, (struct behind){.plain = NULL});
	}
	if (old && old != ts->base && ts->shown && !old->is_sketch)
		cr_kept_trees_add(&ts->kept, ts->shown, old);
	else
		cr_trees_drop(ts, old);
	free(ts->shown);
	ts->shown = ts->made;
	ts->made = NULL;
}

int
cr_trees_make_sides(struct cr_trees *ts, const struct cr_session *s, struct cr_trees_sides *out,
	struct cr_err *err)
{
	struct cr_query asked;
	int rc = query_with_event(s, s->event, &s->query, &asked, err);

	*out = (struct cr_trees_sides){.tree = {NULL}};
	if (rc == CR_OK)
		rc = fold_sides(ts, s, s->event, &asked, out, err);
	cr_query_fini(&asked);
	if (rc < 0)
		cr_trees_sides_fini(out);
	return rc;
}

int
cr_trees_query_of(
	const struct cr_session *s, uint32_t side, struct cr_query *out, struct cr_err *err)
{
	struct cr_query asked;
	int rc = query_with_event(s, s->event, &s->query, &asked, err);

	*out = (struct cr_query){0};
	if (rc == CR_OK)
		rc = query_of_side(s, s->event, side, &asked, out, err);
	cr_query_fini(&asked);
	if (rc < 0)
		cr_query_fini(out);
	return rc;
}

void
cr_trees_swap(struct cr_trees *ts)
{
	struct cr_plan *plan = ts->plan[0];

	ts->plan[0] = ts->plan[1];
	ts->plan[1] = plan;
	cr_trees_forget(ts);
}

const struct cr_tree *
cr_trees_base(const struct cr_trees *ts)
{
	return ts->base;
}

uint64_t
cr_trees_unresolved(const struct cr_trees *ts, uint32_t side)
{
	return ts->base->is_sketch ? ts->unresolved : cr_tree_unresolved(ts->base, side);
}

const struct cr_tree *
cr_trees_plain(const struct cr_trees *ts)
{
	return ts->shown_of.plain;
}

const struct cr_wide_stacks *
cr_trees_wide(const struct cr_trees *ts)
{
	return ts->shown_of.wide;
}

uint32_t
cr_trees_path1(struct cr_trees *ts, const struct cr_tree *t, uint32_t node)
{
	const uint32_t n = t->depth[node];
	struct path path = {n, cr_alloc((uint64_t)n + 1, sizeof(*path.frames))};

	for (uint32_t d = n; d > 0; d--, node = t->parent[node])
		path.frames[d - 1] = t->frame[node];
	for (uint32_t i = 0; i < ts->paths.n; i++)
		if (!n || (ts->paths.p[i].n == n && memcmp(ts->paths.p[i].frames, path.frames,
							    n * sizeof(*path.frames)) == 0)) {
			free(path.frames);
			return n ? i + 1 : 0;
		}
	if (!n) {
		free(path.frames);
		return 0;
	}
	cr_vec_push(&ts->paths, path);
	return (uint32_t)ts->paths.n;
}

void
cr_trees_forget(struct cr_trees *ts)
{
	cr_query_fini(&ts->base_query); /* every query has an event */
	cr_kept_trees_clear(&ts->kept);
	free(ts->shown);
	ts->shown = NULL;
}

void
cr_trees_drop(struct cr_trees *ts, struct cr_tree *t)
{
	if (t != ts->base)
		cr_tree_free(t);
}
