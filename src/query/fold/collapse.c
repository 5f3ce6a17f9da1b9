#include "query/fold/collapse.h"

#include "base/hash.h"
#include "collapse_p.h"
#include "model/columns.h"
#include "query/diff/diff.h"
#include "query/fold/select.h"

#include <stdlib.h>

/* An event to fold, and the column that its samples are added to. */
struct pick {
	uint32_t event, column;
};

/* One column per side; with one side, a second column for what is subtracted. */
struct picks {
	CR_VEC(struct pick) rows;
	uint32_t columns, sides;
	struct cr_str event, unit;
	bool summed;
};

static uint32_t
event_called(const struct cr_profile *p, struct cr_str name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, name))
			return i;
	return CR_NO_ROW;
}

/* Negative counts: event "negative", or "negative NAME" for others than the main event. */
static bool
is_negative(const struct cr_event *e)
{
	return cr_str_eq(e->name, CR_STR("negative")) || cr_str_starts(e->name, "negative ");
}

/* The event of the first sample, except negative and computed ones. */
static uint32_t
first_event(const struct cr_profile *p, bool recorded)
{
	const struct cr_event_column events = cr_column_events(p);
	uint8_t *skipped = cr_alloc(CR_MAX(p->n_events, 1u), 1);
	uint64_t i = 0;

	for (uint32_t e = 0; e < p->n_events; e++)
		skipped[e] = is_negative(&p->events[e]) ||
			     (recorded && cr_event_is_derived(p, (cr_event_id){e}));
	while (i < p->samples.n && skipped[cr_event_of(&events, i)])
		i++;
	free(skipped);
	return i < p->samples.n ? cr_event_of(&events, i) : CR_NO_ROW;
}

/* The one named by the reader, otherwise the first; CR_NO_ROW if it has no samples. */
static uint32_t
default_event(const struct cr_profile *p)
{
	const struct cr_str fact = cr_profile_fact(p, "main event");
	uint32_t first;

	if (fact.len)
		return event_called(p, fact);
	first = first_event(p, true);
	return first == CR_NO_ROW ? first_event(p, false) : first;
}

static void
pick(struct picks *k, uint32_t event, uint32_t column)
{
	if (event != CR_NO_ROW)
		cr_vec_push(&k->rows, ((struct pick){event, column}));
	k->columns = CR_MAX(k->columns, column + 1);
}

/* The event subtracted from this one. */
static uint32_t
negative_of(const struct cr_profile *p, uint32_t event)
{
	if (event == default_event(p))
		return event_called(p, CR_STR("negative"));
	for (uint32_t i = 0; i < p->n_events; i++)
		if (is_negative(&p->events[i]) &&
			p->events[i].name.len == p->events[event].name.len + 9 &&
			memcmp(p->events[i].name.p + 9, p->events[event].name.p,
				p->events[event].name.len) == 0)
			return i;
	return CR_NO_ROW;
}

static int
pick_asked(const struct cr_profile *p, const struct cr_filter *f, struct picks *out,
	struct cr_err *err)
{
	cr_event_id event;
	int rc = cr_filter_event(p, f, &event, err);

	if (rc < 0)
		return rc;
	pick(out, event.i, 0);
	if (negative_of(p, event.i) != CR_NO_ROW)
		pick(out, negative_of(p, event.i), 1);
	out->event = p->events[event.i].name;
	out->unit = p->events[event.i].unit;
	return CR_OK;
}

/* Some formats have one event per table; they are folded together. */
static void
pick_all(const struct cr_profile *p, struct picks *out)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		pick(out, i, is_negative(&p->events[i]));
	out->event = p->events[0].name;
	out->unit = p->events[0].unit;
}

static void
pick_default(const struct cr_profile *p, struct picks *out)
{
	const uint32_t event = default_event(p), negative = event_called(p, CR_STR("negative"));

	pick(out, event, 0);
	if (negative != CR_NO_ROW && negative != event)
		pick(out, negative, 1);
	out->event = event == CR_NO_ROW ? cr_profile_fact(p, "main event") : p->events[event].name;
	out->unit = p->events[event == CR_NO_ROW ? 0 : event].unit;
}

static int
pick_events(const struct cr_profile *p, const struct cr_filter *f, struct picks *out,
	struct cr_err *err)
{
	*out = (struct picks){.sides = 1};
	if (f->event)
		return pick_asked(p, f, out, err);
	if (cr_diff_is(p)) {
		out->sides = 2;
		pick(out, event_called(p, CR_STR("before")), 0);
		pick(out, event_called(p, CR_STR("after")), 1);
		out->event = cr_profile_fact(p, "differential");
		out->unit = p->events[out->rows.p[1].event].unit;
	} else if (cr_str_eq(cr_profile_fact(p, "collapse"), CR_STR("all events"))) {
		pick_all(p, out);
	} else {
		pick_default(p, out);
	}
	return CR_OK;
}

/* Select samples of an event, one byte each. */
static int
select_event(const struct cr_profile *p, const struct cr_filter *f, uint32_t event, uint8_t **sel,
	struct cr_err *err)
{
	char *name = cr_memdup(p->events[event].name.p, p->events[event].name.len);
	struct cr_filter one = *f;
	int rc;

	one.event = name;
	rc = cr_select(p, &one, sel, err);
	free(name);
	return rc;
}

static int
group_samples(const struct cr_profile *p, const char *field, const struct picks *k,
	const uint8_t *sel, struct cr_groups *out, struct cr_err *err)
{
	const struct cr_field *d;
	int rc;

	if (k->rows.n != 1)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"several events cannot be grouped by a field; select one with --event");
	if ((rc = cr_filter_field(
		     p, (cr_event_id){k->rows.p[0].event}, cr_str_of(field), &d, err)) == CR_OK)
		cr_groups_make(p, sel, d, out);
	return rc;
}

static void
add_samples(const struct cr_profile *p, const uint8_t *sel, const struct cr_spelt *spelt,
	const struct cr_groups *g, struct cr_path_sums *path_sums, uint32_t column)
{
	const uint32_t *task = spelt->task_group ? cr_column_tasks(p) : NULL;

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (sel[i])
			cr_path_sums_add_to(path_sums,
				task ? spelt->task_group[task[i]] : g->of_sample[i], i, column);
	}
}

static bool
is_nothing(const struct cr_tree_builder *tb, uint32_t node, uint32_t sides)
{
	for (uint32_t s = 0; s < sides; s++)
		if (cr_tree_builder_weight(tb, node, s))
			return false;
	return true;
}

/* Store the sums by node of the builder. Returns the number of empty stacks. */
static uint64_t
put_weights(
	struct cr_tree_builder *tb, const struct cr_path_sums_result *sums, const struct picks *k)
{
	const size_t n = k->columns;
	uint8_t *seen = cr_alloc(cr_tree_builder_nodes(tb), 1);
	uint64_t nothing = 0;

	for (size_t i = 0; i < sums->n; i++)
		for (uint32_t s = 0; s < k->sides; s++)
			cr_tree_builder_add(tb, sums->node[i], s, sums->weight[i * n + s],
				sums->samples[i * n + s]);
	for (size_t i = 0; i < sums->n && n > k->sides; i++)
		cr_tree_builder_subtract(tb, sums->node[i], 0, sums->weight[i * n + k->sides]);
	for (uint32_t i = 0; i < sums->n; i++) {
		nothing += !seen[sums->node[i]] && is_nothing(tb, sums->node[i], k->sides);
		seen[sums->node[i]] = 1;
	}
	free(seen);
	return nothing;
}

/*
 * True if equal stacks may be several nodes. If their sum may be 0, the warning counts stacks, and
 * what is subtracted from a stack is subtracted from all its nodes. With inlined functions few of
 * many nodes differ, and a tree of all takes longer and more memory.
 */
static bool
can_stay_unmerged(const struct cr_profile *p, const struct cr_collapse_opts *o,
	const struct picks *k, const struct cr_path_sums *path_sums)
{
	return o->to_write && !o->recursive && !o->n_skip_after && k->columns == k->sides &&
	       p->n_lines <= p->n_locations + (uint64_t)p->n_locations / 4 &&
	       !cr_path_sums_any_empty(path_sums);
}

static struct cr_tree *
fold_sums(struct cr_path_sums *path_sums, const struct cr_spelling *s, const struct picks *k,
	uint64_t *nothing_left)
{
	struct cr_path_sums_result sums;
	struct cr_tree_builder *tb = cr_path_sums_end(path_sums, &sums);

	*nothing_left = put_weights(tb, &sums, k);
	cr_path_sums_result_fini(&sums);
	return s->unmerged ? cr_tree_builder_finish_bare(tb) : cr_tree_builder_finish(tb, NULL);
}

/* Fold the samples selected for each pick, below groups. */
static struct cr_tree *
fold_picks(const struct cr_profile *p, const struct cr_collapse_opts *o, const struct picks *k,
	uint8_t *const *sel, struct cr_groups *g, uint64_t *nothing_left)
{
	struct cr_path_sums *path_sums;
	struct cr_spelt spelt;
	struct cr_tree *t;

	cr_spelt_make(p, o, o->group ? g : NULL, &spelt);
	spelt.s.sides = k->sides;
	path_sums = cr_path_sums_new_spelt(p, &spelt.s, k->columns);
	for (size_t i = 0; i < k->rows.n; i++)
		add_samples(p, sel[i], &spelt, g, path_sums, k->rows.p[i].column);
	spelt.s.unmerged = can_stay_unmerged(p, o, k, path_sums);
	if (spelt.s.unmerged && spelt.s.n_groups == 1 && !o->offsets)
		t = cr_path_sums_end_unmerged(path_sums);
	else
		t = fold_sums(path_sums, &spelt.s, k, nothing_left);
	cr_tree_keep(t, &spelt.made);
	cr_spelt_fini(&spelt);
	cr_tree_set_measure(
		t, (struct cr_measure){.event = k->event, .unit = k->unit, .summed = k->summed});
	return t;
}

int
cr_collapse(const struct cr_profile *p, const struct cr_filter *f, const struct cr_collapse_opts *o,
	struct cr_tree **out, uint64_t *nothing_left, struct cr_err *err)
{
	struct cr_groups g = {0};
	uint8_t **sel = NULL;
	struct picks k;
	int rc;

	*out = NULL;
	*nothing_left = 0;
	if ((rc = pick_events(p, f, &k, err)) < 0)
		return rc;
	k.summed = k.rows.n && cr_event_is_summed(p, (cr_event_id){k.rows.p[0].event});
	sel = cr_alloc(CR_MAX(k.rows.n, (uint64_t)1), sizeof(*sel));
	for (size_t i = 0; i < k.rows.n && rc == CR_OK; i++)
		rc = select_event(p, f, k.rows.p[i].event, &sel[i], err);
	if (rc == CR_OK && o->group)
		rc = group_samples(p, o->group, &k, sel[0], &g, err);
	if (rc == CR_OK)
		*out = fold_picks(p, o, &k, sel, &g, nothing_left);
	for (size_t i = 0; i < k.rows.n; i++)
		free(sel[i]);
	free(sel);
	cr_vec_fini(&k.rows);
	cr_groups_fini(&g);
	return rc;
}

/* ---- several trees */

#define MILLIONTHS CR_STR("millionths")
#define MILLION 1000000u

/* By frame of t: the row of its name in `rows`. */
static uint32_t *
rows_of(const struct cr_tree *t, struct cr_index *index, struct cr_frame **rows, uint32_t *n)
{
	uint32_t *row = cr_alloc(t->n_frames, sizeof(*row));

	*rows = cr_realloc(*rows, (uint64_t)*n + t->n_frames, sizeof(**rows));
	for (uint32_t i = 1; i < t->n_frames; i++) {
		const struct cr_str name = t->frames[i].name;
		const uint64_t h = cr_hash(name.p, name.len);
		uint32_t r;

		cr_index_each(index, h, r)
			if (cr_str_eq((*rows)[r].name, name))
				break;
		if (r == CR_NO_ROW) {
			r = (*n)++;
			(*rows)[r] = t->frames[i];
			cr_index_add(index, h, r);
		}
		row[i] = r;
	}
	return row;
}

/* Add the weights of t, multiplied by `scale`, to the builder. */
static void
join_tree(struct cr_tree_builder *tb, const struct cr_tree *t, const uint32_t *row, uint64_t scale)
{
	uint32_t *node = cr_alloc(t->n, sizeof(*node));
	uint64_t weight;

	for (uint32_t i = 0; i < t->n; i++) {
		if (i)
			node[i] = cr_tree_builder_child(tb, node[t->parent[i]], row[t->frame[i]]);
		for (uint32_t s = 0; s < t->sides; s++) {
			weight = cr_mul_ok(t->weight[s][i], scale, &weight) ? weight : UINT64_MAX;
			cr_tree_builder_add(tb, node[i], s, weight, t->samples[s][i]);
		}
	}
	free(node);
}

/* If the trees count different events, the joined event is "" and its unit unknown. */
static struct cr_measure
joined_measure(struct cr_tree *const *trees, size_t n, bool fractions)
{
	struct cr_measure m = {
		.event = trees[0]->event, .unit = trees[0]->unit, .summed = trees[0]->summed};

	for (size_t i = 1; i < n; i++) {
		m.summed |= trees[i]->summed;
		if (cr_str_eq(trees[i]->event, m.event) && cr_str_eq(trees[i]->unit, m.unit))
			continue;
		m.event = CR_STR("");
		m.unit = CR_STR("weight");
	}
	if (fractions)
		m.unit = MILLIONTHS;
	return m;
}

int
cr_collapse_join(struct cr_tree *const *trees, size_t n, struct cr_tree **out, struct cr_err *err)
{
	uint32_t **row, n_rows = 1;
	struct cr_frame *rows;
	struct cr_index index = {0};
	struct cr_tree_builder *tb;
	bool fractions = false;

	*out = NULL;
	for (size_t i = 0; i < n; i++) {
		if (trees[i]->sides != trees[0]->sides)
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"some inputs have two counts per stack, others have one");
		fractions |= cr_str_eq(trees[i]->unit, MILLIONTHS);
	}
	row = cr_alloc(n, sizeof(*row));
	rows = cr_alloc(1, sizeof(*rows));
	rows[0] = trees[0]->frames[0];
	for (size_t i = 0; i < n; i++)
		row[i] = rows_of(trees[i], &index, &rows, &n_rows);
	tb = cr_tree_builder_new(trees[0]->sides, rows, n_rows);
	for (size_t i = 0; i < n; i++)
		join_tree(tb, trees[i], row[i],
			fractions && !cr_str_eq(trees[i]->unit, MILLIONTHS) ? MILLION : 1);
	for (size_t i = 0; i < n; i++)
		free(row[i]);
	free(row);
	free(rows);
	cr_index_fini(&index);
	*out = cr_tree_builder_finish(tb, NULL);
	cr_tree_set_measure(*out, joined_measure(trees, n, fractions));
	return CR_OK;
}
