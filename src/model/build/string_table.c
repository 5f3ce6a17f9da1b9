#include "string_table.h"

uint32_t
cr_strings_intern(struct cr_strings *t, struct cr_arena *arena, struct cr_str s)
{
	const uint64_t h = cr_hash(s.p, s.len);
	uint32_t row;

	cr_index_each(&t->index, h, row)
		if (cr_str_eq(t->rows.p[row], s))
			return row;
	row = (uint32_t)t->rows.n;
	if (arena)
		s.p = cr_arena_copy(arena, s.p, s.len);
	cr_vec_push(&t->rows, s);
	cr_index_add(&t->index, h, row);
	return row;
}

void
cr_strings_add(struct cr_strings *t, struct cr_str s)
{
	cr_index_add(&t->index, cr_hash(s.p, s.len), (uint32_t)t->rows.n);
	cr_vec_push(&t->rows, s);
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
	cr_vec_fini(&t->rows);
}
