#include "svg_p.h"

#include "model/tree/tree_order.h"
#include "view/scene/flame.h"
#include "write/svg/svg_chart_p.h"
#include "write/svg/svg_head_p.h"
#include "write/svg/svg_style_p.h"

#include <stdlib.h>

/*
 * A flame graph as a self-contained SVG file in two layers. The picture shows the frames that are
 * wide enough to see, for viewers without scripts. The tree as data is for the script (data/flame),
 * which draws every frame in a browser, with zoom and search.
 *
 * Tools for other flame graphs expect the ids (title, fields, frames, search, unzoom, matched) and
 * the first line of a frame's title, "name (1,234 samples, 12.34%)".
 */
static const unsigned char flame_css[] = {
#include "flame_css.inc"
};
static const unsigned char flame_js[] = {
#include "flame_js.inc"
};

#define FOOT 52
#define MAX_BYTES ((uint64_t)250 << 10) /* of frames: the picture is for a glance */
#define BYTES_A_FRAME 240               /* without its name and dso */
#define NARROWEST 5                     /* of a frame that is drawn, in tenths of a pixel */

/* ---- the file */

static void
put_foot(struct cr_svg *s)
{
	const int32_t y = s->top_px + s->rows * cr_svg_pitch(s);

	cr_text_printf(&s->x,
		"<g id=\"foot\" transform=\"translate(0,%d)\"><text id=\"details\" x=\"%d\" "
		"y=\"20\"> </text><text id=\"info\" x=\"%d\" y=\"38\"> </text></g>\n",
		y, CR_SVG_PAD, CR_SVG_PAD);
}

/* For people who cannot see the picture, and for programs: what it shows. */
static void
put_description(struct cr_svg *s)
{
	static const char *const facts[] = {"cmdline", "hostname", "osrelease", "arch", "date"};
	struct cr_text json = {0}, left_out = {0};
	struct cr_json_out j = {.text = &json};

	cr_text_puts(&s->x, "<title id=\"about\">");
	cr_text_xml(&s->x, cr_svg_title(s));
	cr_text_puts(&s->x, "</title>\n<desc id=\"summary\">Flame graph: ");
	cr_svg_subtitle(s);
	cr_svg_left_out(s, &left_out);
	if (left_out.len)
		cr_text_printf(&s->x, ". %s.", left_out.p);
	cr_text_fini(&left_out);
	cr_text_puts(&s->x, "</desc>\n<metadata>");
	cr_json_out_open(&j, '{');
	cr_svg_put_safe(&j, "generator", CR_STR(PACKAGE_STRING));
	cr_svg_put_safe(&j, "title", cr_svg_title(s));
	cr_svg_put_safe(&j, "input", cr_str_of(s->in->title ? s->in->title : ""));
	cr_svg_put_safe(&j, "query", cr_svg_query(s));
	cr_svg_put_safe(&j, "event", s->t->event);
	for (size_t i = 0; s->in->p && !cr_svg_is_diff(s) && i < CR_LEN(facts); i++)
		cr_svg_put_safe(&j, facts[i], cr_profile_fact(s->in->p, facts[i]));
	cr_json_out_close(&j);
	cr_json_out_fini(&j);
	cr_text_xml(&s->x, cr_text_view(&json));
	cr_text_fini(&json);
	cr_text_puts(&s->x, "</metadata>\n");
}

static void
put_start(struct cr_svg *s)
{
	const int32_t height = s->top_px + s->rows * cr_svg_pitch(s) + FOOT;

	cr_text_printf(&s->x,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"12\" "
		"role=\"img\" aria-labelledby=\"about\" aria-describedby=\"summary\">\n",
		s->width_px, height, s->width_px, height);
	cr_svg_put_notes(s);
	put_description(s);
	cr_text_puts(&s->x, "<style><![CDATA[\n");
	cr_text_put(&s->x, flame_css, sizeof(flame_css));
	cr_svg_put_style(s);
	cr_text_puts(&s->x, "]]></style>\n<defs><pattern id=\"many\" width=\"5\" height=\"5\" "
			    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
			    "<rect width=\"5\" height=\"5\" fill=\"#dcd8d0\"/>"
			    "<rect width=\"2\" height=\"5\" fill=\"#b5b0a6\"/></pattern>");
	cr_svg_put_background(s);
	cr_text_puts(&s->x, "</defs>\n"
			    "<rect id=\"bg\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

static void
put_area(struct cr_svg *s)
{
	cr_text_printf(&s->x,
		"<svg id=\"frames\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
		"data-up=\"%d\"><g id=\"rows\">\n",
		CR_SVG_PAD, s->top_px, s->width_px - 2 * CR_SVG_PAD, s->rows * cr_svg_pitch(s),
		s->o->icicle);
}

static int
svg_put(struct cr_svg *s, struct cr_sink *out, struct cr_err *err)
{
	int rc;

	put_start(s);
	put_area(s);
	for (uint32_t i = 0; i < s->scene.n; i++) {
		cr_svg_box(s, &s->scene.boxes[i]);
		if ((rc = cr_sink_large(out, &s->x, err)) < 0)
			return rc;
	}
	cr_text_puts(&s->x, "</g></svg>\n");
	cr_svg_head(s);
	put_foot(s);
	if (s->o->no_script) {
		cr_text_puts(&s->x, "</svg>\n");
		return cr_sink_text(out, &s->x, err);
	}
	if ((rc = cr_svg_data(s, out, err)) < 0)
		return rc;
	cr_text_puts(&s->x, "<script><![CDATA[\n(function () {\n\"use strict\";\n");
	cr_text_put(&s->x, flame_js, sizeof(flame_js));
	cr_text_puts(&s->x, "})();\n]]></script>\n</svg>\n");
	return cr_sink_text(out, &s->x, err);
}

/* ---- layout */

static uint64_t
svg_bytes(const struct cr_svg *s)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->scene.n; i++) {
		const struct cr_box *b = &s->scene.boxes[i];
		const struct cr_frame *f = &s->t->frames[s->t->frame[b->node]];

		sum += BYTES_A_FRAME + (b->flags & CR_BOX_GATHERED ? 0 : f->name.len + f->dso.len);
	}
	return sum;
}

/* The width of a box that is drawn, in tenths of a pixel. */
static int32_t
narrowest(const struct cr_svg *s)
{
	const uint64_t whole = CR_MAX(s->t->extent[s->root], 1);
	const double tenths = (double)cr_svg_least(s) / (double)whole *
			      ((s->width_px - 2 * CR_SVG_PAD) * CR_SVG_TENTHS);

	return CR_MAX((int32_t)tenths, NARROWEST);
}

/* Leave out what is narrower than half a pixel, then more until the picture is small enough. */
static void
svg_layout(struct cr_svg *s)
{
	struct cr_flame_opts o = {.zoom = s->root,
		.width = (s->width_px - 2 * CR_SVG_PAD) * CR_SVG_TENTHS,
		.min_width = narrowest(s),
		.lead = s->lead,
		.hit = s->in->hit};

	for (;; o.min_width *= 2) {
		cr_flame_layout(s->t, &o, &s->scene);
		if (svg_bytes(s) <= MAX_BYTES || o.min_width > CR_SVG_PAD * CR_SVG_TENTHS)
			break;
		cr_scene_fini(&s->scene);
	}
	s->rows = s->scene.rows;
}

/*
 * Return, by node, its parent's own cost: the part without children. In the order of names it is
 * left of all children, as a line of folded stacks precedes the lines that continue it. The root
 * has it at the right. The caller frees the array.
 */
static uint64_t *
leads_by_name(const struct cr_tree *t)
{
	uint64_t *own = cr_memdup(t->extent, t->n * sizeof(*own));

	for (uint32_t n = t->n; n-- > 1;)
		own[t->parent[n]] -= CR_MIN(own[t->parent[n]], t->extent[n]);
	own[0] = 0;
	for (uint32_t n = t->n; n-- > 1;) /* parents have smaller numbers */
		own[n] = own[t->parent[n]];
	return own;
}

/* A node whose children are being placed: its end, and the left edge of the next child. */
struct open_node {
	uint32_t end;
	uint64_t next;
};

/* Set the left edges of all nodes but those below one that is too narrow to be drawn. */
static void
place_edges(struct cr_svg *s)
{
	const struct cr_tree *t = s->t;
	const uint64_t least = t->extent[s->root] / (uint64_t)(s->width_px * CR_SVG_TENTHS);
	CR_VEC(struct open_node) open = {0};

	cr_vec_push(&s->edges, ((struct cr_svg_edge){0, 0}));
	cr_vec_push(&open, ((struct open_node){t->n, 0}));
	for (uint32_t n = 1; n < t->n; n = t->extent[n] < least ? t->end[n] : n + 1) {
		uint64_t at;

		while (open.p[open.n - 1].end <= n)
			open.n--;
		at = open.p[open.n - 1].next;
		open.p[open.n - 1].next = cr_add_sat(at, t->extent[n]);
		at = cr_add_sat(at, s->lead ? s->lead[n] : 0);
		cr_vec_push(&s->edges, ((struct cr_svg_edge){n, at}));
		cr_vec_push(&open, ((struct open_node){t->end[n], at}));
	}
	cr_vec_fini(&open);
}

static int
write_tree(struct cr_svg *s, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_write_in *in = s->in;
	struct cr_tree *sorted = NULL;
	uint64_t *by_name = NULL;
	int rc;

	s->order = in->order == CR_WRITE_BY_TIME ? in->order : (enum cr_write_order)s->o->order;
	if (s->order != in->order)
		s->t = sorted = s->order == CR_WRITE_BY_NAME
					? cr_tree_by_name(in->tree, &s->root)
					: cr_tree_by_weight(in->tree, &s->root);
	if (cr_svg_is_diff(s))
		s->change = cr_change_look_make(s->t, in->totals, in->noise);
	s->top_px =
		60 + (cr_svg_quality_rows(in->p) > 0 ? 18 : 0) + (cr_svg_has_legend(s) ? 24 : 0);
	if (s->order == CR_WRITE_BY_NAME)
		by_name = leads_by_name(s->t);
	s->lead = by_name ? by_name : s->t->lead;
	place_edges(s);
	svg_layout(s);
	if (!s->o->no_script)
		cr_svg_choose(s);
	rc = svg_put(s, out, err);
	free(s->kept);
	cr_vec_fini(&s->edges);
	free(by_name);
	cr_tree_free(sorted);
	cr_scene_fini(&s->scene);
	cr_text_fini(&s->x);
	return rc;
}

/* With --countname, weights are counts of what it names. */
static int
write_named(const struct cr_write_in *in, const struct cr_svg_options *o, struct cr_sink *out,
	struct cr_err *err)
{
	struct cr_tree renamed = *in->tree;
	struct cr_write_in mine = *in;
	struct cr_svg s = {.in = &mine, .o = o, .root = in->root, .width_px = (int32_t)o->width_px};

	if (o->count_name) {
		renamed.unit = renamed.before.unit = cr_str_of(o->count_name);
		renamed.summed = renamed.before.summed = true;
	}
	mine.tree = s.t = &renamed;
	return write_tree(&s, out, err);
}

static bool
wants_chart(const struct cr_svg_options *o)
{
	return o->order == CR_WRITE_BY_TIME;
}

static unsigned
svg_needs(const void *options)
{
	return wants_chart(options) ? CR_WRITER_SAMPLES | CR_WRITER_PLACES : 0;
}

/* In the order of names, frames without callees have other places than those with some. */
static uint32_t
svg_cut_share(const void *options)
{
	const struct cr_svg_options *o = options;

	return o->order == CR_WRITE_BY_WEIGHT && o->least.number <= 0 ? o->width_px * CR_SVG_TENTHS
								      : 0;
}

static int
svg_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct cr_write_in chart = *in;
	struct cr_tree *t = NULL;
	int rc;

	if (!wants_chart(options))
		return write_named(in, options, out, err);
	if ((rc = cr_svg_chart(in, &t, err)) < 0)
		return rc;
	chart.tree = t;
	chart.order = CR_WRITE_BY_TIME;
	rc = write_named(&chart, options, out, err);
	cr_tree_free(t);
	return rc;
}

static const char *
palette_word(size_t i)
{
	return i < CR_PALETTES ? cr_palette_name((enum cr_palette)i) : NULL;
}

const char *
cr_svg_order_name(enum cr_write_order order)
{
	static const char *const names[] = {[CR_WRITE_BY_WEIGHT] = "weight",
		[CR_WRITE_BY_NAME] = "name",
		[CR_WRITE_BY_TIME] = "time"};

	return names[order];
}

static const char *
order_word(size_t i)
{
	return i <= CR_WRITE_BY_TIME ? cr_svg_order_name((enum cr_write_order)i) : NULL;
}

static const char *const svg_extensions[] = {".svg", NULL};

static const struct cr_option_spec svg_options[] = {
	{.name = "title",
		.arg = "TEXT",
		.help = "title of the picture (default: the recorded command)",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct cr_svg_options, title)},
	{.name = "width",
		.arg = "PIXELS",
		.help = "width of the picture, from 200 to 100000",
		.initial = "1200",
		.type = CR_OPTION_U32,
		.at = offsetof(struct cr_svg_options, width_px),
		.min = 200,
		.max = 100000},
	{.name = "palette",
		.arg = "NAME",
		.help = "colour frames by this rule: dso, hot, java, hash ...",
		.initial = "kind",
		.type = CR_OPTION_WORD,
		.at = offsetof(struct cr_svg_options, palette),
		.word = palette_word,
		.old_word = "object",
		.now = "dso"},
	{.name = "order",
		.arg = "ORDER",
		.help = "order of the callees of a frame: weight, name as flamegraph draws, or "
			"time",
		.initial = "weight",
		.type = CR_OPTION_WORD,
		.at = offsetof(struct cr_svg_options, order),
		.word = order_word},
	{.name = "icicle",
		.help = "put the root at the top",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct cr_svg_options, icicle)},
	{.name = "subtitle",
		.arg = "TEXT",
		.help = "begin the second line with TEXT",
		.type = CR_OPTION_TEXT,
		.min = 1,
		.at = offsetof(struct cr_svg_options, subtitle)},
	{.name = "notes",
		.arg = "TEXT",
		.help = "write TEXT into the file as a comment",
		.type = CR_OPTION_TEXT,
		.min = 1,
		.at = offsetof(struct cr_svg_options, notes)},
	{.name = "countname",
		.arg = "TEXT",
		.help = "what the counts are (default: the unit, else samples)",
		.type = CR_OPTION_TEXT,
		.min = 1,
		.at = offsetof(struct cr_svg_options, count_name)},
	{.name = "nametype",
		.arg = "TEXT",
		.help = "put TEXT before the name of the frame under the pointer",
		.type = CR_OPTION_TEXT,
		.min = 1,
		.at = offsetof(struct cr_svg_options, name_type)},
	{.name = "factor",
		.arg = "NUMBER",
		.help = "multiply the counts that are shown",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_number,
		.at = offsetof(struct cr_svg_options, factor)},
	{.name = "minwidth",
		.arg = "WIDTH",
		.help = "leave out frames narrower than so many pixels, or N% of the whole",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_width,
		.at = offsetof(struct cr_svg_options, least)},
	{.name = "height",
		.arg = "PIXELS",
		.help = "height of a row, from 6 to 200",
		.initial = "18",
		.type = CR_OPTION_U32,
		.at = offsetof(struct cr_svg_options, height_px),
		.min = 6,
		.max = 200},
	{.name = "fonttype",
		.arg = "FONT",
		.help = "font of the labels (default a monospaced one)",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_font,
		.at = offsetof(struct cr_svg_options, font)},
	{.name = "fontsize",
		.arg = "PIXELS",
		.help = "size of the labels (default 12)",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_number,
		.at = offsetof(struct cr_svg_options, font_px)},
	{.name = "fontwidth",
		.arg = "NUMBER",
		.help = "width of a character as a part of the size (default: measured, or 0.6)",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_number,
		.at = offsetof(struct cr_svg_options, font_width)},
	{.name = "bgcolors",
		.arg = "COLOR",
		.help = "background: yellow, blue, green, grey or #rrggbb (default: light or dark "
			"as the window)",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_background,
		.at = offsetof(struct cr_svg_options, background)},
	{.name = "search-color",
		.arg = "#RRGGBB",
		.help = "colour of what a search finds",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_color,
		.at = offsetof(struct cr_svg_options, search1)},
	{.name = "stroke-color",
		.arg = "#RRGGBB",
		.help = "colour of the edges of frames; none draws no edges",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_color,
		.at = offsetof(struct cr_svg_options, stroke1)},
	{.name = "uicolor",
		.arg = "#RRGGBB",
		.help = "colour of the texts of buttons and panels",
		.type = CR_OPTION_PARSED,
		.parse = cr_svg_parse_color,
		.at = offsetof(struct cr_svg_options, ui1)},
	{.name = "truncate-text-right",
		.help = "cut labels at their end (default: what tells least apart)",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct cr_svg_options, cut_right)},
	{.name = "colordiffusion",
		.help = "colour frames by their width: the wider, the redder",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct cr_svg_options, diffusion)},
	{.name = "no-javascript",
		.help = "write the picture only, without script and data",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct cr_svg_options, no_script)},
	{.name = NULL},
};

const struct cr_writer cr_writer_svg = {
	.name = "svg",
	.extensions = svg_extensions,
	.about = "flame graph for a web browser, with zoom and search",
	.needs = CR_WRITER_TREE | CR_WRITER_CHANGES,
	.cut_share = svg_cut_share,
	.needs_for = svg_needs,
	.options = svg_options,
	.options_size = sizeof(struct cr_svg_options),
	.write = svg_write,
};
