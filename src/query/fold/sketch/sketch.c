#include "query/fold/sketch/sketch.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "query/fold/fold_p.h"

#include <stdlib.h>

#define NUMBERS_MOST (1u << 23) /* cells of all groups */

/* A cell for what ends at a candidate, and one for what ends below it at no other candidate. */
#define PARTS 2u

struct sums {
	uint64_t weight, samples;
};

/* A row of the template that is a node of the sketch in some group, or the root. */
struct candidate {
	uint32_t up, row; /* the candidate that is its parent, a smaller number; its row */
};

struct sketch {
	struct cr_plan *plan;
	const struct cr_filter *f;
	struct cr_selector *selector;
	struct cr_fold_template_groups groups;
	struct cr_plan_sums all; /* of all groups, by node */
	uint64_t least;          /* nodes of less are closed */
	CR_VEC(struct candidate) candidates;
	uint32_t *cell_of; /* by node of the location tree */
	/* The tree being made. */
	struct cr_tree_builder *tb;
	CR_VEC(struct sums) self; /* by node of the builder */
	bool is_closed;           /* a node is */
};

/* ---- what all groups have */

/* The sums of all groups together. */
static int
sum_all(struct sketch *k, struct cr_err *err)
{
	const struct cr_fold_opts no_groups = {.n_groups = 0};
	struct cr_grouping *const grouped = k->plan->groups;
	int rc = cr_grouping_new(k->plan->p, k->f, &no_groups, NULL, &k->plan->groups, err);

	if (rc == CR_OK)
		rc = cr_plan_sum_up(k->plan, k->f, k->selector, &k->all, err);
	cr_grouping_free(k->plan->groups);
	k->plan->groups = grouped;
	return rc;
}

/* By row of the template: the totals of all groups. The caller frees them. */
static struct sums *
totals_of(const struct sketch *k)
{
	const struct cr_fold_template *t = k->plan->template;
	struct sums *total = cr_alloc(t->n, sizeof(*total));

	for (size_t i = 0; i < k->all.n; i++) {
		struct sums *at = &total[t->row_of_node[k->all.p[i].node]];

		at->weight = cr_add_sat(at->weight, k->all.p[i].weight);
		at->samples = cr_add_sat(at->samples, k->all.p[i].samples);
	}
	for (uint32_t i = t->n; i-- > 1;) {
		struct sums *up = &total[t->parent[i]];

		up->weight = cr_add_sat(up->weight, total[i].weight);
		up->samples = cr_add_sat(up->samples, total[i].samples);
	}
	return total;
}

/*
 * The candidates: the children of rows that are not closed in the sum of all groups. In a group no
 * total is larger. Sets the cells of the nodes.
 */
static void
find_candidates(struct sketch *k)
{
	const struct cr_fold_template *t = k->plan->template;
	const uint32_t n_nodes = CR_MAX(k->plan->p->n_nodes, 1u);
	struct sums *total = totals_of(k);
	uint32_t *of_row = cr_alloc(t->n, sizeof(*of_row)); /* its cell */

	k->least = total[0].weight / CR_SKETCH_SHARE + (total[0].weight % CR_SKETCH_SHARE != 0);
	cr_vec_push(&k->candidates, ((struct candidate){0, 0}));
	for (uint32_t i = 1; i < t->n; i++) {
		const uint32_t up = of_row[t->parent[i]] / PARTS;

		of_row[i] = up * PARTS + 1;
		if (total[t->parent[i]].weight < k->least ||
			(!total[i].weight && !total[i].samples))
			continue;
		of_row[i] = (uint32_t)k->candidates.n * PARTS;
		cr_vec_push(&k->candidates, ((struct candidate){up, i}));
	}
	k->cell_of = cr_alloc(n_nodes, sizeof(*k->cell_of));
	for (uint32_t i = 0; i < n_nodes; i++)
		k->cell_of[i] = of_row[t->row_of_node[i]];
	free(of_row);
	free(total);
}

/* ---- nodes */

static uint32_t
put_node(struct sketch *k, uint32_t parent, uint32_t frame, struct sums weight, struct sums self)
{
	const uint32_t node = cr_tree_builder_append(k->tb, parent, frame);

	cr_tree_builder_add(k->tb, node, 0, weight.weight, weight.samples);
	cr_vec_push(&k->self, self);
	return node;
}

/* By candidate, in a group. */
struct in_group {
	struct sums self, total;
	uint32_t node; /* of the builder, CR_NO_ROW if it has none */
};

/* Set self and total of the candidates. sums: of the group, n of them; first: its first cell. */
static void
group_sums(const struct sketch *k, const struct cr_fold_template_sum *sums, size_t n,
	uint32_t first, struct in_group *in)
{
	memset(in, 0, k->candidates.n * sizeof(*in));
	for (size_t i = 0; i < n; i++) {
		const uint32_t cell = sums[i].node - first;
		struct in_group *c = &in[cell / PARTS];

		if (cell % PARTS == 0)
			c->self = (struct sums){sums[i].weight, sums[i].samples};
		c->total.weight = cr_add_sat(c->total.weight, sums[i].weight);
		c->total.samples = cr_add_sat(c->total.samples, sums[i].samples);
	}
	for (size_t i = k->candidates.n; i-- > 1;) {
		struct sums *up = &in[k->candidates.p[i].up].total;

		up->weight = cr_add_sat(up->weight, in[i].total.weight);
		up->samples = cr_add_sat(up->samples, in[i].total.samples);
	}
}

/* A closed node has the weight of all that would be below it. */
static void
put_group(struct sketch *k, uint32_t group, struct in_group *in)
{
	const struct cr_fold_template *t = k->plan->template;

	for (size_t i = 0; i < k->candidates.n; i++) {
		const struct candidate *c = &k->candidates.p[i];
		const struct in_group *up = &in[c->up];
		const bool open = in[i].total.weight >= k->least;

		in[i].node = CR_NO_ROW;
		if ((!in[i].total.weight && !in[i].total.samples) ||
			(i && (up->node == CR_NO_ROW || up->total.weight < k->least)))
			continue;
		in[i].node = put_node(k, i ? up->node : 0,
			i ? t->frame[c->row] : t->n_frames + k->groups.way[group],
			open ? in[i].self : in[i].total, in[i].self);
		k->is_closed |= !open && (in[i].self.weight != in[i].total.weight ||
						 in[i].self.samples != in[i].total.samples);
	}
}

/* The groups but the opened one. sums: of the cells. */
static void
put_groups(struct sketch *k, const struct cr_plan_sums *sums, uint32_t opened1)
{
	const uint32_t n_cells = k->plan->n_cells;
	struct in_group *in = cr_alloc(k->candidates.n, sizeof(*in));
	size_t at = 0, from;

	for (uint32_t g = 0; g < k->groups.n; g++) {
		for (from = at; at < sums->n && sums->p[at].group == g;)
			at++;
		if (g + 1 == opened1 || at == from)
			continue;
		group_sums(k, sums->p + from, at - from, g * n_cells, in);
		put_group(k, g, in);
	}
	free(in);
}

/* The nodes of a complete tree. */
static void
put_complete(struct sketch *k, const struct cr_tree *t)
{
	uint32_t *node = cr_alloc(t->n, sizeof(*node));

	for (uint32_t i = 1; i < t->n; i++) {
		const struct sums own = {t->weight[0][i], t->samples[0][i]};

		node[i] = put_node(k, node[t->parent[i]], t->frame[i], own, own);
	}
	free(node);
}

/* ---- trees */

/* The tree of the opened group alone, or of nothing, with the frames of all. */
static int
opened_tree(struct sketch *k, uint32_t opened1, struct cr_tree **out, struct cr_err *err)
{
	struct cr_plan_sums sums = {.p = NULL};
	int rc = CR_OK;

	k->plan->only1 = opened1;
	if (opened1)
		rc = cr_plan_sum_up(k->plan, k->f, k->selector, &sums, err);
	k->plan->only1 = 0;
	if (rc == CR_OK)
		rc = cr_fold_template_tree(k->plan->template, sums.p, sums.n, &k->groups, out, err);
	return rc;
}

/* What the frame of each node has itself, in the order of the tree. */
static void
place_self(const struct sketch *k, const uint32_t *place, struct cr_tree *t)
{
	uint64_t *weight = cr_arena_array(&t->arena, t->n, sizeof(*weight)),
		 *samples = cr_arena_array(&t->arena, t->n, sizeof(*samples));

	for (size_t i = 0; i < k->self.n; i++) {
		if (place[i] == CR_NO_ROW)
			continue;
		weight[place[i]] = k->self.p[i].weight;
		samples[place[i]] = k->self.p[i].samples;
	}
	t->self[0] = t->leaf[0] = weight;
	t->self_samples[0] = t->leaf_samples[0] = samples;
	t->is_sketch = k->is_closed;
}

/* sums: of the cells. */
static int
sketch_tree(struct sketch *k, const struct cr_plan_sums *sums, uint32_t opened1,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_tree *opened;
	uint32_t *place;
	const int rc = opened_tree(k, opened1, &opened, err);

	if (rc < 0)
		return rc;
	k->tb = cr_tree_builder_like(opened);
	cr_vec_push(&k->self, ((struct sums){0, 0}));
	put_groups(k, sums, opened1);
	put_complete(k, opened);
	cr_tree_free(opened);
	*out = cr_tree_builder_finish(k->tb, &place);
	place_self(k, place, *out);
	free(place);
	return CR_OK;
}

static int
plain_tree(struct sketch *k, struct cr_tree **out, struct cr_err *err)
{
	static const uint32_t nowhere;
	const struct cr_fold_template_groups none = {.n = 1,
		.way = &nowhere,
		.frames = k->groups.frames,
		.n_frames = k->groups.n_frames};
	struct cr_fold_template_sum *sums = k->all.p;

	k->all.p = NULL;
	return cr_fold_template_tree(k->plan->template, sums, k->all.n, &none, out, err);
}

static uint64_t
unresolved_of(const struct sketch *k)
{
	const struct cr_fold_template *t = k->plan->template;
	uint8_t *nameless = cr_alloc(CR_MAX(t->n_frames, 1u), 1);
	uint64_t weight = 0;

	for (uint32_t i = 0; i < t->n_frames; i++)
		nameless[i] = cr_frame_is_nameless(&t->frames[i]);
	for (size_t i = 0; i < k->all.n; i++)
		if (nameless[t->frame[t->row_of_node[k->all.p[i].node]]])
			weight = cr_add_sat(weight, k->all.p[i].weight);
	free(nameless);
	return weight;
}

/* Make both trees of the sums by cell. */
static int
make_trees(struct sketch *k, uint32_t opened1, struct cr_sketch *out, struct cr_err *err)
{
	struct cr_plan_sums sums = {.p = NULL};
	int rc;

	k->plan->cell_of = k->cell_of;
	k->plan->n_cells = (uint32_t)k->candidates.n * PARTS;
	k->plan->n_groups = k->groups.n;
	rc = cr_plan_sum_up(k->plan, k->f, k->selector, &sums, err);
	k->plan->cell_of = NULL;
	if (rc == CR_OK) {
		out->unresolved = unresolved_of(k);
		rc = sketch_tree(k, &sums, opened1, &out->tree, err);
	}
	if (rc == CR_OK)
		rc = plain_tree(k, &out->plain, err);
	if (rc == CR_OK)
		rc = cr_work_check(err);
	free(sums.p);
	return rc;
}

static int
sketch(struct sketch *k, const struct cr_sketch_opts *o, struct cr_sketch *out, struct cr_err *err)
{
	int rc = sum_all(k, err);

	if (rc < 0)
		return rc;
	find_candidates(k);
	if (k->least && (uint64_t)k->candidates.n * PARTS * k->groups.n <= NUMBERS_MOST)
		rc = make_trees(k, CR_MIN(o->opened1, k->groups.n), out, err);
	if (rc < 0) {
		cr_tree_free(out->tree);
		cr_tree_free(out->plain);
		*out = (struct cr_sketch){.tree = NULL};
	} else if (out->tree) {
		cr_plan_label(k->f, k->selector, out->tree);
		cr_plan_label(k->f, k->selector, out->plain);
	}
	free(k->all.p);
	free(k->cell_of);
	cr_vec_fini(&k->candidates);
	cr_vec_fini(&k->self);
	return rc;
}

static bool
has_fit_key(const struct cr_plan *plan)
{
	const uint8_t key = plan->opts.groups[0];

	return plan->opts.n_groups == 1 && !plan->opts.bare &&
	       (key == CR_GROUP_PID || key == CR_GROUP_TID || key == CR_GROUP_CPU);
}

int
cr_plan_sketch(struct cr_plan *plan, const struct cr_filter *f, const struct cr_sketch_opts *o,
	struct cr_sketch *out, struct cr_err *err)
{
	struct cr_selector selector;
	struct sketch k = {.plan = plan, .f = f, .selector = &selector};
	uint32_t *way = NULL;
	int rc;

	*out = (struct cr_sketch){.tree = NULL};
	if (!has_fit_key(plan) || f->all_events || cr_plan_is_stored(plan->p, f, &plan->opts))
		return CR_OK;
	if ((rc = cr_selector_init(&selector, plan->p, f, err)) < 0)
		goto out;
	if ((rc = cr_plan_rows(plan, err)) < 0 || (rc = cr_plan_groups(plan, f, err)) < 0)
		goto out;
	cr_grouping_ways(plan->groups, &k.groups, &way);
	if (k.groups.n > 1 && (uint64_t)plan->template->n * k.groups.n >= o->least_nodes)
		rc = sketch(&k, o, out, err);
out:
	free(way);
	cr_selector_fini(&selector);
	return rc;
}

/* ---- nodes of a sketch */

uint32_t
cr_sketch_group1(const struct cr_tree *t, uint32_t node)
{
	uint32_t first = t->n_frames; /* of the frames of groups, which are behind the others */

	if (!node)
		return 0;
	while (t->parent[node])
		node = t->parent[node];
	while (t->frames[first - 1].group != CR_GROUP_NONE)
		first--;
	return t->frame[node] - first + 1;
}

bool
cr_sketch_is_closed(const struct cr_tree *t, uint32_t node)
{
	return t->is_sketch && (t->weight[0][node] != t->self[0][node] ||
				       t->samples[0][node] != t->self_samples[0][node]);
}
