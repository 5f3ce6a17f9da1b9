#ifndef CRESSET_VIEW_STYLE_PALETTE_H
#define CRESSET_VIEW_STYLE_PALETTE_H

#include "model/tree/tree.h"

#include <stdint.h>

/* Colour of search matches in every palette. */
#define CR_COLOR_HIT 0xc060ffu

/*
 * Colours as 0xRRGGBB, which depend only on what a frame is, not on its position: a function has
 * the same colour in every view and file. Suitable for the colour-blind: classes also differ in
 * lightness, and the diff goes blue - grey - orange.
 */
enum cr_palette {
	CR_PALETTE_KIND,  /* hue by kind of dso (user, kernel, jit ...), shade by name */
	CR_PALETTE_DSO,   /* hue by dso */
	CR_PALETTE_PLAIN, /* warm FlameGraph-like hues by name */
	CR_PALETTES
};

const char *cr_palette_name(enum cr_palette p);

/* The fill colour of a frame. */
uint32_t cr_palette_frame(enum cr_palette p, const struct cr_frame *f);

/*
 * The colour of a difference of shares, in millionths: orange grew, blue shrank, grey is unchanged;
 * strongest at scale_ppm and beyond.
 */
uint32_t cr_palette_diff(int32_t delta_ppm, uint32_t scale_ppm);

/*
 * The largest absolute difference of self shares over the nodes of a tree with two sides: the scale
 * for cr_palette_diff(). At least 1.
 */
uint32_t cr_palette_diff_scale(const struct cr_tree *t);

/*
 * The fill colour of a node on every surface: with one side that of its frame; with two that of its
 * difference of self, so that moved cost stands out instead of all its callers. scale_ppm: from
 * cr_palette_diff_scale(); unused with one side.
 */
uint32_t cr_palette_node(
	enum cr_palette p, const struct cr_tree *t, uint32_t node, uint32_t scale_ppm);

/* A middle shade of a kind, for a legend. */
uint32_t cr_palette_kind(enum cr_kind kind);

/* 0x000000 or 0xffffff, whichever has more contrast on this background (WCAG). */
uint32_t cr_palette_ink(uint32_t background);

/* The nearest of the 256 xterm colours (16..255); of the 8 basic ones (0..7) the nearest in hue. */
uint8_t cr_palette_256(uint32_t rgb);
uint8_t cr_palette_8(uint32_t rgb);

/*
 * For terminals with eight colours, where shades would become colours of other kinds: one colour
 * for each kind, and the ink with the best contrast on the basic colour that a background becomes.
 * Both as 0xRRGGBB values that cr_palette_8() maps to that colour.
 */
uint32_t cr_palette_kind_8(enum cr_kind kind);
uint32_t cr_palette_ink_8(uint32_t background);

#endif
