#include "tree_grow_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "tree_p.h"

#include <stdlib.h>

/* A node of the new tree. */
struct out {
	uint32_t parent, frame;
	/* Its child that was added last, and the child of its parent before it, + 1. */
	uint32_t child1, before1;
};

struct grower {
	const struct cr_growth *in;
	struct out *out;
	uint32_t n, room;
	uint32_t *node; /* by input node: its new node */
	/* Children by parent and frame, where a parent has more than FEW. */
	struct cr_index many;
};

#define FEW 8u /* children that are compared one after the other */

static uint32_t
out_add(struct grower *g, uint32_t parent, uint32_t frame, bool is_listed)
{
	if (g->n == g->room) {
		g->room += CR_MAX(g->room / 2, 1024u);
		g->out = cr_realloc(g->out, g->room, sizeof(*g->out));
	}
	g->out[g->n] = (struct out){parent, frame, 0, 0};
	if (is_listed) {
		g->out[g->n].before1 = g->out[parent].child1;
		g->out[parent].child1 = g->n + 1;
	}
	return g->n++;
}

/* A child of a parent whose list is full, as the list does not have it. */
static uint32_t
child_of_many(struct grower *g, uint32_t parent, uint32_t frame)
{
	const uint64_t h = cr_hash_mix(parent, frame);
	uint32_t node;

	cr_index_each(&g->many, h, node)
		if (g->out[node].parent == parent && g->out[node].frame == frame)
			return node;
	node = out_add(g, parent, frame, false);
	cr_index_add(&g->many, h, node);
	return node;
}

static uint32_t
out_child(struct grower *g, uint32_t parent, uint32_t frame)
{
	uint32_t n = 0;

	for (uint32_t c1 = g->out[parent].child1; c1; c1 = g->out[c1 - 1].before1, n++)
		if (g->out[c1 - 1].frame == frame)
			return c1 - 1;
	return n < FEW ? out_add(g, parent, frame, true) : child_of_many(g, parent, frame);
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

/* Place the run of a node below `at`; returns the last node of it. */
static uint32_t
place_run(struct grower *g, uint32_t at, uint32_t node)
{
	uint32_t n;
	const uint32_t *run = run_of(g->in, node, &n);

	for (uint32_t i = 0; i < n; i++)
		if (!g->in->once || !at || g->out[at].frame != run[i])
			at = out_child(g, at, run[i]);
	return at;
}

static void
split(struct grower *g, struct cr_grown *out)
{
	*out = (struct cr_grown){.n = g->n,
		.parent = cr_realloc(NULL, g->n, sizeof(*out->parent)),
		.frame = cr_realloc(NULL, g->n, sizeof(*out->frame)),
		.node = g->node};
	for (uint32_t i = 0; i < g->n; i++) {
		out->parent[i] = g->out[i].parent;
		out->frame[i] = g->out[i].frame;
	}
}

void
cr_tree_grow(const struct cr_growth *in, struct cr_grown *out)
{
	const uint32_t *up = in->up ? in->up : in->parent;
	const uint8_t *skip = in->up ? NULL : in->skip;
	struct grower g = {.in = in, .node = cr_alloc(in->n, sizeof(*g.node))};

	g.room = in->n + in->n / 8; /* inlined functions may add nodes */
	g.out = cr_realloc(NULL, g.room, sizeof(*g.out));
	out_add(&g, 0, 0, false);
	/* If cancelled, the tree is smaller; nodes not placed map to the root. */
	for (uint32_t i = 1; i < in->n && (in->whole || cr_work_at("stacks", i - 1, in->n)); i++) {
		if (skip && skip[i])
			i = in->end[i] - 1;
		else
			g.node[i] = place_run(&g, g.node[up[i]], i);
	}
	split(&g, out);
	cr_index_fini(&g.many);
	free(g.out);
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
		.parent = t->parent,
		.end = t->end,
		.up = c->up,
		.skip = c->skip,
		.frame = c->frame ? c->frame : t->frame};
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
