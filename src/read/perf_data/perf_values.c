#include "perf_values_p.h"

static struct perf_last_value *
last_value(struct perf_values *v, uint64_t id, uint32_t tid)
{
	const uint64_t h = cr_hash_mix(id, tid);
	uint32_t row;

	cr_index_each(&v->index, h, row)
		if (v->rows.p[row].id == id && v->rows.p[row].tid == tid)
			return &v->rows.p[row];
	cr_index_add(&v->index, h, (uint32_t)v->rows.n);
	cr_vec_push(&v->rows, ((struct perf_last_value){.id = id, .tid = tid}));
	return &v->rows.p[v->rows.n - 1];
}

uint64_t
cr_perf_values_grown(struct perf_values *v, uint64_t id, uint32_t tid, uint64_t value)
{
	struct perf_last_value *last = last_value(v, id, tid);
	const uint64_t grown = value - last->value;

	last->value = value;
	return grown;
}

void
cr_perf_values_fini(struct perf_values *v)
{
	cr_vec_fini(&v->rows);
	cr_index_fini(&v->index);
}
