#include "query/table/table.h"

#include <stdlib.h>

const char *
cr_table_sort_name(enum cr_table_sort s)
{
	static const char *const names[CR_SORTS] = {
		"self", "total", "name", "dso", "delta-self", "delta-total"};

	return names[s];
}

static int32_t
delta_ppm(uint64_t was, uint64_t is, const uint64_t whole[CR_SIDES])
{
	return (int32_t)cr_share_ppm(is, whole[1]) - (int32_t)cr_share_ppm(was, whole[0]);
}

int32_t
cr_table_delta_self_ppm(const struct cr_table *h, uint32_t row)
{
	const struct cr_table_cost *c = h->rows[row].cost;

	return h->sides > 1 ? delta_ppm(c[0].self, c[1].self, h->whole) : 0;
}

int32_t
cr_table_delta_total_ppm(const struct cr_table *h, uint32_t row)
{
	const struct cr_table_cost *c = h->rows[row].cost;

	return h->sides > 1 ? delta_ppm(c[0].total, c[1].total, h->whole) : 0;
}

/* The sort key of a row: everything that its position depends on. */
struct key {
	const struct cr_table_value *value;
	uint64_t size;      /* larger ones come first */
	struct cr_str text; /* smaller ones come first */
	uint32_t i;
};

static int
by_ties(const struct key *a, const struct key *b)
{
	int c = cr_str_cmp(a->value->text, b->value->text);

	if (c == 0)
		c = cr_str_cmp(a->value->dso, b->value->dso);
	return c ? c : (a->i > b->i) - (a->i < b->i);
}

static int
by_key(const struct key *a, const struct key *b)
{
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return cr_str_cmp(a->text, b->text);
}

static int
forwards(const void *x, const void *y)
{
	const int c = by_key(x, y);

	return c ? c : by_ties(x, y);
}

static int
backwards(const void *x, const void *y)
{
	const int c = by_key(y, x);

	return c ? c : by_ties(x, y);
}

static struct key
key_of(const struct cr_table *h, enum cr_table_sort sort, uint32_t i)
{
	const struct cr_table_row *r = &h->rows[i];
	const uint32_t side = h->sides - 1;
	struct key k = {
		.value = cr_table_value(h, i, (enum cr_table_column)h->spec->keys[0]), .i = i};

	switch (sort) {
	case CR_SORT_SELF: k.size = r->cost[side].self; break;
	case CR_SORT_TOTAL: k.size = r->cost[side].total; break;
	case CR_SORT_NAME: k.text = k.value->text; break;
	case CR_SORT_DSO: k.text = k.value->dso; break;
	case CR_SORT_DELTA_SELF: k.size = (uint64_t)abs(cr_table_delta_self_ppm(h, i)); break;
	case CR_SORT_DELTA_TOTAL: k.size = (uint64_t)abs(cr_table_delta_total_ppm(h, i)); break;
	case CR_SORTS: break;
	}
	return k;
}

void
cr_table_order(const struct cr_table *h, enum cr_table_sort sort, bool reverse, uint32_t *order)
{
	struct key *keys = cr_alloc(CR_MAX(h->n, 1u), sizeof(*keys));

	for (uint32_t i = 0; i < h->n; i++)
		keys[i] = key_of(h, sort, i);
	qsort(keys, h->n, sizeof(*keys), reverse ? backwards : forwards);
	for (uint32_t i = 0; i < h->n; i++)
		order[i] = keys[i].i;
	free(keys);
}
