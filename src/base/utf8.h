#ifndef CR_BASE_UTF8_H
#define CR_BASE_UTF8_H

#include "base/str.h"

#include <stdint.h>

#define CR_UTF8_BAD UINT32_MAX

/*
 * The code point at p[0..len), len > 0, and how many bytes it takes in *used (at least 1).
 * CR_UTF8_BAD, with *used 1, for what is not UTF-8 (overlong forms and surrogates included).
 */
uint32_t cr_utf8_decode(const char *p, size_t len, unsigned *used);

/* Write code point c to out, 1 to 4 bytes, no NUL; returns how many. */
unsigned cr_utf8_encode(uint32_t c, char out[4]);

/*
 * Terminal cells that c takes: 0 for a mark on the character before it, 2 for a wide one (East
 * Asian, emoji), else 1; of the Unicode version that utf8_widths.def tells, in any locale.
 */
unsigned cr_utf8_width(uint32_t c);

/*
 * How many bytes at the start of s are printable ASCII, each a character of one cell: what most
 * names consist of, and what need not be decoded.
 */
uint32_t cr_utf8_plain(struct cr_str s);

/* Cells of a whole text that has no control bytes (see cr_text_safe()). */
uint32_t cr_utf8_cells(struct cr_str s);

/* How many bytes of s fit in `cells` cells; never cuts inside a character. */
uint32_t cr_utf8_fit(struct cr_str s, uint32_t cells);

#endif
