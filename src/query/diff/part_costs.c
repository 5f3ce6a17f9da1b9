#include "part_costs_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "model/columns.h"

#include <stdlib.h>
#include <string.h>

/* The samples of a side, sorted by row of the template, so that those of a subtree are a range. */
struct located {
	const struct cr_parts *parts;
	uint32_t *first; /* by row of the template: its first sample; one more row */
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

static uint32_t *
rows_of_samples(const struct cr_parts *parts, const struct cr_fold_template *t)
{
	const uint32_t *node = cr_column_nodes(parts->p);
	uint32_t *row = cr_alloc(parts->n_rows, sizeof(*row));

	for (uint64_t i = 0; i < parts->n_rows; i++)
		row[i] = t->row_of_node[node[parts->rows[i]]];
	return row;
}

/* Sort the samples by row. */
static void
locate(const struct cr_fold_template *t, struct located *l)
{
	const struct cr_parts *parts = l->parts;
	uint32_t *row = rows_of_samples(parts, t), *next;

	l->first = cr_alloc((uint64_t)t->n + 2, sizeof(*l->first));
	l->part = cr_alloc(parts->n_rows, sizeof(*l->part));
	if (parts->weights)
		l->cost = cr_alloc(parts->n_rows, sizeof(*l->cost));
	next = l->first + 1;
	for (uint64_t i = 0; i < parts->n_rows; i++)
		next[row[i] + 1]++;
	for (uint32_t i = 0; i < t->n; i++)
		next[i + 1] += next[i];
	for (uint64_t i = 0; i < parts->n_rows; i++) {
		const uint32_t at = next[row[i]]++;

		l->part[at] = parts->part_of[parts->rows[i]];
		if (l->cost)
			l->cost[at] = (double)parts->weights[parts->rows[i]];
	}
	free(row);
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
	const uint64_t n = l->parts->n_rows;

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

/* By frame of the template: its row of the table, CR_NO_ROW if it has none. */
static uint32_t *
rows_of_frames(const struct cr_fold_template *t, const struct cr_matched_frames *frames,
	const struct cr_table *table)
{
	uint32_t *row = cr_alloc(t->n_frames, sizeof(*row));

	for (uint32_t i = 0; i < t->n_frames; i++) {
		const uint32_t frame = i ? cr_matched_frames_find(frames, &t->frames[i]) : 0;

		row[i] = frame == CR_NO_ROW ? CR_NO_ROW : table->frame_row[frame];
	}
	return row;
}

/* The walk over the stacks. Levels are the nodes of the path to the current one. */
struct walk {
	const struct cr_fold_template *t;
	const struct located *samples;
	const uint32_t *row_of; /* by frame */
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
	const uint32_t row = w->row_of[w->t->frame[node]];

	w->levels[w->depth++] = (struct level){node, row};
	if (row == CR_NO_ROW)
		return;
	w->on_path[row]++;
	add_range(w->samples, w->samples->first[node], w->samples->first[node + 1],
		w->out->self + (size_t)row * w->parts);
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
cr_part_costs_add(const struct cr_parts *parts, const struct cr_matched_frames *frames,
	const struct cr_table *table, struct cr_part_costs *out)
{
	const struct cr_fold_opts fold = cr_query_opts(parts->query);
	const struct cr_fold_template_opts opts = {fold.granularity, fold.apart, fold.outermost};
	struct cr_fold_template *t = cr_fold_template_new(parts->p, &opts);
	const uint32_t most = cr_tree_depth(t->parent, t->n) + 1;
	uint32_t *row_of = rows_of_frames(t, frames, table);
	struct located samples = {.parts = parts};
	struct walk w = {.t = t,
		.samples = &samples,
		.row_of = row_of,
		.parts = parts->n,
		.out = out,
		.on_path = cr_alloc(table->n, sizeof(*w.on_path)),
		.levels = cr_alloc(most, sizeof(*w.levels))};

	locate(t, &samples);
	sum_up(&samples);
	walk_stacks(&w);
	located_fini(&samples);
	free(row_of);
	free(w.on_path);
	free(w.levels);
	cr_fold_template_free(t);
}
