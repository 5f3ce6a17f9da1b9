#include "table_p.h"

#include <stdlib.h>

/* By the numbers of a part: those of the table being made, + 1; 0 if not met yet. */
struct met {
	uint32_t *value, *group, *code;
};

static uint32_t
value_of(struct cr_table_maker *m, const struct cr_table *part, struct met *met, uint32_t value)
{
	if (!met->value[value])
		met->value[value] = cr_table_value_intern(m, &part->values[value]) + 1;
	return met->value[value] - 1;
}

static uint32_t
tuple_of(struct cr_table_maker *m, const struct cr_table *part, struct met *met,
	struct cr_table_tuples *t, const uint32_t *values)
{
	uint32_t items[CR_TABLE_MOST] = {0};

	for (uint32_t k = 0; k < t->width; k++)
		items[k] = value_of(m, part, met, values[k]);
	return cr_table_tuple_intern(t, items);
}

static uint32_t
group_of(struct cr_table_maker *m, const struct cr_table *part, struct met *met, uint32_t group)
{
	if (!met->group[group])
		met->group[group] = tuple_of(m, part, met, &m->groups,
					    &part->groups[(size_t)group * part->n_group_keys]) +
				    1;
	return met->group[group] - 1;
}

/* frames: those of the part are those of the table. */
static uint32_t
code_of(struct cr_table_maker *m, const struct cr_table *part, struct met *met, uint32_t code,
	bool frames)
{
	if (!met->code[code]) {
		const uint32_t made = tuple_of(
			m, part, met, &m->codes, &part->codes[(size_t)code * part->n_code_keys]);

		met->code[code] = made + 1;
		if (made == m->code_frame.n)
			cr_vec_push(&m->code_frame, frames ? part->code_frame[code] : 0);
	}
	return met->code[code] - 1;
}

/* How many groups, codes and values the rows of a part refer to. */
static void
count_numbers(const struct cr_table *part, uint32_t *groups, uint32_t *codes, uint32_t *values)
{
	*groups = *codes = *values = 0;
	for (uint32_t i = 0; i < part->n; i++) {
		const struct cr_table_row *r = &part->rows[i];

		*groups = CR_MAX(*groups, r->group + 1);
		*codes = CR_MAX(*codes, r->code + 1);
	}
	for (size_t i = 0; i < (size_t)*groups * part->n_group_keys; i++)
		*values = CR_MAX(*values, part->groups[i] + 1);
	for (size_t i = 0; i < (size_t)*codes * part->n_code_keys; i++)
		*values = CR_MAX(*values, part->codes[i] + 1);
}

/*
 * Add the rows of a part as the side `side`. row_of: for the main side, by row of the part, its
 * row in the table; otherwise NULL.
 */
static void
add_part(struct cr_table_maker *m, const struct cr_table *part, uint32_t side, uint32_t *row_of)
{
	uint32_t groups, codes, values;
	struct met met;

	count_numbers(part, &groups, &codes, &values);
	met.value = cr_alloc(CR_MAX(values, 1u), sizeof(*met.value));
	met.group = cr_alloc(CR_MAX(groups, 1u), sizeof(*met.group));
	met.code = cr_alloc(CR_MAX(codes, 1u), sizeof(*met.code));
	for (uint32_t i = 0; i < part->n; i++) {
		const struct cr_table_row *r = &part->rows[i];
		const uint32_t group = group_of(m, part, &met, r->group);
		const uint32_t code = code_of(m, part, &met, r->code, row_of != NULL);
		const uint32_t row = cr_table_row_make(m, group, code);

		cr_table_costs_of(m, row)[side] = r->cost[0];
		m->rows.p[row].depth = CR_MIN(m->rows.p[row].depth, r->depth);
		if (row_of)
			row_of[i] = row;
	}
	free(met.value);
	free(met.group);
	free(met.code);
}

void
cr_table_beside(const struct cr_table *parts, uint32_t n, uint32_t main,
	const struct cr_table_spec *spec, const struct cr_tree *t, struct cr_table *out)
{
	const struct cr_table *first = &parts[main];
	uint32_t *row_of = cr_alloc(CR_MAX(first->n, 1u), sizeof(*row_of));
	struct cr_table_maker m = {.t = t, .sides = n, .h = out};

	*out = (struct cr_table){.spec = spec, .sides = n, .main = main, .beside = true};
	cr_table_maker_keys(&m);
	add_part(&m, first, main, row_of);
	for (uint32_t i = 0; i < n; i++) {
		out->whole[i] = parts[i].whole[0];
		out->whole_samples[i] = parts[i].whole_samples[0];
		if (i != main)
			add_part(&m, &parts[i], i, NULL);
	}
	out->tree_whole = first->tree_whole;
	if (t && first->node_row)
		out->node_row = cr_alloc(t->n, sizeof(*out->node_row));
	for (uint32_t i = 0; out->node_row && i < t->n; i++)
		out->node_row[i] =
			first->node_row[i] == CR_NO_ROW ? CR_NO_ROW : row_of[first->node_row[i]];
	free(row_of);
	cr_table_maker_finish(&m);
}
