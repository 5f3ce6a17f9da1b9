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

static uint32_t
entry_of(entry_vec *entries, struct cr_index *ix, uint32_t parent, uint32_t level, uint32_t row,
	const struct cr_table_value *value)
{
	const uint64_t h = cr_hash_mix((uintptr_t)value, parent);
	uint32_t k;

	cr_index_each(ix, h, k)
		if (entries->p[k].parent == parent && entries->p[k].value == value)
			return k;
	cr_vec_push(entries,
		((struct entry){
			.line = {.row = row, .level = level}, .parent = parent, .value = value}));
	cr_index_add(ix, h, (uint32_t)entries->n - 1);
	return (uint32_t)entries->n - 1;
}

static void
add_row(const struct cr_table *h, uint32_t row, entry_vec *entries, struct cr_index *ix)
{
	const struct cr_table_row *r = &h->rows[row];
	uint32_t parent = CR_NO_ROW;

	for (uint32_t level = 0; level < h->spec->n_keys; level++) {
		const struct cr_table_value *v =
			cr_table_value(h, row, (enum cr_table_column)h->spec->keys[level]);
		struct cr_table_line *line;

		parent = entry_of(entries, ix, parent, level, row, v);
		line = &entries->p[parent].line;
		line->self = cr_add_sat(line->self, r->cost[0].self);
		line->samples = cr_add_sat(line->samples, r->cost[0].self_samples);
		line->kernel = cr_add_sat(line->kernel, r->cost[0].kernel);
		line->user = cr_add_sat(line->user, r->cost[0].user);
	}
}

/* An enclosing level comes first; otherwise the levels where the two differ decide. */
static int
compare(const void *x, const void *y, void *all)
{
	const struct entry *entries = all;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t level_a = entries[a].line.level, level_b = entries[b].line.level;

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
	if (entries[a].line.self != entries[b].line.self)
		return entries[a].line.self < entries[b].line.self ? 1 : -1;
	return cr_table_value_cmp(entries[a].value, entries[b].value);
}

struct cr_table_line *
cr_table_levels(const struct cr_table *h, uint32_t *n)
{
	struct cr_table_line *lines;
	struct cr_index ix = {0};
	entry_vec entries = {0};
	uint32_t *order;

	for (uint32_t i = 0; i < h->n; i++)
		if (h->rows[i].cost[0].self || h->rows[i].cost[0].self_samples)
			add_row(h, i, &entries, &ix);
	*n = (uint32_t)entries.n;
	order = cr_alloc(entries.n + 1, sizeof(*order));
	lines = cr_alloc(entries.n + 1, sizeof(*lines));
	for (uint32_t i = 0; i < *n; i++)
		order[i] = i;
	if (*n)
		qsort_r(order, *n, sizeof(*order), compare, entries.p);
	for (uint32_t i = 0; i < *n; i++)
		lines[i] = entries.p[order[i]].line;
	free(order);
	cr_vec_fini(&entries);
	cr_index_fini(&ix);
	return lines;
}
