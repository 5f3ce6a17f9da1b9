#include "model/tree/tree.h"

#include "base/hash.h"
#include "base/vec.h"
#include "tree_p.h"

#include <stdlib.h>

/* Names or frames shared by trees, with a reference count. */
struct cr_tree_names {
	unsigned users;
	struct cr_arena arena;
};

struct cr_tree_builder {
	struct cr_tree *t; /* becomes the result; holds the frames */
	uint32_t sides;
	struct cr_index index;
	CR_VEC(uint32_t) parent;
	CR_VEC(uint32_t) frame;
	CR_VEC(uint64_t) weight[CR_SIDES];
	CR_VEC(uint64_t) samples[CR_SIDES];
	bool split_leaf;
	CR_VEC(uint64_t) leaf[CR_SIDES]; /* used if leaves are split */
	CR_VEC(uint64_t) leaf_samples[CR_SIDES];
};

uint32_t
cr_tree_builder_append(struct cr_tree_builder *tb, uint32_t parent, uint32_t frame)
{
	cr_vec_push(&tb->parent, parent);
	cr_vec_push(&tb->frame, frame);
	for (uint32_t s = 0; s < tb->sides; s++) {
		cr_vec_push(&tb->weight[s], 0);
		cr_vec_push(&tb->samples[s], 0);
		if (!tb->split_leaf)
			continue;
		cr_vec_push(&tb->leaf[s], 0);
		cr_vec_push(&tb->leaf_samples[s], 0);
	}
	return (uint32_t)tb->parent.n - 1;
}

struct cr_tree_builder *
cr_tree_builder_new(uint32_t sides, const struct cr_frame *frames, uint32_t n_frames)
{
	struct cr_tree_builder *tb = cr_alloc(1, sizeof(*tb));

	tb->sides = sides;
	tb->t = cr_tree_new(frames, n_frames, NULL, 0);
	cr_tree_builder_append(tb, 0, 0);
	return tb;
}

struct cr_tree_builder *
cr_tree_builder_like(const struct cr_tree *t)
{
	struct cr_tree_builder *tb = cr_alloc(1, sizeof(*tb));

	tb->sides = t->sides;
	tb->t = cr_tree_new_like(t, NULL, 0);
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
	uint32_t row;

	cr_index_each(&tb->index, h, row)
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
cr_tree_builder_subtract(struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight)
{
	uint64_t *have = &tb->weight[side].p[node];

	*have = *have > weight ? *have - weight : 0;
}

void
cr_tree_builder_add(
	struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight, uint64_t samples)
{
	tb->weight[side].p[node] = cr_add_sat(tb->weight[side].p[node], weight);
	tb->samples[side].p[node] = cr_add_sat(tb->samples[side].p[node], samples);
}

void
cr_tree_builder_split_leaf(struct cr_tree_builder *tb)
{
	for (uint32_t s = 0; s < tb->sides && !tb->split_leaf; s++)
		for (size_t i = 0; i < tb->weight[s].n; i++) {
			cr_vec_push(&tb->leaf[s], tb->weight[s].p[i]);
			cr_vec_push(&tb->leaf_samples[s], tb->samples[s].p[i]);
		}
	tb->split_leaf = true;
}

void
cr_tree_builder_add_leaf(
	struct cr_tree_builder *tb, uint32_t node, uint32_t side, uint64_t weight, uint64_t samples)
{
	tb->leaf[side].p[node] = cr_add_sat(tb->leaf[side].p[node], weight);
	tb->leaf_samples[side].p[node] = cr_add_sat(tb->leaf_samples[side].p[node], samples);
}

void
cr_tree_builder_leaves_first(struct cr_tree_builder *tb, bool leaves_first)
{
	tb->t->leaves_first = leaves_first;
}

void
cr_tree_builder_keep(struct cr_tree_builder *tb, struct cr_arena *names)
{
	cr_tree_keep(tb->t, names);
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
		cr_vec_fini(&tb->leaf[s]);
		cr_vec_fini(&tb->leaf_samples[s]);
	}
	free(tb);
}

/* The nodes collected so far; the weights still belong to tb. */
static struct cr_tree_raw
raw_of(const struct cr_tree_builder *tb)
{
	struct cr_tree_raw raw = {
		.n = (uint32_t)tb->parent.n,
		.sides = tb->sides,
		.parent = tb->parent.p,
		.frame = tb->frame.p,
	};

	for (uint32_t s = 0; s < tb->sides; s++) {
		raw.weight[s] = tb->weight[s].p;
		raw.samples[s] = tb->samples[s].p;
		raw.leaf[s] = tb->leaf[s].p;
		raw.leaf_samples[s] = tb->leaf_samples[s].p;
	}
	return raw;
}

void
cr_tree_builder_shape(const struct cr_tree_builder *tb, struct cr_tree_shape *out)
{
	const struct cr_tree_raw raw = raw_of(tb);

	out->place = cr_alloc(raw.n, sizeof(*out->place));
	out->n = cr_tree_finish_order(&raw, tb->t->frames, out->place);
	out->frames = tb->t->frames;
	out->n_frames = tb->t->n_frames;
	out->parent = cr_alloc(out->n, sizeof(*out->parent));
	out->frame = cr_alloc(out->n, sizeof(*out->frame));
	for (uint32_t i = 0; i < raw.n; i++) {
		if (out->place[i] == CR_NO_ROW)
			continue;
		out->parent[out->place[i]] = out->place[raw.parent[i]];
		out->frame[out->place[i]] = raw.frame[i];
	}
}

struct cr_tree *
cr_tree_builder_finish_bare(struct cr_tree_builder *tb)
{
	struct cr_tree_raw raw = raw_of(tb);
	struct cr_tree *t = tb->t;

	cr_tree_finish_bare(t, &raw, NULL);
	tb->t = NULL;
	tb->parent.p = tb->frame.p = NULL; /* moved to the tree, or freed */
	for (uint32_t s = 0; s < tb->sides; s++)
		tb->weight[s].p = tb->samples[s].p = NULL;
	cr_tree_builder_free(tb);
	return t;
}

struct cr_tree *
cr_tree_builder_finish(struct cr_tree_builder *tb, uint32_t **map)
{
	struct cr_tree_raw raw = raw_of(tb);
	struct cr_tree *t = tb->t;

	cr_tree_finish(t, &raw, map);
	tb->t = NULL;
	tb->parent.p = tb->frame.p = NULL; /* now owned by the tree */
	for (uint32_t s = 0; s < tb->sides; s++)
		tb->weight[s].p = tb->samples[s].p = tb->leaf[s].p = tb->leaf_samples[s].p = NULL;
	cr_tree_builder_free(tb);
	return t;
}

struct cr_tree_names *
cr_tree_names_new(struct cr_arena *names)
{
	struct cr_tree_names *n = cr_alloc(1, sizeof(*n));

	n->users = 1;
	cr_arena_join(&n->arena, names);
	return n;
}

struct cr_tree_names *
cr_tree_names_hold(struct cr_tree_names *n)
{
	if (n)
		n->users++;
	return n;
}

void
cr_tree_names_join(struct cr_tree_names *n, struct cr_arena *more)
{
	cr_arena_join(&n->arena, more);
}

void
cr_tree_names_drop(struct cr_tree_names *n)
{
	if (!n || --n->users)
		return;
	cr_arena_fini(&n->arena);
	free(n);
}

struct cr_tree *
cr_tree_new(const struct cr_frame *frames, uint32_t n_frames, const struct cr_frame *more,
	uint32_t n_more)
{
	struct cr_tree *t = cr_alloc(1, sizeof(*t));
	struct cr_arena table = {0};
	struct cr_frame *copy = cr_arena_array(&table, (uint64_t)n_frames + n_more, sizeof(*copy));

	memcpy(copy, frames, n_frames * sizeof(*copy));
	if (n_more)
		memcpy(copy + n_frames, more, n_more * sizeof(*copy));
	t->frames = copy;
	t->n_frames = n_frames + n_more;
	t->table = cr_tree_names_new(&table);
	return t;
}

void
cr_tree_keep(struct cr_tree *t, struct cr_arena *names)
{
	if (t->names)
		cr_tree_names_join(t->names, names);
	else
		t->names = cr_tree_names_new(names);
}

/* A tree without nodes that shares the frames of t. */
static struct cr_tree *
tree_with_table(const struct cr_tree *t)
{
	struct cr_tree *out = cr_alloc(1, sizeof(*out));

	out->frames = t->frames;
	out->n_frames = t->n_frames;
	out->table = cr_tree_names_hold(t->table);
	return out;
}

struct cr_tree *
cr_tree_new_like(const struct cr_tree *t, const struct cr_frame *more, uint32_t n_more)
{
	struct cr_tree *out =
		n_more ? cr_tree_new(t->frames, t->n_frames, more, n_more) : tree_with_table(t);

	out->names = cr_tree_names_hold(t->names);
	out->event = t->event;
	out->unit = t->unit;
	out->summed = t->summed;
	out->before = t->before;
	out->leaves_first = t->leaves_first;
	memcpy(out->paired, t->paired, sizeof(out->paired));
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		out->left_out[s] = t->left_out[s];
		out->left_out_samples[s] = t->left_out_samples[s];
	}
	return out;
}

void
cr_tree_free(struct cr_tree *t)
{
	if (!t)
		return;
	cr_tree_names_drop(t->names);
	cr_tree_names_drop(t->table);
	cr_arena_fini(&t->arena);
	free(t);
}

uint8_t *
cr_tree_above(const struct cr_tree *t)
{
	uint8_t *above = cr_alloc(t->n, 1);

	above[0] = 1;
	for (uint32_t n = 1; n < t->n; n++)
		above[n] = above[t->parent[n]] && t->frames[t->frame[n]].group != CR_GROUP_NONE;
	return above;
}

uint32_t
cr_tree_depth(const uint32_t *parent, uint32_t n)
{
	uint32_t *depth = cr_alloc(n, sizeof(*depth)), most = 0;

	for (uint32_t i = 1; i < n; i++) {
		depth[i] = depth[parent[i]] + 1;
		most = CR_MAX(most, depth[i]);
	}
	free(depth);
	return most;
}

int
cr_frame_cmp(const struct cr_frame *a, const struct cr_frame *b)
{
	int c = cr_str_cmp(a->name, b->name);

	if (c == 0)
		c = cr_str_cmp(a->dso, b->dso);
	if (c == 0)
		c = a->inlined - b->inlined;
	if (c == 0)
		c = (a->line > b->line) - (a->line < b->line);
	return c ? c : (a->number > b->number) - (a->number < b->number);
}

bool
cr_frame_is_nameless(const struct cr_frame *f)
{
	return f->kind != CR_KIND_GROUP && f->name.len > 2 && f->name.p[0] == '[' &&
	       f->name.p[f->name.len - 1] == ']';
}

uint64_t
cr_tree_unresolved(const struct cr_tree *t, uint32_t side)
{
	uint8_t *nameless = cr_alloc(CR_MAX(t->n_frames, 1u), 1);
	uint64_t weight = 0;

	for (uint32_t i = 0; i < t->n_frames; i++)
		nameless[i] = cr_frame_is_nameless(&t->frames[i]);
	for (uint32_t i = 0; i < t->n; i++)
		if (nameless[t->frame[i]])
			weight = cr_add_sat(weight, t->self[side][i]);
	free(nameless);
	return weight;
}
