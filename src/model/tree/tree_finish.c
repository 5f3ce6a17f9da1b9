#include "tree_p.h"

#include "base/hash.h"
#include "base/order.h"
#include "base/wide.h"

#include <stdlib.h>

/* Totals over subtrees. */
struct sums {
	uint64_t *total[CR_SIDES], *samples[CR_SIDES];
	uint64_t *extent; /* total[0] if there is one side */
};

uint32_t *
cr_tree_ends(const uint32_t *parent, uint32_t n)
{
	uint32_t *end = cr_realloc(NULL, n, sizeof(*end));

	for (uint32_t i = 0; i < n; i++)
		end[i] = i + 1;
	for (uint32_t i = n; i-- > 1;)
		end[parent[i]] = CR_MAX(end[parent[i]], end[i]);
	return end;
}

static uint32_t *
depths_of(const uint32_t *parent, uint32_t n, uint32_t *most)
{
	uint32_t *depth = cr_realloc(NULL, n, sizeof(*depth));

	*most = depth[0] = 0;
	for (uint32_t i = 1; i < n; i++) {
		depth[i] = depth[parent[i]] + 1;
		*most = CR_MAX(*most, depth[i]);
	}
	return depth;
}

static uint64_t *
copy_of(const uint64_t *v, uint32_t n)
{
	uint64_t *copy = cr_realloc(NULL, n, sizeof(*copy));

	memcpy(copy, v, n * sizeof(*copy));
	return copy;
}

static void
sum_up(const uint32_t *parent, uint32_t n, uint64_t *v)
{
	for (uint32_t i = n; i-- > 1;)
		v[parent[i]] = cr_add_sat(v[parent[i]], v[i]);
}

/* self * whole / total, rounded: a self weight converted to the scale of the other side. */
static uint64_t
scaled(uint64_t self, uint64_t whole, uint64_t total)
{
	if (total == 0 || total == whole)
		return self;
	return cr_mul_div_sat(self, whole, total, CR_ROUND_NEAREST);
}

/* The extents of two sides: see struct cr_tree. */
static uint64_t *
extents(const struct cr_tree_raw *raw, const struct sums *sums)
{
	const uint64_t whole = CR_MAX(sums->total[0][0], sums->total[1][0]);
	uint64_t *extent = cr_alloc(raw->n, sizeof(*extent));

	for (uint32_t i = 0; i < raw->n; i++)
		for (uint32_t s = 0; s < raw->sides; s++) {
			const uint64_t w = scaled(raw->weight[s][i], whole, sums->total[s][0]);

			extent[i] = CR_MAX(extent[i], w);
		}
	sum_up(raw->parent, raw->n, extent);
	return extent;
}

static void
sums_make(const struct cr_tree_raw *raw, struct sums *out)
{
	*out = (struct sums){0};
	for (uint32_t s = 0; s < raw->sides; s++) {
		out->total[s] = copy_of(raw->weight[s], raw->n);
		out->samples[s] = copy_of(raw->samples[s], raw->n);
		sum_up(raw->parent, raw->n, out->total[s]);
		sum_up(raw->parent, raw->n, out->samples[s]);
	}
	out->extent = raw->sides == 1 ? out->total[0] : extents(raw, out);
}

static void
sums_fini(struct sums *s)
{
	if (s->extent != s->total[0])
		free(s->extent);
	for (uint32_t i = 0; i < CR_SIDES; i++) {
		free(s->total[i]);
		free(s->samples[i]);
	}
}

struct order {
	const struct cr_frame *frames;
	const uint32_t *rank;
};

/* Order of siblings for qsort_r(): by falling extent, then by name. */
static int
by_extent_then_name(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;
	const struct order *o = user;
	const struct cr_frame *f = &o->frames[a->frame], *g = &o->frames[b->frame];
	int c;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	if (o->rank)
		return (o->rank[a->frame] > o->rank[b->frame]) -
		       (o->rank[a->frame] < o->rank[b->frame]);
	c = cr_frame_cmp(f, g);
	return c ? c : (a->frame > b->frame) - (a->frame < b->frame);
}

#define FEW 12 /* up to this number of siblings, insertion sort is used */

void
cr_tree_sort_siblings(struct cr_sibling *all, uint32_t n,
	int (*compare)(const void *a, const void *b, void *user), void *user)
{
	if (n > FEW) {
		uint32_t i = 1;

		while (i < n && compare(&all[i - 1], &all[i], user) <= 0)
			i++;
		if (i < n)
			qsort_r(all, n, sizeof(*all), compare, user);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		const struct cr_sibling one = all[i];
		uint32_t k = i;

		for (; k > 0 && compare(&all[k - 1], &one, user) > 0; k--)
			all[k] = all[k - 1];
		all[k] = one;
	}
}

/*
 * Assign the new numbers in preorder, with siblings sorted. Parents precede their children, so
 * sizes are computed backwards and numbers forwards; in between the children of each node are
 * sorted.
 */
static uint32_t
place_nodes(const struct cr_tree_raw *raw, const struct cr_frame *frames, const struct sums *sums,
	uint32_t *place)
{
	struct order o = {frames, raw->rank};
	uint32_t *size = cr_alloc(raw->n, sizeof(*size));
	/* By node: start of its children in `all`, then their end. */
	uint32_t *first = cr_alloc((uint64_t)raw->n + 1, sizeof(*first));
	uint32_t *all = cr_realloc(NULL, raw->n, sizeof(*all));
	uint32_t kept, sum = 0, largest = 0;
	struct cr_sibling *family;

	for (uint32_t i = raw->n; i-- > 0;) {
		if (i && !sums->extent[i] && !sums->samples[0][i] &&
			(raw->sides == 1 || !sums->samples[1][i]))
			continue;
		size[i]++;
		if (i) {
			size[raw->parent[i]] += size[i];
			first[raw->parent[i]]++;
		}
	}
	kept = size[0];
	for (uint32_t i = 0; i < raw->n; i++) {
		const uint32_t here = first[i];

		first[i] = sum;
		sum += here;
		largest = CR_MAX(largest, here);
	}
	for (uint32_t i = 1; i < raw->n; i++)
		if (size[i])
			all[first[raw->parent[i]]++] = i;
	family = cr_alloc(largest, sizeof(*family));
	place[0] = 0;
	for (uint32_t i = 1; i < raw->n; i++)
		place[i] = CR_NO_ROW;
	for (uint32_t i = 0; i < raw->n; i++) {
		const uint32_t from = i ? first[i - 1] : 0, n = first[i] - from;
		uint32_t at = place[i] + 1;

		if (n == 1)
			place[all[from]] = at;
		if (n <= 1)
			continue;
		for (uint32_t k = 0; k < n; k++)
			family[k] = (struct cr_sibling){sums->extent[all[from + k]], all[from + k],
				raw->frame[all[from + k]]};
		cr_tree_sort_siblings(family, n, by_extent_then_name, &o);
		for (uint32_t k = 0; k < n; k++) {
			place[family[k].node] = at;
			at += size[family[k].node];
		}
	}
	free(size);
	free(first);
	free(all);
	free(family);
	return kept;
}

uint32_t
cr_tree_finish_order(const struct cr_tree_raw *raw, const struct cr_frame *frames, uint32_t *place)
{
	struct sums sums;
	uint32_t kept;

	sums_make(raw, &sums);
	kept = place_nodes(raw, frames, &sums, place);
	sums_fini(&sums);
	return kept;
}

/* ---- self */

/*
 * With leaves first: the costs v of the leaves as self costs of the sampled frames. The sum of a
 * subtree below the groups belongs to its first node.
 */
static uint64_t *
self_of_leaves(const struct cr_tree *t, const uint8_t *above, const uint64_t *v)
{
	uint64_t *self = copy_of(v, t->n);

	for (uint32_t n = t->n; n-- > 1;) {
		if (above[n] || above[t->parent[n]])
			continue;
		self[t->parent[n]] = cr_add_sat(self[t->parent[n]], self[n]);
		self[n] = 0;
	}
	return self;
}

static void
place_self(struct cr_tree *t)
{
	uint8_t *above = t->leaves_first ? cr_tree_above(t) : NULL;

	for (uint32_t s = 0; s < t->sides; s++) {
		t->self[s] = t->leaf[s];
		t->self_samples[s] = t->leaf_samples[s];
		if (!above)
			continue;
		t->self[s] = cr_arena_adopt(&t->arena, self_of_leaves(t, above, t->leaf[s]));
		t->self_samples[s] =
			cr_arena_adopt(&t->arena, self_of_leaves(t, above, t->leaf_samples[s]));
	}
	free(above);
}

/* ---- moving everything to its new number */

/* v rearranged by node of the tree, which owns the result. Frees v unless it is the result. */
static const uint64_t *
placed(struct cr_tree *t, const uint32_t *place, uint32_t n, uint64_t *v)
{
	uint64_t *out;

	if (!place)
		return cr_arena_adopt(&t->arena, v);
	out = cr_arena_adopt(&t->arena, cr_realloc(NULL, t->n, sizeof(*out)));
	for (uint32_t i = 0; i < n; i++)
		if (place[i] != CR_NO_ROW)
			out[place[i]] = v[i];
	free(v);
	return out;
}

static void
place_shape(struct cr_tree *t, const uint32_t *place, struct cr_tree_raw *raw)
{
	uint32_t *parent = raw->parent, *frame = raw->frame;

	if (place) {
		parent = cr_realloc(NULL, t->n, sizeof(*parent));
		frame = cr_realloc(NULL, t->n, sizeof(*frame));
		for (uint32_t i = 0; i < raw->n; i++) {
			if (place[i] == CR_NO_ROW)
				continue;
			parent[place[i]] = place[raw->parent[i]];
			frame[place[i]] = raw->frame[i];
		}
		free(raw->parent);
		free(raw->frame);
	}
	t->parent = cr_arena_adopt(&t->arena, parent);
	t->frame = cr_arena_adopt(&t->arena, frame);
}

static void
place_ends(struct cr_tree *t)
{
	t->end = cr_arena_adopt(&t->arena, cr_tree_ends(t->parent, t->n));
	t->depth = cr_arena_adopt(&t->arena, depths_of(t->parent, t->n, &t->max_depth));
}

static bool
is_in_place(const uint32_t *place, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (place[i] != i)
			return false;
	return true;
}

void
cr_tree_finish(struct cr_tree *t, struct cr_tree_raw *raw, uint32_t **map)
{
	uint32_t *place = cr_realloc(NULL, raw->n, sizeof(*place)), *moves = place;
	struct sums sums;

	sums_make(raw, &sums);
	t->n = place_nodes(raw, t->frames, &sums, place);
	t->sides = raw->sides;
	if (is_in_place(place, raw->n))
		moves = NULL;
	place_shape(t, moves, raw);
	place_ends(t);
	for (uint32_t s = 0; s < raw->sides; s++) {
		t->weight[s] = placed(t, moves, raw->n, raw->weight[s]);
		t->samples[s] = placed(t, moves, raw->n, raw->samples[s]);
		t->leaf[s] = raw->leaf[s] ? placed(t, moves, raw->n, raw->leaf[s]) : t->weight[s];
		t->leaf_samples[s] = raw->leaf_samples[s]
					     ? placed(t, moves, raw->n, raw->leaf_samples[s])
					     : t->samples[s];
		t->total_samples[s] = placed(t, moves, raw->n, sums.samples[s]);
	}
	if (raw->sides == 2)
		t->extent = placed(t, moves, raw->n, sums.extent);
	for (uint32_t s = 0; s < raw->sides; s++)
		t->total[s] = placed(t, moves, raw->n, sums.total[s]);
	if (raw->sides == 1)
		t->extent = t->total[0];
	place_self(t);
	if (map)
		*map = place;
	else
		free(place);
}

/* The sum of all, by a node that is the root. */
static const uint64_t *
total_of_root(struct cr_tree *t, const uint64_t *v)
{
	uint64_t *total = cr_arena_alloc(&t->arena, sizeof(*total));

	for (uint32_t i = 0; i < t->n; i++)
		*total = cr_add_sat(*total, v[i]);
	return total;
}

void
cr_tree_finish_bare(struct cr_tree *t, struct cr_tree_raw *raw, uint32_t *end)
{
	t->n = raw->n;
	t->sides = raw->sides;
	t->frame = cr_arena_adopt(&t->arena, raw->frame);
	t->end = cr_arena_adopt(&t->arena, end ? end : cr_tree_ends(raw->parent, raw->n));
	free(raw->parent);
	for (uint32_t s = 0; s < raw->sides; s++) {
		t->weight[s] = cr_arena_adopt(&t->arena, raw->weight[s]);
		t->samples[s] = cr_arena_adopt(&t->arena, raw->samples[s]);
		t->total[s] = total_of_root(t, t->weight[s]);
		t->total_samples[s] = total_of_root(t, t->samples[s]);
	}
}

/* True if no node is empty and siblings are sorted by falling weight. */
static bool
is_finished(uint32_t n, const uint32_t *parent, const uint32_t *end, const uint64_t *total,
	const uint64_t *samples)
{
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t next = end[i];

		if ((!total[i] && !samples[i]) ||
			(next < n && parent[next] == parent[i] && total[next] > total[i]))
			return false;
	}
	return true;
}

bool
cr_tree_finish_borrowed(struct cr_tree *t, uint32_t n, const uint32_t *parent,
	const uint32_t *frame, const uint64_t *weight, const uint64_t *samples)
{
	const bool equal = memcmp(weight, samples, n * sizeof(*weight)) == 0;
	uint64_t *total = copy_of(weight, n), *total_samples = total;
	uint32_t *end = cr_tree_ends(parent, n);

	sum_up(parent, n, total);
	if (equal) {
		samples = weight;
	} else {
		total_samples = copy_of(samples, n);
		sum_up(parent, n, total_samples);
	}
	if (!is_finished(n, parent, end, total, total_samples)) {
		free(total);
		if (!equal)
			free(total_samples);
		free(end);
		return false;
	}
	t->n = n;
	t->sides = 1;
	t->is_borrowed = true;
	t->parent = parent;
	t->frame = frame;
	t->weight[0] = t->leaf[0] = t->self[0] = weight;
	t->samples[0] = t->leaf_samples[0] = t->self_samples[0] = samples;
	t->end = cr_arena_adopt(&t->arena, end);
	t->depth = cr_arena_adopt(&t->arena, depths_of(parent, n, &t->max_depth));
	t->extent = t->total[0] = cr_arena_adopt(&t->arena, total);
	t->total_samples[0] = equal ? total : cr_arena_adopt(&t->arena, total_samples);
	return true;
}

void
cr_tree_finish_made(struct cr_tree *t, const struct cr_tree_made *made)
{
	const size_t bytes = made->n * sizeof(*made->weight);
	/* Where each sample weighs 1, one array serves for both. */
	const bool equal = memcmp(made->weight, made->samples, bytes) == 0;

	t->n = made->n;
	t->sides = 1;
	t->parent = cr_arena_adopt(&t->arena, made->parent);
	t->frame = cr_arena_adopt(&t->arena, made->frame);
	place_ends(t);
	t->weight[0] = t->samples[0] = cr_arena_adopt(&t->arena, made->weight);
	t->extent = t->total[0] = t->total_samples[0] = cr_arena_adopt(&t->arena, made->total);
	if (equal) {
		free(made->samples);
		free(made->total_samples);
	} else {
		t->samples[0] = cr_arena_adopt(&t->arena, made->samples);
		t->total_samples[0] = cr_arena_adopt(&t->arena, made->total_samples);
	}
	t->leaf[0] = t->self[0] = t->weight[0];
	t->leaf_samples[0] = t->self_samples[0] = t->samples[0];
}

/* ---- the order of names */

static struct cr_str
frame_name(const void *user, uint32_t i)
{
	return ((const struct cr_frame *)user)[i].name;
}

static int
compare_frames(const void *user, uint32_t a, uint32_t b)
{
	const struct cr_frame *frames = user;

	return cr_frame_cmp(&frames[a], &frames[b]);
}

uint32_t *
cr_tree_finish_rank(const struct cr_frame *frames, uint32_t n)
{
	const struct cr_names names = {frames, frame_name, compare_frames};
	uint32_t *order = cr_names_order(&names, n), *rank = cr_alloc(n, sizeof(*rank));

	for (uint32_t i = 0; i < n; i++)
		rank[order[i]] = i;
	free(order);
	return rank;
}
