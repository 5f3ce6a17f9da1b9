#include "query/fold/fold.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "fold_p.h"
#include "group_rows_p.h"
#include "select_p.h"

#include <stdlib.h>

#define ROWS 4096       /* processed together */
#define ROWS_DONE 65536 /* released together */

/* ---- what a fold reads */

unsigned
cr_fold_needs(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o)
{
	unsigned needs = cr_filter_needs(f) | (o->bare ? 0 : CR_NEEDS_NODE | CR_NEEDS_TREE);
	uint64_t weight;
	uint32_t event;

	if (cr_plan_is_stored(p, f, o))
		return 0;
	needs |= cr_grouping_needs(o);
	if (!p || !cr_column_one_event(p, &event))
		needs |= CR_NEEDS_EVENT;
	if (!p || !cr_column_one_weight(p, &weight))
		needs |= CR_NEEDS_WEIGHT;
	return needs;
}

/* When grouping by event, all events are folded unless one was requested. */
struct cr_filter
cr_plan_filter(const struct cr_filter *f, const struct cr_fold_opts *o)
{
	struct cr_filter any = *f;

	any.all_events |= !f->event && cr_grouping_asks(o, CR_GROUP_EVENT);
	return any;
}

int
cr_fold_zones(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	uint8_t *want, struct cr_err *err)
{
	const struct cr_filter any = cr_plan_filter(f, o);

	return cr_filter_zones(p, &any, want, err);
}

/*
 * Events choose the zones, and values of fields are counted in order. There is a group for every
 * cpu of any sample. Threads and processes are named after their last sample, wherever it is.
 */
unsigned
cr_fold_needs_whole(const struct cr_filter *f, const struct cr_fold_opts *o)
{
	const bool tasks = cr_grouping_asks(o, CR_GROUP_PID) || cr_grouping_asks(o, CR_GROUP_TID);

	return cr_filter_needs(f) | CR_NEEDS_EVENT |
	       (cr_grouping_asks(o, CR_GROUP_CPU) ? CR_NEEDS_CPU : 0) |
	       (tasks ? CR_NEEDS_TASK : 0) |
	       (cr_grouping_asks(o, CR_GROUP_FIELD) ? cr_grouping_needs(o) : 0);
}

/* ---- summing samples by node and group */

/* The sum of a group at a node. Small, since most time is spent waiting for this memory. */
struct cell {
	uint32_t rows;
	uint32_t group1; /* + 1; 0: no sample yet */
};

struct adder {
	const struct cr_profile *p;
	struct cr_grouping *groups;
	uint32_t n_nodes;        /* or cells of all groups, if rows are added by cell */
	const uint32_t *cell_of; /* see struct cr_plan */
	uint32_t n_cells, only1;
	/*
	 * By node or cell, instead of `cells`: the number of rows, where all rows weigh the same
	 * and those of one node or cell are in one group.
	 */
	uint32_t *count;
	struct cell *cells;      /* by node: of the first group seen there */
	uint64_t *cell_weight;   /* by node; NULL: all rows have the same weight */
	struct cr_index further; /* by node and group: the other cells */
	CR_VEC(struct cell) further_cells;
	CR_VEC(uint64_t) further_weight;
	CR_VEC(uint32_t) further_node;
	/* Weight of a row. */
	const uint64_t *weights; /* by row; NULL: constant */
	uint64_t weight;
	bool is_count; /* a row stands for as many samples as its weight */
	/*
	 * By event: 1 if that holds for its rows; NULL: is_count holds for all. Other rows count 1.
	 */
	uint8_t *counts;
	struct cr_event_column events; /* used with counts */
	const uint32_t *nodes;         /* by row; NULL: all rows are at the root */
	/* So many rows were added. If most need further cells, they are put in order instead. */
	uint64_t n_rows;
	bool may_place, is_scattered;
	enum { ADDS, COUNTS, PLACES } does;
	struct cr_group_rows placed;
};

/* Samples with different units are only counted. */
static void
adder_init(
	struct adder *a, const struct cr_selector *s, const struct cr_plan *plan, bool only_samples)
{
	const struct cr_profile *p = s->p;

	*a = (struct adder){.p = p,
		.groups = plan->groups,
		.n_nodes = plan->cell_of ? plan->n_cells * plan->n_groups : CR_MAX(p->n_nodes, 1u),
		.cell_of = plan->cell_of,
		.n_cells = plan->n_cells,
		.only1 = plan->only1,
		.is_count = only_samples || cr_event_counts_samples(&p->events[s->event.i])};
	if (!plan->opts.bare)
		a->nodes = cr_selector_column(s, CR_SAMPLE_NODE);
	if (!cr_column_one_weight(p, &a->weight))
		a->weights = cr_selector_column(s, CR_SAMPLE_WEIGHT);
	if (only_samples) {
		a->counts = cr_alloc(p->n_events, 1);
		a->events = cr_selector_events(s);
	}
	for (uint32_t i = 0; only_samples && i < p->n_events; i++)
		a->counts[i] = cr_event_counts_samples(&p->events[i]);
	if (a->weights || a->counts)
		a->cell_weight = cr_alloc(a->n_nodes, sizeof(*a->cell_weight));
	if (!a->cell_weight && (a->cell_of || !cr_grouping_by_row(a->groups)))
		a->count = cr_alloc(a->n_nodes, sizeof(*a->count));
	else
		a->cells = cr_alloc(a->n_nodes, sizeof(*a->cells));
	/* Conditions on fields are checked once, in order. */
	a->may_place = a->cells && a->nodes && !a->cell_of && !a->only1 && !a->counts &&
		       !s->n_fields && !cr_grouping_by_node(a->groups);
}

/* Free what was added. */
static void
adder_drop(struct adder *a)
{
	free(a->count);
	free(a->cells);
	free(a->cell_weight);
	a->count = NULL;
	a->cells = NULL;
	a->cell_weight = NULL;
	cr_vec_fini(&a->further_cells);
	cr_vec_fini(&a->further_weight);
	cr_vec_fini(&a->further_node);
	cr_index_fini(&a->further);
}

static void
adder_fini(struct adder *a)
{
	adder_drop(a);
	free(a->counts);
	cr_group_rows_fini(&a->placed);
}

/* The cell of a node for a group that is not its first. */
static uint32_t
further_cell(struct adder *a, uint32_t node, uint32_t group1)
{
	const uint64_t h = cr_hash_mix(group1, node);
	uint32_t row;

	cr_index_each(&a->further, h, row)
		if (a->further_node.p[row] == node && a->further_cells.p[row].group1 == group1)
			return row;
	cr_index_add(&a->further, h, (uint32_t)a->further_node.n);
	cr_vec_push(&a->further_node, node);
	cr_vec_push(&a->further_cells, ((struct cell){.group1 = group1}));
	if (a->cell_weight)
		cr_vec_push(&a->further_weight, 0);
	return (uint32_t)a->further_cells.n - 1;
}

/* The number of the cell of a node in a group. */
static inline uint32_t
cell_in(const struct adder *a, uint32_t node, uint32_t group)
{
	return group * a->n_cells + a->cell_of[node];
}

static void
add_row(struct adder *a, uint32_t node, uint32_t group1, uint64_t weight)
{
	struct cell *cells = a->cells;
	uint64_t *weights = a->cell_weight;
	uint32_t i = a->cell_of ? cell_in(a, node, group1 - 1) : node;

	if (!cells[i].group1)
		cells[i].group1 = group1;
	if (cells[i].group1 != group1) {
		i = further_cell(a, node, group1);
		cells = a->further_cells.p;
		weights = a->further_weight.p;
	}
	cells[i].rows++;
	if (a->cell_weight)
		weights[i] = cr_add_sat(weights[i], weight);
}

static uint64_t
row_weight(const struct adder *a, uint64_t row)
{
	if (a->counts && !a->counts[cr_event_of(&a->events, row)])
		return 1;
	return a->weights ? a->weights[row] : a->weight;
}

#define AHEAD 32 /* prefetch distance in rows */

/* Prefetch the cell of a row that comes soon, and what says which one it is of a later row. */
static inline void
look_ahead(const struct adder *a, const uint32_t *node, const uint32_t *group, const uint32_t *row)
{
	const uint32_t soon = row[AHEAD / 2];

	__builtin_prefetch(&a->cell_of[node[row[AHEAD]]]);
	__builtin_prefetch(&a->cells[cell_in(a, node[soon], group ? group[soon] : 0)], 1);
}

/* The same as add_rows(), where rows are only counted. */
static void
count_rows(const struct adder *a, const uint32_t *node, uint32_t n, const uint8_t *select,
	const uint32_t *group)
{
	uint32_t *count = a->count;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t later = CR_MIN(i + AHEAD, n - 1),
			       soon = CR_MIN(i + AHEAD / 2, n - 1);

		if (a->cell_of) {
			__builtin_prefetch(&a->cell_of[node[later]]);
			__builtin_prefetch(
				&count[cell_in(a, node[soon], group ? group[soon] : 0)], 1);
		} else {
			__builtin_prefetch(&count[node[later]], 1);
		}
		if ((select && !select[i]) || (a->only1 && group && group[i] + 1 != a->only1))
			continue;
		count[a->cell_of ? cell_in(a, node[i], group ? group[i] : 0) : node[i]]++;
	}
}

/*
 * The numbers of the selected rows among n, followed by AHEAD zeros. select: by row; NULL: all.
 * Returns how many they are.
 */
static uint32_t
list_selected(const uint8_t *select, uint32_t n, uint32_t *rows)
{
	uint32_t count = 0, i = 0;
	uint64_t eight;

	for (; !select && i < n; i++)
		rows[count++] = i;
	for (; n - i >= sizeof(eight); i += (uint32_t)sizeof(eight)) {
		memcpy(&eight, select + i, sizeof(eight));
		for (uint32_t k = i; eight && k < i + sizeof(eight); k++) {
			rows[count] = k;
			count += select[k];
		}
	}
	for (; i < n; i++) {
		rows[count] = i;
		count += select[i];
	}
	memset(rows + count, 0, AHEAD * sizeof(*rows));
	return count;
}

/*
 * Add rows that are given by number, so that the cells of others are not touched. node, group: by
 * row from `from` on; group is NULL if all are in group 0.
 */
static void
add_rows(struct adder *a, uint64_t from, const uint32_t *rows, uint32_t n, const uint32_t *node,
	const uint32_t *group)
{
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t i = rows[k];

		if (a->cell_of)
			look_ahead(a, node, group, &rows[k]);
		else
			__builtin_prefetch(&a->cells[node[rows[k + AHEAD]]], 1);
		if (!a->only1 || !group || group[i] + 1 == a->only1)
			add_row(a, node[i], group ? group[i] + 1 : 1,
				a->cell_weight ? row_weight(a, from + i) : 0);
	}
}

/*
 * Add the selected rows of [from, to), at most ROWS. select: by row; NULL: all. group: room for
 * their groups, which has the number of a group for every row.
 */
static void
add_chunk(struct adder *a, struct cr_selector *selector, uint64_t from, uint64_t to,
	const uint8_t *select, uint32_t *group)
{
	static const uint32_t root[ROWS];
	const uint32_t *node = a->nodes ? a->nodes + from : root;
	uint32_t rows[ROWS + AHEAD];
	const uint32_t n = list_selected(select, (uint32_t)(to - from), rows);
	const struct cr_grouping_some some = {rows, n};

	if (!n) /* groups may not exist either */
		return;
	if (!cr_grouping_rows(a->groups, selector, from, to, select ? &some : NULL, group))
		group = NULL;
	a->n_rows += n;
	if (a->does == COUNTS)
		cr_group_rows_count(&a->placed, rows, n, group);
	else if (a->does == PLACES)
		cr_group_rows_put(
			&a->placed, rows, n, group, node, a->weights ? a->weights + from : NULL);
	else if (a->count)
		count_rows(a, node, (uint32_t)(to - from), select, group);
	else
		add_rows(a, from, rows, n, node, group);
}

#define SCATTERED (1u << 16) /* further cells, before rows are put in order */
#define SCATTERED_EACH 8u    /* and one for so many rows */

/* True if it is faster to begin anew, see group_rows_p.h. */
static bool
is_scattered(struct adder *a)
{
	a->is_scattered =
		a->may_place && a->further_cells.n >= SCATTERED &&
		a->further_cells.n >= a->n_rows / SCATTERED_EACH &&
		cr_group_rows_fit(cr_grouping_count(a->groups), a->n_nodes, a->p->samples.n);
	return a->is_scattered;
}

/* Take back the selection of rows that are not of this part. */
static void
select_part(const uint16_t *part_of, uint16_t part, uint32_t n, uint8_t *select)
{
	for (uint32_t i = 0; i < n; i++)
		select[i] &= part_of[i] == part;
}

/* part_of: by row; NULL: rows of any part. */
static void
add_selected(struct adder *a, struct cr_selector *selector, const uint16_t *part_of, uint16_t part)
{
	const bool all = cr_selector_is_all(selector) && !part_of;
	uint8_t select[ROWS];
	uint32_t group[ROWS] = {0};
	uint64_t row = 0, end, done = 0;

	for (; cr_selector_next(selector, &row, &end); row = end)
		for (uint64_t to; row < end; row = to) {
			to = CR_MIN(end, row + ROWS);
			if (!all)
				cr_selector_rows(selector, row, to, select);
			if (part_of)
				select_part(part_of + row, part, (uint32_t)(to - row), select);
			add_chunk(a, selector, row, to, all ? NULL : select, group);
			if (to - done >= ROWS_DONE || to == end) {
				cr_samples_done(&a->p->samples, done, to);
				done = to;
			}
			if (!cr_work_step("samples", to, a->p->samples.n) || is_scattered(a))
				return;
		}
}

/* weights: of such cells; NULL: all rows have the same weight. */
static uint64_t
cell_weight(const struct adder *a, const struct cell *cells, const uint64_t *weights, size_t i)
{
	return weights ? weights[i] : cr_mul_sat(cells[i].rows, a->weight);
}

static bool
has_any(const struct adder *a, const struct cell *cells, const uint64_t *weights, size_t i)
{
	return cells[i].rows && (!a->is_count || cell_weight(a, cells, weights, i));
}

/*
 * Convert n cells to sums. The part of the group that depends on the leaf is looked up once per
 * cell.
 */
static void
put_sums(struct adder *a, const struct cell *cells, const uint64_t *weights, const uint32_t *node,
	size_t n, struct cr_fold_template_sum *sums, size_t *n_sums)
{
	const bool by_node = cr_grouping_by_node(a->groups);

	for (size_t i = 0; i < n; i++) {
		const uint32_t at = node ? node[i] : (uint32_t)i, group = cells[i].group1 - 1;
		const uint64_t weight = cell_weight(a, cells, weights, i);

		if (has_any(a, cells, weights, i))
			sums[(*n_sums)++] = (struct cr_fold_template_sum){
				.weight = weight,
				.samples = a->is_count ? weight : cells[i].rows,
				.node = at,
				.group =
					by_node ? cr_grouping_of_node(a->groups, group, at) : group,
			};
	}
}

/* Make the cells of what was counted. */
static void
count_to_cells(struct adder *a)
{
	a->cells = cr_alloc(a->n_nodes, sizeof(*a->cells));
	for (uint32_t i = 0; i < a->n_nodes; i++)
		a->cells[i] = (struct cell){a->count[i], 1 + (a->cell_of ? i / a->n_cells : 0)};
	free(a->count);
	a->count = NULL;
}

static void
sums_of(struct adder *a, struct cr_plan_sums *out)
{
	size_t most = a->further_cells.n;

	if (a->count)
		count_to_cells(a);
	for (uint32_t i = 0; i < a->n_nodes; i++)
		most += has_any(a, a->cells, a->cell_weight, i);
	*out = (struct cr_plan_sums){.p = cr_alloc(most, sizeof(*out->p))};
	put_sums(a, a->cells, a->cell_weight, NULL, a->n_nodes, out->p, &out->n);
	out->n_first = out->n;
	put_sums(a, a->further_cells.p, a->cell_weight ? a->further_weight.p : NULL,
		a->further_node.p, a->further_cells.n, out->p, &out->n);
}

/* Forget what was added, and add it group by group. The grouping knows all groups afterwards. */
static void
sum_by_group(struct adder *a, struct cr_selector *selector, const struct cr_plan *plan,
	struct cr_plan_sums *out)
{
	adder_drop(a);
	a->may_place = false;
	a->does = COUNTS;
	add_selected(a, selector, plan->part_of, plan->part);
	if (cr_work_stopped())
		return;
	cr_group_rows_begin(&a->placed, a->weights != NULL);
	a->does = PLACES;
	add_selected(a, selector, plan->part_of, plan->part);
	if (cr_work_stopped())
		return;
	*out = (struct cr_plan_sums){.by_group = true};
	out->n = cr_group_rows_sum(&a->placed, a->n_nodes, a->weight, a->is_count, &out->p);
}

/* ---- plans */

struct cr_plan *
cr_plan_new(const struct cr_profile *p, const struct cr_fold_opts *o)
{
	struct cr_plan *plan = cr_alloc(1, sizeof(*plan));

	*plan = (struct cr_plan){.p = p, .opts = *o};
	return plan;
}

void
cr_plan_free(struct cr_plan *plan)
{
	if (!plan)
		return;
	cr_grouping_free(plan->groups);
	cr_fold_template_free(plan->template);
	cr_arena_fini(&plan->names);
	free(plan);
}

void
cr_plan_prepare(struct cr_plan *plan)
{
	const struct cr_fold_template_opts opts = {
		plan->opts.granularity, plan->opts.apart, plan->opts.outermost};

	if (!plan->opts.bare)
		cr_needed(plan->p, CR_NEEDS_TREE);
	if (plan->template)
		return;
	plan->template = cr_fold_template_new(plan->p, &opts);
	if (!cr_work_stopped())
		return;
	cr_fold_template_free(plan->template); /* it may lack rows that pay */
	plan->template = NULL;
}

int
cr_plan_rows(struct cr_plan *plan, struct cr_err *err)
{
	cr_plan_prepare(plan);
	if (plan->template)
		cr_fold_template_rows(plan->template);
	return cr_work_check(err);
}

int
cr_plan_groups(struct cr_plan *plan, const struct cr_filter *f, struct cr_err *err)
{
	const bool by_field = cr_grouping_asks(&plan->opts, CR_GROUP_FIELD);
	struct cr_arena names = {0};
	uint8_t *select = NULL;
	int rc;

	if (plan->groups && !by_field)
		return CR_OK;
	if (by_field && f->all_events)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"fields belong to one event; select one with --event");
	cr_grouping_free(plan->groups);
	plan->groups = NULL;
	if (by_field && (rc = cr_select(plan->p, f, &select, err)) < 0)
		return rc;
	rc = cr_grouping_new(plan->p, f, &plan->opts, select, &plan->groups, err);
	free(select);
	if (rc < 0)
		return rc;
	if ((rc = cr_work_check(err)) < 0) {
		cr_grouping_free(plan->groups);
		plan->groups = NULL;
		return rc;
	}
	cr_grouping_names(plan->groups, &names);
	if (plan->template)
		cr_fold_template_keep(plan->template, &names);
	else
		cr_arena_join(&plan->names, &names);
	return CR_OK;
}

/* True if all events with samples have the same unit. */
static bool
one_unit(const struct cr_profile *p, struct cr_str *unit)
{
	bool any = false, same = true;

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (!p->events[i].samples || cr_event_is_sum(p, (cr_event_id){i}))
			continue;
		if (!any)
			*unit = p->events[i].unit;
		same &= cr_str_eq(*unit, p->events[i].unit);
		any = true;
	}
	return same;
}

/* Set the part of the event that is not in the tree. */
static void
tree_left_out(struct cr_tree *t, uint64_t weight, uint64_t samples)
{
	t->left_out[0] = weight > t->total[0][0] ? weight - t->total[0][0] : 0;
	t->left_out_samples[0] =
		samples > t->total_samples[0][0] ? samples - t->total_samples[0][0] : 0;
}

void
cr_plan_label_event(struct cr_tree *t, const struct cr_profile *p, cr_event_id event)
{
	const struct cr_event *e = &p->events[event.i];

	t->event = e->name;
	t->unit = e->unit;
	t->summed = cr_event_is_summed(p, event);
	tree_left_out(t, e->weight, cr_event_samples(e));
}

static void
label_all_events(struct cr_tree *t, const struct cr_profile *p, bool only_samples)
{
	uint64_t weight = 0, samples = 0;
	struct cr_str unit = CR_STR("");

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (cr_event_is_sum(p, (cr_event_id){i}))
			continue;
		samples = cr_add_sat(samples, cr_event_samples(&p->events[i]));
		weight = cr_add_sat(weight, p->events[i].weight);
	}
	one_unit(p, &unit);
	t->event = CR_STR("all events");
	t->unit = only_samples ? CR_STR("samples") : unit;
	tree_left_out(t, only_samples ? samples : weight, samples);
}

/* True if the weights of the selected events cannot be added up. */
static bool
is_only_samples(const struct cr_profile *p, const struct cr_filter *f)
{
	struct cr_str unit;

	return f->all_events && !one_unit(p, &unit);
}

int
cr_plan_sum_up(struct cr_plan *plan, const struct cr_filter *f, struct cr_selector *selector,
	struct cr_plan_sums *out, struct cr_err *err)
{
	struct adder a;
	int rc;

	adder_init(&a, selector, plan, is_only_samples(plan->p, f));
	*out = (struct cr_plan_sums){.p = NULL};
	add_selected(&a, selector, plan->part_of, plan->part);
	if (a.is_scattered)
		sum_by_group(&a, selector, plan, out);
	else if (!cr_work_stopped())
		sums_of(&a, out);
	if ((rc = cr_work_check(err)) < 0) {
		free(out->p);
		*out = (struct cr_plan_sums){.p = NULL};
	}
	adder_fini(&a);
	return rc;
}

static int
plan_tree(struct cr_plan *plan, const struct cr_filter *f, struct cr_selector *selector,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_fold_template_groups groups;
	struct cr_plan_sums sums;
	uint32_t *way;
	int rc;

	if ((rc = cr_plan_sum_up(plan, f, selector, &sums, err)) < 0)
		return rc;
	cr_grouping_ways(plan->groups, &groups, &way);
	rc = cr_fold_template_tree(plan->template, sums.p, sums.n, &groups, out, err);
	free(way);
	if (rc == CR_OK && (rc = cr_work_check(err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
	}
	return rc;
}

void
cr_plan_label(const struct cr_filter *f, const struct cr_selector *selector, struct cr_tree *t)
{
	if (f->all_events)
		label_all_events(t, selector->p, is_only_samples(selector->p, f));
	else
		cr_plan_label_event(t, selector->p, selector->event);
}

static int
plan_samples(
	struct cr_plan *plan, const struct cr_filter *f, struct cr_tree **out, struct cr_err *err)
{
	struct cr_selector selector;
	int rc;

	if ((rc = cr_selector_init(&selector, plan->p, f, err)) < 0)
		goto out;
	cr_plan_prepare(plan);
	if ((rc = cr_work_check(err)) < 0 || (rc = cr_plan_groups(plan, f, err)) < 0)
		goto out;
	if ((rc = plan_tree(plan, f, &selector, out, err)) == CR_OK)
		cr_plan_label(f, &selector, *out);
out:
	cr_selector_fini(&selector);
	return rc;
}

int
cr_plan_fold(
	struct cr_plan *plan, const struct cr_filter *f, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_filter any = cr_plan_filter(f, &plan->opts);

	*out = NULL;
	if (cr_plan_is_stored(plan->p, f, &plan->opts))
		return cr_plan_stored(plan->p, f, out, err);
	return plan_samples(plan, &any, out, err);
}

int
cr_plan_fold_part(struct cr_plan *plan, const struct cr_filter *f, const uint16_t *part_of,
	uint16_t part, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_filter any = cr_plan_filter(f, &plan->opts);
	int rc;

	*out = NULL;
	plan->part_of = part_of;
	plan->part = part;
	rc = plan_samples(plan, &any, out, err);
	plan->part_of = NULL;
	return rc;
}

static int
plan_places(struct cr_plan *plan, const struct cr_filter *f, const struct cr_tree *t,
	uint32_t **place, struct cr_err *err)
{
	struct cr_selector selector;
	int rc = cr_selector_init(&selector, plan->p, f, err);

	if (rc == CR_OK) {
		*place = cr_alloc(plan->p->samples.n, sizeof(**place));
		memset(*place, 0xff, (size_t)plan->p->samples.n * sizeof(**place));
		cr_fold_places(plan->template, plan->groups, &selector, t, *place);
		rc = cr_work_check(err);
	}
	cr_selector_fini(&selector);
	return rc;
}

int
cr_plan_fold_places(struct cr_plan *plan, const struct cr_filter *f, struct cr_tree **out,
	uint32_t **place, struct cr_err *err)
{
	const struct cr_filter any = cr_plan_filter(f, &plan->opts);
	int rc;

	*out = NULL;
	*place = NULL;
	if ((rc = cr_plan_rows(plan, err)) < 0 || (rc = plan_samples(plan, &any, out, err)) < 0 ||
		(rc = plan_places(plan, &any, *out, place, err)) == CR_OK)
		return rc;
	cr_tree_free(*out);
	free(*place);
	*out = NULL;
	*place = NULL;
	return rc;
}

int
cr_fold(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_plan *plan = cr_plan_new(p, o);
	const int rc = cr_plan_fold(plan, f, out, err);

	cr_plan_free(plan);
	return rc;
}
