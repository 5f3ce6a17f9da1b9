#ifndef CR_BYTES_JSON_H
#define CR_BYTES_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * JSON, pulled value by value out of a span: nothing is kept, so that memory does not grow with the
 * input, and a copy of the struct is a place to come back to.
 *
 *	if (cr_json_object(&j))
 *		while (cr_json_key(&j, &key))
 *			if (cr_str_eq(key, CR_STR("name")))
 *				cr_json_text(&j, &name);
 *			else
 *				cr_json_skip(&j);
 *
 * Whoever is given a key or an item has to take or skip its value. A value of another kind than was
 * asked for is skipped. The first error sticks: bad says what, the cursor moves to the end, and all
 * that is still asked for is not there. Lenient where writers are sloppy: commas too many are
 * passed over, and what is skipped is looked at only for its end.
 */
#define CR_JSON_DEPTH_MAX 100000u /* values within each other */

struct cr_json {
	const char *p;
	const char *end;
	const char *start;
	const char *bad; /* NULL: all is well so far */
	const char *bad_at;
	uint32_t depth;
};

enum cr_json_kind {
	CR_JSON_NONE, /* there is no value here */
	CR_JSON_OBJECT,
	CR_JSON_ARRAY,
	CR_JSON_STRING,
	CR_JSON_NUMBER,
	CR_JSON_WORD, /* true, false, null */
};

/* A UTF-8 byte order mark at the start is passed over. */
void cr_json_init(struct cr_json *j, const void *p, size_t len);

enum cr_json_kind cr_json_kind(struct cr_json *j); /* of the value that comes next */
void cr_json_skip(struct cr_json *j);

/*
 * Into an object: the key of each member, as it is written; false behind the last, and outside
 * again.
 */
bool cr_json_object(struct cr_json *j);
bool cr_json_key(struct cr_json *j, struct cr_str *key);

/* Into an array: is there one more item? False behind the last, and outside again. */
bool cr_json_array(struct cr_json *j);
bool cr_json_item(struct cr_json *j);

/*
 * A string as it is written, without its quotes, escapes and all, borrowed from the input; or the
 * text of a number or a word. False, and "", for null and for objects and arrays.
 */
bool cr_json_text(struct cr_json *j, struct cr_str *raw);

/*
 * Such a text with its escapes resolved: in room, or as it is when there are none. Halves of
 * characters, and escapes that are none, stay as they are written.
 */
struct cr_str cr_json_plain(struct cr_str raw, struct cr_text *room);

static inline uint64_t
cr_json_at(const struct cr_json *j)
{
	return (uint64_t)(j->p - j->start);
}

#endif
