#include "model/tree/tree_nodes.h"

#include "tree_p.h"

#include <stdlib.h>
#include <string.h>

/* By node: its first child and next sibling, + 1; 0 for none. */
struct family {
	uint32_t *child1, *next1;
};

/* ---- the order of siblings */

/*
 * What a node is sorted by: the name, and the byte after it in a line of folded stacks. The first
 * bytes decide most comparisons.
 */
struct key {
	uint64_t start;
	uint32_t frame;
	bool leaf;
};

static uint64_t
first_bytes(struct cr_str name, bool leaf)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < sizeof(v); i++) {
		const unsigned char end = i == name.len ? (leaf ? ' ' : ';') : 0;

		v = v << 8 | (i < name.len ? (unsigned char)name.p[i] : end);
	}
	return v;
}

static int
by_name(const void *x, const void *y, void *sort_by)
{
	const struct key *a = x, *b = y;
	const struct cr_str f = ((const struct cr_str *)sort_by)[a->frame];
	const struct cr_str g = ((const struct cr_str *)sort_by)[b->frame];

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return cr_tree_name_cmp(f, a->leaf, g, b->leaf);
}

/* By frame, twice: the place of the frame among all, of its leaves and of its other nodes. */
static uint32_t *
rank_frames(const struct cr_tree_nodes *in)
{
	const uint64_t n = (uint64_t)in->n_frames * 2;
	struct key *keys = cr_alloc(n, sizeof(*keys));
	uint32_t *rank = cr_alloc(n, sizeof(*rank));

	for (uint32_t i = 0; i < n; i++)
		keys[i] = (struct key){first_bytes(in->sort_by[i / 2], i % 2), i / 2, i % 2};
	qsort_r(keys, (size_t)n, sizeof(*keys), by_name, (void *)(uintptr_t)in->sort_by);
	for (uint32_t i = 0; i < n; i++)
		rank[keys[i].frame * 2 + keys[i].leaf] = i;
	free(keys);
	return rank;
}

/* The nodes but the root, sorted by the rank of their frame: a counting sort. */
static uint32_t *
sort_nodes(const struct cr_tree_nodes *in, const uint8_t *has_children)
{
	const uint64_t n_ranks = (uint64_t)in->n_frames * 2;
	uint32_t *rank = rank_frames(in);
	uint32_t *at = cr_alloc(n_ranks + 1, sizeof(*at));
	uint32_t *sorted = cr_alloc(in->n, sizeof(*sorted));

	for (uint32_t i = 1; i < in->n; i++)
		at[rank[in->node[i].frame * 2 + !has_children[i]] + 1]++;
	for (uint64_t r = 0; r < n_ranks; r++)
		at[r + 1] += at[r];
	for (uint32_t i = 1; i < in->n; i++)
		sorted[at[rank[in->node[i].frame * 2 + !has_children[i]]]++] = i;
	free(rank);
	free(at);
	return sorted;
}

/* ---- links and sums */

static void
link_node(const struct cr_tree_nodes *in, struct family *f, uint32_t i)
{
	uint32_t *first = &f->child1[in->node[i].parent];

	f->next1[i] = *first;
	*first = i + 1;
}

/* Link the children of each node; the first of a list is linked last. */
static void
link_all(const struct cr_tree_nodes *in, struct family *f)
{
	uint8_t *has_children;
	uint32_t *sorted;

	f->child1 = cr_alloc(in->n, sizeof(*f->child1));
	f->next1 = cr_alloc(in->n, sizeof(*f->next1));
	if (!in->sort_by) {
		for (uint32_t i = in->n; i-- > 1;)
			link_node(in, f, i);
		return;
	}
	has_children = cr_alloc(in->n, sizeof(*has_children));
	for (uint32_t i = 1; i < in->n; i++)
		has_children[in->node[i].parent] = 1;
	sorted = sort_nodes(in, has_children);
	free(has_children);
	for (uint32_t i = in->n - 1; i-- > 0;)
		link_node(in, f, sorted[i]);
	free(sorted);
}

static uint64_t
weight_of(const struct cr_tree_nodes *in, uint32_t node, uint32_t side)
{
	return side ? in->after[node] : in->node[node].weight;
}

/* By node: the weight of its subtree, 0 only if all sides have none there. */
static uint64_t *
sum_sides(const struct cr_tree_nodes *in)
{
	uint64_t *sum = cr_alloc(in->n, sizeof(*sum));

	for (uint32_t i = in->n; i-- > 0;) {
		for (uint32_t side = 0; side <= (in->after != NULL); side++)
			sum[i] = cr_add_sat(sum[i], weight_of(in, i, side));
		if (i)
			sum[in->node[i].parent] = cr_add_sat(sum[in->node[i].parent], sum[i]);
	}
	return sum;
}

/* Number the nodes in preorder without empty ones. Returns by new number the old one. */
static uint32_t *
number_nodes(const struct cr_tree_nodes *in, const struct family *f, uint32_t *n)
{
	uint32_t *old = cr_alloc(in->n, sizeof(*old)), at = 0;
	uint64_t *sum = sum_sides(in);

	*n = 0;
	for (;;) {
		uint32_t next1 = 0;

		if (at == 0 || sum[at]) {
			old[(*n)++] = at;
			next1 = f->child1[at];
		}
		while (!next1 && at) {
			next1 = f->next1[at];
			if (!next1)
				at = in->node[at].parent;
		}
		if (!next1)
			break;
		at = next1 - 1;
	}
	free(sum);
	return old;
}

/* ---- the arrays of the tree */

/* Parents, ends and depths of nodes in preorder. */
static void
place_shape(struct cr_tree *t, const struct cr_tree_nodes *in, const uint32_t *old)
{
	uint32_t *parent = cr_arena_array(&t->arena, t->n, sizeof(*parent));
	uint32_t *end = cr_arena_array(&t->arena, t->n, sizeof(*end));
	uint32_t *depth = cr_arena_array(&t->arena, t->n, sizeof(*depth));
	uint32_t *frame = cr_arena_array(&t->arena, t->n, sizeof(*frame));

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t up = i ? i - 1 : 0;

		/* The node before is the parent, or below a sibling. */
		while (old[up] != in->node[old[i]].parent)
			up = parent[up];
		parent[i] = up;
		depth[i] = i ? depth[up] + 1 : 0;
		frame[i] = in->node[old[i]].frame;
		t->max_depth = CR_MAX(t->max_depth, depth[i]);
	}
	for (uint32_t i = t->n; i-- > 0;) {
		end[i] = CR_MAX(end[i], i + 1);
		end[parent[i]] = CR_MAX(end[parent[i]], end[i]);
	}
	t->parent = parent;
	t->end = end;
	t->depth = depth;
	t->frame = frame;
}

static void
place_side(struct cr_tree *t, const struct cr_tree_nodes *in, const uint32_t *old, uint32_t side)
{
	uint64_t *weight = cr_arena_array(&t->arena, t->n, sizeof(*weight));
	uint64_t *total = cr_arena_array(&t->arena, t->n, sizeof(*total));

	for (uint32_t i = t->n; i-- > 0;) {
		weight[i] = weight_of(in, old[i], side);
		total[i] = cr_add_sat(total[i], weight[i]);
		if (i)
			total[t->parent[i]] = cr_add_sat(total[t->parent[i]], total[i]);
	}
	t->weight[side] = t->self[side] = t->leaf[side] = weight;
	t->samples[side] = t->self_samples[side] = t->leaf_samples[side] = weight;
	t->total[side] = t->total_samples[side] = total;
	if (side == in->wide)
		t->extent = total;
}

struct cr_tree *
cr_tree_from_nodes(const struct cr_tree_nodes *in, struct cr_arena *names)
{
	struct cr_tree *t = cr_tree_new(in->frames, in->n_frames, NULL, 0);
	struct family f;
	uint32_t *old;

	cr_tree_keep(t, names);
	link_all(in, &f);
	old = number_nodes(in, &f, &t->n);
	free(f.child1);
	free(f.next1);
	t->sides = in->after ? 2 : 1;
	place_shape(t, in, old);
	for (uint32_t side = 0; side < t->sides; side++)
		place_side(t, in, old, side);
	free(old);
	return t;
}
