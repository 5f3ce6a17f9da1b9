#ifndef CR_BASE_JSON_OUT_H
#define CR_BASE_JSON_OUT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes JSON to the end of a text. It adds commas and escapes names, so callers cannot forget to.
 * All JSON of the program is written by it.
 *
 *	struct cr_json_out j = {.text = &text};
 *
 *	cr_json_out_open(&j, '{');
 *	cr_json_out_key(&j, "samples");
 *	cr_json_out_u64(&j, 12);
 *	cr_json_out_close(&j);
 *	cr_json_out_fini(&j);
 *
 * The caller may print and empty the text between any two calls. In an object each value must
 * follow a key. The depth is limited only by memory.
 */
struct cr_json_out {
	struct cr_text *text;
	struct cr_text levels; /* kinds of the open brackets, innermost last */
	bool has_key;          /* a key was written, its value was not */
	const char *indent; /* indent of the new line before the next item; NULL for no new line */
};

/* Open an object '{' or a list '['. '#' is a list without a blank after its commas. */
void cr_json_out_open(struct cr_json_out *j, char kind);
void cr_json_out_close(struct cr_json_out *j); /* close the innermost bracket */
void cr_json_out_fini(struct cr_json_out *j);  /* the text is not freed */

/*
 * Start a new line with this indent before the next key, value or bracket. Not before the bracket
 * that closes an empty list or object.
 */
void cr_json_out_line(struct cr_json_out *j, const char *indent);

/* Write the key of the next value in an object. */
void cr_json_out_key(struct cr_json_out *j, const char *key);
void cr_json_out_key_str(struct cr_json_out *j, struct cr_str key);

/*
 * A string. Bytes that are not UTF-8 are written as the four characters \xHH, so the JSON is valid.
 */
void cr_json_out_text(struct cr_json_out *j, struct cr_str s);
void cr_json_out_hex(struct cr_json_out *j, uint64_t v); /* the string "0x1f" */
void cr_json_out_u64(struct cr_json_out *j, uint64_t v);
void cr_json_out_i64(struct cr_json_out *j, int64_t v);
void cr_json_out_number(struct cr_json_out *j, double v); /* 8 significant digits */
void cr_json_out_weight(struct cr_json_out *j, uint64_t weight, struct cr_str unit);
void cr_json_out_bool(struct cr_json_out *j, bool v);
void cr_json_out_null(struct cr_json_out *j);

/* A value that is JSON already. */
void cr_json_out_raw(struct cr_json_out *j, struct cr_str json);
/* v / 10^places, exactly: 1500000 with 6 places is 1.5. places: at most 9. */
void cr_json_out_decimal(struct cr_json_out *j, int64_t v, unsigned places);

/* A key with its value. */
void cr_json_out_text_of(struct cr_json_out *j, const char *key, struct cr_str s);
void cr_json_out_u64_of(struct cr_json_out *j, const char *key, uint64_t v);

#endif
