#include "model/tree/tree_nodes.h"

#include "base/vec.h"
#include "tree_p.h"

#include <stdlib.h>
#include <string.h>

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

/* A child, and its place among its siblings. */
struct child {
	uint32_t rank, node;
};

typedef CR_VEC(struct child) child_vec;

static int
by_rank(const void *x, const void *y)
{
	const struct child *a = x, *b = y;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

#define FEW 12 /* up to this number of siblings, insertion sort is used */

static void
sort_children(child_vec *v)
{
	if (v->n > FEW) {
		qsort(v->p, v->n, sizeof(*v->p), by_rank);
		return;
	}
	for (size_t i = 1; i < v->n; i++) {
		const struct child one = v->p[i];
		size_t k = i;

		for (; k > 0 && v->p[k - 1].rank > one.rank; k--)
			v->p[k] = v->p[k - 1];
		v->p[k] = one;
	}
}

/* Sort the list of children of a node by rank; without ranks by number. */
static void
sort_list(const struct cr_tree_nodes *in, uint32_t node, const uint32_t *rank, child_vec *v)
{
	uint32_t *last1 = &in->node[node].child1;

	v->n = 0;
	for (uint32_t c1 = *last1; c1; c1 = in->node[c1 - 1].next1) {
		const struct cr_tree_node *c = &in->node[c1 - 1];

		cr_vec_push(
			v, ((struct child){rank ? rank[c->frame * 2 + !c->child1] : c1, c1 - 1}));
	}
	sort_children(v);
	for (size_t i = 0; i < v->n; i++) {
		*last1 = v->p[i].node + 1;
		last1 = &in->node[v->p[i].node].next1;
	}
	*last1 = 0;
}

static void
sort_lists(const struct cr_tree_nodes *in)
{
	uint32_t *rank = in->sort_by ? rank_frames(in) : NULL;
	child_vec v = {0};

	for (uint32_t i = 0; i < in->n; i++) {
		const uint32_t child1 = in->node[i].child1;

		if (child1 && in->node[child1 - 1].next1)
			sort_list(in, i, rank, &v);
	}
	cr_vec_fini(&v);
	free(rank);
}

/* ---- sums */

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

static uint32_t
count_from(const uint64_t *sum, uint32_t n, uint64_t least)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += sum[i] >= least;
	return count;
}

/* Find the least total of nodes that are kept: 1, or more if these are too many. */
static void
choose_least(const struct cr_tree_nodes *in, const uint64_t *sum, struct cr_tree_cut *cut)
{
	const uint32_t all = count_from(sum, in->n, 1);
	uint32_t kept = all;

	cut->least = 1;
	while (!in->after && kept > cut->most) {
		cut->least = cut->least > 1 ? cut->least * 2 : sum[0] / 1000000 + 1;
		kept = count_from(sum, in->n, cut->least);
	}
	cut->n = all - kept;
}

/* Number the nodes in preorder without small ones. Returns by new number the old one. */
static uint32_t *
number_nodes(const struct cr_tree_nodes *in, const uint64_t *sum, uint64_t least, uint32_t *n)
{
	uint32_t *old = cr_alloc(in->n, sizeof(*old)), at = 0;

	*n = 0;
	for (;;) {
		uint32_t next1 = 0;

		if (at == 0 || sum[at] >= least) {
			old[(*n)++] = at;
			next1 = in->node[at].child1;
		}
		while (!next1 && at) {
			next1 = in->node[at].next1;
			if (!next1)
				at = in->node[at].parent;
		}
		if (!next1)
			break;
		at = next1 - 1;
	}
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

/* Weights that also have those of the nodes that were cut off below. */
static void
add_cut_off(struct cr_tree *t, const uint32_t *old, const uint64_t *sum)
{
	uint64_t *weight = cr_arena_array(&t->arena, t->n, sizeof(*weight));
	uint64_t *total = cr_arena_array(&t->arena, t->n, sizeof(*total));

	for (uint32_t i = t->n; i-- > 0;) {
		total[i] = sum[old[i]];
		weight[i] += total[i];
		if (i)
			weight[t->parent[i]] -= total[i];
	}
	t->weight[0] = t->samples[0] = weight;
	t->total[0] = t->total_samples[0] = t->extent = total;
}

struct cr_tree *
cr_tree_from_nodes(const struct cr_tree_nodes *in, struct cr_arena *names, struct cr_tree_cut *cut)
{
	struct cr_tree *t = cr_tree_new(in->frames, in->n_frames, NULL, 0);
	uint64_t *sum = sum_sides(in);
	uint32_t *old;

	cr_tree_keep(t, names);
	sort_lists(in);
	choose_least(in, sum, cut);
	old = number_nodes(in, sum, cut->least, &t->n);
	if (cut->n == 0) {
		free(sum);
		sum = NULL;
	}
	t->sides = in->after ? 2 : 1;
	place_shape(t, in, old);
	for (uint32_t side = 0; side < t->sides; side++)
		place_side(t, in, old, side);
	if (sum)
		add_cut_off(t, old, sum);
	free(sum);
	free(old);
	return t;
}
