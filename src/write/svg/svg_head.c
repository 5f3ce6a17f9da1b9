#include "svg_head_p.h"

#include "view/style/label.h"

#include <string.h>

#define BAR 520 /* pixels to the right of the title, where the script puts its buttons */
#define NAMED_COLOR 0xffa95cu /* a middle one of CR_PALETTE_HOT */

static void
put_part(struct cr_svg *s, bool *first)
{
	if (!*first)
		cr_text_puts(&s->x, " \xc2\xb7 ");
	*first = false;
}

static void
put_fact(struct cr_svg *s, const char *key, bool *first)
{
	const struct cr_str value = s->in->p ? cr_profile_fact(s->in->p, key) : CR_STR("");

	if (value.len == 0)
		return;
	put_part(s, first);
	cr_text_xml(&s->x, value);
}

static void
put_duration(struct cr_svg *s, bool *first)
{
	const struct cr_str v = s->in->p ? cr_profile_fact(s->in->p, "duration_ns") : CR_STR("");
	uint64_t ns = 0;

	for (uint32_t i = 0; i < v.len && v.p[i] >= '0' && v.p[i] <= '9'; i++)
		ns = ns * 10 + (uint64_t)(v.p[i] - '0');
	if (ns == 0)
		return;
	put_part(s, first);
	cr_text_duration(&s->x, ns);
}

/* Append the event; in a difference between two events, both. */
static void
put_event(struct cr_svg *s, bool *first)
{
	const struct cr_str before = cr_tree_measure(s->t, 0).event, event = s->t->event;

	if (!before.len && !event.len)
		return;
	put_part(s, first);
	if (!cr_str_eq(before, event)) {
		cr_text_xml(&s->x, before);
		cr_text_puts(&s->x, " \xe2\x86\x92 ");
	}
	cr_text_xml(&s->x, event);
}

struct cr_str
cr_svg_query(const struct cr_svg *s)
{
	return cr_str_of(s->in->query ? s->in->query : "");
}

static void
put_query(struct cr_svg *s, bool *first)
{
	if (cr_svg_query(s).len == 0)
		return;
	put_part(s, first);
	cr_text_xml(&s->x, cr_svg_query(s));
}

void
cr_svg_subtitle(struct cr_svg *s)
{
	const struct cr_tree *t = s->t;
	bool first = true;

	if (s->o->subtitle) {
		put_part(s, &first);
		cr_text_xml(&s->x, cr_str_of(s->o->subtitle));
	}
	put_event(s, &first);
	put_part(s, &first);
	cr_svg_cost(s, 0, t->total[0][0], t->total_samples[0][0]);
	if (cr_svg_is_diff(s)) {
		cr_text_puts(&s->x, " before, ");
		cr_svg_cost(s, 1, t->total[1][0], t->total_samples[1][0]);
		cr_text_puts(&s->x, " now");
		put_query(s, &first);
		return; /* the facts below are about one recording */
	}
	if (cr_label_is_count(t->event))
		cr_text_puts(&s->x, CR_LABEL_COUNTS);
	put_duration(s, &first);
	put_query(s, &first);
	put_fact(s, "hostname", &first);
	put_fact(s, "osrelease", &first);
	put_fact(s, "arch", &first);
	put_fact(s, "date", &first);
}

static bool
is_reported(const struct cr_quality *q)
{
	return cr_quality_class(q) != CR_QUALITY_LINES;
}

uint32_t
cr_svg_quality_rows(const struct cr_profile *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; p && i < p->n_quality; i++)
		n += is_reported(&p->quality[i]);
	return n;
}

/* Append what data is missing, since the picture is incomplete without it. */
static void
put_quality(struct cr_svg *s)
{
	const struct cr_profile *p = s->in->p;
	const uint32_t n = cr_svg_quality_rows(p);
	uint32_t printed = 0;

	for (uint32_t i = 0; printed < n && printed < 3; i++) {
		if (!is_reported(&p->quality[i]))
			continue;
		cr_text_puts(&s->x, printed++ ? ", " : "");
		cr_text_xml(&s->x, p->quality[i].what);
		cr_text_puts(&s->x, ": ");
		cr_svg_commas(&s->x, p->quality[i].count);
	}
	if (n > 3)
		cr_text_printf(&s->x, " and %u more", n - 3);
}

struct cr_str
cr_svg_title(const struct cr_svg *s)
{
	struct cr_str title = s->o->title ? cr_str_of(s->o->title) : CR_STR("");

	if (title.len == 0 && s->in->p && !cr_svg_is_diff(s))
		title = cr_profile_fact(s->in->p, "cmdline");
	if (title.len == 0)
		title = cr_svg_is_diff(s) ? CR_STR("Difference") : CR_STR("Flame graph");
	return title;
}

static void
put_title_line(struct cr_svg *s)
{
	const struct cr_str title = cr_svg_title(s);
	const int32_t room = s->width_px - 2 * CR_SVG_PAD - BAR;
	struct cr_text safe = {0}, line = {0};

	cr_text_safe(&safe, title);
	cr_text_put(&line, safe.p, safe.len);
	if (room > 0 && safe.len > (size_t)room / 9) {
		cr_text_clear(&line);
		cr_label_fit(&line, title, (uint32_t)room / 9);
	}
	cr_text_printf(
		&s->x, "<text id=\"title\" x=\"%d\" y=\"29\" font-size=\"18\"><title>", CR_SVG_PAD);
	cr_text_xml(&s->x, cr_text_view(&safe));
	cr_text_puts(&s->x, "</title>");
	cr_text_xml(&s->x, cr_text_view(&line));
	cr_text_puts(&s->x, "</text>\n");
	cr_text_fini(&safe);
	cr_text_fini(&line);
}

/* Append an entry of the legend at px pixels; return where the next one begins. */
static int32_t
put_swatch(struct cr_svg *s, int32_t px, uint32_t color, const char *style, const char *name)
{
	const int32_t y = s->top_px - 24;

	cr_text_printf(&s->x,
		"<rect x=\"%d\" y=\"%d\" width=\"13\" height=\"13\" rx=\"2\" fill=\"#%06x\"%s/>",
		px, y, color, style);
	if (!name[0])
		return px + 13;
	cr_text_printf(
		&s->x, "<text x=\"%d\" y=\"%d\" font-size=\"12\">%s</text>", px + 19, y + 11, name);
	return px + 36 + (int32_t)strlen(name) * 63 / 10;
}

static void
put_legend_of_classes(struct cr_svg *s)
{
	bool there[CR_SVG_CLASSES] = {false};
	int32_t px = CR_SVG_PAD;

	for (uint32_t i = 0; i < s->scene.n; i++)
		there[cr_svg_class(s, &s->t->frames[s->t->frame[s->scene.boxes[i].node]])] = true;
	for (uint32_t k = 0; k < CR_SVG_CLASSES; k++) {
		const bool named = k == CR_SVG_NAMED;
		const char *name =
			named ? "other" : cr_palette_class_name(s->o->palette, (enum cr_kind)k);

		if (!there[k] || k == CR_KIND_GROUP)
			continue;
		cr_text_printf(
			&s->x, "<g data-kind=\"%u\" data-name=\"%s\" data-x=\"%d\">", k, name, px);
		px = put_swatch(
			s, px, named ? NAMED_COLOR : cr_palette_kind((enum cr_kind)k), "", name);
		cr_text_puts(&s->x, "</g>");
	}
}

static void
put_legend_of_diff(struct cr_svg *s)
{
	const struct cr_change_look *c = &s->change;
	struct cr_text scale = {0};
	int32_t px = CR_SVG_PAD;

	cr_text_puts(&scale, "- to + ");
	cr_change_put_scale(c, &scale);
	if (c->noise)
		cr_text_puts(&scale, "; grey: not known to have changed");
	for (int32_t step = -3; step <= 3; step++)
		px = put_swatch(s, px, cr_change_color(c, (int32_t)c->cap_ppm / 3 * step), "",
			step < 3 ? "" : scale.p);
	px = put_swatch(
		s, px, cr_change_color(c, 0), " stroke=\"#a63c00\" stroke-width=\"1.5\"", "new");
	put_swatch(s, px, cr_change_color(c, 0), " stroke=\"#1c4f96\" stroke-dasharray=\"4 2\"",
		"gone");
	cr_text_fini(&scale);
}

bool
cr_svg_has_legend(const struct cr_svg *s)
{
	return cr_svg_is_diff(s) || (cr_palette_has_classes(s->o->palette) && !s->o->diffusion);
}

void
cr_svg_head(struct cr_svg *s)
{
	cr_text_puts(&s->x, "<g id=\"head\">\n");
	put_title_line(s);
	cr_text_printf(
		&s->x, "<text id=\"subtitle\" x=\"%d\" y=\"49\" font-size=\"12\">", CR_SVG_PAD);
	cr_svg_subtitle(s);
	cr_text_puts(&s->x, "</text>\n");
	cr_text_printf(
		&s->x, "<text id=\"quality\" x=\"%d\" y=\"67\" font-size=\"12\">", CR_SVG_PAD);
	put_quality(s);
	cr_text_puts(&s->x, "</text>\n<g id=\"legend\">");
	if (cr_svg_is_diff(s))
		put_legend_of_diff(s);
	else if (cr_svg_has_legend(s))
		put_legend_of_classes(s);
	cr_text_puts(&s->x, "</g></g>\n");
}
