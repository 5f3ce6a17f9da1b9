#ifndef CRESSET_VIEW_STYLE_PALETTE_H
#define CRESSET_VIEW_STYLE_PALETTE_H

#include "model/tree/tree.h"

#include <stdint.h>

/* Of a search match, in every palette. */
#define CR_COLOR_HIT 0xc060ffu

/*
 * Colours as 0xRRGGBB, told from what a frame is, never from where it stands: the same function
 * has the same colour in every view and every file. Safe for the colour-blind: classes differ in
 * lightness too, and the diff goes blue - grey - orange.
 */
enum cr_palette {
	CR_PALETTE_KIND,  /* hue by kind of dso (user, kernel, jit ...), shade by name */
	CR_PALETTE_DSO,   /* hue by dso */
	CR_PALETTE_PLAIN, /* warm FlameGraph-like hues by name */
	CR_PALETTES
};

const char *cr_palette_name(enum cr_palette p);

uint32_t cr_palette_frame(enum cr_palette p, const struct cr_frame *f);

/*
 * A difference of shares in millionths to a colour: orange grew, blue shrank, grey is the same;
 * strongest at scale_ppm and beyond.
 */
uint32_t cr_palette_diff(int32_t delta_ppm, uint32_t scale_ppm);

/*
 * The largest absolute difference of the shares of self that a node of a tree with two sides
 * has: what the differences of all its nodes are measured by. At least 1.
 */
uint32_t cr_palette_diff_scale(const struct cr_tree *t);

/*
 * What a node is filled with on every surface: with one side the colour of its frame, with two
 * that of its difference of self, so that cost that moved stands out and not all its callers.
 * scale_ppm is of cr_palette_diff_scale(); not used with one side.
 */
uint32_t cr_palette_node(
	enum cr_palette p, const struct cr_tree *t, uint32_t node, uint32_t scale_ppm);

/* A shade from the middle of a kind's, for a legend. */
uint32_t cr_palette_kind(enum cr_kind kind);

/* 0x000000 or 0xffffff, whichever reads better on this background (WCAG contrast). */
uint32_t cr_palette_ink(uint32_t background);

/* Nearest of the 256 xterm colours (16..255); of the 8 basic ones (0..7) the nearest in hue. */
uint8_t cr_palette_256(uint32_t rgb);
uint8_t cr_palette_8(uint32_t rgb);

/*
 * For terminals with eight colours, where shades would come out as colours of other kinds: one
 * colour for each kind, and what reads best on the one of the eight that a colour becomes. Both
 * as 0xRRGGBB, of which cr_palette_8() makes that colour.
 */
uint32_t cr_palette_kind_8(enum cr_kind kind);
uint32_t cr_palette_ink_8(uint32_t background);

#endif
