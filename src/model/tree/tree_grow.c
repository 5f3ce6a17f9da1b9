#include "tree_grow_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "tree_p.h"

#include <stdlib.h>

/* The nodes of the growth that came to be one node, or are on their way below it, are a list. */
struct list {
	uint32_t first1; /* + 1 */
	uint32_t last;
};

struct mark {
	uint32_t parent1; /* + 1: of which node `child` is */
	uint32_t child;
};

struct grower {
	const struct cr_growth *in;
	/* By node of the tree. */
	uint32_t n, room;
	uint32_t *parent, *frame;
	struct list *list;
	uint32_t *next1; /* by node: the next of its list, + 1 */
	uint16_t *
		placed; /* by node: how much of its run; NULL where runs are of one frame at most */
	uint32_t *node; /* by node: what it came to be */
	struct mark *mark;         /* by frame */
	uint32_t *hang1, *beside1; /* where `up` says what hangs from what: first and next, + 1 */
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
 * Another frame of the node's run is placed below `at`. False when none is left: it has come to be
 * `at`.
 */
static bool
go_on(struct grower *g, uint32_t at, uint32_t node)
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
 * What hangs from a node that has come to be `at`. Those that come to be it too are put into its
 * list.
 */
static void
take_children(struct grower *g, uint32_t at, uint32_t node)
{
	if (g->hang1) {
		for (uint32_t c1 = g->hang1[node]; c1; c1 = g->beside1[c1 - 1])
			if (!go_on(g, at, c1 - 1))
				list_add(g, at, c1 - 1);
		return;
	}
	for (uint32_t c = node + 1; c < g->in->end[node]; c = g->in->end[c])
		if (!go_on(g, at, c))
			list_add(g, at, c);
}

static void
hang(struct grower *g)
{
	const uint32_t n = g->in->n;

	g->hang1 = cr_alloc(n, sizeof(*g->hang1));
	g->beside1 = cr_alloc(n, sizeof(*g->beside1));
	for (uint32_t i = n; i-- > 1;) {
		g->beside1[i] = g->hang1[g->in->up[i]];
		g->hang1[g->in->up[i]] = i + 1;
	}
}

/* All that hangs from what has come to be `at`. */
static void
grow_below(struct grower *g, uint32_t at)
{
	uint32_t next1;

	for (uint32_t i1 = g->list[at].first1; i1; i1 = next1) {
		if (!is_placed(g, i1 - 1)) {
			next1 = g->next1[i1 - 1];
			if (go_on(g, at, i1 - 1))
				continue;
			/* It was equal frames, and stays in this list. */
		}
		take_children(g, at, i1 - 1);
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
	CR_VEC(uint32_t)
	todo = {0}; /* the last first: so what is read lies in the order of the nodes, mostly */

	if (!in->frame)
		g.placed = cr_alloc(in->n, sizeof(*g.placed));
	if (in->up)
		hang(&g);
	g.room = in->n + in->n / 8; /* with inlined functions there may be more than nodes */
	g.parent = cr_alloc(g.room, sizeof(*g.parent));
	g.frame = cr_alloc(g.room, sizeof(*g.frame));
	g.list = cr_alloc(g.room, sizeof(*g.list));
	out_add(&g, 0, 0);
	list_add(&g, 0, 0);
	cr_vec_push(&todo, 0);
	/* Stopped in between, it is a smaller tree; nodes that are not placed are the root. */
	for (uint32_t i = 0; todo.n && cr_work_at("stacks", i, in->n); i++) {
		const uint32_t at = todo.p[--todo.n], before = g.n;

		grow_below(&g, at);
		for (uint32_t child = g.n; child-- > before;)
			cr_vec_push(&todo, child);
	}
	cr_vec_fini(&todo);
	free(g.next1);
	free(g.placed);
	free(g.mark);
	free(g.hang1);
	free(g.beside1);
	free(g.list);
	*out = (struct cr_grown){.n = g.n, .parent = g.parent, .frame = g.frame, .node = g.node};
}

/* ---- trees from trees */

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
