#include "cresset/profile/tree.h"

#include "cresset/base/hash.h"
#include "cresset/base/vec.h"

#include <stdlib.h>

struct cr_tree_builder {
	struct cr_tree *t; /* becomes the result; holds the frames */
	uint32_t sides;
	struct cr_index index;
	CR_VEC(uint32_t) parent;
	CR_VEC(uint32_t) frame;
	CR_VEC(uint64_t) weight[CR_SIDES];
	CR_VEC(uint64_t) samples[CR_SIDES];
};

uint32_t
cr_tree_builder_append(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame)
{
	cr_vec_push(&tb->parent, parent);
	cr_vec_push(&tb->frame, frame);
	for (uint32_t s = 0; s < tb->sides; s++) {
		cr_vec_push(&tb->weight[s], 0);
		cr_vec_push(&tb->samples[s], 0);
	}
	return (uint32_t)tb->parent.n - 1;
}

struct cr_tree_builder *
cr_tree_builder_new(uint32_t sides, const struct cr_frame *frames, uint32_t n_frames)
{
	struct cr_tree_builder *tb = cr_alloc(1, sizeof(*tb));
	struct cr_frame *copy;

	tb->sides = sides;
	tb->t = cr_alloc(1, sizeof(*tb->t));
	copy = cr_arena_alloc(&tb->t->arena, n_frames * sizeof(*copy));
	memcpy(copy, frames, n_frames * sizeof(*copy));
	tb->t->frames = copy;
	tb->t->n_frames = n_frames;
	cr_tree_builder_append(tb, 0, 0);
	return tb;
}

void
cr_tree_builder_expect(struct cr_tree_builder *tb, uint32_t nodes)
{
	cr_vec_reserve(&tb->parent, nodes);
	cr_vec_reserve(&tb->frame, nodes);
	for (uint32_t s = 0; s < tb->sides; s++) {
		cr_vec_reserve(&tb->weight[s], nodes);
		cr_vec_reserve(&tb->samples[s], nodes);
	}
}

uint32_t
cr_tree_builder_child(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame)
{
	const uint64_t h = cr_hash_mix(parent, frame);
	uint32_t at = cr_index_first(&tb->index, h), row;

	for (; (row = cr_index_row(&tb->index, &at, h)) != CR_NO_ROW; at = cr_index_next(&tb->index, at))
		if (tb->parent.p[row] == parent && tb->frame.p[row] == frame)
			return row;
	row = cr_tree_builder_append(tb, parent, frame);
	cr_index_add(&tb->index, h, row);
	return row;
}

uint32_t
cr_tree_builder_nodes(const struct cr_tree_builder *tb)
{
	return (uint32_t)tb->parent.n;
}

uint32_t
cr_tree_builder_frame(const struct cr_tree_builder *tb, uint32_t node)
{
	return tb->frame.p[node];
}

uint64_t
cr_tree_builder_weight(const struct cr_tree_builder *tb, uint32_t node, uint32_t side)
{
	return tb->weight[side].p[node];
}

void
cr_tree_builder_take_off(struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight)
{
	uint64_t *have = &tb->weight[side].p[node];

	*have = *have > weight ? *have - weight : 0;
}

void
cr_tree_builder_add(struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight, uint64_t samples)
{
	tb->weight[side].p[node] = cr_add_sat(tb->weight[side].p[node], weight);
	tb->samples[side].p[node] = cr_add_sat(tb->samples[side].p[node], samples);
}

void
cr_tree_builder_keep(struct cr_tree_builder *tb, struct cr_arena *names)
{
	cr_arena_join(&tb->t->arena, names);
}

void
cr_tree_builder_free(struct cr_tree_builder *tb)
{
	if (!tb)
		return;
	cr_tree_free(tb->t);
	cr_index_fini(&tb->index);
	cr_vec_fini(&tb->parent);
	cr_vec_fini(&tb->frame);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		cr_vec_fini(&tb->weight[s]);
		cr_vec_fini(&tb->samples[s]);
	}
	free(tb);
}

static uint64_t
sum(const uint64_t *v, uint32_t n)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < n; i++)
		total = cr_add_sat(total, v[i]);
	return total;
}

/* self * whole / total, rounded: a self weight on the scale of the other side. */
static uint64_t
scaled(uint64_t self, uint64_t whole, uint64_t total)
{
	if (total == 0 || total == whole)
		return self;
	return (uint64_t)(((unsigned __int128)self * whole + total / 2) / total);
}

/* What each node alone adds to the widths: see struct cr_tree. */
static uint64_t *
self_extents(const struct cr_tree_builder *tb)
{
	const uint32_t n = (uint32_t)tb->parent.n;
	uint64_t *extent = cr_alloc(n, sizeof(*extent));
	uint64_t total[CR_SIDES] = {0}, whole = 0;

	for (uint32_t s = 0; s < tb->sides; s++) {
		total[s] = sum(tb->weight[s].p, n);
		whole = CR_MAX(whole, total[s]);
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t s = 0; s < tb->sides; s++) {
			const uint64_t w = scaled(tb->weight[s].p[i], whole, total[s]);

			extent[i] = CR_MAX(extent[i], w);
		}
	return extent;
}

/* A child on its way into its parent's order. */
struct sibling {
	uint64_t extent;
	uint32_t node;
	uint32_t frame;
};

static int
by_extent_then_name(const void *x, const void *y, void *frames)
{
	const struct sibling *a = x, *b = y;
	const struct cr_frame *f = frames;
	int c;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	c = cr_str_cmp(f[a->frame].name, f[b->frame].name);
	if (c == 0)
		c = cr_str_cmp(f[a->frame].object, f[b->frame].object);
	if (c == 0)
		c = f[a->frame].inlined - f[b->frame].inlined;
	return c ? c : (a->frame > b->frame) - (a->frame < b->frame);
}

/*
 * Places in preorder, siblings sorted. A parent stands before its children in the builder, so
 * sizes come from the back and places from the front; in between each family is sorted.
 * place[i] is CR_NO_ROW for a node that nothing was added to or under.
 */
static uint32_t
place_nodes(const struct cr_tree_builder *tb, const uint64_t *extent, const uint64_t *samples, uint32_t *place)
{
	const uint32_t n = (uint32_t)tb->parent.n;
	uint32_t *size = cr_alloc(n, sizeof(*size));
	uint32_t *first = cr_alloc((size_t)n + 1, sizeof(*first)); /* of a node's family in `all` */
	uint32_t *fill = cr_alloc(n, sizeof(*fill));
	struct sibling *all = cr_alloc(n, sizeof(*all));
	uint32_t kept;

	for (uint32_t i = n; i-- > 0;) {
		if (i && !extent[i] && !samples[i])
			continue;
		size[i]++;
		if (i) {
			size[tb->parent.p[i]] += size[i];
			first[tb->parent.p[i] + 1]++;
		}
	}
	kept = size[0];
	for (uint32_t i = 0; i < n; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t up = tb->parent.p[i];

		if (size[i])
			all[first[up] + fill[up]++] = (struct sibling){extent[i], i, tb->frame.p[i]};
	}
	for (uint32_t i = 0; i < n; i++)
		place[i] = CR_NO_ROW;
	place[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = place[i] + 1;

		if (place[i] == CR_NO_ROW || first[i] == first[i + 1])
			continue;
		qsort_r(all + first[i], first[i + 1] - first[i], sizeof(*all), by_extent_then_name,
			(void *)(uintptr_t)tb->t->frames);
		for (uint32_t k = first[i]; k < first[i + 1]; k++) {
			place[all[k].node] = at;
			at += size[all[k].node];
		}
	}
	free(size);
	free(first);
	free(fill);
	free(all);
	return kept;
}

/* Sums over subtrees of values that stand in the builder's order, parents first. */
static void
sum_up(const struct cr_tree_builder *tb, uint64_t *v)
{
	for (uint32_t i = (uint32_t)tb->parent.n; i-- > 1;)
		v[tb->parent.p[i]] = cr_add_sat(v[tb->parent.p[i]], v[i]);
}

static const uint64_t *
placed(struct cr_tree *t, const uint32_t *place, uint32_t n, const uint64_t *v)
{
	uint64_t *out = cr_arena_alloc(&t->arena, t->n * sizeof(*out));

	for (uint32_t i = 0; i < n; i++)
		if (place[i] != CR_NO_ROW)
			out[place[i]] = v[i];
	return out;
}

/* Everything in its order: places of the nodes, how many there are, what their widths are. */
static uint32_t
order(const struct cr_tree_builder *tb, uint64_t **extent, uint32_t **place)
{
	const uint32_t n = (uint32_t)tb->parent.n;
	uint64_t *samples = cr_alloc(n, sizeof(*samples));
	uint32_t kept;

	for (uint32_t s = 0; s < tb->sides; s++)
		for (uint32_t i = 0; i < n; i++)
			samples[i] = cr_add_sat(samples[i], tb->samples[s].p[i]);
	*extent = self_extents(tb);
	*place = cr_alloc(n, sizeof(**place));
	sum_up(tb, *extent);
	sum_up(tb, samples);
	kept = place_nodes(tb, *extent, samples, *place);
	free(samples);
	return kept;
}

static void
put_in_order(const struct cr_tree_builder *tb, const uint32_t *place, uint32_t *parent, uint32_t *frame)
{
	for (uint32_t i = 0; i < tb->parent.n; i++) {
		if (place[i] == CR_NO_ROW)
			continue;
		parent[place[i]] = place[tb->parent.p[i]];
		frame[place[i]] = tb->frame.p[i];
	}
}

void
cr_tree_builder_shape(const struct cr_tree_builder *tb, struct cr_tree_shape *out)
{
	uint64_t *extent;

	out->n = order(tb, &extent, &out->place);
	out->frames = tb->t->frames;
	out->n_frames = tb->t->n_frames;
	out->parent = cr_alloc(out->n, sizeof(*out->parent));
	out->frame = cr_alloc(out->n, sizeof(*out->frame));
	put_in_order(tb, out->place, out->parent, out->frame);
	free(extent);
}

static void
finish_shape(struct cr_tree_builder *tb, const uint32_t *place)
{
	struct cr_tree *t = tb->t;
	uint32_t *parent = cr_arena_alloc(&t->arena, t->n * sizeof(*parent));
	uint32_t *frame = cr_arena_alloc(&t->arena, t->n * sizeof(*frame));
	uint32_t *end = cr_arena_alloc(&t->arena, t->n * sizeof(*end));
	uint32_t *depth = cr_arena_alloc(&t->arena, t->n * sizeof(*depth));

	put_in_order(tb, place, parent, frame);
	for (uint32_t i = 1; i < t->n; i++) {
		depth[i] = depth[parent[i]] + 1;
		t->max_depth = CR_MAX(t->max_depth, depth[i]);
	}
	for (uint32_t i = t->n; i-- > 0;) {
		end[i] = CR_MAX(end[i], i + 1);
		if (i)
			end[parent[i]] = CR_MAX(end[parent[i]], end[i]);
	}
	t->parent = parent;
	t->frame = frame;
	t->end = end;
	t->depth = depth;
}

struct cr_tree *
cr_tree_builder_finish(struct cr_tree_builder *tb, uint32_t **map)
{
	const uint32_t n = (uint32_t)tb->parent.n;
	struct cr_tree *t = tb->t;
	uint64_t *extent;
	uint32_t *place;

	t->n = order(tb, &extent, &place);
	t->sides = tb->sides;
	finish_shape(tb, place);
	t->extent = placed(t, place, n, extent);
	for (uint32_t s = 0; s < tb->sides; s++) {
		t->self[s] = placed(t, place, n, tb->weight[s].p);
		t->self_samples[s] = placed(t, place, n, tb->samples[s].p);
		sum_up(tb, tb->weight[s].p);
		sum_up(tb, tb->samples[s].p);
		t->total[s] = placed(t, place, n, tb->weight[s].p);
		t->total_samples[s] = placed(t, place, n, tb->samples[s].p);
	}
	free(extent);
	if (map)
		*map = place;
	else
		free(place);
	tb->t = NULL;
	cr_tree_builder_free(tb);
	return t;
}

void
cr_tree_free(struct cr_tree *t)
{
	if (!t)
		return;
	cr_arena_fini(&t->arena);
	free(t);
}

static bool
is_unresolved(const struct cr_frame *f)
{
	return f->kind != CR_KIND_GROUP && f->name.len > 2 && f->name.p[0] == '[' && f->name.p[f->name.len - 1] == ']';
}

uint64_t
cr_tree_unresolved(const struct cr_tree *t, uint32_t side)
{
	uint64_t weight = 0;

	for (uint32_t i = 0; i < t->n; i++)
		if (is_unresolved(&t->frames[t->frame[i]]))
			weight = cr_add_sat(weight, t->self[side][i]);
	return weight;
}
