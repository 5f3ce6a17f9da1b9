#include "transform_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"

#include <stdlib.h>

/*
 * An inverted tree has a node for each caller of each leaf: for a million nodes at depth twenty,
 * ten million. Up to this number of steps it is complete. Beyond that, callers of less than a share
 * of the whole are not followed, and their cost stays where they would begin.
 */
#define STEPS_WHOLE 4000000u
#define SHARE_FOLLOWED 100000u /* the share is 1 / this */
#define NODES_MOST 8000000u    /* then no further callers are followed, however large */

/* A part of the samples, being followed towards the root. */
struct item {
	uint32_t node;  /* node whose frame was added last; its parent's is the next */
	uint32_t start; /* where it started: the node that has the weight */
};

/* A node of the new tree whose callers are not added yet; its items are adjacent. */
struct open {
	uint32_t out;
	uint32_t from, to; /* range of items */
};

struct turning {
	const struct cr_tree *t;
	const uint8_t *above;
	/* By side, then by node: of the items that start there. */
	const uint64_t *const *weight, *const *samples;
	/* The part of these sampled in the leaf; NULL for all of it. */
	const uint64_t *const *leaf, *const *leaf_samples;
	struct cr_tree_builder *tb;
	uint32_t *group_out; /* by node above the stacks: its new node */
	struct item *items, *sorted;
	uint32_t n_items;
	uint32_t *slot;   /* by frame: first the number of its items, then their position */
	uint32_t *frames; /* those with a slot in use */
	CR_VEC(struct open) open;
	uint32_t *map;            /* by node: where its items ended; NULL: not requested */
	uint64_t least[CR_SIDES]; /* by side: items with less on all sides are not followed */
	uint64_t steps;
};

static void
add_item(const struct turning *g, uint32_t out, uint32_t start)
{
	if (g->map)
		g->map[start] = out;
	for (uint32_t s = 0; s < g->t->sides; s++) {
		cr_tree_builder_add(g->tb, out, s, g->weight[s][start], g->samples[s][start]);
		if (g->leaf)
			cr_tree_builder_add_leaf(
				g->tb, out, s, g->leaf[s][start], g->leaf_samples[s][start]);
	}
}

/* True if the callers of items [from, to) are worth following. */
static bool
is_followed(const struct turning *g, uint32_t from, uint32_t to)
{
	for (uint32_t s = 0; s < g->t->sides; s++) {
		uint64_t sum = 0;

		for (uint32_t i = from; i < to; i++)
			sum = cr_add_sat(sum, g->weight[s][g->items[i].start]);
		if (sum >= g->least[s] && cr_tree_builder_nodes(g->tb) < NODES_MOST)
			return true;
	}
	return false;
}

/*
 * Add the frames of items [from, to) above `out`, one node for each distinct frame, and open these
 * nodes. Frames keep the order of the items.
 */
static void
put_frames(struct turning *g, uint32_t out, uint32_t from, uint32_t to)
{
	uint32_t n = 0, at = from;

	for (uint32_t i = from; i < to; i++) {
		const uint32_t f = g->t->frame[g->items[i].node];

		if (!g->slot[f]++)
			g->frames[n++] = f;
	}
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t count = g->slot[g->frames[k]];

		cr_vec_push(
			&g->open, ((struct open){cr_tree_builder_append(g->tb, out, g->frames[k]),
					  at, at + count}));
		g->slot[g->frames[k]] = at;
		at += count;
	}
	for (uint32_t i = from; i < to; i++)
		g->sorted[g->slot[g->t->frame[g->items[i].node]]++] = g->items[i];
	memcpy(g->items + from, g->sorted + from, (to - from) * sizeof(*g->items));
	for (uint32_t k = 0; k < n; k++)
		g->slot[g->frames[k]] = 0;
}

/* Items at their stack's outermost frame end there; the others continue with their callers. */
static void
follow(struct turning *g, struct open o)
{
	const bool followed = is_followed(g, o.from, o.to);
	uint32_t to = o.from;

	for (uint32_t i = o.from; i < o.to; i++) {
		const struct item it = g->items[i];
		const uint32_t up = g->t->parent[it.node];

		if (!followed || g->above[up])
			add_item(g, o.out, it.start);
		else
			g->items[to++] = (struct item){up, it.start};
	}
	put_frames(g, o.out, o.from, to);
}

static void
put_groups(struct turning *g, uint8_t *start)
{
	const struct cr_tree *t = g->t;

	for (uint32_t n = 0; n < t->n; n++) {
		if (!g->above[n])
			continue;
		if (n)
			g->group_out[n] = cr_tree_builder_append(
				g->tb, g->group_out[t->parent[n]], t->frame[n]);
		if (start[n])
			add_item(g, g->group_out[n], n);
		start[n] = 0;
	}
}

/* The items of start[] by group: those of group node g are [first[g], first[g + 1]). */
static uint32_t *
items_by_group(struct turning *g, const uint8_t *start)
{
	const struct cr_tree *t = g->t;
	uint32_t *group = cr_alloc(t->n, sizeof(*group)),
		 *first = cr_alloc((uint64_t)t->n + 2, sizeof(*first));

	for (uint32_t n = 0; n < t->n; n++) {
		group[n] = g->above[n] ? n : group[t->parent[n]];
		first[group[n] + 2] += start[n];
	}
	for (uint32_t n = 0; n <= t->n; n++)
		first[n + 1] += first[n];
	g->n_items = first[t->n + 1];
	g->items = cr_alloc(g->n_items, sizeof(*g->items));
	g->sorted = cr_alloc(g->n_items, sizeof(*g->sorted));
	for (uint32_t n = 0; n < t->n; n++)
		if (start[n])
			g->items[first[group[n] + 1]++] = (struct item){n, n};
	free(group);
	return first;
}

static void
choose_least(struct turning *g)
{
	uint64_t steps = 0;

	for (uint32_t i = 0; i < g->n_items; i++)
		steps += g->t->depth[g->items[i].node];
	for (uint32_t s = 0; s < g->t->sides && steps > STEPS_WHOLE; s++)
		g->least[s] = CR_MAX(g->t->total[s][0] / SHARE_FOLLOWED, 1);
}

/* Finish the tree; the map of items becomes one of nodes. */
static struct cr_tree *
turned(struct turning *g)
{
	uint32_t *place;
	struct cr_tree *out = cr_tree_builder_finish(g->tb, g->map ? &place : NULL);

	if (!g->map)
		return out;
	for (uint32_t n = 0; n < g->t->n; n++)
		if (g->map[n] != CR_NO_ROW)
			g->map[n] = place[g->map[n]];
	free(place);
	return out;
}

/* start: by node, 1 if samples start there. Samples directly in a group stay with it. */
static struct cr_tree *
turn(struct turning *g, uint8_t *start)
{
	const struct cr_tree *t = g->t;
	uint32_t *first;

	g->tb = cr_tree_builder_like(t);
	cr_tree_builder_leaves_first(g->tb, !t->leaves_first);
	if (g->leaf)
		cr_tree_builder_split_leaf(g->tb);
	g->group_out = cr_alloc(t->n, sizeof(*g->group_out));
	g->slot = cr_alloc(t->n_frames, sizeof(*g->slot));
	g->frames = cr_alloc(t->n_frames, sizeof(*g->frames));
	put_groups(g, start);
	first = items_by_group(g, start);
	choose_least(g);
	for (uint32_t n = 0; n < t->n; n++) {
		if (first[n] == first[n + 1])
			continue;
		put_frames(g, g->group_out[n], first[n], first[n + 1]);
		while (g->open.n && cr_work_at("callers", g->steps++, 0))
			follow(g, g->open.p[--g->open.n]);
	}
	free(first);
	free(g->slot);
	free(g->frames);
	free(g->items);
	free(g->sorted);
	free(g->group_out);
	cr_vec_fini(&g->open);
	return turned(g);
}

/* A map in which no node has a place yet; NULL if none was requested. */
static uint32_t *
map_new(const struct cr_tree *t, uint32_t **map)
{
	if (!map)
		return NULL;
	*map = cr_alloc(t->n, sizeof(**map));
	memset(*map, 0xff, t->n * sizeof(**map));
	return *map;
}

struct cr_tree *
cr_tree_invert(const struct cr_tree *t, const uint8_t *above, uint32_t **map)
{
	struct turning g = {.t = t,
		.above = above,
		.weight = t->weight,
		.samples = t->samples,
		.map = map_new(t, map)};
	uint8_t *start = cr_alloc(t->n, 1);
	struct cr_tree *out;

	if (t->leaf[0] != t->weight[0]) {
		g.leaf = t->leaf;
		g.leaf_samples = t->leaf_samples;
	}
	for (uint32_t n = 0; n < t->n; n++)
		for (uint32_t s = 0; s < t->sides; s++)
			start[n] |= t->weight[s][n] || t->samples[s][n];
	out = turn(&g, start);
	free(start);
	return out;
}

/* For stacks cut below a function: the samples taken in it, including where it called itself. */
struct leaves {
	uint64_t *weight[CR_SIDES], *samples[CR_SIDES];
};

static void
leaves_init(const struct cr_tree *t, const uint8_t *start, struct leaves *l)
{
	uint32_t *function = cr_tree_functions(t), end;

	for (uint32_t s = 0; s < CR_SIDES; s++) {
		l->weight[s] = cr_alloc(t->n, sizeof(**l->weight));
		l->samples[s] = cr_alloc(t->n, sizeof(**l->samples));
	}
	for (uint32_t n = 0; n < t->n; n = end) {
		end = start[n] ? t->end[n] : n + 1;
		for (uint32_t k = n; start[n] && k < end; k++)
			for (uint32_t s = 0;
				s < t->sides && function[t->frame[k]] == function[t->frame[n]];
				s++) {
				l->weight[s][n] = cr_add_sat(l->weight[s][n], t->leaf[s][k]);
				l->samples[s][n] =
					cr_add_sat(l->samples[s][n], t->leaf_samples[s][k]);
			}
	}
	free(function);
}

struct cr_tree *
cr_tree_callers(const struct cr_tree *t, const uint8_t *above, const uint8_t *hit, uint32_t **map)
{
	struct leaves l;
	struct turning g = {.t = t,
		.above = above,
		.weight = t->total,
		.samples = t->total_samples,
		.leaf = (const uint64_t *const *)l.weight,
		.leaf_samples = (const uint64_t *const *)l.samples,
		.map = map_new(t, map)};
	uint8_t *start = cr_alloc(t->n, 1);
	struct cr_tree *out;

	for (uint32_t n = 1; n < t->n; n++) {
		start[n] = !above[n] && hit[t->frame[n]];
		if (start[n])
			n = t->end[n] - 1; /* the matches below it are inner ones */
	}
	leaves_init(t, start, &l);
	out = turn(&g, start);
	for (uint32_t n = 1; n < t->n && g.map; n++)
		if (g.map[n] == CR_NO_ROW) /* what a match called went with it */
			g.map[n] = g.map[t->parent[n]];
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		free(l.weight[s]);
		free(l.samples[s]);
	}
	free(start);
	return out;
}
