#ifndef CR_BASE_UTF8_H
#define CR_BASE_UTF8_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define CR_UTF8_BAD UINT32_MAX

/*
 * Return the code point at p[0..len), len > 0, and its length in bytes in *used (at least 1).
 * CR_UTF8_BAD, with *used 1, if it is not UTF-8 (including overlong forms and surrogates).
 */
uint32_t cr_utf8_decode(const char *p, size_t len, unsigned *used);

/* Write code point c to out, 1 to 4 bytes without a NUL; return their number. */
unsigned cr_utf8_encode(uint32_t c, char out[4]);

/*
 * Width of c in terminal cells: 0 for a combining mark, 2 for a wide character (East Asian, emoji),
 * else 1. It does not depend on the locale; utf8_widths.def names the Unicode version.
 */
unsigned cr_utf8_width(uint32_t c);

/*
 * Number of bytes at the start of s that are printable ASCII, each one cell wide. Most names
 * consist only of these, which need no decoding.
 */
uint32_t cr_utf8_plain(struct cr_str s);

/* Width in cells of a text without control bytes (see cr_text_safe()). */
uint32_t cr_utf8_cells(struct cr_str s);

/*
 * True if texts are written in UTF-8, according to the locale that the environment names. Only its
 * name counts if the C library lacks the locale, as in a statically linked program or a small
 * container. main() must have called setlocale(LC_CTYPE, "").
 */
bool cr_utf8_locale(void);

/* The number of bytes of s that fit in `cells` cells, without cutting a character. */
uint32_t cr_utf8_fit(struct cr_str s, uint32_t cells);

#endif
