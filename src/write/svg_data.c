#include "svg_p.h"
#include "svg_pack_p.h"
#include "write/svg/svg_style_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "base/wide.h"
#include "model/build/string_table.h"

#include <stdlib.h>
#include <string.h>

/*
 * The whole tree as data, for the script (data/flame/tree.js reads it). Element `meta` is JSON: the
 * numbers of things, what the weights measure, and the columns in their order. Element `tree` is
 * the columns, packed by svg_pack.c.
 */
#define COLORS 64 /* steps of the colours of a difference, to each side of grey */

struct data {
	struct cr_svg *s;
	const struct cr_tree *t;
	struct cr_svg_pack *k;
	/* By node that is written: weight, samples of its children that are not; or NULL. */
	uint64_t *more[2][CR_SIDES];
	uint32_t *frame; /* by frame of the tree: its number in the file + 1; 0 if unused */
	uint32_t *used;  /* the frames that are written */
	uint32_t n_used;
	struct cr_strings strings; /* each is written once */
};

/* ---- what is written */

/* List the nodes whose extent is at least the threshold; callers are wider than their callees. */
static void
keep_nodes(struct cr_svg *s, uint32_t room)
{
	const struct cr_tree *t = s->in->tree;

	s->kept = cr_alloc(room, sizeof(*s->kept));
	s->n_kept = 0;
	for (uint32_t n = 0; n < t->n;) {
		const bool keep = n == 0 || t->extent[n] >= s->threshold;

		if (keep)
			s->kept[s->n_kept++] = n;
		n = keep ? n + 1 : t->end[n];
	}
}

static uint32_t
count_nodes(const struct cr_tree *t, uint64_t threshold)
{
	uint32_t count = 1;

	for (uint32_t n = 1; n < t->n; n++)
		count += t->extent[n] >= threshold;
	return count;
}

/* The weight, on the last side, of the subtrees that are not in the data. */
static uint64_t
weight_left_out(const struct cr_svg *s)
{
	const struct cr_tree *t = s->in->tree;
	const uint32_t side = t->sides - 1;
	uint64_t sum = 0;

	if (s->n_kept < t->n)
		for (uint32_t n = 1; n < t->n; n = t->extent[n] >= s->threshold ? n + 1 : t->end[n])
			sum = cr_add_sat(sum, t->extent[n] >= s->threshold ? 0 : t->total[side][n]);
	for (uint32_t i = 0; s->in->cut.n && i < s->n_kept; i++)
		sum = cr_add_sat(sum, t->weight[side][s->kept[i]] - t->self[side][s->kept[i]]);
	return sum;
}

void
cr_svg_choose(struct cr_svg *s)
{
	const struct cr_tree *t = s->in->tree;
	uint32_t n = t->n;

	s->threshold = t->is_sketch ? s->in->cut.least : cr_svg_least(s);
	if (s->threshold)
		n = count_nodes(t, s->threshold);
	while (n > CR_WRITER_NODES_MOST) {
		s->threshold = s->threshold ? s->threshold * 2 : t->extent[0] / 1000000 + 1;
		n = count_nodes(t, s->threshold);
	}
	keep_nodes(s, n);
	s->left_out = weight_left_out(s);
}

/* "0.0002 %": the digits that a small share needs. */
static void
put_small_share(struct cr_text *t, uint64_t part, uint64_t whole)
{
	const double percent = 100 * (double)part / (double)CR_MAX(whole, 1);
	int digits = 2;

	for (double v = percent; v > 0 && v < 0.01 && digits < 9; v *= 10)
		digits++;
	cr_text_printf(t, "%.*f %%", digits, percent);
}

void
cr_svg_left_out(const struct cr_svg *s, struct cr_text *t)
{
	const struct cr_write_in *in = s->in;
	const uint32_t side = in->tree->sides - 1, n = in->tree->n - s->n_kept + in->cut.n;
	const uint64_t least = CR_MAX(s->threshold, in->cut.n ? in->cut.least : 0);

	if (!s->kept || n == 0)
		return;
	cr_svg_commas(t, n);
	cr_text_puts(t, n == 1 ? " frame narrower than " : " frames narrower than ");
	put_small_share(t, least, in->tree->extent[0]);
	cr_text_puts(t, n == 1 ? " is left out, with " : " are left out, with ");
	put_small_share(t, s->left_out, in->tree->total[side][0]);
	cr_text_puts(t, " of the cost");
}

/* The costs of what is left out belong to the callers, without being their own. */
static void
sum_left_out(struct data *d, const uint64_t *total, uint64_t *more)
{
	const struct cr_tree *t = d->t;
	const struct cr_svg *s = d->s;

	for (uint32_t i = 0; i < s->n_kept; i++)
		for (uint32_t c = s->kept[i] + 1; c < t->end[s->kept[i]]; c = t->end[c])
			more[i] = cr_add_sat(more[i], t->extent[c] < s->threshold ? total[c] : 0);
}

static void
sums_left_out(struct data *d)
{
	const struct cr_tree *t = d->t;

	for (uint32_t side = 0; side < t->sides; side++) {
		const uint64_t *weight = t->total[side], *samples = t->total_samples[side];

		d->more[0][side] = cr_alloc(d->s->n_kept, sizeof(uint64_t));
		sum_left_out(d, weight, d->more[0][side]);
		d->more[1][side] = d->more[0][side];
		if (samples == weight)
			continue;
		d->more[1][side] = cr_alloc(d->s->n_kept, sizeof(uint64_t));
		sum_left_out(d, samples, d->more[1][side]);
	}
}

static void
choose_frames(struct data *d)
{
	d->frame = cr_alloc(d->t->n_frames, sizeof(*d->frame));
	d->used = cr_alloc(d->t->n_frames, sizeof(*d->used));
	for (uint32_t i = 0; i < d->s->n_kept; i++) {
		const uint32_t f = d->t->frame[d->s->kept[i]];

		if (d->frame[f])
			continue;
		d->used[d->n_used++] = f;
		d->frame[f] = d->n_used;
	}
}

/* ---- the columns of frames */

static void
put_strings(struct data *d)
{
	struct cr_text all = {0};

	for (size_t i = 0; i < d->strings.rows.n; i++) {
		cr_text_safe(&all, d->strings.rows.p[i]);
		cr_text_char(&all, '\n'); /* which no safe text contains */
	}
	cr_svg_pack_number(d->k, all.len);
	cr_svg_pack_bytes(d->k, all.p, all.len);
	cr_text_fini(&all);
}

enum frame_bits { FRAME_INLINED = 1, FRAME_GROUP = 2, FRAME_HIT = 4, FRAME_NOISE = 8 };

static uint64_t
frame_bits(const struct data *d, uint32_t frame)
{
	const struct cr_frame *f = &d->t->frames[frame];
	const uint8_t *hit = d->s->in->hit, *noise = d->s->in->noise;

	return (f->inlined ? FRAME_INLINED : 0) | (cr_frame_is_group(f) ? FRAME_GROUP : 0) |
	       (hit && hit[frame] ? FRAME_HIT : 0) | (noise && noise[frame] ? FRAME_NOISE : 0);
}

static void
put_frames(struct data *d)
{
	const struct cr_tree *t = d->t;
	uint32_t *number = cr_alloc((uint64_t)d->n_used * 3, sizeof(*number));

	for (uint32_t i = 0; i < d->n_used; i++) {
		const struct cr_frame *f = &t->frames[d->used[i]];

		number[3 * i] = cr_strings_intern(&d->strings, NULL, f->name);
		number[3 * i + 1] = cr_strings_intern(&d->strings, NULL, f->dso);
		number[3 * i + 2] = cr_strings_intern(&d->strings, NULL, f->file);
	}
	put_strings(d);
	for (uint32_t column = 0; column < 3; column++)
		for (uint32_t i = 0; i < d->n_used; i++)
			cr_svg_pack_number(d->k, number[3 * i + column]);
	for (uint32_t i = 0; i < d->n_used; i++)
		cr_svg_pack_number(d->k, t->frames[d->used[i]].line);
	for (uint32_t i = 0; i < d->n_used; i++)
		cr_svg_pack_number(d->k, cr_svg_class(d->s, &t->frames[d->used[i]]));
	for (uint32_t i = 0; i < d->n_used; i++)
		cr_svg_pack_number(d->k, frame_bits(d, d->used[i]));
	for (uint32_t i = 0; i < d->n_used; i++)
		cr_svg_pack_number(d->k, cr_svg_color(d->s, &t->frames[d->used[i]]));
	free(number);
}

/* ---- the columns of nodes */

/* How many levels up from the node before to the parent; 1 for the root. */
static void
put_ups(struct data *d)
{
	const struct cr_tree *t = d->t;
	CR_VEC(uint32_t) ends = {0}; /* of the node before and its callers */

	cr_svg_pack_number(d->k, 1);
	cr_vec_push(&ends, t->n);
	for (uint32_t i = 1; i < d->s->n_kept; i++) {
		const uint32_t n = d->s->kept[i];
		const size_t depth = ends.n;

		while (ends.n && ends.p[ends.n - 1] <= n)
			ends.n--;
		cr_svg_pack_number(d->k, depth - ends.n);
		cr_vec_push(&ends, t->end[n]);
	}
	cr_vec_fini(&ends);
}

static void
put_node_frames(struct data *d)
{
	for (uint32_t i = 0; i < d->s->n_kept; i++)
		cr_svg_pack_number(d->k, d->frame[d->t->frame[d->s->kept[i]]] - 1);
}

static void
put_numbers(struct data *d, const uint64_t *of, const uint64_t *more)
{
	for (uint32_t i = 0; i < d->s->n_kept; i++)
		cr_svg_pack_number(d->k, of[d->s->kept[i]] + (more ? more[i] : 0));
}

/* Of a difference: the part of each node's width that is not its children's. */
static void
put_widths(struct data *d)
{
	const struct cr_tree *t = d->t;
	uint64_t *own = cr_memdup(t->extent, t->n * sizeof(*own));

	for (uint32_t i = d->s->n_kept; i-- > 1;) {
		uint64_t *up = &own[t->parent[d->s->kept[i]]];

		*up -= CR_MIN(*up, t->extent[d->s->kept[i]]);
	}
	put_numbers(d, own, NULL);
	free(own);
}

static bool
equal(const struct data *d, const uint64_t *a, const uint64_t *b)
{
	return !d->s->threshold && (a == b || memcmp(a, b, d->t->n * sizeof(*a)) == 0);
}

/* A column that would repeat another one is omitted; the script takes the other. */
static void
put_column(struct data *d, struct cr_json_out *j, const char *name, uint32_t side,
	const uint64_t *of, const uint64_t *more)
{
	char title[16];

	snprintf(title, sizeof(title), "%s%u", name, side);
	if (j)
		cr_json_out_text(j, cr_str_of(title));
	else
		put_numbers(d, of, more);
}

/* The columns of weights: their names if j, else their numbers. */
static void
put_weights(struct data *d, struct cr_json_out *j)
{
	const struct cr_tree *t = d->t;

	for (uint32_t side = 0; side < t->sides; side++) {
		put_column(d, j, "weight", side, t->weight[side], d->more[0][side]);
		if (!equal(d, t->self[side], t->weight[side]))
			put_column(d, j, "self", side, t->self[side], NULL);
		if (!equal(d, t->samples[side], t->weight[side]))
			put_column(d, j, "samples", side, t->samples[side], d->more[1][side]);
		if (!equal(d, t->self_samples[side], t->samples[side]))
			put_column(d, j, "selfSamples", side, t->self_samples[side], NULL);
	}
	if (cr_svg_is_diff(d->s) && j)
		cr_json_out_text(j, CR_STR("width"));
	else if (cr_svg_is_diff(d->s))
		put_widths(d);
	if (t->lead && j)
		cr_json_out_text(j, CR_STR("lead"));
	else if (t->lead)
		put_numbers(d, t->lead, NULL);
}

/* ---- element `meta` */

void
cr_svg_put_safe(struct cr_json_out *j, const char *key, struct cr_str value)
{
	struct cr_text safe = {0};

	cr_text_safe(&safe, value);
	cr_json_out_key(j, key);
	cr_json_out_text(j, cr_text_view(&safe));
	cr_text_fini(&safe);
}

static void
put_number(struct cr_json_out *j, const char *key, uint64_t v)
{
	cr_json_out_key(j, key);
	cr_json_out_u64(j, v);
}

static void
put_measures(struct data *d, struct cr_json_out *j)
{
	cr_json_out_key(j, "measures");
	cr_json_out_open(j, '[');
	for (uint32_t side = 0; side < d->t->sides; side++) {
		const struct cr_measure m = cr_tree_measure(d->t, side);

		cr_json_out_open(j, '{');
		cr_svg_put_safe(j, "event", m.event);
		cr_svg_put_safe(j, "unit", m.unit);
		put_number(j, "summed", m.summed);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

/*
 * The change in millionths at which the colours of a difference are strongest, and the colours from
 * there to its opposite: for squares of equal steps, since their strength is a square root.
 */
static void
put_scale(struct data *d, struct cr_json_out *j)
{
	const struct cr_change_look *c = &d->s->change;

	put_number(j, "cap", c->cap_ppm);
	put_number(j, "totals", c->totals);
	cr_json_out_key(j, "colors");
	cr_json_out_open(j, '#');
	for (int64_t i = -COLORS; i <= COLORS; i++) {
		const int64_t ppm = (int64_t)c->cap_ppm * i * (i < 0 ? -i : i) / (COLORS * COLORS);

		cr_json_out_u64(j, cr_change_color(c, (int32_t)ppm));
	}
	cr_json_out_close(j);
}

static void
put_left_out(struct data *d, struct cr_json_out *j)
{
	struct cr_text told = {0};

	cr_svg_left_out(d->s, &told);
	if (told.len)
		cr_svg_put_safe(j, "leftOut", cr_text_view(&told));
	cr_text_fini(&told);
}

static uint32_t
place_of_root(const struct data *d)
{
	for (uint32_t i = 0; i < d->s->n_kept; i++)
		if (d->s->kept[i] == d->s->in->root)
			return i;
	return 0;
}

static void
put_columns(struct data *d, struct cr_json_out *j)
{
	cr_json_out_key(j, "columns");
	cr_json_out_open(j, '[');
	put_weights(d, j);
	cr_json_out_close(j);
}

static void
put_meta(struct data *d, struct cr_text *text)
{
	struct cr_json_out j = {.text = text};

	cr_json_out_open(&j, '{');
	put_number(&j, "version", 1);
	put_number(&j, "nodes", d->s->n_kept);
	put_number(&j, "frames", d->n_used);
	put_number(&j, "sides", d->t->sides);
	put_number(&j, "root", place_of_root(d));
	cr_svg_put_safe(&j, "order", cr_str_of(cr_svg_order_name(d->s->order)));
	put_measures(d, &j);
	if (cr_svg_is_diff(d->s))
		put_scale(d, &j);
	put_left_out(d, &j);
	cr_svg_put_look(d->s, &j);
	put_columns(d, &j);
	cr_json_out_close(&j);
	cr_json_out_fini(&j);
}

static int
put_all(struct data *d, struct cr_sink *out, struct cr_err *err)
{
	struct cr_text meta = {0};
	int rc;

	put_meta(d, &meta);
	cr_text_puts(&d->s->x, "<script type=\"application/json\" id=\"meta\">");
	cr_text_xml(&d->s->x, cr_text_view(&meta));
	cr_text_puts(&d->s->x, "</script>\n<script type=\"text/plain\" id=\"tree\">");
	cr_text_fini(&meta);
	if ((rc = cr_sink_text(out, &d->s->x, err)) < 0)
		return rc;
	d->k = cr_svg_pack_open(out, err);
	put_frames(d);
	put_ups(d);
	put_node_frames(d);
	put_weights(d, NULL);
	rc = cr_svg_pack_close(d->k);
	cr_text_puts(&d->s->x, "</script>\n");
	return rc;
}

int
cr_svg_data(struct cr_svg *s, struct cr_sink *out, struct cr_err *err)
{
	struct data d = {.s = s, .t = s->in->tree};
	int rc;

	if (s->threshold)
		sums_left_out(&d);
	choose_frames(&d);
	rc = put_all(&d, out, err);
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		if (d.more[1][side] != d.more[0][side])
			free(d.more[1][side]);
		free(d.more[0][side]);
	}
	free(d.frame);
	free(d.used);
	cr_strings_fini(&d.strings);
	return rc;
}
