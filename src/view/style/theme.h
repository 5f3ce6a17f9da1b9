#ifndef CRESSET_VIEW_STYLE_THEME_H
#define CRESSET_VIEW_STYLE_THEME_H

#include "view/style/color.h"

/*
 * A theme: the colours of everything in the browser but the frames of flame graphs, which have a
 * palette (palette.h). Most are colours of text on the terminal's own background.
 */
enum cr_theme_part {
	CR_THEME_HEADING,   /* headings of sections */
	CR_THEME_GOOD,      /* no data is missing */
	CR_THEME_WARN,      /* data is missing */
	CR_THEME_HOT,       /* large shares */
	CR_THEME_MARK,      /* what the user has marked */
	CR_THEME_MATCH,     /* matches of the search: text, and frames */
	CR_THEME_SELECTION, /* background of the selection; the default: reversed */
	CR_THEME_KERNEL,    /* names of kernel functions */
	CR_THEME_JIT,       /* names of functions of JIT compilers, and of BPF programs */
	CR_THEME_INLINED,   /* names of inlined functions */
	CR_THEME_PARTS
};

struct cr_theme {
	uint32_t row;                   /* which of the themes it began as */
	uint32_t color[CR_THEME_PARTS]; /* 0xRRGGBB or CR_COLOR_DEFAULT */
	/* The same on terminals with 8 or 16 colours, for cr_color_8() and cr_color_16(). */
	uint32_t few[CR_THEME_PARTS];
	bool pale; /* frames are paler: black text on them has a contrast of at least 7:1 */
};

/* The name of the theme in row i; NULL past the last. Row 0 is the default. */
const char *cr_theme_name_at(size_t i);

/* The theme in row i, which must exist. */
struct cr_theme cr_theme_made(size_t i);

/* True if both look the same. */
bool cr_theme_same(const struct cr_theme *a, const struct cr_theme *b);

/* The name of a part: "heading". */
const char *cr_theme_part_name(enum cr_theme_part part);

/* The fill of a frame in this theme, given that of the palette. */
uint32_t cr_theme_fill(const struct cr_theme *t, uint32_t rgb);

#endif
