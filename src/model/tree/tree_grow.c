#include "tree_grow_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "tree_p.h"

#include <stdlib.h>

/* A list of the input nodes that were mapped to one node, or whose run is being placed below it. */
struct list {
	uint32_t first1; /* + 1 */
	uint32_t last;
};

struct mark {
	uint32_t parent1; /* the node, + 1, that `child` belongs to */
	uint32_t child;
};

struct grower {
	const struct cr_growth *in;
	/* By node of the new tree. */
	uint32_t n, room;
	uint32_t *parent, *frame;
	struct list *list;
	uint32_t *next1; /* by input node: the next in its list, + 1 */
	/* By input node: number of frames placed so far; NULL if no run has more than one frame. */
	uint16_t *placed;
	uint32_t *node;    /* by input node: its new node */
	struct mark *mark; /* by frame */
	/* Children according to `up`: first child and next sibling, + 1. */
	uint32_t *child1, *sibling1;
};

static uint32_t
out_add(struct grower *g, uint32_t parent, uint32_t frame)
{
	if (g->n == g->room) {
		g->room += CR_MAX(g->room / 2, 1024u);
		g->parent = cr_realloc(g->parent, g->room, sizeof(*g->parent));
		g->frame = cr_realloc(g->frame, g->room, sizeof(*g->frame));
		g->list = cr_realloc(g->list, g->room, sizeof(*g->list));
	}
	g->parent[g->n] = parent;
	g->frame[g->n] = frame;
	g->list[g->n] = (struct list){0};
	return g->n++;
}

static uint32_t
out_child(struct grower *g, uint32_t parent, uint32_t frame)
{
	struct mark *m = &g->mark[frame];

	if (m->parent1 == parent + 1)
		return m->child;
	*m = (struct mark){parent + 1, out_add(g, parent, frame)};
	return m->child;
}

static void
list_add(struct grower *g, uint32_t to, uint32_t node)
{
	struct list *o = &g->list[to];

	g->next1[node] = 0;
	if (o->first1)
		g->next1[o->last] = node + 1;
	else
		o->first1 = node + 1;
	o->last = node;
}

static const uint32_t *
run_of(const struct cr_growth *in, uint32_t node, uint32_t *n)
{
	if (in->frame) {
		*n = in->frame[node] != CR_TREE_SAME;
		return &in->frame[node];
	}
	*n = in->first[in->row[node] + 1] - in->first[in->row[node]];
	return in->run + in->first[in->row[node]];
}

/*
 * Place the next frame of the node's run below `at`. Returns false if none is left: the node is
 * then mapped to `at`.
 */
static bool
place_next(struct grower *g, uint32_t at, uint32_t node)
{
	uint32_t n, done = g->placed ? g->placed[node] : 0, to;
	const uint32_t *run = run_of(g->in, node, &n);

	while (done < n && g->in->once && at && g->frame[at] == run[done])
		done++;
	if (done == n) {
		if (g->placed)
			g->placed[node] = (uint16_t)n;
		g->node[node] = at;
		return false;
	}
	to = out_child(g, at, run[done++]);
	if (g->placed)
		g->placed[node] = (uint16_t)done;
	if (done == n)
		g->node[node] = to;
	list_add(g, to, node);
	return true;
}

static bool
is_placed(const struct grower *g, uint32_t node)
{
	uint32_t n;

	if (!g->placed || node == 0)
		return true;
	run_of(g->in, node, &n);
	return g->placed[node] == n;
}

/*
 * Visit the children of an input node mapped to output node `at`; queue those that map to `at` as
 * well.
 */
static void
queue_children(struct grower *g, uint32_t at, uint32_t node)
{
	if (g->child1) {
		for (uint32_t c1 = g->child1[node]; c1; c1 = g->sibling1[c1 - 1])
			if (!place_next(g, at, c1 - 1))
				list_add(g, at, c1 - 1);
		return;
	}
	for (uint32_t c = node + 1; c < g->in->end[node]; c = g->in->end[c]) {
		if (g->in->skip && g->in->skip[c])
			continue;
		if (!place_next(g, at, c))
			list_add(g, at, c);
	}
}

static void
link_children(struct grower *g)
{
	const uint32_t n = g->in->n;

	g->child1 = cr_alloc(n, sizeof(*g->child1));
	g->sibling1 = cr_alloc(n, sizeof(*g->sibling1));
	for (uint32_t i = n; i-- > 1;) {
		g->sibling1[i] = g->child1[g->in->up[i]];
		g->child1[g->in->up[i]] = i + 1;
	}
}

/* Process all descendants of the input nodes mapped to `at`. */
static void
grow_below(struct grower *g, uint32_t at)
{
	uint32_t next1;

	for (uint32_t i1 = g->list[at].first1; i1; i1 = next1) {
		if (!is_placed(g, i1 - 1)) {
			next1 = g->next1[i1 - 1];
			if (place_next(g, at, i1 - 1))
				continue;
			/*
			 * All its frames merged with equal ones: it maps to `at` and stays in this
			 * list.
			 */
		}
		queue_children(g, at, i1 - 1);
		next1 = g->next1[i1 - 1];
	}
}

void
cr_tree_grow(const struct cr_growth *in, struct cr_grown *out)
{
	struct grower g = {
		.in = in,
		.next1 = cr_alloc(in->n, sizeof(*g.next1)),
		.node = cr_alloc(in->n, sizeof(*g.node)),
		.mark = cr_alloc(in->n_frames, sizeof(*g.mark)),
	};
	/* Last in, first out, so that input nodes are mostly read in order. */
	CR_VEC(uint32_t)
	todo = {0};

	if (!in->frame)
		g.placed = cr_alloc(in->n, sizeof(*g.placed));
	if (in->up)
		link_children(&g);
	g.room = in->n + in->n / 8; /* inlined functions may add nodes */
	g.parent = cr_alloc(g.room, sizeof(*g.parent));
	g.frame = cr_alloc(g.room, sizeof(*g.frame));
	g.list = cr_alloc(g.room, sizeof(*g.list));
	out_add(&g, 0, 0);
	list_add(&g, 0, 0);
	cr_vec_push(&todo, 0);
	/* If cancelled, the tree is smaller; nodes not placed map to the root. */
	for (uint32_t i = 0; todo.n && (in->whole || cr_work_at("stacks", i, in->n)); i++) {
		const uint32_t at = todo.p[--todo.n], before = g.n;

		grow_below(&g, at);
		for (uint32_t child = g.n; child-- > before;)
			cr_vec_push(&todo, child);
	}
	cr_vec_fini(&todo);
	free(g.next1);
	free(g.placed);
	free(g.mark);
	free(g.child1);
	free(g.sibling1);
	free(g.list);
	*out = (struct cr_grown){.n = g.n, .parent = g.parent, .frame = g.frame, .node = g.node};
}

/* ---- deriving trees */

static uint64_t *
moved(const uint64_t *v, const uint8_t *lost, const uint32_t *node, uint32_t n, uint32_t n_out)
{
	uint64_t *out = cr_alloc(n_out, sizeof(*out));

	for (uint32_t i = 0; i < n; i++)
		if (!lost || !lost[i])
			out[node[i]] = cr_add_sat(out[node[i]], v[i]);
	return out;
}

static uint64_t *
moved_leaf(const uint64_t *leaf, const uint64_t *weight, const struct cr_tree_change *c,
	const struct cr_grown *grown, uint32_t n)
{
	uint64_t *v = cr_alloc(n, sizeof(*v)), *out;

	for (uint32_t i = 0; i < n; i++)
		v[i] = c->own && c->own[i] ? weight[i] : leaf[i];
	out = moved(v, c->lost, grown->node, n, grown->n);
	free(v);
	return out;
}

struct cr_tree *
cr_tree_derive(const struct cr_tree *t, const struct cr_tree_change *c, uint32_t **map)
{
	struct cr_tree *out = cr_tree_new_like(t, c->more, c->n_more);
	struct cr_growth in = {.n = t->n,
		.end = t->end,
		.up = c->up,
		.skip = c->skip,
		.frame = c->frame ? c->frame : t->frame,
		.n_frames = out->n_frames};
	uint32_t *place;
	struct cr_grown grown;
	struct cr_tree_raw raw;

	if (c->made)
		cr_tree_keep(out, c->made);
	cr_tree_grow(&in, &grown);
	raw = (struct cr_tree_raw){
		.n = grown.n, .sides = t->sides, .parent = grown.parent, .frame = grown.frame};
	for (uint32_t s = 0; s < t->sides; s++) {
		raw.weight[s] = moved(t->weight[s], c->lost, grown.node, t->n, grown.n);
		raw.samples[s] = moved(t->samples[s], c->lost, grown.node, t->n, grown.n);
		if (t->leaf[s] == t->weight[s])
			continue;
		raw.leaf[s] = moved_leaf(t->leaf[s], t->weight[s], c, &grown, t->n);
		raw.leaf_samples[s] =
			moved_leaf(t->leaf_samples[s], t->samples[s], c, &grown, t->n);
	}
	if (!map) {
		free(grown.node);
		cr_tree_finish(out, &raw, NULL);
		return out;
	}
	cr_tree_finish(out, &raw, &place);
	for (uint32_t i = 0; i < t->n; i++)
		grown.node[i] = place[grown.node[i]];
	free(place);
	*map = grown.node;
	return out;
}
