#include "view/style/theme.h"

#include "base/mem.h"
#include "view/style/palette.h"

#include <string.h>

#define THEMES 4

#define PALE 560 /* of 1024: how much white the frames of a pale theme have */

/*
 * Text on dark backgrounds is light, and the reverse; `any` is readable on both. `contrast` uses
 * attributes instead of colours of text. With few colours, blue is too dark on black and yellow
 * too pale on white.
 */
#define NONE CR_COLOR_DEFAULT
static const struct {
	const char *name;
	struct {
		uint32_t color, few;
	} in[THEMES]; /* by theme: any, dark, light, contrast */
} parts[CR_THEME_PARTS] = {
	[CR_THEME_HEADING] = {"heading",
		{{0x3f8fd2, 0x00ffff}, {0x7cc0ff, 0x00ffff}, {0x1c5a9c, 0x0000aa}, {NONE, NONE}}},
	[CR_THEME_GOOD] = {"good",
		{{0x3f9a4a, 0x00ff00}, {0x86d38e, 0x00ff00}, {0x1f6b2a, NONE}, {NONE, NONE}}},
	[CR_THEME_WARN] = {"warn",
		{{0xc27c0e, 0xff0000}, {0xf0b050, 0xffff00}, {0x8a5200, 0xaa0000}, {NONE, NONE}}},
	[CR_THEME_HOT] = {"hot",
		{{0xd7691d, NONE}, {0xffa05c, 0xffff00}, {0xa83c00, 0xaa0000}, {NONE, NONE}}},
	[CR_THEME_MARK] = {"mark",
		{{0xc060ff, 0xff00ff}, {0xd7a0ff, 0xff00ff}, {0x7a1fb8, 0xaa00aa}, {NONE, NONE}}},
	[CR_THEME_MATCH] = {"match", {{CR_COLOR_HIT, 0xff00ff}, {0xd08cff, 0xff00ff},
					     {0x8a2be2, 0xaa00aa}, {NONE, NONE}}},
	[CR_THEME_SELECTION] = {"selection",
		{{0xfff04d, NONE}, {0x2f5fa6, NONE}, {0x1f4e8c, NONE}, {0xffff00, NONE}}},
	[CR_THEME_KERNEL] = {"kernel",
		{{0x4a8ad0, 0x00aaaa}, {0x86b6f0, 0x00ffff}, {0x1f5fae, 0x0000aa}, {NONE, NONE}}},
	[CR_THEME_JIT] = {"jit",
		{{0x3f9a4a, 0x00aa00}, {0x86d38e, 0x00ff00}, {0x1f6b2a, NONE}, {NONE, NONE}}},
	[CR_THEME_INLINED] = {"inlined",
		{{0x9a8a6a, NONE}, {0xcbbb94, 0xaaaa00}, {0x6b5a34, NONE}, {NONE, NONE}}},
};

static const char *const names[THEMES] = {"any", "dark", "light", "contrast"};
#define PALE_THEME 3

const char *
cr_theme_name_at(size_t i)
{
	return i < THEMES ? names[i] : NULL;
}

const char *
cr_theme_part_name(enum cr_theme_part part)
{
	return parts[part].name;
}

struct cr_theme
cr_theme_made(size_t i)
{
	struct cr_theme t = {.row = (uint32_t)i, .pale = i == PALE_THEME};

	for (int part = 0; part < CR_THEME_PARTS; part++) {
		t.color[part] = parts[part].in[i].color;
		t.few[part] = parts[part].in[i].few;
	}
	return t;
}

bool
cr_theme_same(const struct cr_theme *a, const struct cr_theme *b)
{
	return a->row == b->row && memcmp(a->color, b->color, sizeof(a->color)) == 0 &&
	       memcmp(a->few, b->few, sizeof(a->few)) == 0;
}

uint32_t
cr_theme_fill(const struct cr_theme *t, uint32_t rgb)
{
	return t->pale ? cr_color_mix(rgb, 0xffffff, PALE) : rgb;
}
