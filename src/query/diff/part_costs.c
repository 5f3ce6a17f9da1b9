#include "part_costs_p.h"

#include "base/hash.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

/* The samples of a side, sorted by node, so that those of a subtree are a range. */
struct located {
	const struct cr_parts *parts;
	uint64_t n;      /* number of samples that are at a node */
	uint32_t *first; /* by node: its first sample; one more node */
	uint16_t *part;  /* by sample, sorted */
	double *cost;    /* likewise; NULL if all have the weight of the parts */
	/*
	 * [k * parts + part]: the costs of the first k * spacing samples. The costs of a long range
	 * are the difference of two of these, and those of a few samples at its ends.
	 */
	double *sums;
	uint32_t spacing;
};

#define SPACING_LEAST 64
#define SPACING_PARTS 4 /* more parts: the sums take about as much memory as the samples */

static void
locate(const struct cr_part_stacks *t, struct located *l)
{
	const struct cr_parts *parts = l->parts;
	uint32_t *next;

	l->first = cr_alloc((uint64_t)t->n + 2, sizeof(*l->first));
	l->part = cr_alloc(parts->n_rows, sizeof(*l->part));
	if (parts->weights)
		l->cost = cr_alloc(parts->n_rows, sizeof(*l->cost));
	next = l->first + 1;
	for (uint64_t i = 0; i < parts->n_rows; i++)
		if (t->node[i] != CR_NO_ROW)
			next[t->node[i] + 1]++;
	for (uint32_t i = 0; i < t->n; i++)
		next[i + 1] += next[i];
	for (uint64_t i = 0; i < parts->n_rows; i++) {
		uint32_t at;

		if (t->node[i] == CR_NO_ROW)
			continue;
		at = next[t->node[i]]++;
		l->part[at] = parts->part_of[parts->rows[i]];
		if (l->cost)
			l->cost[at] = (double)parts->weights[parts->rows[i]];
	}
	l->n = l->first[t->n];
}

/* Add the costs of the samples [from, to), one by one. */
static void
add_samples(const struct located *l, uint64_t from, uint64_t to, double *out)
{
	const double weight = (double)l->parts->weight;

	for (uint64_t i = from; i < to; i++)
		out[l->part[i]] += l->cost ? l->cost[i] : weight;
}

static void
sum_up(struct located *l)
{
	const uint32_t parts = l->parts->n;
	const uint64_t n = l->n;

	l->spacing = CR_MAX(SPACING_PARTS * parts, SPACING_LEAST);
	l->sums = cr_alloc((n / l->spacing + 1) * parts, sizeof(*l->sums));
	for (uint64_t k = 1; k <= n / l->spacing; k++) {
		memcpy(l->sums + k * parts, l->sums + (k - 1) * parts, parts * sizeof(*l->sums));
		add_samples(l, (k - 1) * l->spacing, k * l->spacing, l->sums + k * parts);
	}
}

/* Add the costs of the samples [from, to). */
static void
add_range(const struct located *l, uint64_t from, uint64_t to, double *out)
{
	const uint32_t parts = l->parts->n;
	const uint64_t first = (from + l->spacing - 1) / l->spacing, last = to / l->spacing;
	const double *before = l->sums + first * parts, *after = l->sums + last * parts;

	if (first >= last) {
		add_samples(l, from, to, out);
		return;
	}
	add_samples(l, from, first * l->spacing, out);
	for (uint32_t i = 0; i < parts; i++)
		out[i] += after[i] - before[i];
	add_samples(l, last * l->spacing, to, out);
}

static void
located_fini(struct located *l)
{
	free(l->first);
	free(l->part);
	free(l->cost);
	free(l->sums);
}

/* The walk over the stacks. Levels are the nodes of the path to the current one. */
struct walk {
	const struct cr_part_stacks *t;
	const struct located *samples;
	uint32_t parts;
	struct cr_part_costs *out;
	uint32_t *on_path; /* by row: its nodes on the path */
	uint32_t depth;    /* number of levels */
	struct level {
		uint32_t node, row;
	} * levels;
};

/* A row has the total of its outermost node alone. next: the node after the subtree. */
static void
leave(struct walk *w, uint32_t next)
{
	const struct level *l = &w->levels[--w->depth];

	if (l->row != CR_NO_ROW && --w->on_path[l->row] == 0)
		add_range(w->samples, w->samples->first[l->node], w->samples->first[next],
			w->out->total + (size_t)l->row * w->parts);
}

static void
enter(struct walk *w, uint32_t node)
{
	const uint32_t row = w->t->row[node], self_row = w->t->self_row[node];

	w->levels[w->depth++] = (struct level){node, row};
	if (self_row != CR_NO_ROW)
		add_range(w->samples, w->samples->first[node], w->samples->first[node + 1],
			w->out->self + (size_t)self_row * w->parts);
	if (row != CR_NO_ROW)
		w->on_path[row]++;
}

static void
walk_stacks(struct walk *w)
{
	for (uint32_t n = 0; n < w->t->n && cr_work_at("stacks", n, w->t->n); n++) {
		while (w->depth && n && w->levels[w->depth - 1].node != w->t->parent[n])
			leave(w, n);
		enter(w, n);
	}
	while (w->depth)
		leave(w, w->t->n);
	add_range(w->samples, 0, w->samples->first[w->t->n], w->out->whole);
}

void
cr_part_costs_add(const struct cr_parts *parts, const struct cr_part_stacks *stacks,
	uint32_t n_rows, struct cr_part_costs *out)
{
	const uint32_t most = cr_tree_depth(stacks->parent, stacks->n) + 1;
	struct located samples = {.parts = parts};
	struct walk w = {.t = stacks,
		.samples = &samples,
		.parts = parts->n,
		.out = out,
		.on_path = cr_alloc(n_rows, sizeof(*w.on_path)),
		.levels = cr_alloc(most, sizeof(*w.levels))};

	locate(stacks, &samples);
	sum_up(&samples);
	walk_stacks(&w);
	located_fini(&samples);
	free(w.on_path);
	free(w.levels);
}
