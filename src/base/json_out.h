#ifndef CR_BASE_JSON_OUT_H
#define CR_BASE_JSON_OUT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes JSON to the end of a text: it puts the commas and escapes the names, so that callers
 * cannot forget to. The only place of the program that does.
 *
 *	struct cr_json_out j = {.text = &text};
 *
 *	cr_json_out_open(&j, '{');
 *	cr_json_out_key(&j, "samples");
 *	cr_json_out_u64(&j, 12);
 *	cr_json_out_close(&j);
 *	cr_json_out_fini(&j);
 *
 * The caller may print and empty the text between any two calls. A value in an object must follow
 * a key. Depth is limited by memory alone.
 */
struct cr_json_out {
	struct cr_text *text;
	struct cr_text levels; /* what is open, innermost last */
	bool has_key;          /* a key was put, its value was not */
	const char *indent;    /* of the line that the next item begins; NULL for no new line */
};

/* Open an object '{' or a list '['; of a list '#', the items have no blank after the comma. */
void cr_json_out_open(struct cr_json_out *j, char kind);
void cr_json_out_close(struct cr_json_out *j); /* what was opened last */
void cr_json_out_fini(struct cr_json_out *j);  /* the text remains, and is the caller's */

/*
 * Begin a line, with this indent, before the next key, value or bracket; not before the bracket
 * that ends an empty list or object.
 */
void cr_json_out_line(struct cr_json_out *j, const char *indent);

void cr_json_out_key(struct cr_json_out *j, const char *key);
void cr_json_out_key_str(struct cr_json_out *j, struct cr_str key);

/* A string: bytes that are not UTF-8 become the four characters \xHH, so that the text is valid. */
void cr_json_out_text(struct cr_json_out *j, struct cr_str s);
void cr_json_out_hex(struct cr_json_out *j, uint64_t v); /* "0x1f", a string */
void cr_json_out_u64(struct cr_json_out *j, uint64_t v);
void cr_json_out_i64(struct cr_json_out *j, int64_t v);
void cr_json_out_number(struct cr_json_out *j, double v); /* of 8 digits */
void cr_json_out_weight(struct cr_json_out *j, uint64_t weight, struct cr_str unit);
void cr_json_out_bool(struct cr_json_out *j, bool v);
void cr_json_out_null(struct cr_json_out *j);

/* A key with its value. */
void cr_json_out_text_of(struct cr_json_out *j, const char *key, struct cr_str s);
void cr_json_out_u64_of(struct cr_json_out *j, const char *key, uint64_t v);

#endif
