#include "svg_p.h"

#include "base/utf8.h"
#include "base/wide.h"
#include "query/diff/diff.h"
#include "view/style/label.h"
#include "write/svg/svg_style_p.h"

#define EDGED_PX 3 /* wider boxes get a border; it would cover narrower ones */

void
cr_svg_commas(struct cr_text *t, uint64_t v)
{
	char digits[27];
	size_t at = sizeof(digits);

	for (unsigned n = 0;; n++) {
		if (n && n % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
		if (!v)
			break;
	}
	cr_text_put(t, digits + at, sizeof(digits) - at);
}

static void
put_percent(struct cr_text *t, uint32_t ppm)
{
	cr_text_printf(t, "%u.%02u%%", (ppm + 50) / 10000, (ppm + 50) / 100 % 100);
}

void
cr_svg_points(struct cr_text *t, int32_t ppm)
{
	const uint32_t hundredths = ((uint32_t)(ppm < 0 ? -ppm : ppm) + 50) / 100;

	if (hundredths > 0)
		cr_text_char(t, ppm < 0 ? '-' : '+');
	cr_text_printf(t, "%u.%02u", hundredths / 100, hundredths % 100);
}

/* Append a share as a coordinate, "12.3456%", without trailing zeros. */
static void
put_place(struct cr_text *t, uint64_t part, uint64_t whole)
{
	const uint64_t v = cr_mul_div_sat(part, 1000000, whole, CR_ROUND_NEAREST);
	char fraction[8];
	size_t n;

	snprintf(fraction, sizeof(fraction), ".%04u", (unsigned)(v % 10000));
	for (n = 5; n > 0 && fraction[n - 1] == '0'; n--)
		;
	cr_text_u64(t, v / 10000);
	cr_text_put(t, fraction, n > 1 ? n : 0);
	cr_text_char(t, '%');
}

/* True if the weights are counts of samples, as in text formats that do not name a unit. */
static bool
counts_samples(const struct cr_measure *m)
{
	return m->unit.len == 0 || cr_str_eq(m->unit, CR_STR("samples"));
}

void
cr_svg_cost(struct cr_svg *s, uint32_t side, uint64_t weight, uint64_t samples)
{
	const struct cr_measure m = cr_tree_measure(s->t, side);
	const bool weighed = m.summed && !counts_samples(&m);
	const uint64_t n = cr_svg_scaled(s, weighed || counts_samples(&m) ? weight : samples);

	if (weighed && cr_str_eq(m.unit, CR_STR("millionths"))) {
		cr_text_measure(&s->x, weight, m.unit);
		return;
	}
	cr_svg_commas(&s->x, n);
	cr_text_char(&s->x, ' ');
	if (weighed)
		cr_text_xml(&s->x, m.unit);
	else
		cr_text_puts(&s->x, n == 1 ? "sample" : "samples");
}

/* Append "1,234 samples, 12.34%". */
static void
put_cost(struct cr_svg *s, uint64_t weight, uint64_t samples, uint32_t side)
{
	cr_svg_cost(s, side, weight, samples);
	cr_text_puts(&s->x, ", ");
	put_percent(&s->x, cr_share_ppm(weight, cr_tree_whole(s->t, side)));
}

static void
put_total(struct cr_svg *s, uint32_t node, uint32_t side)
{
	put_cost(s, s->t->total[side][node], s->t->total_samples[side][node], side);
}

static void
put_self(struct cr_svg *s, uint32_t node, uint32_t side)
{
	put_cost(s, s->t->self[side][node], s->t->self_samples[side][node], side);
}

/*
 * Append the weight of one side, which follows its number of samples; nothing if it would only
 * repeat that number.
 */
static void
put_weight(struct cr_svg *s, uint64_t unscaled)
{
	const struct cr_measure m = cr_tree_measure(s->t, 0);
	const uint64_t weight = cr_svg_scaled(s, unscaled);

	if (counts_samples(&m) || (m.summed && !cr_text_measure_scales(m.unit)))
		return;
	cr_text_puts(&s->x, " \xc2\xb7 ");
	if (cr_text_measure_scales(m.unit)) {
		cr_text_measure(&s->x, weight, m.unit);
		return;
	}
	cr_svg_commas(&s->x, weight);
	cr_text_char(&s->x, ' ');
	cr_text_xml(&s->x, m.unit);
}

static bool
is_new(const struct cr_svg *s, uint32_t node)
{
	return cr_svg_is_diff(s) && s->t->total[0][node] == 0;
}

static bool
is_gone(const struct cr_svg *s, uint32_t node)
{
	return cr_svg_is_diff(s) && s->t->total[1][node] == 0;
}

static void
title_of_one(struct cr_svg *s, uint32_t node)
{
	cr_text_puts(&s->x, " (");
	put_total(s, node, 0);
	cr_text_puts(&s->x, ")\nself ");
	put_self(s, node, 0);
	put_weight(s, s->t->total[0][node]);
}

static void
title_of_two(struct cr_svg *s, uint32_t node)
{
	cr_text_puts(&s->x, " (");
	if (is_gone(s, node)) {
		cr_text_puts(&s->x, "gone; was ");
		put_total(s, node, 0);
		cr_text_puts(&s->x, ")\nself was ");
		put_self(s, node, 0);
		return;
	}
	put_total(s, node, 1);
	if (is_new(s, node)) {
		cr_text_puts(&s->x, "; new)\nself ");
		put_self(s, node, 1);
		return;
	}
	cr_text_puts(&s->x, "; was ");
	put_total(s, node, 0);
	cr_text_puts(&s->x, "; ");
	cr_svg_points(&s->x, cr_diff_total_ppm(s->t, node));
	cr_text_puts(&s->x, ")\nself ");
	put_self(s, node, 1);
	cr_text_puts(&s->x, "; was ");
	put_self(s, node, 0);
	cr_text_puts(&s->x, "; ");
	cr_svg_points(&s->x, cr_diff_self_ppm(s->t, node));
}

/*
 * Remove the annotation of folded stacks at the end: _[k], _[w], _[i] or _[j]. The colour shows it.
 */
static struct cr_str
without_mark(struct cr_str name)
{
	static const char *const marks[] = {"_[k]", "_[w]", "_[i]", "_[j]"};

	for (size_t i = 0; i < CR_LEN(marks); i++)
		if (name.len > 4 && cr_str_ends(name, marks[i]))
			name.len -= 4;
	return name;
}

static void
put_title(struct cr_svg *s, uint32_t node)
{
	const struct cr_frame *f = &s->t->frames[s->t->frame[node]];

	cr_text_xml(&s->x, without_mark(f->name));
	if (cr_svg_is_diff(s))
		title_of_two(s, node);
	else
		title_of_one(s, node);
	if (f->inlined)
		cr_text_puts(&s->x, " \xc2\xb7 inlined");
	if (f->dso.len > 0) {
		cr_text_puts(&s->x, " \xc2\xb7 ");
		cr_text_xml(&s->x, f->dso);
	}
	if (f->file.len > 0) {
		cr_text_puts(&s->x, " \xc2\xb7 ");
		cr_text_xml(&s->x, cr_label_path(f->file));
		if (f->line > 0)
			cr_text_printf(&s->x, ":%u", f->line);
	}
}

/* Sum up the nodes of a box: one node, or siblings that share the box. */
static uint64_t
box_sum(const struct cr_svg *s, const struct cr_box *b, const uint64_t *of)
{
	uint64_t sum = 0;

	for (uint32_t n = b->node; n < b->node_end; n = s->t->end[n])
		sum = cr_add_sat(sum, of[n]);
	return sum;
}

static void
put_title_of_gathered(struct cr_svg *s, const struct cr_box *b)
{
	cr_text_printf(&s->x, "%u frames too narrow to show (", b->count);
	for (uint32_t side = 0; side < s->t->sides; side++) {
		if (side > 0)
			cr_text_puts(&s->x, "; now ");
		put_cost(s, box_sum(s, b, s->t->total[side]),
			box_sum(s, b, s->t->total_samples[side]), side);
	}
	cr_text_char(&s->x, ')');
}

/* Return the sign of a change, which precedes the label: '+', '-', or 0 for no change. */
static char
mark_of(const struct cr_svg *s, const struct cr_box *b)
{
	return cr_svg_is_diff(s) && !(b->flags & CR_BOX_GATHERED)
		       ? cr_change_mark(&s->change, b->node)
		       : 0;
}

uint32_t
cr_svg_class(const struct cr_svg *s, const struct cr_frame *f)
{
	const bool unknown = s->o->palette == CR_PALETTE_KIND && f->kind == CR_KIND_UNKNOWN;

	return unknown && !cr_frame_is_nameless(f) ? CR_SVG_NAMED
						   : cr_palette_class(s->o->palette, f);
}

uint32_t
cr_svg_color(const struct cr_svg *s, const struct cr_frame *f)
{
	const uint32_t *chosen = s->in->color1;
	const size_t frame = (size_t)(f - s->t->frames);

	if (chosen && chosen[frame])
		return chosen[frame] - 1;
	return cr_palette_frame(
		cr_svg_class(s, f) == CR_SVG_NAMED ? CR_PALETTE_HOT : s->o->palette, f);
}

/* Return the colour of a node: that of its change in a difference, otherwise that of its frame. */
static uint32_t
color_of(const struct cr_svg *s, uint32_t node)
{
	if (s->o->diffusion)
		return cr_svg_diffusion(s, s->t->extent[node]);
	if (cr_svg_is_diff(s))
		return cr_change_color_of(&s->change, node);
	return cr_svg_color(s, &s->t->frames[s->t->frame[node]]);
}

static void
put_class(struct cr_svg *s, const struct cr_box *b)
{
	char class[32] = "";

	if (b->flags & CR_BOX_GATHERED)
		strcat(class, " many");
	else if (is_new(s, b->node))
		strcat(class, " new");
	else if (is_gone(s, b->node))
		strcat(class, " gone");
	if (b->flags & CR_BOX_HIT)
		strcat(class, " hit");
	if (b->x1 - b->x0 > EDGED_PX * CR_SVG_TENTHS)
		strcat(class, " wide");
	if (class[0])
		cr_text_printf(&s->x, " class=\"%s\"", class + 1);
}

/* Return how far the baseline of a label is below the top of its box, in pixels. */
static int32_t
baseline(const struct cr_svg *s)
{
	return (cr_svg_pitch(s) + cr_svg_font_tenths(s) / 10) / 2 - 2;
}

/* Append the name, shortened to a number of cells. */
static void
put_name(const struct cr_svg *s, struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_str kept = without_mark(name);

	if (!s->o->cut_right || cr_utf8_cells(kept) <= cells) {
		cr_label_fit(t, name, cells);
		return;
	}
	while (kept.len && cr_utf8_cells(kept) >= cells)
		kept.len--;
	if (cells < 2)
		return;
	cr_text_safe(t, kept);
	cr_text_puts(t, "\xe2\x80\xa6");
}

static void
put_label(struct cr_svg *s, const struct cr_box *b, uint64_t at, uint64_t whole, int32_t y)
{
	const int32_t room = b->x1 - b->x0 - 7 * CR_SVG_TENTHS;
	const int32_t cell = cr_svg_cell_tenths(s);
	const uint32_t cells = room > 0 ? (uint32_t)(room / cell) : 0;
	const char mark = mark_of(s, b);
	struct cr_text label = {0};

	if (mark && cells > 2)
		cr_text_printf(&label, "%c ", mark);
	if (room > 0 && (b->flags & CR_BOX_GATHERED))
		cr_text_printf(&label, "+%u", b->count);
	else if (room > 0)
		put_name(s, &label, s->t->frames[s->t->frame[b->node]].name,
			cells - (uint32_t)label.len);
	if (label.len == 2 && mark)
		cr_text_clear(&label);
	if ((int32_t)cr_utf8_cells(cr_text_view(&label)) * cell > room)
		cr_text_clear(&label);
	if (label.len > 0) {
		cr_text_puts(&s->x, "<text x=\"");
		put_place(&s->x, at, whole);
		cr_text_printf(&s->x, "\" dx=\"4\" y=\"%d\" dy=\"%d\">", y, baseline(s));
		cr_text_xml(&s->x, cr_text_view(&label));
		cr_text_puts(&s->x, "</text>");
	}
	cr_text_fini(&label);
}

static uint64_t
left_edge(const struct cr_svg *s, uint32_t node)
{
	size_t from = 0, to = s->edges.n;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (s->edges.p[middle].node <= node)
			from = middle;
		else
			to = middle;
	}
	return s->edges.p[from].at;
}

void
cr_svg_box(struct cr_svg *s, const struct cr_box *b)
{
	const uint64_t whole = CR_MAX(s->t->extent[s->root], 1);
	const int32_t pitch = cr_svg_pitch(s);
	const bool is_whole = b->flags & CR_BOX_ANCESTOR || b->node == s->root;
	const uint64_t at = is_whole ? 0 : left_edge(s, b->node) - left_edge(s, s->root);
	const uint64_t extent = is_whole ? whole : box_sum(s, b, s->t->extent);
	const int32_t y = (s->o->icicle ? b->row : s->rows - 1 - b->row) * pitch;
	const bool gathered = b->flags & CR_BOX_GATHERED;

	cr_text_puts(&s->x, "<g");
	put_class(s, b);
	cr_text_puts(&s->x, "><title>");
	if (gathered)
		put_title_of_gathered(s, b);
	else
		put_title(s, b->node);
	cr_text_puts(&s->x, "</title><rect x=\"");
	put_place(&s->x, at, whole);
	cr_text_puts(&s->x, "\" width=\"");
	put_place(&s->x, extent, whole);
	cr_text_printf(&s->x, "\" y=\"%d\" height=\"%d\" fill=\"", y, pitch - 1);
	if (gathered)
		cr_text_puts(&s->x, "url(#many)");
	else
		cr_text_printf(&s->x, "#%06x", color_of(s, b->node));
	cr_text_puts(&s->x, "\"/>");
	put_label(s, b, at, whole, y);
	cr_text_puts(&s->x, "</g>\n");
}
