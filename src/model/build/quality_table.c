#include "quality_table_p.h"

bool
cr_quality_add(struct cr_quality_table *t, struct cr_str what, uint64_t count)
{
	const uint64_t h = cr_hash(what.p, what.len);
	uint32_t row;

	cr_index_each(&t->index, h, row) {
		struct cr_quality *q = &t->rows.p[row];

		if (!cr_str_eq(q->what, what))
			continue;
		q->count = cr_add_sat(q->count, count);
		return true;
	}
	return false;
}

void
cr_quality_append(struct cr_quality_table *t, struct cr_str what, uint64_t count)
{
	cr_index_add(&t->index, cr_hash(what.p, what.len), (uint32_t)t->rows.n);
	cr_vec_push(&t->rows, ((struct cr_quality){what, count}));
}

struct cr_quality *
cr_quality_release(struct cr_quality_table *t, uint32_t *n)
{
	struct cr_quality *rows = t->rows.p;

	*n = (uint32_t)t->rows.n;
	cr_index_fini(&t->index);
	*t = (struct cr_quality_table){0};
	return rows;
}

void
cr_quality_fini(struct cr_quality_table *t)
{
	cr_vec_fini(&t->rows);
	cr_index_fini(&t->index);
}
