#ifndef CR_BYTES_JSON_H
#define CR_BYTES_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A pull parser for JSON. It stores no values, so memory does not grow with the input, and a copy
 * of the struct is a position to return to.
 *
 *	if (cr_json_object(&j))
 *		while (cr_json_key(&j, &key))
 *			if (cr_str_eq(key, CR_STR("name")))
 *				cr_json_text(&j, &name);
 *			else
 *				cr_json_skip(&j);
 *
 * After a key or an item the caller must read or skip its value. A value of another type than
 * requested is skipped. The first error sets `bad` to a message and moves the cursor to the end;
 * after that nothing more is returned. The parser is lenient where writers are sloppy: extra commas
 * are ignored, and skipped values are checked only for their end.
 */
#define CR_JSON_DEPTH_MAX 100000u /* nesting depth */

struct cr_json {
	const char *p;
	const char *end;
	const char *start;
	const char *bad; /* NULL if there was no error */
	const char *bad_at;
	uint32_t depth;
};

enum cr_json_kind {
	CR_JSON_NONE, /* no value follows */
	CR_JSON_OBJECT,
	CR_JSON_ARRAY,
	CR_JSON_STRING,
	CR_JSON_NUMBER,
	CR_JSON_WORD, /* true, false, null */
};

/* A UTF-8 byte order mark at the start is skipped. */
void cr_json_init(struct cr_json *j, const void *p, size_t len);

enum cr_json_kind cr_json_kind(struct cr_json *j); /* type of the next value */
void cr_json_skip(struct cr_json *j);

/*
 * Enter an object (false if the value is none), then return its keys one by one, without resolving
 * escapes. cr_json_key() returns false after the last one and leaves the object.
 */
bool cr_json_object(struct cr_json *j);
bool cr_json_key(struct cr_json *j, struct cr_str *key);

/*
 * Enter an array, then advance to its items. cr_json_item() returns false after the last one and
 * leaves the array.
 */
bool cr_json_array(struct cr_json *j);
bool cr_json_item(struct cr_json *j);

/*
 * Read a string without its quotes, escapes unresolved, borrowed from the input; or the text of a
 * number or a word. Returns false and "" for null, objects and arrays.
 */
bool cr_json_text(struct cr_json *j, struct cr_str *raw);

/*
 * Resolve the escapes of such a text. Returns raw if it has none, otherwise text in `room`. Halves
 * of surrogate pairs and invalid escapes stay as written.
 */
struct cr_str cr_json_plain(struct cr_str raw, struct cr_text *room);

static inline uint64_t
cr_json_at(const struct cr_json *j)
{
	return (uint64_t)(j->p - j->start);
}

#endif
