#ifndef CR_BASE_TEXT_H
#define CR_BASE_TEXT_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Growable text, NUL-terminated once something was added. All zero bytes is an empty text. */
struct cr_text {
	char *p;
	size_t len;
	size_t cap;
};

/* Append bytes, a string, a character, `count` times a character, or formatted text. */
void cr_text_put(struct cr_text *t, const void *p, size_t len);
void cr_text_puts(struct cr_text *t, const char *s);
void cr_text_str(struct cr_text *t, struct cr_str s);
void cr_text_char(struct cr_text *t, char c);
void cr_text_pad(struct cr_text *t, char c, size_t count);
void cr_text_printf(struct cr_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void cr_text_u64(struct cr_text *t, uint64_t v); /* decimal; faster than printf */
void cr_text_hex(struct cr_text *t, uint64_t v); /* lower case, no 0x */
/* v / 10^places, exactly, without trailing zeros: 1500000 with 6 places is 1.5. places: 0 to 9. */
void cr_text_decimal(struct cr_text *t, uint64_t v, unsigned places);
void cr_text_clear(struct cr_text *t); /* empty it and keep the memory */
void cr_text_fini(struct cr_text *t);
static inline struct cr_str
cr_text_view(const struct cr_text *t) /* borrowed until t changes */
{
	return (struct cr_str){t->p, (uint32_t)t->len};
}

/*
 * Append a name made safe for a terminal or a log line. These are written as \xHH, byte by byte:
 * - control characters (C0, DEL, C1);
 * - bytes that are not UTF-8;
 * - characters that are invisible or change the direction of the text (text_hidden.def);
 * - a combining mark at the start, which would modify the character before the name.
 *
 * Everything else is copied.
 */
void cr_text_safe(struct cr_text *t, struct cr_str s);

/*
 * True for a character that a terminal acts on, that has no width and no base character, or that
 * changes the direction of the text. Two different names must not look the same.
 */
bool cr_text_is_hidden(uint32_t c);

/*
 * Like cr_text_safe(), for XML text and attribute values: also escapes the five special characters.
 */
void cr_text_xml(struct cr_text *t, struct cr_str s);

/*
 * Append a text field of CSV, quoted if needed (RFC 4180) and made safe like cr_text_safe(). A
 * field that begins with = + - or @, which a spreadsheet reads as a formula, gets a leading '. Not
 * for numbers.
 */
void cr_text_csv(struct cr_text *t, struct cr_str s);

/* Numbers for people. */
void cr_text_grouped(struct cr_text *t, uint64_t v); /* 198 342 */
/* "1 sample", "198 342 samples": v followed by `one` or `many`. */
void cr_text_counted(struct cr_text *t, uint64_t v, const char *one, const char *many);
void cr_text_bytes(struct cr_text *t, uint64_t bytes); /* 12.3 MB */
void cr_text_duration(struct cr_text *t, uint64_t ns); /* 60.0 s, 12 ms, 1 h 02 min */
/* 61.20 %; 0 of 0 is 0.00 %. */
void cr_text_share(struct cr_text *t, uint64_t part, uint64_t whole);

/*
 * Append a weight as a number for programs: decimal. In the unit "millionths", which stores
 * fractional counts, it is written as the fraction: 1500000 is 1.5.
 */
void cr_text_weight(struct cr_text *t, uint64_t weight, struct cr_str unit);

/*
 * Append a weight for people, with its unit: "12.3 ms" for units of time, "4.1 kB" for bytes, "1.5
 * samples" for millionths, "1 234 cycles" for all others.
 */
void cr_text_measure(struct cr_text *t, uint64_t weight, struct cr_str unit);
/* True for units of time and bytes, which are printed with a prefix: 12.3 ms, 4.1 kB. */
bool cr_text_measure_scales(struct cr_str unit);

/* part / whole in millionths, rounded; 0 if whole is 0. */
uint32_t cr_share_ppm(uint64_t part, uint64_t whole);

/*
 * Append words separated by blanks, in lines of at most `cells` cells. Each line but the first is
 * indented by `indent` blanks; the first continues what is already on the line. Ends with a
 * newline.
 */
void cr_text_wrap(struct cr_text *out, struct cr_str text, uint32_t indent, uint32_t cells);

#endif
