#include "sum_bounds_p.h"

#include <stdlib.h>

/* ---- bounds */

/* Add up what every row of a code may have of its self cost, of all groups. */
static void
bound_self(const struct cr_sum_codes *c, bool samples, uint32_t no_code, uint64_t *bounds)
{
	const struct cr_profile *p = c->s->p;

	for (size_t i = 0; i < c->s->n; i++) {
		const struct cr_fold_template_sum *sum = &c->s->sums[i];
		const uint32_t code =
			sum->node ? cr_sum_codes_leaf(c, p->node_location[sum->node]).code
				  : no_code;

		bounds[code] = cr_add_sat(bounds[code], samples ? sum->samples : sum->weight);
	}
}

/* The same for totals: the stacks through each frame of the code, even if it is on them twice. */
static void
bound_total(const struct cr_sum_codes *c, uint32_t no_code, uint64_t *bounds)
{
	const struct cr_profile *p = c->s->p;
	uint64_t *total = cr_alloc(p->n_nodes, sizeof(*total));
	const struct cr_sum_place *k, *to;

	for (size_t i = 0; i < c->s->n; i++) {
		uint64_t *of = &total[c->s->sums[i].node];

		*of = cr_add_sat(*of, c->s->sums[i].weight);
	}
	bounds[no_code] = total[0];
	for (uint32_t n = p->n_nodes; n-- > 1;) {
		uint64_t *above = &total[p->node_parent[n]];

		if (!total[n])
			continue;
		*above = cr_add_sat(*above, total[n]);
		for (cr_sum_codes_at(c, p->node_location[n], &k, &to); k < to; k++)
			bounds[k->code] = cr_add_sat(bounds[k->code], total[n]);
	}
	free(total);
}

uint64_t *
cr_sum_bounds(const struct cr_sum_codes *c, const struct cr_table_spec *spec, uint32_t no_code)
{
	uint64_t *bounds = cr_alloc((uint64_t)c->n + 1, sizeof(*bounds));

	if (spec->order[0] == CR_TABLE_CHILDREN)
		bound_total(c, no_code, bounds);
	else
		bound_self(c, spec->order[0] == CR_TABLE_SAMPLES, no_code, bounds);
	return bounds;
}

/* Put v in the place of the least one. */
static void
heap_raise(uint64_t *heap, uint32_t n, uint64_t v)
{
	uint32_t at = 0, next;

	while ((next = 2 * at + 1) < n) {
		next += next + 1 < n && heap[next + 1] < heap[next];
		if (heap[next] >= v)
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = v;
}

uint64_t
cr_sum_bounds_nth(const struct cr_sum_codes *c, const uint64_t *bounds, uint32_t n)
{
	uint64_t *heap = cr_alloc(n, sizeof(*heap)), least;

	for (uint32_t i = 0; i < c->n; i++)
		if (bounds[i] > heap[0])
			heap_raise(heap, n, bounds[i]);
	least = heap[0];
	free(heap);
	return least;
}

/* ---- the number of rows */

/* What was met in a group of the table: its number, + 1. */
struct met {
	const struct cr_sum_codes *c;
	uint32_t *node, *code;
	uint32_t group1;
	uint64_t rows;
};

static void
meet(struct met *m, uint32_t code)
{
	m->rows += m->code[code] != m->group1;
	m->code[code] = m->group1;
}

/* All frames of a stack, as far as its nodes have not been met. */
static void
meet_stack(struct met *m, uint32_t node)
{
	const struct cr_profile *p = m->c->s->p;
	const struct cr_sum_place *k, *to;

	for (; node && m->node[node] != m->group1; node = p->node_parent[node]) {
		m->node[node] = m->group1;
		for (cr_sum_codes_at(m->c, p->node_location[node], &k, &to); k < to; k++)
			meet(m, k->code);
	}
}

uint64_t
cr_sum_rows(const struct cr_sum_codes *c, const struct cr_table_spec *spec, uint32_t no_code,
	const struct cr_sum_group *groups)
{
	const struct cr_stack_sums *s = c->s;
	struct met m = {.c = c, .code = cr_alloc((uint64_t)c->n + 1, sizeof(*m.code))};

	if (spec->children)
		m.node = cr_alloc(s->p->n_nodes, sizeof(*m.node));
	for (uint32_t g = 0; g < s->groups.n; g++) {
		const uint32_t of = groups[g].of_sums;

		m.group1 = groups[g].of_table + 1;
		for (size_t i = of ? s->ends[of - 1] : 0; i < s->ends[of]; i++) {
			const uint32_t node = s->sums[i].node;

			if (!node)
				meet(&m, no_code);
			else if (spec->children)
				meet_stack(&m, node);
			else
				meet(&m, cr_sum_codes_leaf(c, s->p->node_location[node]).code);
		}
	}
	free(m.node);
	free(m.code);
	return m.rows;
}

/* ---- chosen codes */

void
cr_sum_chosen_init(struct cr_sum_chosen *chosen, const struct cr_sum_codes *c,
	const uint64_t *bounds, uint64_t least, uint32_t no_code)
{
	const struct cr_profile *p = c->s->p;
	const struct cr_sum_place *k, *to;

	*chosen =
		(struct cr_sum_chosen){.slot = cr_alloc((uint64_t)c->n + 1, sizeof(*chosen->slot)),
			.near = cr_alloc(p->n_nodes, sizeof(*chosen->near)),
			.depth = cr_alloc(p->n_nodes, sizeof(*chosen->depth))};
	for (uint32_t i = 0; i < c->n; i++)
		chosen->slot[i] = bounds[i] >= least || i == no_code ? chosen->n++ : CR_NO_ROW;
	for (uint32_t n = 1; n < p->n_nodes; n++) {
		bool any = false;

		cr_sum_codes_at(c, p->node_location[n], &k, &to);
		chosen->depth[n] = chosen->depth[p->node_parent[n]] + (uint32_t)(to - k);
		for (; k < to; k++)
			any |= k->code != CR_SUM_NO_CODE && chosen->slot[k->code] != CR_NO_ROW;
		chosen->near[n] = any ? n : chosen->near[p->node_parent[n]];
	}
}

void
cr_sum_chosen_fini(struct cr_sum_chosen *chosen)
{
	free(chosen->slot);
	free(chosen->near);
	free(chosen->depth);
	*chosen = (struct cr_sum_chosen){0};
}
