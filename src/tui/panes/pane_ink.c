#include "pane_p.h"

/* Readable as text on dark and on light backgrounds. */
#define COLOR_HEADING 0x3f8fd2
#define COLOR_GOOD 0x3f9a4a
#define COLOR_WARN 0xc27c0e
#define COLOR_MARK 0xc060ff
#define COLOR_HOT 0xd7691d
#define COLOR_KERNEL 0x4a8ad0
#define COLOR_INLINED 0x9a8a6a

/* From little to most: blue, violet, red, orange, yellow. All are colours of xterm's cube. */
static const uint32_t heat[] = {
	0x5f87af, 0x5f5faf, 0x875faf, 0xaf5f87, 0xd75f5f, 0xff5f5f, 0xff8700, 0xffaf00, 0xffd700};

static struct cr_look
bar_look(const struct cr_pane *p, uint8_t kind)
{
	const enum cr_kind k = kind < CR_KINDS ? (enum cr_kind)kind : CR_KIND_UNKNOWN;

	if (p->term->colors == CR_COLORS_8)
		return (struct cr_look){cr_palette_kind_8(k), CR_COLOR_DEFAULT, CR_ATTR_BOLD};
	return (struct cr_look){cr_palette_kind(k), CR_COLOR_DEFAULT, 0};
}

/* With few colours, shade characters show the level. */
static struct cr_look
heat_look(const struct cr_pane *p, uint8_t level)
{
	if (p->term->colors < CR_COLORS_256)
		return CR_LOOK_PLAIN;
	return (struct cr_look){0x000000, heat[(size_t)level * (CR_LEN(heat) - 1) / UINT8_MAX], 0};
}

/*
 * With eight colours, blue is too dark on black and yellow too pale on white for text. Names of the
 * kernel are then cyan, and inlined functions have no colour of their own.
 */
static struct cr_look
name_look(const struct cr_pane *p, uint8_t ink)
{
	static const struct {
		uint32_t fg, fg_8;
		uint8_t attr;
	} looks[] = {
		[CR_INK_HOT] = {COLOR_HOT, CR_COLOR_DEFAULT, CR_ATTR_BOLD},
		[CR_INK_NAME] = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0},
		[CR_INK_NAME_KERNEL] = {COLOR_KERNEL, 0x00ffff, 0},
		[CR_INK_NAME_JIT] = {COLOR_GOOD, 0x00ff00, 0},
		[CR_INK_NAME_INLINED] = {COLOR_INLINED, CR_COLOR_DEFAULT, 0},
		[CR_INK_NAME_UNKNOWN] = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_DIM},
		[CR_INK_NAME_GROUP] = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_BOLD},
	};
	struct cr_look look = CR_LOOK_PLAIN;

	look.attr = looks[ink].attr;
	if (p->term->colors > CR_COLORS_NONE)
		look.fg = p->term->colors == CR_COLORS_8 ? looks[ink].fg_8 : looks[ink].fg;
	return look;
}

struct cr_look
cr_pane_look_ink(const struct cr_pane *p, uint8_t ink, uint8_t level)
{
	const bool colors = p->term->colors > CR_COLORS_NONE;
	struct cr_look look = CR_LOOK_PLAIN;

	switch ((enum cr_ink)ink) {
	case CR_INK_PLAIN: return look;
	case CR_INK_DIM: return CR_LOOK_DIM;
	case CR_INK_STRONG: return CR_LOOK_BOLD;
	case CR_INK_BAR: return colors ? bar_look(p, level) : look;
	case CR_INK_HEAT: return heat_look(p, level);
	case CR_INK_HEADING: look.fg = COLOR_HEADING; break;
	case CR_INK_GOOD: look.fg = COLOR_GOOD; break;
	case CR_INK_WARN: look.fg = COLOR_WARN; break;
	case CR_INK_MARK: look.fg = COLOR_MARK; break;
	case CR_INK_HOT:
	case CR_INK_NAME:
	case CR_INK_NAME_KERNEL:
	case CR_INK_NAME_JIT:
	case CR_INK_NAME_INLINED:
	case CR_INK_NAME_UNKNOWN:
	case CR_INK_NAME_GROUP: return name_look(p, ink);
	}
	look.attr = ink == CR_INK_GOOD ? 0 : CR_ATTR_BOLD;
	if (!colors)
		look.fg = CR_COLOR_DEFAULT;
	return look;
}
