#include "string_table.h"

static uint64_t
address_hash(struct cr_str s)
{
	return cr_hash_mix((uint64_t)(uintptr_t)s.p, s.len);
}

/* The row of a long string that is at the address of the row; CR_NO_ROW if there is none. */
static uint32_t
row_at(const struct cr_strings *t, struct cr_str s)
{
	const uint64_t h = address_hash(s);
	uint32_t row;

	cr_index_each(&t->by_address, h, row)
		if (t->rows.p[row].p == s.p && t->rows.p[row].len == s.len)
			return row;
	return CR_NO_ROW;
}

static uint32_t
row_add(struct cr_strings *t, struct cr_str s, uint64_t h)
{
	const uint32_t row = (uint32_t)t->rows.n;

	cr_vec_push(&t->rows, s);
	cr_index_add(&t->index, h, row);
	if (s.len >= CR_STRINGS_LONG)
		cr_index_add(&t->by_address, address_hash(s), row);
	return row;
}

uint32_t
cr_strings_intern(struct cr_strings *t, struct cr_arena *arena, struct cr_str s)
{
	uint32_t row = s.len >= CR_STRINGS_LONG ? row_at(t, s) : CR_NO_ROW;
	uint64_t h;

	if (row != CR_NO_ROW)
		return row;
	h = cr_hash(s.p, s.len);
	cr_index_each(&t->index, h, row)
		if (cr_str_eq(t->rows.p[row], s))
			return row;
	if (arena)
		s.p = cr_arena_text(arena, s.p, s.len);
	return row_add(t, s, h);
}

void
cr_strings_add(struct cr_strings *t, struct cr_str s)
{
	row_add(t, s, cr_hash(s.p, s.len));
}

struct cr_str
cr_strings_keep(struct cr_strings *t, struct cr_arena *arena, struct cr_str s)
{
	const uint32_t row = cr_strings_intern(t, arena, s); /* may move the rows */

	return t->rows.p[row];
}

void
cr_strings_fini(struct cr_strings *t)
{
	cr_index_fini(&t->index);
	cr_index_fini(&t->by_address);
	cr_vec_fini(&t->rows);
}
