#include "union_p.h"

#include "base/vec.h"
#include "base/work.h"

#include <stdlib.h>

/*
 * A node of the union whose children are not added yet, and the nodes of each side that it stands
 * for: a list, as frames of one side may match each other. Numbers are counted from 1; 0 ends it.
 */
struct pending {
	uint32_t node;
	uint32_t first1[CR_SIDES], last1[CR_SIDES];
};

/*
 * Nodes are taken from the end of a stack, so that nearby nodes of the sides, which are in
 * preorder, are read at about the same time. All children of a node are added at once: an array by
 * frame finds those that are there, without a lookup in a large index.
 */
struct merge {
	const struct cr_union *u;
	struct cr_tree_builder *tb;
	CR_VEC(struct pending) stack;
	uint32_t *next1[CR_SIDES]; /* by node of the side: the next one in its list */
	uint32_t *parent1;         /* by frame: the last node of the union that got such a child */
	uint32_t *at;              /* by frame: that child on the stack */
	uint64_t done, whole;
};

static void
list_add(struct merge *m, struct pending *to, int s, uint32_t node)
{
	if (to->last1[s])
		m->next1[s][to->last1[s] - 1] = node + 1;
	else
		to->first1[s] = node + 1;
	to->last1[s] = node + 1;
}

/* The child of `parent` with this frame, which is added if it is not there. */
static struct pending *
child_of(struct merge *m, uint32_t parent, uint32_t frame)
{
	if (m->parent1[frame] != parent + 1) {
		const struct pending made = {.node = cr_tree_builder_append(m->tb, parent, frame)};

		m->parent1[frame] = parent + 1;
		m->at[frame] = (uint32_t)m->stack.n;
		cr_vec_push(&m->stack, made);
	}
	return &m->stack.p[m->at[frame]];
}

/* Add the children of a node of a side, `of` standing for it. */
static void
add_children(struct merge *m, struct pending *of, int s, uint32_t node)
{
	const struct cr_tree *t = m->u->side[s];

	for (uint32_t c = node + 1; c < t->end[node]; c = t->end[c]) {
		const bool is_dropped = !m->u->grouped && t->parent[c] == 0 &&
					cr_frame_is_group(&t->frames[t->frame[c]]);
		struct pending *to =
			is_dropped ? of : child_of(m, of->node, m->u->frame[s][t->frame[c]]);

		cr_tree_builder_add(
			m->tb, to->node, (uint32_t)s, t->weight[0][c], t->samples[0][c]);
		list_add(m, to, s, c);
		if (m->u->place)
			m->u->place[s][c] = to->node;
		m->done++;
	}
}

void
cr_union_add(const struct cr_union *u, struct cr_tree_builder *tb)
{
	struct merge m = {.u = u,
		.tb = tb,
		.parent1 = cr_alloc(u->n_frames, sizeof(*m.parent1)),
		.at = cr_alloc(u->n_frames, sizeof(*m.at))};
	struct pending root = {.node = 0};
	uint64_t steps = 0;

	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_tree *t = u->side[s];

		m.whole += t->n;
		m.next1[s] = cr_alloc(t->n, sizeof(*m.next1[s]));
		cr_tree_builder_add(tb, 0, (uint32_t)s, t->weight[0][0], t->samples[0][0]);
		list_add(&m, &root, s, 0);
	}
	cr_tree_builder_expect(tb, CR_MAX(u->side[0]->n, u->side[1]->n));
	cr_vec_push(&m.stack, root);
	while (m.stack.n && ((steps++ & 0xffff) != 0 || cr_work_step("stacks", m.done, m.whole))) {
		struct pending of = m.stack.p[--m.stack.n];

		for (int s = 0; s < CR_SIDES; s++)
			for (uint32_t i = of.first1[s]; i; i = m.next1[s][i - 1])
				add_children(&m, &of, s, i - 1);
	}
	cr_vec_fini(&m.stack);
	for (int s = 0; s < CR_SIDES; s++)
		free(m.next1[s]);
	free(m.parent1);
	free(m.at);
}
