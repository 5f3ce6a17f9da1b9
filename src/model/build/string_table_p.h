#ifndef CR_MODEL_BUILD_STRING_TABLE_P_H
#define CR_MODEL_BUILD_STRING_TABLE_P_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/*
 * Maps bytes to a number. The arena holds each distinct string once. All zero bytes is an empty
 * table.
 */
struct cr_strings {
	struct cr_index index;
	CR_VEC(struct cr_str) rows;
};

/* Return the row of s; copy it to the arena the first time. */
uint32_t cr_strings_intern(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* The same, but returns the copy. */
struct cr_str cr_strings_keep(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* Add a row for s, which must not equal any other row. Its bytes are not copied. */
void cr_strings_add(struct cr_strings *t, struct cr_str s);
void cr_strings_fini(struct cr_strings *t);

#endif
