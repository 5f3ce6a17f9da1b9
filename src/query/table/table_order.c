#include "query/table/table.h"

#include "base/hash.h"
#include "base/order.h"
#include "base/vec.h"

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

/* ---- sorting */

/* Rows that are being sorted, each with the key of the current step. */
struct order {
	const struct cr_table *h;
	struct cr_keyed *rows, *room;
};

static const struct cr_table_value *
value_of(const struct cr_table *h, uint32_t row)
{
	return cr_table_value(h, row, (enum cr_table_column)h->spec->keys[0]);
}

/* Larger ones come first. */
static uint64_t
size_of(const struct cr_table *h, enum cr_table_sort sort, uint32_t row)
{
	const struct cr_table_cost *c = &h->rows[row].cost[h->sides - 1];

	switch (sort) {
	case CR_SORT_SELF: return c->self;
	case CR_SORT_TOTAL: return c->total;
	case CR_SORT_DELTA_SELF: return (uint64_t)abs(cr_table_delta_self_ppm(h, row));
	case CR_SORT_DELTA_TOTAL: return (uint64_t)abs(cr_table_delta_total_ppm(h, row));
	default: return 0;
	}
}

static void
by_names(struct order *o)
{
	for (uint32_t i = 0; i < o->h->n; i++)
		o->rows[i] = (struct cr_keyed){o->h->name_rank[i], i};
	cr_keyed_sort(o->rows, o->room, o->h->n);
}

/* Rows that are in the order of names get the ranks of their texts as keys. */
static void
set_text_keys(struct order *o)
{
	uint64_t rank = 0;

	for (uint32_t i = 0; i < o->h->n; i++) {
		rank += i && !cr_str_eq(value_of(o->h, o->rows[i - 1].item)->text,
				     value_of(o->h, o->rows[i].item)->text);
		o->rows[i].key = rank;
	}
}

/* The distinct dsos of the rows. */
struct dsos {
	CR_VEC(struct cr_str) names;
	struct cr_index index;
};

static uint32_t
dso_intern(struct dsos *d, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&d->index, h, row)
		if (cr_str_eq(d->names.p[row], name))
			return row;
	cr_vec_push(&d->names, name);
	cr_index_add(&d->index, h, (uint32_t)d->names.n - 1);
	return (uint32_t)d->names.n - 1;
}

static struct cr_str
dso_name(const void *user, uint32_t i)
{
	return ((const struct dsos *)user)->names.p[i];
}

static int
compare_dsos(const void *user, uint32_t a, uint32_t b)
{
	return cr_str_cmp(dso_name(user, a), dso_name(user, b));
}

/* Rows get the ranks of their dsos as keys. */
static void
set_dso_keys(struct order *o)
{
	struct dsos dsos = {.index = {0}};
	const struct cr_names names = {&dsos, dso_name, compare_dsos};
	uint32_t *order, *rank;

	for (uint32_t i = 0; i < o->h->n; i++)
		o->rows[i].key = dso_intern(&dsos, value_of(o->h, o->rows[i].item)->dso);
	order = cr_names_order(&names, (uint32_t)dsos.names.n);
	rank = cr_alloc(CR_MAX(dsos.names.n, (size_t)1), sizeof(*rank));
	for (uint32_t i = 0; i < dsos.names.n; i++)
		rank[order[i]] = i;
	for (uint32_t i = 0; i < o->h->n; i++)
		o->rows[i].key = rank[o->rows[i].key];
	free(order);
	free(rank);
	cr_vec_fini(&dsos.names);
	cr_index_fini(&dsos.index);
}

/* The order of the rows in the table: by falling self, then total, then name. */
static void
by_rows(struct order *o)
{
	for (uint32_t i = 0; i < o->h->n; i++)
		o->rows[i].item = i;
}

/* Rows with equal keys stay in the order before, also if the others are reversed. */
void
cr_table_order(const struct cr_table *h, enum cr_table_sort sort, bool reverse, uint32_t *order)
{
	const uint64_t n = CR_MAX(h->n, 1u);
	struct order o = {h, cr_alloc(n, sizeof(*o.rows)), cr_alloc(n, sizeof(*o.room))};
	const bool by_text = sort == CR_SORT_NAME || sort == CR_SORT_DSO;

	if (sort == CR_SORT_SELF)
		by_rows(&o);
	else
		by_names(&o);
	if (sort == CR_SORT_NAME)
		set_text_keys(&o);
	else if (sort == CR_SORT_DSO)
		set_dso_keys(&o);
	for (uint32_t i = 0; i < h->n; i++) {
		if (!by_text)
			o.rows[i].key = size_of(h, sort, o.rows[i].item);
		if (by_text == reverse)
			o.rows[i].key = ~o.rows[i].key;
	}
	cr_keyed_sort(o.rows, o.room, h->n);
	for (uint32_t i = 0; i < h->n; i++)
		order[i] = o.rows[i].item;
	free(o.rows);
	free(o.room);
}
