#include "pane_p.h"

#include "base/hash.h"
#include "view/style/color.h"
#include "view/style/palette.h"

/* From little to most: blue, violet, red, orange, yellow. All are colours of xterm's cube. */
static const uint32_t heat[] = {
	0x5f87af, 0x5f5faf, 0x875faf, 0xaf5f87, 0xd75f5f, 0xff5f5f, 0xff8700, 0xffaf00, 0xffd700};

uint32_t
cr_pane_color(const struct cr_pane *p, enum cr_theme_part part)
{
	const struct cr_theme initial = cr_theme_made(0);
	const struct cr_theme *t = p->theme ? p->theme : &initial;

	return p->term->colors < CR_COLORS_256 ? t->few[part] : t->color[part];
}

struct cr_look
cr_pane_look_on(const struct cr_pane *p, uint32_t background, uint8_t attr)
{
	struct cr_look look = {0, background, attr};

	switch (p->term->colors) {
	case CR_COLORS_NONE: return (struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, attr};
	case CR_COLORS_8: look.fg = cr_color_ink_8(background); break;
	case CR_COLORS_16: look.fg = cr_color_ink_16(background); break;
	case CR_COLORS_256:
	case CR_COLORS_DIRECT: look.fg = cr_color_ink(background); break;
	}
	return look;
}

struct cr_look
cr_pane_look_selected(const struct cr_pane *p)
{
	const uint32_t color = p->term->colors > CR_COLORS_NONE
				       ? cr_pane_color(p, CR_THEME_SELECTION)
				       : CR_COLOR_DEFAULT;

	if (color == CR_COLOR_DEFAULT)
		return (struct cr_look){
			CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_REVERSE | CR_ATTR_BOLD};
	return cr_pane_look_on(p, color, CR_ATTR_BOLD);
}

struct cr_look
cr_pane_look_match(const struct cr_pane *p)
{
	struct cr_look look = CR_LOOK_BOLD;

	if (p->term->colors > CR_COLORS_NONE)
		look.fg = cr_pane_color(p, CR_THEME_MATCH);
	if (look.fg == CR_COLOR_DEFAULT)
		look.attr |= CR_ATTR_UNDERLINE;
	return look;
}

uint32_t
cr_pane_kind_color(const struct cr_pane *p, enum cr_kind kind)
{
	if (p->term->colors == CR_COLORS_8)
		return cr_palette_kind_8(kind);
	return p->term->colors == CR_COLORS_16 ? cr_palette_kind_16(kind) : cr_palette_kind(kind);
}

static struct cr_look
bar_look(const struct cr_pane *p, uint8_t kind)
{
	const enum cr_kind k = kind < CR_KINDS ? (enum cr_kind)kind : CR_KIND_UNKNOWN;

	return (struct cr_look){cr_pane_kind_color(p, k), CR_COLOR_DEFAULT,
		p->term->colors < CR_COLORS_256 ? CR_ATTR_BOLD : 0};
}

struct cr_look
cr_pane_look_selected_bar(const struct cr_pane *p, uint8_t kind)
{
	struct cr_look look = cr_pane_look_selected(p);
	const uint32_t own = bar_look(p, kind).fg;

	if (p->term->colors >= CR_COLORS_256 && look.bg != CR_COLOR_DEFAULT)
		look.fg = look.fg ? own : cr_color_deep(own);
	return look;
}

/* With few colours, the characters show the level. */
static struct cr_look
heat_look(const struct cr_pane *p, uint8_t ink, uint8_t level)
{
	const uint32_t rgb = heat[(size_t)level * (CR_LEN(heat) - 1) / UINT8_MAX];

	if (p->term->colors < CR_COLORS_256)
		return CR_LOOK_PLAIN;
	return ink == CR_INK_HEIGHT ? (struct cr_look){rgb, CR_COLOR_DEFAULT, 0}
				    : (struct cr_look){0x000000, rgb, 0};
}

/* An ink: the part of the theme that colours it, and the attributes. */
struct ink_look {
	enum cr_theme_part part; /* CR_THEME_PARTS: no colour */
	uint8_t attr;
};

static const struct ink_look inks[] = {
	[CR_INK_PLAIN] = {CR_THEME_PARTS, 0},
	[CR_INK_DIM] = {CR_THEME_PARTS, CR_ATTR_DIM},
	[CR_INK_STRONG] = {CR_THEME_PARTS, CR_ATTR_BOLD},
	[CR_INK_HEADING] = {CR_THEME_HEADING, CR_ATTR_BOLD},
	[CR_INK_GOOD] = {CR_THEME_GOOD, 0},
	[CR_INK_WARN] = {CR_THEME_WARN, CR_ATTR_BOLD},
	[CR_INK_BAR] = {CR_THEME_PARTS, 0},
	[CR_INK_HEAT] = {CR_THEME_PARTS, 0},
	[CR_INK_HEIGHT] = {CR_THEME_PARTS, 0},
	[CR_INK_MARK] = {CR_THEME_MARK, CR_ATTR_BOLD},
	[CR_INK_HOT] = {CR_THEME_HOT, CR_ATTR_BOLD},
	[CR_INK_NAME] = {CR_THEME_PARTS, 0},
	[CR_INK_NAME_KERNEL] = {CR_THEME_KERNEL, 0},
	[CR_INK_NAME_JIT] = {CR_THEME_JIT, 0},
	[CR_INK_NAME_INLINED] = {CR_THEME_INLINED, 0},
	[CR_INK_NAME_UNKNOWN] = {CR_THEME_PARTS, CR_ATTR_DIM},
	[CR_INK_NAME_GROUP] = {CR_THEME_PARTS, CR_ATTR_BOLD},
};

struct cr_look
cr_pane_look_ink(const struct cr_pane *p, uint8_t ink, uint8_t level)
{
	const bool colors = p->term->colors > CR_COLORS_NONE;
	struct cr_look look = CR_LOOK_PLAIN;

	if (ink == CR_INK_BAR && colors)
		return bar_look(p, level);
	if (ink == CR_INK_HEAT || ink == CR_INK_HEIGHT)
		return heat_look(p, ink, level);
	look.attr = inks[ink].attr;
	if (colors && inks[ink].part != CR_THEME_PARTS)
		look.fg = cr_pane_color(p, inks[ink].part);
	return look;
}
