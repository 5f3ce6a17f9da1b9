#include "view/sheet/table_sheet.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdlib.h>

/* Rows with equal values in the first keys. */
struct entry {
	struct cr_table_line line;
	uint32_t parent; /* CR_NO_ROW on the outermost level */
	const struct cr_table_value *value;
};

typedef CR_VEC(struct entry) entry_vec;

struct levels {
	const struct cr_table *h;
	entry_vec entries;
	CR_VEC(struct cr_table_cost) costs; /* h->sides of each entry */
	struct cr_index ix;
};

static uint32_t
entry_of(struct levels *l, uint32_t parent, uint32_t level, uint32_t row,
	const struct cr_table_value *value)
{
	const uint64_t h = cr_hash_mix((uintptr_t)value, parent);
	entry_vec *entries = &l->entries;
	uint32_t k;

	cr_index_each(&l->ix, h, k)
		if (entries->p[k].parent == parent && entries->p[k].value == value)
			return k;
	cr_vec_push(entries,
		((struct entry){
			.line = {.row = row, .level = level}, .parent = parent, .value = value}));
	for (uint32_t s = 0; s < l->h->sides; s++)
		cr_vec_push(&l->costs, ((struct cr_table_cost){0}));
	cr_index_add(&l->ix, h, (uint32_t)entries->n - 1);
	return (uint32_t)entries->n - 1;
}

static void
add_costs(const struct levels *l, uint32_t entry, const struct cr_table_cost *more)
{
	struct cr_table_cost *c = &l->costs.p[(size_t)entry * l->h->sides];

	for (uint32_t s = 0; s < l->h->sides; s++, c++, more++) {
		c->self = cr_add_sat(c->self, more->self);
		c->self_samples = cr_add_sat(c->self_samples, more->self_samples);
		c->kernel = cr_add_sat(c->kernel, more->kernel);
		c->user = cr_add_sat(c->user, more->user);
	}
}

static void
add_row(struct levels *l, uint32_t row)
{
	const struct cr_table *h = l->h;
	uint32_t parent = CR_NO_ROW;

	for (uint32_t level = 0; level < h->spec->n_keys; level++) {
		const struct cr_table_value *v =
			cr_table_value(h, row, (enum cr_table_column)h->spec->keys[level]);

		parent = entry_of(l, parent, level, row, v);
		add_costs(l, parent, h->rows[row].cost);
	}
}

static bool
has_self(const struct cr_table *h, uint32_t row)
{
	const struct cr_table_cost *c = h->rows[row].cost;

	for (uint32_t s = 0; s < h->sides; s++, c++)
		if (c->self || c->self_samples)
			return true;
	return false;
}

/* By the main side, then by the others. */
static int
compare_costs(const struct levels *l, uint32_t a, uint32_t b)
{
	const uint32_t sides = l->h->sides;
	const struct cr_table_cost *x = &l->costs.p[(size_t)a * sides],
				   *y = &l->costs.p[(size_t)b * sides];

	if (x[l->h->main].self != y[l->h->main].self)
		return x[l->h->main].self < y[l->h->main].self ? 1 : -1;
	for (uint32_t s = 0; s < sides; s++)
		if (x[s].self != y[s].self)
			return x[s].self < y[s].self ? 1 : -1;
	return 0;
}

/* An enclosing level comes first; otherwise the levels where the two differ decide. */
static int
compare(const void *x, const void *y, void *all)
{
	const struct levels *l = all;
	const struct entry *entries = l->entries.p;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t level_a = entries[a].line.level, level_b = entries[b].line.level;
	int c;

	while (entries[a].line.level > level_b)
		a = entries[a].parent;
	while (entries[b].line.level > level_a)
		b = entries[b].parent;
	if (a == b)
		return (level_a > level_b) - (level_a < level_b);
	while (entries[a].parent != entries[b].parent) {
		a = entries[a].parent;
		b = entries[b].parent;
	}
	c = compare_costs(l, a, b);
	return c ? c : cr_table_value_cmp(entries[a].value, entries[b].value);
}

struct cr_table_line *
cr_table_levels(const struct cr_table *h, uint32_t *n, struct cr_table_cost **costs)
{
	struct levels l = {.h = h};
	struct cr_table_line *lines;
	uint32_t *order;

	for (uint32_t i = 0; i < h->n; i++)
		if (has_self(h, i))
			add_row(&l, i);
	*n = (uint32_t)l.entries.n;
	order = cr_alloc(l.entries.n + 1, sizeof(*order));
	lines = cr_alloc(l.entries.n + 1, sizeof(*lines));
	for (uint32_t i = 0; i < *n; i++)
		order[i] = i;
	if (*n)
		qsort_r(order, *n, sizeof(*order), compare, &l);
	for (uint32_t i = 0; i < *n; i++) {
		lines[i] = l.entries.p[order[i]].line;
		lines[i].cost = &l.costs.p[(size_t)order[i] * h->sides];
	}
	*costs = l.costs.p;
	free(order);
	cr_vec_fini(&l.entries);
	cr_index_fini(&l.ix);
	return lines;
}
