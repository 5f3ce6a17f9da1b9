#include "svg_style_p.h"

#include "view/style/color.h"

#include <inttypes.h>
#include <math.h>

#define PITCH 18
#define FONT_PIXELS 12
#define FONT_WIDTH 0.6 /* width of a character of a monospaced font, as a part of its size */
#define WIDE 0xff0000u /* of --colordiffusion */
#define NARROW 0xfafafau

int32_t
cr_svg_pitch(const struct cr_svg *s)
{
	return s->o->height_px ? (int32_t)s->o->height_px : PITCH;
}

int32_t
cr_svg_font_tenths(const struct cr_svg *s)
{
	return (int32_t)((s->o->font_px > 0 ? CR_MIN(s->o->font_px, 200) : FONT_PIXELS) * 10);
}

int32_t
cr_svg_cell_tenths(const struct cr_svg *s)
{
	const double width = s->o->font_width > 0 ? CR_MIN(s->o->font_width, 10) : FONT_WIDTH;

	return CR_MAX((int32_t)(cr_svg_font_tenths(s) * width), 1);
}

/* ---- the style sheet */

static bool
has_color(uint32_t rgb1)
{
	return rgb1 != 0 && rgb1 != UINT32_MAX;
}

/* On a light background use the colours of a light page, even in a dark window. */
static void
put_background_rules(struct cr_svg *s)
{
	const struct cr_svg_background *b = &s->o->background;

	if (!b->given)
		return;
	cr_text_printf(&s->x, "svg{--bg:#%06x;", b->from);
	cr_text_puts(
		&s->x, cr_color_ink(b->from)
			       ? "--ink:#eae6df;--dim:#c3bdb3;--line:#5d6067;--soft:#34373c}\n"
			       : "--ink:#1d1b18;--dim:#5d574e;--line:#c9c3b8;--soft:#f4f1ec}\n");
	if (b->from != b->to)
		cr_text_puts(&s->x, "#bg{fill:url(#background)}\n");
}

static void
put_stroke_rules(struct cr_svg *s, uint32_t rgb1)
{
	if (rgb1 == UINT32_MAX)
		cr_text_puts(&s->x, "#frames rect.wide,#frames .wide>rect{stroke:none}\n");
	else if (rgb1)
		cr_text_printf(&s->x,
			"#frames rect,#frames rect.wide,#frames .wide>rect"
			"{stroke:#%06x;stroke-width:.5px}\n",
			rgb1 - 1);
}

void
cr_svg_put_style(struct cr_svg *s)
{
	const struct cr_svg_options *o = s->o;
	const int32_t font = cr_svg_font_tenths(s);

	put_background_rules(s);
	put_stroke_rules(s, o->stroke1);
	if (o->font || o->font_px > 0)
		cr_text_printf(&s->x, "#frames text{font:%d.%dpx %s}\n", font / 10, font % 10,
			o->font ? o->font : "ui-monospace,\"DejaVu Sans Mono\",Menlo,monospace");
	if (has_color(o->search1))
		cr_text_printf(
			&s->x, "#frames rect.hit,#frames .hit>rect{fill:#%06x}\n", o->search1 - 1);
	if (has_color(o->ui1))
		cr_text_printf(&s->x,
			".bar input,button,.panel,.tip{color:#%06x}#matched,#steps{fill:#%06x}\n",
			o->ui1 - 1, o->ui1 - 1);
}

void
cr_svg_put_background(struct cr_svg *s)
{
	const struct cr_svg_background *b = &s->o->background;

	if (b->given && b->from != b->to)
		cr_text_printf(&s->x,
			"<linearGradient id=\"background\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"1\">"
			"<stop offset=\"5%%\" stop-color=\"#%06x\"/>"
			"<stop offset=\"95%%\" stop-color=\"#%06x\"/></linearGradient>",
			b->from, b->to);
}

/* A comment must not contain two hyphens: write a blank after each. */
void
cr_svg_put_notes(struct cr_svg *s)
{
	struct cr_text safe = {0};

	if (!s->o->notes)
		return;
	cr_text_safe(&safe, cr_str_of(s->o->notes));
	cr_text_puts(&s->x, "<!-- NOTES: ");
	for (size_t i = 0; i < safe.len; i++) {
		cr_text_char(&s->x, safe.p[i]);
		if (safe.p[i] == '-')
			cr_text_char(&s->x, ' ');
	}
	cr_text_puts(&s->x, " -->\n");
	cr_text_fini(&safe);
}

/* ---- options that the script reads */

static void
put_decimal(struct cr_json_out *j, const char *key, double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", v);
	cr_json_out_key(j, key);
	cr_json_out_text(j, cr_str_of(text));
}

void
cr_svg_put_look(const struct cr_svg *s, struct cr_json_out *j)
{
	const struct cr_svg_options *o = s->o;

	cr_json_out_key(j, "pitch");
	cr_json_out_u64(j, (uint64_t)cr_svg_pitch(s));
	put_decimal(j, "fontSize", cr_svg_font_tenths(s) / 10.0);
	if (o->font_width > 0)
		put_decimal(j, "cell", cr_svg_cell_tenths(s) / 10.0);
	if (o->factor > 0)
		put_decimal(j, "factor", o->factor);
	if (o->name_type)
		cr_svg_put_safe(j, "nameType", cr_str_of(o->name_type));
	if (o->cut_right)
		cr_svg_put_safe(j, "cut", CR_STR("right"));
	if (o->diffusion)
		cr_svg_put_safe(j, "diffusion", CR_STR("yes"));
}

/* ---- numbers */

uint64_t
cr_svg_least(const struct cr_svg *s)
{
	const struct cr_svg_width *w = &s->o->least;
	const uint64_t whole = s->t->extent[s->root];
	const double part = w->percent ? w->number / 100 : w->number / s->width_px;

	if (w->number <= 0)
		return 0;
	return part >= 1 ? whole : (uint64_t)ceil((double)whole * part);
}

uint64_t
cr_svg_scaled(const struct cr_svg *s, uint64_t count)
{
	const double v = (double)count * s->o->factor + 0.5;

	if (s->o->factor <= 0)
		return count;
	return v >= 18e18 ? UINT64_MAX : (uint64_t)v;
}

uint32_t
cr_svg_diffusion(const struct cr_svg *s, uint64_t extent)
{
	const double whole = (double)CR_MAX(s->t->extent[0], 1);

	return cr_color_mix(NARROW, WIDE, (uint32_t)(sqrt((double)extent / whole) * 700));
}
