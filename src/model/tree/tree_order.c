#include "model/tree/tree_order.h"

#include "tree_p.h"

#include <stdlib.h>
#include <string.h>

/* The byte after the name at position i in a line of folded stacks; only used for i <= len. */
static unsigned char
byte_at(struct cr_str name, uint32_t i, bool leaf)
{
	if (i < name.len)
		return (unsigned char)name.p[i];
	return leaf ? ' ' : ';';
}

int
cr_tree_name_cmp(struct cr_str f, bool f_leaf, struct cr_str g, bool g_leaf)
{
	const uint32_t common = CR_MIN(f.len, g.len);
	const int c = common ? memcmp(f.p, g.p, common) : 0;
	const int after = byte_at(f, common, f_leaf) - byte_at(g, common, g_leaf);

	if (c || (after && f.len != g.len))
		return c ? c : after;
	return (f.len > g.len) - (f.len < g.len);
}

/* Order of siblings for qsort_r(): as the lines of folded stacks, then as they were. */
static int
by_line(const void *x, const void *y, void *tree)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct cr_tree *t = *(const struct cr_tree **)tree;
	const int c = cr_tree_name_cmp(t->frames[t->frame[a]].name, t->end[a] == a + 1,
		t->frames[t->frame[b]].name, t->end[b] == b + 1);

	return c ? c : (a > b) - (a < b);
}

/* Order of siblings for qsort_r(): by falling extent, then by name, then as they were. */
static int
by_extent(const void *x, const void *y, void *tree)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct cr_tree *t = *(const struct cr_tree **)tree;
	const int c = cr_frame_cmp(&t->frames[t->frame[a]], &t->frames[t->frame[b]]);

	if (t->extent[a] != t->extent[b])
		return t->extent[a] < t->extent[b] ? 1 : -1;
	return c ? c : (a > b) - (a < b);
}

typedef int compare(const void *x, const void *y, void *tree);

/* Number the nodes in the new order: a subtree keeps its size, so parents determine children. */
static uint32_t *
number_nodes(const struct cr_tree *t, compare *order)
{
	uint32_t *place = cr_alloc(t->n, sizeof(*place));
	uint32_t *family = cr_alloc(t->n, sizeof(*family));

	for (uint32_t n = 0; n < t->n; n++) {
		uint32_t size = 0, at = place[n] + 1;

		for (uint32_t c = n + 1; c < t->end[n]; c = t->end[c])
			family[size++] = c;
		if (size > 1)
			qsort_r(family, size, sizeof(*family), order, &t);
		for (uint32_t i = 0; i < size; i++) {
			place[family[i]] = at;
			at += t->end[family[i]] - family[i];
		}
	}
	free(family);
	return place;
}

static const uint32_t *
move32(struct cr_tree *out, const uint32_t *from, const uint32_t *place)
{
	uint32_t *to = cr_arena_array(&out->arena, out->n, sizeof(*to));

	for (uint32_t n = 0; n < out->n; n++)
		to[place[n]] = from[n];
	return to;
}

static const uint64_t *
move64(struct cr_tree *out, const uint64_t *from, const uint32_t *place)
{
	uint64_t *to = cr_arena_array(&out->arena, out->n, sizeof(*to));

	for (uint32_t n = 0; n < out->n; n++)
		to[place[n]] = from[n];
	return to;
}

static void
move_links(struct cr_tree *out, const struct cr_tree *t, const uint32_t *place)
{
	uint32_t *parent = cr_arena_array(&out->arena, t->n, sizeof(*parent));
	uint32_t *end = cr_arena_array(&out->arena, t->n, sizeof(*end));

	for (uint32_t n = 0; n < t->n; n++) {
		parent[place[n]] = place[t->parent[n]];
		end[place[n]] = place[n] + t->end[n] - n;
	}
	out->parent = parent;
	out->end = end;
}

static struct cr_tree *
sorted(const struct cr_tree *t, compare *order, uint32_t *node)
{
	struct cr_tree *out = cr_alloc(1, sizeof(*out));
	uint32_t *place = number_nodes(t, order);

	*out = *t;
	out->arena = (struct cr_arena){0};
	out->names = NULL;
	out->lead = NULL;
	out->table = NULL;
	out->is_borrowed = false;
	move_links(out, t, place);
	out->frame = move32(out, t->frame, place);
	out->depth = move32(out, t->depth, place);
	out->extent = move64(out, t->extent, place);
	for (uint32_t side = 0; side < t->sides; side++) {
		out->weight[side] = move64(out, t->weight[side], place);
		out->self[side] = move64(out, t->self[side], place);
		out->total[side] = move64(out, t->total[side], place);
		out->samples[side] = move64(out, t->samples[side], place);
		out->self_samples[side] = move64(out, t->self_samples[side], place);
		out->total_samples[side] = move64(out, t->total_samples[side], place);
		out->leaf[side] = move64(out, t->leaf[side], place);
		out->leaf_samples[side] = move64(out, t->leaf_samples[side], place);
	}
	*node = place[*node];
	free(place);
	return out;
}

struct cr_tree *
cr_tree_by_name(const struct cr_tree *t, uint32_t *node)
{
	return sorted(t, by_line, node);
}

struct cr_tree *
cr_tree_by_weight(const struct cr_tree *t, uint32_t *node)
{
	return sorted(t, by_extent, node);
}
