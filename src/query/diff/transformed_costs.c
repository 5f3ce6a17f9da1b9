#include "transformed_costs_p.h"

#include "base/hash.h"
#include "query/fold/fold.h"

#include <stdlib.h>

struct places {
	struct cr_tree *side[CR_SIDES], *both;
	uint32_t *node[CR_SIDES]; /* by row of the samples: its node of `both`, or CR_NO_ROW */
};

/* Continue the places of the samples of a side with those of the nodes that they are at. */
static void
follow(uint32_t *node, uint64_t n, const uint32_t *map)
{
	for (uint64_t i = 0; i < n; i++)
		if (node[i] != CR_NO_ROW)
			node[i] = map[node[i]];
}

static int
fold_side(const struct cr_parts *parts, struct cr_tree **out, uint32_t **node, struct cr_err *err)
{
	const struct cr_fold_opts opts = cr_query_opts(parts->query);
	struct cr_plan *plan = cr_plan_new(parts->p, &opts);
	const int rc = cr_plan_fold_places(plan, cr_query_filter(parts->query), out, node, err);

	cr_plan_free(plan);
	return rc;
}

static int
unite(struct places *p, const struct cr_parts *const parts[CR_SIDES], const struct cr_diff_opts *o,
	struct cr_err *err)
{
	uint32_t *map[CR_SIDES];
	const int rc = cr_diff_mapped(p->side[0], p->side[1], o, &p->both, map, err);

	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		follow(p->node[s], parts[s]->p->samples.n, map[s]);
		free(map[s]);
	}
	return rc;
}

static int
transform(struct places *p, const struct cr_parts *const parts[CR_SIDES],
	const struct cr_step *step, struct cr_err *err)
{
	struct cr_tree *next;
	uint32_t *map;
	const int rc = cr_transform_mapped(
		p->both, cr_word_info(step->word)->transform, step->arg, &next, &map, err);

	if (rc < 0)
		return rc;
	for (int s = 0; s < CR_SIDES; s++)
		follow(p->node[s], parts[s]->p->samples.n, map);
	free(map);
	cr_tree_free(p->both);
	p->both = next;
	return CR_OK;
}

static int
places_make(struct places *p, const struct cr_parts *const parts[CR_SIDES],
	const struct cr_diff_opts *o, struct cr_err *err)
{
	const struct cr_query *q = parts[1]->query;
	int rc = CR_OK;

	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++)
		rc = fold_side(parts[s], &p->side[s], &p->node[s], err);
	if (rc == CR_OK)
		rc = unite(p, parts, o, err);
	for (size_t i = 0; i < q->n && rc == CR_OK; i++)
		if (cr_word_info(q->steps[i].word)->kind == CR_WORD_TRANSFORMS)
			rc = transform(p, parts, &q->steps[i], err);
	return rc;
}

static void
places_fini(struct places *p)
{
	cr_tree_free(p->both);
	for (int s = 0; s < CR_SIDES; s++) {
		cr_tree_free(p->side[s]);
		free(p->node[s]);
	}
}

static bool
is_sampled_in_leaves(const struct cr_tree *t)
{
	return t->leaf[0] == t->weight[0] && t->leaf[1] == t->weight[1];
}

/* By node: its row. Groups are rows only as outermost frames. */
static uint32_t *
rows_of(const struct cr_tree *t, const struct cr_table *table)
{
	const bool by_group = table->spec->keys[0] == CR_TABLE_GROUP;
	uint32_t *row = cr_alloc(t->n, sizeof(*row));

	for (uint32_t n = 0; n < t->n; n++)
		row[n] = by_group && t->depth[n] != 1 ? CR_NO_ROW : table->frame_row[t->frame[n]];
	return row;
}

/*
 * By node: the row that has the self cost of its samples. A group has that of all stacks below it;
 * with leaves first, the sampled frame is the first one below the groups.
 */
static uint32_t *
self_rows_of(const struct cr_tree *t, const struct cr_table *table, const uint32_t *row)
{
	const bool by_group = table->spec->keys[0] == CR_TABLE_GROUP;
	uint8_t *above = cr_tree_above(t);
	uint32_t *self = cr_alloc(t->n, sizeof(*self));

	for (uint32_t n = 0; n < t->n; n++) {
		const bool inherits =
			by_group ? t->depth[n] > 1
				 : t->leaves_first && !above[n] && !above[t->parent[n]];

		self[n] = inherits ? self[t->parent[n]] : row[n];
	}
	free(above);
	return self;
}

static void
add_side(const struct cr_parts *parts, const struct cr_tree *t, const struct cr_table *table,
	const uint32_t *row, const uint32_t *self_row, const uint32_t *node_of_row,
	struct cr_part_costs *out)
{
	uint32_t *node = cr_alloc(parts->n_rows, sizeof(*node));

	for (uint64_t i = 0; i < parts->n_rows; i++)
		node[i] = node_of_row[parts->rows[i]];
	cr_part_costs_add(parts, &(struct cr_part_stacks){t->n, t->parent, row, self_row, node},
		table->n, out);
	free(node);
}

int
cr_transformed_costs_add(const struct cr_parts *const parts[CR_SIDES], const struct cr_diff_opts *o,
	const struct cr_table *table, struct cr_part_costs *const out[CR_SIDES], bool *done,
	struct cr_err *err)
{
	struct places p = {.both = NULL};
	const int rc = places_make(&p, parts, o, err);

	*done = rc == CR_OK && is_sampled_in_leaves(p.both);
	if (*done) {
		uint32_t *row = rows_of(p.both, table), *self = self_rows_of(p.both, table, row);

		for (int s = 0; s < CR_SIDES; s++)
			add_side(parts[s], p.both, table, row, self, p.node[s], out[s]);
		free(row);
		free(self);
	}
	places_fini(&p);
	return rc;
}
