#ifndef CR_BYTES_SCAN_H
#define CR_BYTES_SCAN_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads a text line by line. LF ends a line, a CR before it is dropped, and a last line without LF
 * counts. Of lines longer than CR_SCAN_LINE_MOST bytes, which no list of names needs, the rest is
 * dropped: a program may have to hold a line several times.
 */
#define CR_SCAN_LINE_MOST ((size_t)256 << 20)

struct cr_scan {
	const char *p;
	const char *end;
	const char *start;
	uint64_t line; /* number of the current line, from 1 */
	bool cut;      /* the current line was truncated to CR_SCAN_LINE_MOST bytes */
};

/* A UTF-8 byte order mark at the start is skipped. */
void cr_scan_init(struct cr_scan *s, const void *p, size_t len);
/* Store the next line in *line, borrowed from the input. Returns false at the end. */
bool cr_scan_line(struct cr_scan *s, struct cr_str *line);

static inline uint64_t
cr_scan_at(const struct cr_scan *s)
{
	return (uint64_t)(s->p - s->start);
}

/* Remove blanks (space, TAB) from both ends. */
struct cr_str cr_scan_trim(struct cr_str s);

/* Parse all of s as an unsigned decimal number; false for anything else and on overflow. */
bool cr_scan_u64(struct cr_str s, uint64_t *out);

/* The same in hexadecimal, upper or lower case, with or without "0x". */
bool cr_scan_hex(struct cr_str s, uint64_t *out);

/*
 * For "x.go:12": remove the last colon and the number after it from s, and store the number in
 * *line; 0 if it exceeds 32 bits. Returns false and leaves s unchanged if there is none.
 */
bool cr_scan_source_line(struct cr_str *s, uint32_t *line);

/* Return the next run of non-blank bytes and skip it; empty at the end. */
struct cr_str cr_scan_word(struct cr_str *rest);

/*
 * Parse all of s as a number with optional sign, fraction and exponent: "12", "-1.5", ".5", "2.",
 * "12e-3". The result is multiplied by 10^scale and rounded to the nearest, halves up. Returns
 * false for anything else.
 */
struct cr_decimal {
	uint64_t value; /* absolute value; UINT64_MAX if it does not fit */
	bool negative;
	bool exact; /* nothing was rounded */
};

/* scale: the power of ten; see struct cr_decimal. */
bool cr_scan_decimal(struct cr_str s, unsigned scale, struct cr_decimal *out);

#endif
