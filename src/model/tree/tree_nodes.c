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

/* ---- too many nodes */

/* A set of nodes, and for each 64 of them how many smaller numbers are in it. */
struct node_set {
	uint64_t *has;
	uint32_t *before;
};

static bool
set_has(const struct node_set *s, uint32_t node)
{
	return s->has[node / 64] >> node % 64 & 1;
}

/* How many members are smaller than the node: its number if only members remain. */
static uint32_t
set_number(const struct node_set *s, uint32_t node)
{
	const uint64_t smaller = s->has[node / 64] & (((uint64_t)1 << node % 64) - 1);

	return s->before[node / 64] + (uint32_t)__builtin_popcountll(smaller);
}

/* The root and the nodes whose weight is at least `least`. */
static struct node_set
set_of_large(const struct cr_tree_nodes *in, uint64_t least)
{
	const uint32_t words = in->n / 64 + 1;
	struct node_set s = {cr_alloc(words, sizeof(*s.has)), cr_alloc(words, sizeof(*s.before))};
	uint32_t n = 0;

	for (uint32_t i = 0; i < in->n; i++) {
		const bool large = i == 0 || in->node[i].weight >= least;

		if (i % 64 == 0)
			s.before[i / 64] = n;
		s.has[i / 64] |= (uint64_t)large << i % 64;
		n += large;
	}
	return s;
}

/* Turn the weight of each node into that of its subtree. */
static void
add_to_parents(struct cr_tree_nodes *in)
{
	for (uint32_t i = in->n; --i > 0;) {
		uint64_t *up = &in->node[in->node[i].parent].weight;

		*up = cr_add_sat(*up, in->node[i].weight);
	}
}

static uint32_t
count_from(const struct cr_tree_nodes *in, uint64_t least)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < in->n; i++)
		count += in->node[i].weight >= least;
	return count;
}

/* Choose the least weight of a subtree that is kept, so that few enough are. */
static void
choose_least(const struct cr_tree_nodes *in, struct cr_tree_cut *cut)
{
	const uint32_t all = count_from(in, 1);
	uint32_t kept = all;

	for (cut->least = 1; kept > cut->most; kept = count_from(in, cut->least))
		cut->least = CR_MAX(cut->least * 2, in->node[0].weight / 1000000 + 1);
	cut->n = all - kept;
}

/*
 * Move the nodes of the set to the front, turn the weights of subtrees back into those of nodes,
 * and rebuild the lists of children. The set contains the parents of its nodes. A parent has a
 * smaller number than its children, so it has been moved when they need it.
 */
static void
move_to_front(struct cr_tree_nodes *in, const struct node_set *kept)
{
	uint32_t n = 1;

	in->node[0].child1 = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		const struct cr_tree_node from = in->node[i];
		const uint32_t up = set_number(kept, from.parent);

		if (!set_has(kept, from.parent))
			continue;
		in->node[up].weight -= CR_MIN(in->node[up].weight, from.weight);
		if (!set_has(kept, i)) {
			in->cut_off[up] = cr_add_sat(in->cut_off[up], from.weight);
			continue;
		}
		in->node[n] = (struct cr_tree_node){
			.parent = up, .frame = from.frame, .weight = from.weight};
		if (in->lead)
			in->lead[n] = in->lead[i];
		cr_tree_node_link(in->node, n++);
	}
	in->n = n;
}

void
cr_tree_nodes_cut(struct cr_tree_nodes *in, struct cr_tree_cut *cut)
{
	struct node_set kept;

	if (in->n <= cut->most || in->after || in->samples)
		return;
	add_to_parents(in);
	choose_least(in, cut);
	in->cut_off = cr_alloc((uint64_t)in->n - cut->n, sizeof(*in->cut_off));
	kept = set_of_large(in, cut->least);
	move_to_front(in, &kept);
	free(kept.has);
	free(kept.before);
}

/* ---- sums */

static uint64_t
weight_of(const struct cr_tree_nodes *in, uint32_t node, uint32_t side)
{
	return side ? in->after[node] : in->node[node].weight;
}

/* By node: 1 if its subtree has a weight on any side. */
static uint8_t *
find_used(const struct cr_tree_nodes *in)
{
	uint8_t *used = cr_alloc(in->n, sizeof(*used));

	for (uint32_t i = in->n; i-- > 0;) {
		used[i] |= in->node[i].weight || (in->after && in->after[i]) ||
			   (in->cut_off && in->cut_off[i]);
		used[in->node[i].parent] |= used[i];
	}
	return used;
}

/* Number the used nodes in preorder. Returns by new number the old one. */
static uint32_t *
number_nodes(const struct cr_tree_nodes *in, uint32_t *n)
{
	uint32_t *old = cr_alloc(in->n, sizeof(*old)), at = 0;
	uint8_t *used = find_used(in);

	*n = 0;
	for (;;) {
		uint32_t next1 = 0;

		if (at == 0 || used[at]) {
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
	free(used);
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

/* By node: the sum of `own` over its subtree. */
static const uint64_t *
sum_up(struct cr_tree *t, const uint64_t *own)
{
	uint64_t *total = cr_arena_array(&t->arena, t->n, sizeof(*total));

	for (uint32_t i = t->n; i-- > 0;) {
		total[i] = cr_add_sat(total[i], own[i]);
		if (i)
			total[t->parent[i]] = cr_add_sat(total[t->parent[i]], total[i]);
	}
	return total;
}

static void
place_side(struct cr_tree *t, const struct cr_tree_nodes *in, const uint32_t *old, uint32_t side)
{
	uint64_t *self = cr_arena_array(&t->arena, t->n, sizeof(*self));
	uint64_t *weight = in->cut_off ? cr_arena_array(&t->arena, t->n, sizeof(*weight)) : self;

	for (uint32_t i = 0; i < t->n; i++) {
		self[i] = weight_of(in, old[i], side);
		if (in->cut_off)
			weight[i] = cr_add_sat(self[i], in->cut_off[old[i]]);
	}
	t->weight[side] = t->samples[side] = weight;
	t->self[side] = t->leaf[side] = self;
	t->self_samples[side] = t->leaf_samples[side] = self;
	t->total[side] = t->total_samples[side] = sum_up(t, weight);
	if (side == in->wide)
		t->extent = t->total[side];
}

static void
place_samples(struct cr_tree *t, const struct cr_tree_nodes *in, const uint32_t *old)
{
	uint64_t *samples = cr_arena_array(&t->arena, t->n, sizeof(*samples));

	for (uint32_t i = 0; i < t->n; i++)
		samples[i] = in->samples[old[i]];
	t->samples[0] = t->self_samples[0] = t->leaf_samples[0] = samples;
	t->total_samples[0] = sum_up(t, samples);
}

static void
place_leads(struct cr_tree *t, const struct cr_tree_nodes *in, const uint32_t *old)
{
	uint64_t *lead = cr_arena_array(&t->arena, t->n, sizeof(*lead));

	for (uint32_t i = 0; i < t->n; i++)
		lead[i] = in->lead[old[i]];
	t->lead = lead;
}

struct cr_tree *
cr_tree_from_nodes(const struct cr_tree_nodes *in, struct cr_arena *names)
{
	struct cr_tree *t = cr_tree_new(in->frames, in->n_frames, NULL, 0);
	uint32_t *old;

	cr_tree_keep(t, names);
	sort_lists(in);
	old = number_nodes(in, &t->n);
	t->sides = in->after ? 2 : 1;
	place_shape(t, in, old);
	for (uint32_t side = 0; side < t->sides; side++)
		place_side(t, in, old, side);
	if (in->samples)
		place_samples(t, in, old);
	if (in->lead)
		place_leads(t, in, old);
	free(old);
	return t;
}
