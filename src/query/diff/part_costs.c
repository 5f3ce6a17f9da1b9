#include "part_costs_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "model/columns.h"

#include <stdlib.h>
#include <string.h>

/* The samples of a side by row of the template of its stacks. */
struct located {
	uint32_t *first; /* by row of the template: its first sample below; one more row */
	uint16_t *part;
	double *cost;
};

static void
locate(const struct cr_parts *parts, const struct cr_fold_template *t, struct located *out)
{
	const uint32_t *node = cr_column_nodes(parts->p);
	uint32_t *next;

	out->first = cr_alloc((uint64_t)t->n + 2, sizeof(*out->first));
	out->part = cr_alloc(parts->n_rows, sizeof(*out->part));
	out->cost = cr_alloc(parts->n_rows, sizeof(*out->cost));
	next = out->first + 1;
	for (uint64_t i = 0; i < parts->n_rows; i++)
		next[t->row_of_node[node[parts->rows[i]]] + 1]++;
	for (uint32_t i = 0; i < t->n; i++)
		next[i + 1] += next[i];
	for (uint64_t i = 0; i < parts->n_rows; i++) {
		const uint64_t row = parts->rows[i];
		const uint32_t at = next[t->row_of_node[node[row]]]++;

		out->part[at] = parts->part_of[row];
		out->cost[at] = (double)cr_parts_weight(parts, row);
	}
}

static void
located_fini(struct located *l)
{
	free(l->first);
	free(l->part);
	free(l->cost);
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
	double *costs; /* [level * parts + part]: of the subtree, as far as it was walked */
};

/* In steps of a constant length, so that the compiler makes vector instructions of them. */
static void
add_costs(double *restrict to, const double *restrict from, uint32_t n)
{
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4)
		for (uint32_t k = 0; k < 4; k++)
			to[i + k] += from[i + k];
	for (; i < n; i++)
		to[i] += from[i];
}

/* A row has the total of its outermost node alone. */
static void
leave(struct walk *w)
{
	const struct level *l = &w->levels[--w->depth];
	const double *costs = w->costs + (size_t)w->depth * w->parts;

	if (l->row != CR_NO_ROW && --w->on_path[l->row] == 0)
		add_costs(w->out->total + (size_t)l->row * w->parts, costs, w->parts);
	add_costs(w->depth ? w->costs + (size_t)(w->depth - 1) * w->parts : w->out->whole, costs,
		w->parts);
}

static void
enter(struct walk *w, uint32_t node)
{
	const uint32_t row = w->row_of[w->t->frame[node]];
	double *costs = w->costs + (size_t)w->depth * w->parts;

	w->levels[w->depth++] = (struct level){node, row};
	memset(costs, 0, w->parts * sizeof(*costs));
	for (uint32_t i = w->samples->first[node]; i < w->samples->first[node + 1]; i++)
		costs[w->samples->part[i]] += w->samples->cost[i];
	if (row == CR_NO_ROW)
		return;
	w->on_path[row]++;
	if (w->samples->first[node] < w->samples->first[node + 1])
		add_costs(w->out->self + (size_t)row * w->parts, costs, w->parts);
}

static void
walk_stacks(struct walk *w)
{
	for (uint32_t n = 0; n < w->t->n && cr_work_at("stacks", n, w->t->n); n++) {
		while (w->depth && n && w->levels[w->depth - 1].node != w->t->parent[n])
			leave(w);
		enter(w, n);
	}
	while (w->depth)
		leave(w);
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
	struct located samples;
	struct walk w = {.t = t,
		.samples = &samples,
		.row_of = row_of,
		.parts = parts->n,
		.out = out,
		.on_path = cr_alloc(table->n, sizeof(*w.on_path)),
		.levels = cr_alloc(most, sizeof(*w.levels)),
		.costs = cr_alloc((uint64_t)most * parts->n, sizeof(*w.costs))};

	locate(parts, t, &samples);
	walk_stacks(&w);
	located_fini(&samples);
	free(row_of);
	free(w.on_path);
	free(w.levels);
	free(w.costs);
	cr_fold_template_free(t);
}
