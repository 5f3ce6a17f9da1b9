#ifndef CRESSET_VIEW_STYLE_COLOR_H
#define CRESSET_VIEW_STYLE_COLOR_H

#include "base/str.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Colours as 0xRRGGBB, and the nearest ones of terminals that have few. */

#define CR_COLOR_DEFAULT UINT32_MAX /* the terminal's own colour for text, or for its background */

/* Mix a and b; `part` is the share of b, of 1024. */
uint32_t cr_color_mix(uint32_t a, uint32_t b, uint32_t part);

/* A darker and stronger variant, which is seen on a pale background. */
uint32_t cr_color_deep(uint32_t rgb);

/* 0x000000 or 0xffffff, whichever has more contrast on this background (WCAG). */
uint32_t cr_color_ink(uint32_t background);

/*
 * The nearest of the 256 xterm colours (16..255). Of the 8 basic ones (0..7) the nearest in hue. Of
 * 16 the same (0..7), or its bright variant (8..15) if a channel of the colour is above 0xd0.
 */
uint8_t cr_color_256(uint32_t rgb);
uint8_t cr_color_16(uint32_t rgb);
uint8_t cr_color_8(uint32_t rgb);

/*
 * The ink with the best contrast on the one of 8 or 16 colours that a background becomes; a value
 * that cr_color_8() and cr_color_16() map to black or white.
 */
uint32_t cr_color_ink_8(uint32_t background);
uint32_t cr_color_ink_16(uint32_t background);

/*
 * Parse "#rrggbb", "default", or one of the eight names "black", "red", "green", "yellow", "blue",
 * "magenta", "cyan", "white". False if it is none of these. cr_color_put() appends "#rrggbb" or
 * "default".
 */
bool cr_color_parse(struct cr_str text, uint32_t *rgb);
void cr_color_put(uint32_t rgb, struct cr_text *out);

/* The i-th name that cr_color_parse() accepts; NULL past the last. */
const char *cr_color_name_at(size_t i);

#endif
