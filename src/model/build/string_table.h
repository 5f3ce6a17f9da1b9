#ifndef CR_MODEL_BUILD_STRING_TABLE_H
#define CR_MODEL_BUILD_STRING_TABLE_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/*
 * Numbers distinct strings from 0, in the order of their first use. All zero bytes is an empty
 * table.
 */
struct cr_strings {
	struct cr_index index;
	struct cr_index by_address; /* rows of at least CR_STRINGS_LONG bytes */
	CR_VEC(struct cr_str) rows;
};

/*
 * A string of so many bytes that is a row of the table, at the address of that row, is found by its
 * address. So a name of a megabyte that is used a thousand times is read once, if the caller uses
 * what cr_strings_keep() has returned.
 */
#define CR_STRINGS_LONG 1024u

/*
 * Return the row of s, which is added the first time: a copy in the arena. Without an arena (NULL)
 * the bytes are borrowed and must live as long as the table.
 */
uint32_t cr_strings_intern(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* The same, but returns the copy. */
struct cr_str cr_strings_keep(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* Add a row for s, which must not equal any other row. Its bytes are not copied. */
void cr_strings_add(struct cr_strings *t, struct cr_str s);
void cr_strings_fini(struct cr_strings *t);

#endif
