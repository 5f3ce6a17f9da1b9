#include "query/fold/node_costs.h"

#include "base/mem.h"
#include "base/work.h"
#include "model/columns.h"

#include <stdlib.h>

/* The rows that count: those of the event that sel does not leave out. */
struct counted {
	const struct cr_profile *p;
	struct cr_event_column events;
	const uint8_t *sel;
	uint8_t *event;  /* by event: 1 if it belongs to the one asked for */
	uint8_t *counts; /* by event: cr_event_counts_samples() */
	bool is_all;     /* each row counts */
};

static bool
takes(const struct counted *c, uint64_t row)
{
	return (!c->sel || c->sel[row]) && c->event[cr_event_of(&c->events, row)];
}

/*
 * True if all samples weigh the same, and the events agree in whether weights are numbers of
 * samples.
 */
static bool
are_alike(const struct cr_profile *p, uint64_t *weight, bool *counts)
{
	bool any = false;

	*counts = false;
	for (uint32_t i = 0; i < p->n_events; i++) {
		const bool here = cr_event_counts_samples(&p->events[i]);

		if (!p->events[i].samples)
			continue;
		if (any && *counts != here)
			return false;
		*counts = here;
		any = true;
	}
	return p->samples.n <= UINT32_MAX && cr_column_one_weight(p, weight);
}

unsigned
cr_node_costs_need(const struct cr_profile *p)
{
	unsigned needs = CR_NEEDS_TREE | CR_NEEDS_NODE;
	uint64_t weight;
	uint32_t event;
	bool counts;

	if (!are_alike(p, &weight, &counts))
		needs |= CR_NEEDS_WEIGHT;
	if (!cr_column_one_event(p, &event))
		needs |= CR_NEEDS_EVENT;
	return needs;
}

static void
find_events(struct counted *c, cr_event_id asked)
{
	const struct cr_profile *p = c->p;

	c->events = cr_column_events(p);
	c->event = cr_alloc(CR_MAX(p->n_events, 1u), 1);
	c->counts = cr_alloc(CR_MAX(p->n_events, 1u), 1);
	c->is_all = !c->sel;
	for (uint32_t i = 0; i < p->n_events; i++) {
		c->event[i] = cr_event_includes(p, asked, (cr_event_id){i});
		c->counts[i] = cr_event_counts_samples(&p->events[i]);
		c->is_all &= c->event[i] || !p->events[i].samples;
	}
}

static void
add_rows(const struct counted *c, struct cr_node_costs *out)
{
	const uint32_t *node = cr_column_nodes(c->p);
	const struct cr_samples *s = &c->p->samples;

	for (uint64_t i = 0; i < s->n && cr_work_at("samples", i, s->n); i++) {
		cr_samples_sweep(s, i);
		out->rows[node[i]] += c->is_all || takes(c, i);
	}
}

static void
add_weights(const struct counted *c, struct cr_node_costs *out)
{
	const uint32_t *node = cr_column_nodes(c->p);
	const uint64_t *weights = cr_column_weights(c->p);
	const struct cr_samples *s = &c->p->samples;

	for (uint64_t i = 0; i < s->n && cr_work_at("samples", i, s->n); i++) {
		const uint64_t weight = weights[i];

		cr_samples_sweep(s, i);
		if (!takes(c, i))
			continue;
		out->weight[node[i]] = cr_add_sat(out->weight[node[i]], weight);
		out->samples[node[i]] = cr_add_sat(
			out->samples[node[i]], c->counts[cr_event_of(&c->events, i)] ? weight : 1);
	}
}

static void
add_blocks(struct cr_node_costs *c, uint32_t n)
{
	const uint32_t blocks = n / CR_NODE_COSTS_BLOCK + 1;

	c->block[0] = cr_alloc(blocks, sizeof(*c->block[0]));
	if (!c->rows)
		c->block[1] = cr_alloc(blocks, sizeof(*c->block[1]));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t b = i / CR_NODE_COSTS_BLOCK;

		if (c->rows) {
			c->block[0][b] += c->rows[i];
			continue;
		}
		c->block[0][b] = cr_add_sat(c->block[0][b], c->weight[i]);
		c->block[1][b] = cr_add_sat(c->block[1][b], c->samples[i]);
	}
}

void
cr_node_costs_make(const struct cr_profile *p, cr_event_id event, const uint8_t *sel,
	struct cr_node_costs *out)
{
	struct counted c = {.p = p, .sel = sel};

	*out = (struct cr_node_costs){.rows = NULL};
	cr_needed(p, CR_NEEDS_TREE);
	find_events(&c, event);
	if (are_alike(p, &out->same, &out->is_weight)) {
		out->rows = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*out->rows));
		add_rows(&c, out);
	} else {
		out->weight = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*out->weight));
		out->samples = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*out->samples));
		add_weights(&c, out);
	}
	add_blocks(out, p->n_nodes);
	free(c.event);
	free(c.counts);
}

void
cr_node_costs_fini(struct cr_node_costs *c)
{
	free(c->rows);
	free(c->weight);
	free(c->samples);
	free(c->block[0]);
	free(c->block[1]);
	*c = (struct cr_node_costs){.rows = NULL};
}

/* ---- ranges */

static void
add_nodes(const struct cr_node_costs *c, uint32_t from, uint32_t to, uint64_t sum[2])
{
	for (uint32_t i = from; i < to; i++) {
		if (c->rows) {
			sum[0] += c->rows[i];
			continue;
		}
		sum[0] = cr_add_sat(sum[0], c->weight[i]);
		sum[1] = cr_add_sat(sum[1], c->samples[i]);
	}
}

void
cr_node_costs_of(const struct cr_node_costs *c, uint32_t from, uint32_t to, uint64_t *weight,
	uint64_t *samples)
{
	const uint32_t first = from / CR_NODE_COSTS_BLOCK + 1, last = to / CR_NODE_COSTS_BLOCK;
	uint64_t sum[2] = {0, 0};

	if (first > last) {
		add_nodes(c, from, to, sum);
	} else {
		add_nodes(c, from, first * CR_NODE_COSTS_BLOCK, sum);
		for (uint32_t b = first; b < last; b++) {
			sum[0] = cr_add_sat(sum[0], c->block[0][b]);
			if (!c->rows)
				sum[1] = cr_add_sat(sum[1], c->block[1][b]);
		}
		add_nodes(c, last * CR_NODE_COSTS_BLOCK, to, sum);
	}
	if (!c->rows) {
		*weight = sum[0];
		*samples = sum[1];
		return;
	}
	*weight = cr_mul_sat(sum[0], c->same);
	*samples = c->is_weight ? *weight : sum[0];
}
