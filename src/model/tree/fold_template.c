#include "model/tree/fold_template.h"

#include "base/work.h"
#include "tree_grow_p.h"
#include "tree_join_p.h"
#include "tree_p.h"

#include <stdlib.h>

/* ---- rows */

/* The number of each node in preorder. Parents come first. */
static uint32_t *
preorder(const uint32_t *parent, uint32_t n)
{
	uint32_t *row = cr_alloc(n, sizeof(*row));
	uint32_t *size = cr_alloc(n, sizeof(*size)); /* of the subtree, then the next free number */

	for (uint32_t i = n; i-- > 1;)
		size[parent[i]] += ++size[i];
	size[0] = 1;
	for (uint32_t i = 1; i < n; i++) {
		row[i] = size[parent[i]];
		size[parent[i]] += size[i];
		size[i] = row[i] + 1;
	}
	free(size);
	return row;
}

static bool
is_in_order(const uint32_t *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (row[i] != i)
			return false;
	return true;
}

/* Move the nodes to their rows. */
static void
put_in_rows(struct cr_grown *g, const uint32_t *row, uint32_t n_nodes)
{
	uint32_t *parent = cr_realloc(NULL, g->n, sizeof(*parent)),
		 *frame = cr_realloc(NULL, g->n, sizeof(*frame));

	for (uint32_t i = 0; i < g->n; i++) {
		parent[row[i]] = row[g->parent[i]];
		frame[row[i]] = g->frame[i];
	}
	for (uint32_t i = 0; i < n_nodes; i++)
		g->node[i] = row[g->node[i]];
	free(g->parent);
	free(g->frame);
	g->parent = parent;
	g->frame = frame;
}

static void
put_in_preorder(struct cr_fold_template *s, struct cr_grown *g, uint32_t n_nodes)
{
	uint32_t *row = preorder(g->parent, g->n);

	if (!is_in_order(row, g->n))
		put_in_rows(g, row, n_nodes);
	free(row);
	s->n = g->n;
	s->parent = cr_arena_adopt(&s->arena, g->parent);
	s->frame = cr_arena_adopt(&s->arena, g->frame);
	s->row_of_node = cr_arena_adopt(&s->arena, g->node);
}

struct cr_fold_template *
cr_fold_template_new(const struct cr_profile *p, const struct cr_fold_template_opts *o)
{
	static const uint32_t root_parent = 0, root_end = 1;
	struct cr_fold_template *s = cr_alloc(1, sizeof(*s));
	struct cr_location_frames spelt;
	struct cr_growth growth;
	struct cr_grown grown;

	cr_location_frames_make(p, o, &spelt);
	growth = (struct cr_growth){
		.n = CR_MAX(p->n_nodes, 1u),
		.parent = p->n_nodes ? p->node_parent : &root_parent,
		.end = p->n_nodes ? p->node_end : &root_end,
		.row = p->node_location,
		.first = spelt.first,
		.run = spelt.run,
		.once = o->granularity == CR_GRANULARITY_DSO ||
			o->granularity == CR_GRANULARITY_FILE,
	};
	cr_tree_grow(&growth, &grown);
	put_in_preorder(s, &grown, growth.n);
	s->n_frames = spelt.n_frames;
	s->frames = cr_arena_adopt(&s->arena, spelt.frames);
	spelt.frames = NULL;
	s->rank = cr_arena_adopt(&s->arena, cr_tree_finish_rank(s->frames, s->n_frames));
	s->names = cr_tree_names_new(&spelt.made);
	cr_location_frames_fini(&spelt);
	return s;
}

void
cr_fold_template_free(struct cr_fold_template *s)
{
	if (!s)
		return;
	cr_tree_names_drop(s->names);
	cr_arena_fini(&s->arena);
	free(s);
}

void
cr_fold_template_keep(struct cr_fold_template *s, struct cr_arena *names)
{
	cr_tree_names_join(s->names, names);
}

/* ---- trees */

/* The tree being written, parents before children. */
struct emitter {
	const struct cr_fold_template *s;
	/* By row of the template: number of the group, + 1, that `node` belongs to. */
	uint32_t *stamp1;
	uint32_t *node; /* by row: its node */
	uint32_t *path;
	uint32_t n;
	uint32_t *parent, *frame;
	uint64_t *self, *samples;
};

static uint32_t
emit(struct emitter *e, uint32_t parent, uint32_t frame)
{
	e->parent[e->n] = parent;
	e->frame[e->n] = frame;
	e->self[e->n] = e->samples[e->n] = 0;
	return e->n++;
}

/* The node of a template row in the current group, whose stacks are below `top`. */
static uint32_t
emit_row(struct emitter *e, uint32_t group, uint32_t top, uint32_t row)
{
	uint32_t at = row, n = 0, node;

	for (; at && e->stamp1[at] != group + 1; at = e->s->parent[at])
		e->path[n++] = at;
	node = at ? e->node[at] : top;
	while (n) {
		at = e->path[--n];
		node = emit(e, node, e->s->frame[at]);
		e->stamp1[at] = group + 1;
		e->node[at] = node;
	}
	return node;
}

/*
 * Sort the sums by group, then by row of the template, with two passes of counting sort. ends: by
 * group, the end of its sums.
 */
static uint32_t *
sums_in_order(const struct cr_fold_template *s, const struct cr_fold_template_sum *sums, size_t n,
	uint32_t n_groups, size_t **ends)
{
	uint32_t *next = cr_alloc((uint64_t)s->n + 1, sizeof(*next)),
		 *by_row = cr_alloc(n, sizeof(*by_row));
	uint32_t *order = cr_alloc(n, sizeof(*order));
	size_t *fill = cr_alloc((uint64_t)n_groups + 1, sizeof(*fill));

	for (size_t i = 0; i < n; i++) {
		next[s->row_of_node[sums[i].node] + 1]++;
		fill[sums[i].group + 1]++;
	}
	for (uint32_t i = 0; i < s->n; i++)
		next[i + 1] += next[i];
	for (uint32_t g = 0; g < n_groups; g++)
		fill[g + 1] += fill[g];
	for (size_t i = 0; i < n; i++)
		by_row[next[s->row_of_node[sums[i].node]]++] = (uint32_t)i;
	for (size_t i = 0; i < n; i++)
		order[fill[sums[by_row[i]].group]++] = by_row[i];
	free(next);
	free(by_row);
	*ends = fill;
	return order;
}

struct way_order {
	const uint32_t *way;
	uint32_t n_keys;
};

static int
by_way(const void *x, const void *y, void *user)
{
	const struct way_order *o = user;
	const uint32_t *a = o->way + (size_t) * (const uint32_t *)x * o->n_keys,
		       *b = o->way + (size_t) * (const uint32_t *)y * o->n_keys;

	for (uint32_t i = 0; i < o->n_keys; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Sort the groups so that those with a common prefix are adjacent. */
static uint32_t *
groups_in_order(const struct cr_fold_template_groups *groups)
{
	uint32_t *order = cr_alloc(groups->n, sizeof(*order));
	struct way_order o = {groups->way, groups->n_keys};

	for (uint32_t i = 0; i < groups->n; i++)
		order[i] = i;
	if (groups->n > 1)
		qsort_r(order, groups->n, sizeof(*order), by_way, &o);
	return order;
}

/* The node that the stacks of a group are below. path: that of the previous group, by key. */
static uint32_t
emit_way(struct emitter *e, const struct cr_fold_template_groups *groups, uint32_t group,
	uint32_t *path)
{
	const uint32_t *way = groups->way + (size_t)group * groups->n_keys;
	bool same = true;
	uint32_t top = 0;

	for (uint32_t k = 0; k < groups->n_keys; k++) {
		const uint32_t frame = e->s->n_frames + way[k];

		same = same && path[k] && e->frame[path[k]] == frame;
		if (!same)
			path[k] = emit(e, top, frame);
		top = path[k];
	}
	return top;
}

/* Sums sorted by group, then by row of the template. */
struct ordered {
	const struct cr_fold_template_sum *sums;
	uint32_t *order;
	size_t *ends; /* by group: end of its sums in `order` */
};

/*
 * Upper limit of the nodes to write; exact, except that common prefixes of groups count several
 * times. nodes: by group, those of its stacks.
 */
static uint64_t
count_nodes(const struct emitter *e, const struct ordered *o,
	const struct cr_fold_template_groups *groups, uint32_t *nodes)
{
	uint64_t n = 1;
	size_t at = 0;

	for (uint32_t g = 0; g < groups->n; g++) {
		n += at < o->ends[g] ? groups->n_keys : 0;
		for (; at < o->ends[g]; at++)
			for (uint32_t row = e->s->row_of_node[o->sums[o->order[at]].node];
				row && e->stamp1[row] != g + 1; row = e->s->parent[row], nodes[g]++)
				e->stamp1[row] = g + 1;
		n += nodes[g];
	}
	memset(e->stamp1, 0, e->s->n * sizeof(*e->stamp1));
	return n;
}

/* Write the stacks of a group below `top`. False if the work is cancelled. */
static bool
emit_group(
	struct emitter *e, const struct ordered *o, uint32_t group, uint32_t n_groups, uint32_t top)
{
	size_t at = group ? o->ends[group - 1] : 0;

	for (; at < o->ends[group] && cr_work_at("stacks", at, o->ends[n_groups - 1]); at++) {
		const struct cr_fold_template_sum *sum = &o->sums[o->order[at]];
		const uint32_t node = emit_row(e, group, top, e->s->row_of_node[sum->node]);

		e->self[node] = cr_add_sat(e->self[node], sum->weight);
		e->samples[node] = cr_add_sat(e->samples[node], sum->samples);
	}
	return at == o->ends[group];
}

static void
emit_groups(
	struct emitter *e, const struct ordered *o, const struct cr_fold_template_groups *groups)
{
	uint32_t *groups_at = groups_in_order(groups),
		 *path = cr_alloc((uint64_t)groups->n_keys + 1, sizeof(*path));

	emit(e, 0, 0);
	for (uint32_t i = 0; i < groups->n; i++) {
		const uint32_t g = groups_at[i];

		if ((g ? o->ends[g - 1] : 0) < o->ends[g])
			emit_group(e, o, g, groups->n, emit_way(e, groups, g, path));
	}
	free(groups_at);
	free(path);
}

/* Room for the nodes that are to be written next. */
static void
emit_into(struct emitter *e, uint64_t n, struct cr_tree_raw *raw)
{
	*raw = (struct cr_tree_raw){.sides = 1, .rank = raw->rank};
	raw->parent = e->parent = cr_realloc(NULL, n, sizeof(*e->parent));
	raw->frame = e->frame = cr_realloc(NULL, n, sizeof(*e->frame));
	raw->weight[0] = e->self = cr_realloc(NULL, n, sizeof(*e->self));
	raw->samples[0] = e->samples = cr_realloc(NULL, n, sizeof(*e->samples));
	e->n = 0;
}

/* A group with stacks, and what its place among the others depends on. */
struct placed_group {
	uint64_t weight;
	uint32_t rank, group;
};

static int
by_place(const void *x, const void *y)
{
	const struct placed_group *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* The groups with stacks, by falling weight, then by name; n of them. The caller frees them. */
static struct placed_group *
groups_placed(const struct cr_fold_template *s, const struct ordered *o,
	const struct cr_fold_template_groups *groups, const uint32_t *rank, uint32_t *n)
{
	struct placed_group *all = cr_alloc(groups->n, sizeof(*all));
	size_t at = 0;

	*n = 0;
	for (uint32_t g = 0; g < groups->n; g++) {
		struct placed_group *placed = &all[*n];
		uint64_t samples = 0;

		*placed = (struct placed_group){0, rank[s->n_frames + groups->way[g]], g};
		for (; at < o->ends[g]; at++) {
			const struct cr_fold_template_sum *sum = &o->sums[o->order[at]];

			placed->weight = cr_add_sat(placed->weight, sum->weight);
			samples |= sum->samples;
		}
		*n += placed->weight || samples;
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_place);
	return all;
}

/* True if each group has one frame, and no two groups have the same one. */
static bool
groups_are_apart(const struct cr_fold_template_groups *groups)
{
	uint32_t *order = groups_in_order(groups);
	bool apart = groups->n_keys == 1 && groups->n > 1;

	for (uint32_t i = 1; i < groups->n && apart; i++)
		apart = groups->way[order[i]] != groups->way[order[i - 1]];
	free(order);
	return apart;
}

/*
 * Write and finish one group after the other. All of them at once would need twice the memory of
 * the tree besides the tree, and more time, since a group is in nearer caches.
 */
static void
emit_apart(struct emitter *e, const struct ordered *o, const struct cr_fold_template_groups *groups,
	const uint32_t *nodes, uint64_t most, const uint32_t *rank, struct cr_tree *t)
{
	uint32_t n, largest = 0;
	struct placed_group *all = groups_placed(e->s, o, groups, rank, &n);
	struct cr_tree_raw raw = {.rank = rank};
	struct cr_tree_join join;

	for (uint32_t i = 0; i < n; i++)
		largest = CR_MAX(largest, nodes[all[i].group]);
	emit_into(e, (uint64_t)largest + 1, &raw);
	cr_tree_join_begin(&join, t, (uint32_t)most);
	for (uint32_t i = 0; i < n && !cr_work_stopped(); i++) {
		const uint32_t g = all[i].group;

		e->n = 0;
		emit(e, 0, e->s->n_frames + groups->way[g]);
		emit_group(e, o, g, groups->n, 0);
		raw.n = e->n;
		cr_tree_join_add(&join, &raw);
	}
	cr_tree_join_end(&join);
	free(raw.parent);
	free(raw.frame);
	free(raw.weight[0]);
	free(raw.samples[0]);
	free(all);
}

/* Write the nodes into a tree without nodes. Returns false if there are too many. */
static bool
emit_all(const struct cr_fold_template *s, const struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, const uint32_t *rank, struct cr_tree *t)
{
	struct emitter e = {.s = s, .stamp1 = cr_alloc(s->n, sizeof(*e.stamp1))};
	struct ordered o = {.sums = sums};
	uint32_t *nodes = cr_alloc(CR_MAX(groups->n, 1u), sizeof(*nodes));
	uint64_t most;

	o.order = sums_in_order(s, sums, n, groups->n, &o.ends);
	most = count_nodes(&e, &o, groups, nodes);
	if (most <= CR_FOLD_TEMPLATE_NODES_MOST) {
		e.node = cr_alloc(s->n, sizeof(*e.node));
		e.path = cr_alloc((uint64_t)cr_tree_depth(s->parent, s->n) + 1, sizeof(*e.path));
		if (groups_are_apart(groups)) {
			emit_apart(&e, &o, groups, nodes, most, rank, t);
		} else {
			struct cr_tree_raw raw = {.rank = rank};

			emit_into(&e, most, &raw);
			emit_groups(&e, &o, groups);
			raw.n = e.n;
			cr_tree_finish(t, &raw, NULL);
		}
	}
	free(nodes);
	free(o.order);
	free(o.ends);
	free(e.stamp1);
	free(e.node);
	free(e.path);
	return most <= CR_FOLD_TEMPLATE_NODES_MOST;
}

/* By frame of the tree: its position by name. The frames of groups are ranked separately. */
static uint32_t *
tree_rank(const struct cr_fold_template *s, const struct cr_fold_template_groups *groups)
{
	uint32_t *rank = cr_alloc((uint64_t)s->n_frames + groups->n_frames, sizeof(*rank));
	uint32_t *of_groups = cr_tree_finish_rank(groups->frames, groups->n_frames);

	memcpy(rank, s->rank, s->n_frames * sizeof(*rank));
	if (groups->n_frames)
		memcpy(rank + s->n_frames, of_groups, groups->n_frames * sizeof(*rank));
	free(of_groups);
	return rank;
}

int
cr_fold_template_tree(const struct cr_fold_template *s, struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, struct cr_tree **out, struct cr_err *err)
{
	uint32_t *rank = tree_rank(s, groups);
	bool fits;

	*out = cr_tree_new(s->frames, s->n_frames, groups->frames, groups->n_frames);
	(*out)->names = cr_tree_names_hold(s->names);
	fits = emit_all(s, sums, n, groups, rank, *out);
	free(rank);
	free(sums);
	if (fits)
		return CR_OK;
	cr_tree_free(*out);
	*out = NULL;
	return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
		"more than %u stacks; use fewer groups or a filter", CR_FOLD_TEMPLATE_NODES_MOST);
}
