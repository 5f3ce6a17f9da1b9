#include "grouped_key_p.h"

#include <stdlib.h>

#define MOST_IN_TABLE ((uint64_t)1 << 22)

void
cr_tuples_of_lanes(struct cr_tuples *t, uint32_t lanes)
{
	lanes = CR_MAX(lanes, 1u); /* samples that are not selected have lane 0 */
	*t = (struct cr_tuples){.n_keys = 1, .n = lanes};
	cr_vec_reserve(&t->lane, lanes);
	for (uint32_t i = 0; i < lanes; i++)
		cr_vec_push(&t->lane, i);
}

void
cr_tuples_fini(struct cr_tuples *t)
{
	cr_vec_fini(&t->lane);
	*t = (struct cr_tuples){0};
}

void
cr_grouped_key_init(struct cr_grouped_key *j, const struct cr_tuples *a, bool grows,
	const struct cr_tuples *b, struct cr_tuples *out)
{
	*j = (struct cr_grouped_key){.a = a, .b = b, .out = out};
	*out = (struct cr_tuples){.n_keys = a->n_keys + b->n_keys};
	if (!grows && (uint64_t)a->n * b->n <= MOST_IN_TABLE)
		j->table = cr_alloc((uint64_t)a->n * b->n + 1, sizeof(*j->table));
}

static uint32_t
tuple_new(struct cr_grouped_key *j, uint32_t a, uint32_t b)
{
	for (uint32_t k = 0; k < j->a->n_keys; k++)
		cr_vec_push(&j->out->lane, j->a->lane.p[(size_t)a * j->a->n_keys + k]);
	for (uint32_t k = 0; k < j->b->n_keys; k++)
		cr_vec_push(&j->out->lane, j->b->lane.p[(size_t)b * j->b->n_keys + k]);
	return j->out->n++;
}

static uint32_t
look_up(struct cr_grouped_key *j, uint32_t a, uint32_t b)
{
	const uint64_t pair = (uint64_t)a << 32 | b, h = cr_hash_mix(a, b);
	uint32_t row;

	cr_index_each(&j->index, h, row)
		if (j->pairs.p[row] == pair)
			return row;
	cr_vec_push(&j->pairs, pair);
	row = tuple_new(j, a, b);
	cr_index_add(&j->index, h, row);
	return row;
}

uint32_t
cr_grouped_key_of(struct cr_grouped_key *j, uint32_t a, uint32_t b)
{
	uint32_t *number1;

	if (!j->table)
		return look_up(j, a, b);
	number1 = &j->table[(size_t)a * j->b->n + b];
	if (!*number1)
		*number1 = tuple_new(j, a, b) + 1;
	return *number1 - 1;
}

void
cr_grouped_key_fini(struct cr_grouped_key *j)
{
	free(j->table);
	cr_index_fini(&j->index);
	cr_vec_fini(&j->pairs);
}
