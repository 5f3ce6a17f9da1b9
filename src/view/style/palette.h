#ifndef CRESSET_VIEW_STYLE_PALETTE_H
#define CRESSET_VIEW_STYLE_PALETTE_H

#include "model/tree/tree.h"

#include <stdint.h>

/* Colour of search matches in every palette. */
#define CR_COLOR_HIT 0xc060ffu

/*
 * Fill colours of frames as 0xRRGGBB, which depend only on what a frame is, not on its position: a
 * function has the same colour in every view and file. Suitable for the colour-blind: classes also
 * differ in lightness, and the diff goes blue - grey - orange. Black text is readable on all.
 */
enum cr_palette {
	CR_PALETTE_KIND, /* hue by kind of dso (user, kernel, jit ...), shade by name */
	CR_PALETTE_DSO,  /* hue by dso */
	CR_PALETTE_HOT,  /* one hue each for the kind of cost: CPU time, memory, I/O, wakeups */
	CR_PALETTE_MEM,
	CR_PALETTE_IO,
	CR_PALETTE_JAVA, /* by layer of a language: its code, its library, its runtime, the rest */
	CR_PALETTE_JS,
	CR_PALETTE_PERL,
	CR_PALETTE_PYTHON,
	CR_PALETTE_RUST,
	CR_PALETTE_WAKEUP,
	CR_PALETTE_CHAIN, /* the stack that waits, and those that wake it: frames ending in _[w] */
	CR_PALETTE_HASH,  /* hue by name */
	CR_PALETTE_RED,   /* one hue, shade by name */
	CR_PALETTE_GREEN,
	CR_PALETTE_BLUE,
	CR_PALETTE_AQUA,
	CR_PALETTE_YELLOW,
	CR_PALETTE_PURPLE,
	CR_PALETTE_ORANGE,
	CR_PALETTES
};

const char *cr_palette_name(enum cr_palette p);

/* The palette of a name in *out; false if there is none. "object" is an old name of "dso". */
bool cr_palette_find(const char *name, enum cr_palette *out);

/* The fill colour of a frame. */
uint32_t cr_palette_frame(enum cr_palette p, const struct cr_frame *f);

/*
 * The same for terminals with 8 colours, or 16, where shades would become colours of other classes:
 * one colour for each class. In 16 colours an inlined function has the bright variant. For
 * cr_color_8() and cr_color_16().
 */
uint32_t cr_palette_frame_8(enum cr_palette p, const struct cr_frame *f);
uint32_t cr_palette_frame_16(enum cr_palette p, const struct cr_frame *f);

/*
 * A class of frames that have the same hue, for a legend: it is known by the kind whose colours it
 * has, which in CR_PALETTE_KIND is the kind itself. cr_palette_class_name() is one word,
 * "kernel", and _about() a phrase, "the kernel"; NULL if the palette has no class with the colours
 * of that kind. A palette whose hues have no meaning has no classes.
 */
enum cr_kind cr_palette_class(enum cr_palette p, const struct cr_frame *f);
const char *cr_palette_class_name(enum cr_palette p, enum cr_kind kind);
const char *cr_palette_class_about(enum cr_palette p, enum cr_kind kind);
bool cr_palette_has_classes(enum cr_palette p);

/*
 * The colour of a difference of shares, in millionths: orange grew, blue shrank, grey is unchanged;
 * strongest at scale_ppm and beyond.
 */
uint32_t cr_palette_diff(int32_t delta_ppm, uint32_t scale_ppm);

/* The colours of a kind in CR_PALETTE_KIND: a middle shade; for cr_color_8(); for cr_color_16(). */
uint32_t cr_palette_kind(enum cr_kind kind);
uint32_t cr_palette_kind_8(enum cr_kind kind);
uint32_t cr_palette_kind_16(enum cr_kind kind);

#endif
