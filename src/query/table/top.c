#include "query/table/top.h"

#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>

/* What tells rows of a key apart. */
struct row_key {
	struct cr_str name, object;
	uint8_t kind;
};

/*
 * The same line of a function comes in two frames at most, as inlined or not: so all texts are
 * kept.
 */
static struct cr_str
line_name(const struct cr_frame *f, struct cr_arena *texts)
{
	struct cr_text t = {0};
	struct cr_str name;

	if (!f->line)
		return CR_STR("[no line]");
	cr_text_str(&t, f->file.len ? f->file : CR_STR("[unknown]"));
	cr_text_printf(&t, ":%u", f->line);
	name = (struct cr_str){cr_arena_copy(texts, t.p, t.len), (uint32_t)t.len};
	cr_text_fini(&t);
	return name;
}

static bool
frame_key(
	const struct cr_frame *f, enum cr_top_key key, struct cr_arena *texts, struct row_key *out)
{
	*out = (struct row_key){.name = f->name, .object = f->object, .kind = f->kind};
	switch (key) {
	case CR_TOP_FUNCTION: return f->kind != CR_KIND_GROUP;
	case CR_TOP_OBJECT:
		out->name = f->object.len ? f->object : CR_STR("[unknown]");
		out->object = (struct cr_str){"", 0};
		return f->kind != CR_KIND_GROUP;
	case CR_TOP_COMM: return cr_frame_is_group(f);
	case CR_TOP_LINE:
		out->object = f->name;
		if (f->kind != CR_KIND_GROUP)
			out->name = line_name(f, texts);
		return f->kind != CR_KIND_GROUP;
	}
	return false;
}

static uint32_t
row_of(struct cr_top *top, struct cr_index *ix, size_t *cap, const struct row_key *k,
	uint32_t frame)
{
	const uint64_t h = cr_hash_mix(
		cr_hash(k->name.p, k->name.len), cr_hash(k->object.p, k->object.len) + k->kind);
	uint32_t row;

	cr_index_each(ix, h, row) {
		const struct cr_top_row *r = &top->rows[row];

		if (r->kind == k->kind && cr_str_eq(r->name, k->name) &&
			cr_str_eq(r->object, k->object))
			return row;
	}
	if (top->n == *cap) {
		*cap = *cap ? *cap * 2 : 256;
		top->rows = cr_realloc(top->rows, *cap, sizeof(*top->rows));
	}
	row = top->n++;
	top->rows[row] = (struct cr_top_row){
		.name = k->name, .object = k->object, .kind = k->kind, .frame = frame};
	cr_index_add(ix, h, row);
	return row;
}

static void
make_rows(const struct cr_tree *t, enum cr_top_key key, struct cr_top *top)
{
	struct cr_index ix = {0};
	size_t cap = 0;

	top->frame_row = cr_alloc(t->n_frames, sizeof(*top->frame_row));
	for (uint32_t f = 0; f < t->n_frames; f++) {
		struct row_key k;

		/* Frame 0 is the root's: it is all, not a comm. */
		if (f == 0 || !frame_key(&t->frames[f], key, &top->texts, &k))
			top->frame_row[f] = CR_NO_ROW;
		else
			top->frame_row[f] = row_of(top, &ix, &cap, &k, f);
	}
	cr_index_fini(&ix);
}

/*
 * What is no code within a stack, a mark between two parts of it, is no comm that it stands under.
 */
static uint32_t
row_at(const struct cr_tree *t, uint32_t node, enum cr_top_key key, const struct cr_top *top)
{
	return key == CR_TOP_COMM && t->depth[node] > 1 ? CR_NO_ROW
							: top->frame_row[t->frame[node]];
}

/* What a row gets while nodes are gone over: small, since rows are met in no order. */
struct gain {
	uint64_t self[CR_SIDES], total[CR_SIDES];
	uint64_t self_samples[CR_SIDES], total_samples[CR_SIDES];
	uint32_t open;    /* how often it is above the node at hand, or at it */
	bool not_inlined; /* a node of it is of code that is called */
};

static void
add_node(const struct cr_tree *t, uint32_t n, bool with_below, struct gain *g)
{
	for (uint32_t s = 0; s < t->sides; s++) {
		if (g->open == 0) {
			g->total[s] = cr_add_sat(g->total[s], t->total[s][n]);
			g->total_samples[s] =
				cr_add_sat(g->total_samples[s], t->total_samples[s][n]);
		}
		g->self[s] = cr_add_sat(g->self[s], with_below ? t->total[s][n] : t->self[s][n]);
		g->self_samples[s] = cr_add_sat(g->self_samples[s],
			with_below ? t->total_samples[s][n] : t->self_samples[s][n]);
	}
	g->open++;
}

static void
put_gains(struct cr_top *top, const struct gain *gains, enum cr_top_key key)
{
	for (uint32_t i = 0; i < top->n; i++) {
		struct cr_top_row *r = &top->rows[i];

		r->inlined = key == CR_TOP_FUNCTION && !gains[i].not_inlined;
		for (uint32_t s = 0; s < CR_SIDES; s++) {
			r->self[s] = gains[i].self[s];
			r->total[s] = gains[i].total[s];
			r->self_samples[s] = gains[i].self_samples[s];
			r->total_samples[s] = gains[i].total_samples[s];
		}
	}
}

/*
 * Self falls to the node's own row; of a comm, which has frames below it, to the comm's row, so
 * that the rows of every key share out the whole. Total falls to a row once a path: at its
 * outermost node, told by a count of how often the row is open above.
 */
static void
add_weights(const struct cr_tree *t, uint32_t root, enum cr_top_key key, struct cr_top *top)
{
	struct gain *gains = cr_alloc(CR_MAX(top->n, 1u), sizeof(*gains));
	uint32_t *path =
		cr_alloc((uint64_t)t->max_depth + 1, sizeof(*path)); /* by depth: the row there */
	uint32_t depth = t->depth[root];

	for (uint32_t n = root; n < t->end[root]; n++) {
		const uint32_t row = row_at(t, n, key, top);

		for (; depth > t->depth[n]; depth--)
			if (path[depth - 1] != CR_NO_ROW)
				gains[path[depth - 1]].open--;
		path[depth++] = row;
		if (row == CR_NO_ROW)
			continue;
		gains[row].not_inlined |= !t->frames[t->frame[n]].inlined;
		add_node(t, n, key == CR_TOP_COMM, &gains[row]);
	}
	put_gains(top, gains, key);
	free(gains);
	free(path);
}

static int
by_self(const void *x, const void *y, void *sides)
{
	const struct cr_top_row *a = x, *b = y;
	const uint32_t last = *(const uint32_t *)sides - 1;
	int c;

	if (a->self[last] != b->self[last])
		return a->self[last] < b->self[last] ? 1 : -1;
	if (a->total[last] != b->total[last])
		return a->total[last] < b->total[last] ? 1 : -1;
	if (a->self[0] != b->self[0])
		return a->self[0] < b->self[0] ? 1 : -1;
	c = cr_str_cmp(a->name, b->name);
	if (c == 0)
		c = cr_str_cmp(a->object, b->object);
	return c ? c : a->kind - b->kind;
}

/* Drop the rows that nothing fell to (under a zoom, most), sort, and point the frames anew. */
static void
settle_rows(const struct cr_tree *t, struct cr_top *top)
{
	uint32_t *place =
		cr_alloc(CR_MAX(top->n, 1u), sizeof(*place)); /* by old row: the new one */
	uint32_t *old =
		cr_alloc(t->n_frames, sizeof(*old)); /* by the frame of a row: the old row */
	uint32_t sides = t->sides, kept = 0;

	for (uint32_t i = 0; i < top->n; i++) {
		const struct cr_top_row *r = &top->rows[i];

		place[i] = CR_NO_ROW;
		old[r->frame] = i;
		if (r->total_samples[0] || r->total_samples[1] || r->total[0] || r->total[1])
			top->rows[kept++] = *r;
	}
	top->n = kept;
	if (kept)
		qsort_r(top->rows, kept, sizeof(*top->rows), by_self, &sides);
	for (uint32_t i = 0; i < kept; i++)
		place[old[top->rows[i].frame]] = i;
	for (uint32_t f = 0; f < t->n_frames; f++)
		if (top->frame_row[f] != CR_NO_ROW)
			top->frame_row[f] = place[top->frame_row[f]];
	free(place);
	free(old);
}

void
cr_top_make(const struct cr_tree *t, uint32_t root, enum cr_top_key key, struct cr_top *out)
{
	*out = (struct cr_top){.unit = t->unit, .summed = t->summed};
	for (uint32_t s = 0; s < t->sides; s++) {
		out->whole[s] = t->total[s][root];
		out->whole_samples[s] = t->total_samples[s][root];
	}
	make_rows(t, key, out);
	add_weights(t, root, key, out);
	settle_rows(t, out);
}

void
cr_top_fini(struct cr_top *top)
{
	free(top->rows);
	free(top->frame_row);
	cr_arena_fini(&top->texts);
	*top = (struct cr_top){0};
}
