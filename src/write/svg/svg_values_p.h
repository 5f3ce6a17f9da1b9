#ifndef CR_WRITE_SVG_SVG_VALUES_P_H
#define CR_WRITE_SVG_SVG_VALUES_P_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Values of options of the SVG writer, parsed as struct cr_option_spec wants it: `at` points to the
 * value. All zero bytes is the default.
 */

/* A width: in pixels of the picture, or in percent of the whole. */
struct cr_svg_width {
	double number;
	bool percent;
};

/* The background: two colours from top to bottom, 0xRRGGBB; may be equal. */
struct cr_svg_background {
	bool given;
	uint32_t from, to;
};

int cr_svg_parse_number(const char *text, void *at, struct cr_err *err); /* a double above 0 */
int cr_svg_parse_width(const char *text, void *at, struct cr_err *err);  /* "0.1", "5%" */
/* "#rrggbb" as 0xRRGGBB + 1 in an uint32_t; "none" is UINT32_MAX. */
int cr_svg_parse_color(const char *text, void *at, struct cr_err *err);
int cr_svg_parse_background(const char *text, void *at, struct cr_err *err);
/* The name of a font, or several; what would end the rule of a style sheet is refused. */
int cr_svg_parse_font(const char *text, void *at, struct cr_err *err);

#endif
