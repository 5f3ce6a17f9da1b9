#include "group_rows_p.h"

#include "base/work.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_PER_ROW 16u             /* of all groups, each of which is looked at */
#define ROWS_MOST (UINT64_C(1) << 25) /* more would take much memory */

bool
cr_group_rows_fit(uint64_t n_groups, uint64_t n_nodes, uint64_t n_rows)
{
	return n_groups > 1 && n_rows <= ROWS_MOST && n_groups <= n_rows &&
	       n_groups * n_nodes / CELLS_PER_ROW <= n_rows;
}

void
cr_group_rows_count(
	struct cr_group_rows *r, const uint32_t *rows, uint32_t n, const uint32_t *group)
{
	for (uint32_t k = 0; k < n; k++) {
		while (group[rows[k]] >= r->ends.n)
			cr_vec_push(&r->ends, 0);
		r->ends.p[group[rows[k]]]++;
	}
	r->n += n;
}

void
cr_group_rows_begin(struct cr_group_rows *r, bool weighs)
{
	uint64_t at = 0, n;

	for (size_t g = 0; g < r->ends.n; g++, at += n) {
		n = r->ends.p[g];
		r->ends.p[g] = at; /* it becomes the end as rows are placed */
	}
	r->node = cr_realloc(NULL, r->n, sizeof(*r->node));
	if (weighs)
		r->weight = cr_realloc(NULL, r->n, sizeof(*r->weight));
}

void
cr_group_rows_put(struct cr_group_rows *r, const uint32_t *rows, uint32_t n, const uint32_t *group,
	const uint32_t *node, const uint64_t *weight)
{
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t i = rows[k];
		const uint64_t at = r->ends.p[group[i]]++;

		r->node[at] = node[i];
		if (r->weight)
			r->weight[at] = weight[i];
	}
}

/* Of a node in the group. */
struct cell {
	uint32_t *rows;
	uint64_t *weight; /* NULL if all rows weigh the same */
};

/* Add up the places [from, to). Returns how many nodes they have. */
static size_t
add_places(const struct cr_group_rows *r, uint64_t from, uint64_t to, const struct cell *c)
{
	size_t n = 0;

	for (uint64_t i = from; i < to; i++) {
		const uint32_t node = r->node[i];

		n += c->rows[node]++ == 0;
		if (c->weight)
			c->weight[node] = cr_add_sat(c->weight[node], r->weight[i]);
	}
	return n;
}

static uint64_t
begin_of(const struct cr_group_rows *r, size_t group)
{
	return group ? r->ends.p[group - 1] : 0;
}

/* How many nodes all groups have together. */
static size_t
count_sums(const struct cr_group_rows *r, uint32_t n_nodes, const struct cell *c)
{
	const struct cell rows = {c->rows, NULL};
	size_t n = 0;

	for (size_t g = 0; g < r->ends.n; g++) {
		n += add_places(r, begin_of(r, g), r->ends.p[g], &rows);
		memset(c->rows, 0, n_nodes * sizeof(*c->rows));
	}
	return n;
}

/* Move the sums of a group to out. */
static size_t
take_group(const struct cell *c, uint32_t n_nodes, uint32_t group, uint64_t weight, bool is_count,
	struct cr_fold_template_sum *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < n_nodes; i++) {
		const uint32_t rows = c->rows[i];
		uint64_t sum;

		if (!rows)
			continue;
		sum = c->weight ? c->weight[i] : cr_mul_sat(rows, weight);
		c->rows[i] = 0;
		if (c->weight)
			c->weight[i] = 0;
		if (is_count && !sum)
			continue;
		out[n++] = (struct cr_fold_template_sum){
			.weight = sum, .samples = is_count ? sum : rows, .group = group, .node = i};
	}
	return n;
}

size_t
cr_group_rows_sum(struct cr_group_rows *r, uint32_t n_nodes, uint64_t weight, bool is_count,
	struct cr_fold_template_sum **out)
{
	struct cell c = {.rows = cr_alloc(n_nodes, sizeof(*c.rows))};
	size_t n = 0;

	if (r->weight)
		c.weight = cr_alloc(n_nodes, sizeof(*c.weight));
	*out = cr_realloc(NULL, count_sums(r, n_nodes, &c), sizeof(**out));
	for (size_t g = 0; g < r->ends.n && cr_work_step("stacks", g, r->ends.n); g++) {
		add_places(r, begin_of(r, g), r->ends.p[g], &c);
		n += take_group(&c, n_nodes, (uint32_t)g, weight, is_count, *out + n);
	}
	free(c.rows);
	free(c.weight);
	cr_group_rows_fini(r);
	return n;
}

void
cr_group_rows_fini(struct cr_group_rows *r)
{
	cr_vec_fini(&r->ends);
	free(r->node);
	free(r->weight);
	*r = (struct cr_group_rows){.n = 0};
}
