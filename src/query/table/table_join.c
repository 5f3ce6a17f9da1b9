#include "query/table/table.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
row_hash(const struct cr_table *h, uint32_t row)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < h->spec->n_keys; i++) {
		const struct cr_table_value *v =
			cr_table_value(h, row, (enum cr_table_column)h->spec->keys[i]);

		hash = cr_hash_mix(hash, cr_hash(v->text.p, v->text.len));
		hash = cr_hash_mix(hash, v->number * 4 + v->inlined * 2u + v->nameless);
	}
	return hash;
}

static bool
rows_equal(const struct cr_table *a, uint32_t i, const struct cr_table *b, uint32_t j)
{
	for (uint32_t k = 0; k < a->spec->n_keys; k++) {
		const enum cr_table_column key = (enum cr_table_column)a->spec->keys[k];
		const struct cr_table_value *v = cr_table_value(a, i, key),
					    *w = cr_table_value(b, j, key);

		if (v->number != w->number || v->inlined != w->inlined || v->kind != w->kind ||
			v->nameless != w->nameless || !cr_str_eq(v->text, w->text) ||
			!cr_str_eq(v->dso, w->dso))
			return false;
	}
	return true;
}

void
cr_table_join(struct cr_table *h, const struct cr_table *other, bool swap)
{
	struct cr_index ix = {0};
	uint32_t k;

	h->joined = cr_alloc(CR_MAX(h->n, 1u), sizeof(*h->joined));
	h->joined_whole = other->whole[0];
	for (uint32_t j = 0; j < other->n; j++)
		cr_index_add(&ix, row_hash(other, j), j);
	for (uint32_t i = 0; i < h->n; i++)
		cr_index_each(&ix, row_hash(h, i), k)
			if (rows_equal(h, i, other, k))
				h->joined[i] = other->rows[k].cost[0];
	cr_index_fini(&ix);
	if (!swap)
		return;
	h->joined_whole = h->whole[0];
	h->whole[0] = other->whole[0];
	for (uint32_t i = 0; i < h->n; i++) {
		const struct cr_table_cost own = h->rows[i].cost[0];

		h->rows[i].cost[0] = h->joined[i];
		h->joined[i] = own;
	}
}

static bool
is_latency(uint8_t column)
{
	return column == CR_TABLE_LATENCY || column == CR_TABLE_LATENCY_CHILDREN;
}

bool
cr_table_part(const struct cr_table_spec *spec, bool latency, struct cr_table_spec *out)
{
	int first = -1; /* the first cost that rows are sorted by: 1 if it is of this part */

	*out = *spec;
	out->n_order = 0;
	for (uint32_t i = 0; i < spec->n_order; i++) {
		const uint8_t column = spec->order[i];
		uint8_t as = column;

		if (column < CR_TABLE_COMM && first < 0)
			first = is_latency(column) == latency;
		if (column < CR_TABLE_COMM && is_latency(column) != latency)
			continue;
		if (is_latency(column))
			as = column == CR_TABLE_LATENCY ? CR_TABLE_SELF : CR_TABLE_CHILDREN;
		out->order[out->n_order++] = as;
	}
	return first == 1;
}
