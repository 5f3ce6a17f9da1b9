#ifndef CR_BYTES_SCAN_H
#define CR_BYTES_SCAN_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text by lines: LF ends one, a CR before it is dropped, a last line without LF counts. Of a line
 * that is longer than any stack of names would be, which a program may have to hold several times,
 * the end is left out.
 */
#define CR_SCAN_LINE_MOST ((size_t)256 << 20)

struct cr_scan {
	const char *p;
	const char *end;
	const char *start;
	uint64_t line; /* number of the line last given, from 1 */
	bool cut; /* it has more than CR_SCAN_LINE_MOST bytes, and was given without the rest */
};

/* A UTF-8 byte order mark at the start is passed over. */
void cr_scan_init(struct cr_scan *s, const void *p, size_t len);
bool cr_scan_line(struct cr_scan *s, struct cr_str *line);

static inline uint64_t
cr_scan_at(const struct cr_scan *s)
{
	return (uint64_t)(s->p - s->start);
}

/* s without blanks (space, TAB) at either end. */
struct cr_str cr_scan_trim(struct cr_str s);

/* All of s as an unsigned number, decimal; false on anything else and on overflow. */
bool cr_scan_u64(struct cr_str s, uint64_t *out);

/* The same, hexadecimal in either case, with "0x" before it or without. */
bool cr_scan_hex(struct cr_str s, uint64_t *out);

/*
 * "x.go:12": the number behind the last colon, which s loses with it; one that no file has so many
 * lines for is 0. False, and s as it was, when there is none.
 */
bool cr_scan_source_line(struct cr_str *s, uint32_t *line);

/* The next run of bytes that are no blanks, and past it; empty at the end. */
struct cr_str cr_scan_word(struct cr_str *rest);

/*
 * All of s as a number with or without a fraction and an exponent, "12", "-1.5", ".5", "2.",
 * "12e-3": times 10 to the scale, to the nearest, halves up. False on anything else.
 */
struct cr_decimal {
	uint64_t value; /* without its sign; UINT64_MAX when it does not fit */
	bool negative;
	bool exact; /* nothing was rounded */
};

bool cr_scan_decimal(struct cr_str s, unsigned scale, struct cr_decimal *out);

#endif
