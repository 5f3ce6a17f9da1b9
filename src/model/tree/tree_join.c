#include "tree_join_p.h"

#include "base/hash.h"

#include <stdlib.h>

/* The values are undefined: each is set once. */
static void *
array(struct cr_tree *t, uint32_t n, size_t size)
{
	return cr_arena_adopt(&t->arena, cr_realloc(NULL, n, size));
}

void
cr_tree_join_begin(struct cr_tree_join *j, struct cr_tree *t, uint32_t n)
{
	*j = (struct cr_tree_join){.t = t, .most = n};
	t->parent = j->parent = array(t, n, sizeof(*j->parent));
	t->end = j->end = array(t, n, sizeof(*j->end));
	t->frame = j->frame = array(t, n, sizeof(*j->frame));
	t->depth = j->depth = array(t, n, sizeof(*j->depth));
	t->weight[0] = j->weight = array(t, n, sizeof(*j->weight));
	t->samples[0] = j->samples = array(t, n, sizeof(*j->samples));
	t->total[0] = j->total = array(t, n, sizeof(*j->total));
	t->total_samples[0] = j->total_samples = array(t, n, sizeof(*j->total_samples));
	t->leaf[0] = t->self[0] = t->weight[0];
	t->leaf_samples[0] = t->self_samples[0] = t->samples[0];
	t->extent = t->total[0];
	t->sides = 1;
	t->n = 1;
	j->parent[0] = j->frame[0] = j->depth[0] = 0;
	j->weight[0] = j->samples[0] = j->total[0] = j->total_samples[0] = 0;
}

/* Put the nodes into their places, from node `at` of the tree on. */
static void
place_nodes(struct cr_tree_join *j, const struct cr_tree_raw *raw,
	const struct cr_tree_totals *sums, uint32_t at)
{
	for (uint32_t i = 0; i < raw->n; i++) {
		const uint32_t to = at + j->place[i];

		if (j->place[i] == CR_NO_ROW)
			continue;
		j->parent[to] = i ? at + j->place[raw->parent[i]] : 0;
		j->frame[to] = raw->frame[i];
		j->weight[to] = raw->weight[0][i];
		j->samples[to] = raw->samples[0][i];
		j->total[to] = sums->weight[i];
		j->total_samples[to] = sums->samples[i];
	}
}

/* Set depths and ends of the nodes [at, to), a subtree. */
static void
find_ends(struct cr_tree_join *j, uint32_t at, uint32_t to)
{
	for (uint32_t i = at; i < to; i++) {
		j->depth[i] = j->depth[j->parent[i]] + 1;
		j->end[i] = i + 1;
		j->t->max_depth = CR_MAX(j->t->max_depth, j->depth[i]);
	}
	for (uint32_t i = to; i-- > at + 1;)
		j->end[j->parent[i]] = CR_MAX(j->end[j->parent[i]], j->end[i]);
}

void
cr_tree_join_add(struct cr_tree_join *j, const struct cr_tree_raw *raw)
{
	struct cr_tree *t = j->t;
	struct cr_tree_totals sums;
	uint32_t n;

	if (j->room < raw->n) {
		free(j->place);
		j->room = raw->n;
		j->place = cr_realloc(NULL, j->room, sizeof(*j->place));
	}
	n = cr_tree_finish_totals(raw, t->frames, j->place, &sums);
	if (n <= j->most - t->n) {
		place_nodes(j, raw, &sums, t->n);
		find_ends(j, t->n, t->n + n);
		j->total[0] = cr_add_sat(j->total[0], sums.weight[0]);
		j->total_samples[0] = cr_add_sat(j->total_samples[0], sums.samples[0]);
		t->n += n;
	}
	free(sums.weight);
	free(sums.samples);
}

void
cr_tree_join_end(struct cr_tree_join *j)
{
	j->end[0] = j->t->n;
	free(j->place);
}
