#ifndef CR_MODEL_BUILD_STRING_TABLE_P_H
#define CR_MODEL_BUILD_STRING_TABLE_P_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/*
 * Bytes to a number, each distinct string kept once in the arena. All zero bytes is an empty one.
 */
struct cr_strings {
	struct cr_index index;
	CR_VEC(struct cr_str) rows;
};

/* The row of s, a copy made in arena the first time. */
uint32_t cr_strings_intern(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* The same, giving the kept string itself. */
struct cr_str cr_strings_keep(struct cr_strings *t, struct cr_arena *arena, struct cr_str s);
/* A row for s, which no other row is equal to; its bytes stay where they are. */
void cr_strings_add(struct cr_strings *t, struct cr_str s);
void cr_strings_fini(struct cr_strings *t);

#endif
