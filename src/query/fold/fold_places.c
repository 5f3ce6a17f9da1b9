#include "base/hash.h"
#include "base/vec.h"
#include "base/work.h"
#include "fold_p.h"

#include <stdlib.h>

#define ROWS 4096 /* processed together */

/* Where the stacks of a group that end at a row of the template are in the tree. */
struct spot {
	uint32_t group1; /* + 1; 0: none yet */
	uint32_t row, node;
};

struct placer {
	const struct cr_fold_template *s;
	const struct cr_tree *t;
	struct cr_fold_template_groups groups;
	uint32_t *way;
	struct cr_index children; /* nodes of t by parent and frame */
	struct spot *first;       /* by row of the template: the first group seen there */
	struct cr_index further;  /* by row and group: the others */
	CR_VEC(struct spot) spots;
	CR_VEC(uint32_t) path; /* rows to walk down */
};

static uint32_t
child_of(const struct placer *g, uint32_t parent, uint32_t frame)
{
	uint32_t node;

	cr_index_each(&g->children, cr_hash_mix(parent, frame), node)
		if (g->t->parent[node] == parent && g->t->frame[node] == frame && node)
			return node;
	return CR_NO_ROW;
}

/* The known place of a group and row; NULL if there is none yet. */
static const struct spot *
spot_find(const struct placer *g, uint32_t group, uint32_t row)
{
	uint32_t at;

	if (g->first[row].group1 == group + 1)
		return &g->first[row];
	cr_index_each(&g->further, cr_hash_mix(row, group), at)
		if (g->spots.p[at].row == row && g->spots.p[at].group1 == group + 1)
			return &g->spots.p[at];
	return NULL;
}

static void
spot_add(struct placer *g, uint32_t group, uint32_t row, uint32_t node)
{
	const struct spot new = {group + 1, row, node};

	if (!g->first[row].group1) {
		g->first[row] = new;
		return;
	}
	cr_index_add(&g->further, cr_hash_mix(row, group), (uint32_t)g->spots.n);
	cr_vec_push(&g->spots, new);
}

/* The node that the stacks of a group are below. */
static uint32_t
top_of(const struct placer *g, uint32_t group)
{
	uint32_t node = 0;

	for (uint32_t k = 0; k < g->groups.n_keys && node != CR_NO_ROW; k++)
		node = child_of(g, node,
			g->s->n_frames + g->groups.way[(size_t)group * g->groups.n_keys + k]);
	return node;
}

/* Walk up to a row whose place is known, then down. */
static uint32_t
place_of(struct placer *g, uint32_t group, uint32_t row)
{
	const struct spot *known;
	uint32_t node;

	g->path.n = 0;
	while (!(known = spot_find(g, group, row)) && row) {
		cr_vec_push(&g->path, row);
		row = g->s->parent[row];
	}
	node = known ? known->node : top_of(g, group);
	if (!known)
		spot_add(g, group, 0, node);
	while (g->path.n) {
		row = g->path.p[--g->path.n];
		if (node != CR_NO_ROW)
			node = child_of(g, node, g->s->frame[row]);
		spot_add(g, group, row, node);
	}
	return node;
}

static void
placer_init(struct placer *g, const struct cr_fold_template *s, struct cr_grouping *groups,
	const struct cr_tree *t)
{
	*g = (struct placer){.s = s, .t = t, .first = cr_alloc(s->n, sizeof(*g->first))};
	cr_grouping_ways(groups, &g->groups, &g->way);
	for (uint32_t n = 1; n < t->n; n++)
		cr_index_add(&g->children, cr_hash_mix(t->parent[n], t->frame[n]), n);
}

static void
placer_fini(struct placer *g)
{
	cr_index_fini(&g->children);
	cr_index_fini(&g->further);
	cr_vec_fini(&g->spots);
	cr_vec_fini(&g->path);
	free(g->first);
	free(g->way);
}

/* The columns and numbers that the place of a row depends on. */
struct rows {
	const struct cr_fold_template *s;
	struct cr_grouping *groups;
	struct cr_selector *selector;
	const uint32_t *nodes; /* by row */
	bool by_node;
};

/* Place the selected rows of [from, to), at most ROWS. */
static void
place_rows(struct placer *g, const struct rows *r, uint64_t from, uint64_t to, uint32_t *place)
{
	uint8_t select[ROWS];
	uint32_t group[ROWS];
	bool grouped;

	cr_selector_rows(r->selector, from, to, select);
	grouped = cr_grouping_rows(r->groups, r->selector, from, to, NULL, group);
	for (uint64_t i = from; i < to; i++) {
		uint32_t number = grouped ? group[i - from] : 0;

		if (!select[i - from])
			continue;
		if (r->by_node)
			number = cr_grouping_of_node(r->groups, number, r->nodes[i]);
		place[i] = place_of(g, number, r->s->row_of_node[r->nodes[i]]);
	}
}

void
cr_fold_places(const struct cr_fold_template *s, struct cr_grouping *groups,
	struct cr_selector *selector, const struct cr_tree *t, uint32_t *place)
{
	const struct rows r = {s, groups, selector, cr_selector_column(selector, CR_SAMPLE_NODE),
		cr_grouping_by_node(groups)};
	uint64_t row = 0, end;
	bool wanted = true;
	struct placer g;

	placer_init(&g, s, groups, t);
	for (; wanted && cr_selector_next(selector, &row, &end); row = end)
		for (uint64_t to; wanted && row < end; row = to) {
			to = CR_MIN(end, row + ROWS);
			place_rows(&g, &r, row, to, place);
			wanted = cr_work_step("samples", to, selector->p->samples.n);
		}
	placer_fini(&g);
}
