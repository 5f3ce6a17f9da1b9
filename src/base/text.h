#ifndef CR_BASE_TEXT_H
#define CR_BASE_TEXT_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Growable text: always NUL-terminated once something was put in. All zero bytes is empty. */
struct cr_text {
	char *p;
	size_t len;
	size_t cap;
};

void cr_text_put(struct cr_text *t, const void *p, size_t len);
void cr_text_puts(struct cr_text *t, const char *s);
void cr_text_str(struct cr_text *t, struct cr_str s);
void cr_text_char(struct cr_text *t, char c);
void cr_text_pad(struct cr_text *t, char c, size_t count);
void cr_text_printf(struct cr_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void cr_text_u64(struct cr_text *t, uint64_t v); /* decimal, faster than printf */
void cr_text_hex(struct cr_text *t, uint64_t v); /* lower case, no 0x */
void cr_text_clear(struct cr_text *t);           /* empty, the room kept */
void cr_text_fini(struct cr_text *t);
static inline struct cr_str
cr_text_view(const struct cr_text *t) /* borrowed until t changes */
{
	return (struct cr_str){t->p, (uint32_t)t->len};
}

/*
 * Append a name made safe for a terminal or a log line. Written as \xHH, byte by byte, are: control
 * characters (C0, DEL, C1), bytes that are not UTF-8, characters that show nothing or turn the
 * direction of the text (text_hidden.def), and a mark at the start, such as an accent, which would
 * stand on what comes before the name. Everything else is copied.
 */
void cr_text_safe(struct cr_text *t, struct cr_str s);

/*
 * True for a character that a terminal acts on, that has no width of its own and no base to stand
 * on, or that turns the direction of the text: two names that look the same must be the same.
 */
bool cr_text_is_hidden(uint32_t c);

/* As cr_text_safe(), for XML text and attribute values, the five special characters escaped. */
void cr_text_xml(struct cr_text *t, struct cr_str s);

/*
 * A text field of CSV, quoted where it has to be (RFC 4180) and made safe as cr_text_safe() does.
 * One that begins with = + - or @, which a spreadsheet takes for a formula, gets a ' in front. Not
 * for numbers.
 */
void cr_text_csv(struct cr_text *t, struct cr_str s);

/* Numbers for people. */
void cr_text_grouped(struct cr_text *t, uint64_t v); /* 198 342 */
/* "1 sample", "198 342 samples": v and one or many of them. */
void cr_text_counted(struct cr_text *t, uint64_t v, const char *one, const char *many);
void cr_text_bytes(struct cr_text *t, uint64_t bytes); /* 12.3 MB */
void cr_text_duration(struct cr_text *t, uint64_t ns); /* 60.0 s, 12 ms, 1 h 02 min */
void cr_text_share(
	struct cr_text *t, uint64_t part, uint64_t whole); /* 61.20 %; 0 of 0 is 0.00 % */

/*
 * A weight as a number for programs: decimal; in the unit "millionths", which fractional counts
 * are kept in, as the fraction it is: 1500000 is 1.5.
 */
void cr_text_weight(struct cr_text *t, uint64_t weight, struct cr_str unit);

/*
 * A weight for people, with its unit: "12.3 ms" of any unit of time, "4.1 kB" of bytes, "1.5
 * samples" of millionths, "1 234 cycles" of what else there is.
 */
void cr_text_measure(struct cr_text *t, uint64_t weight, struct cr_str unit);
/* True for units of time and bytes, which are printed with prefixes: 12.3 ms, 4.1 kB. */
bool cr_text_measure_scales(struct cr_str unit);

/* part of whole in millionths, rounded; 0 when whole is 0. */
uint32_t cr_share_ppm(uint64_t part, uint64_t whole);

/*
 * Words with blanks between them, in lines of so many cells, each behind `indent` blanks but the
 * first, which stands behind something already. Ends with a line feed.
 */
void cr_text_wrap(struct cr_text *out, struct cr_str text, uint32_t indent, uint32_t cells);

#endif
