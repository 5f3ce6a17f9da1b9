#include "model/max_stack.h"

#include "model/columns.h"
#include "model/tree/tree_ahead.h"

#include <stdlib.h>

/*
 * A node deeper than `most` becomes a child of its ancestor at that depth. Nodes stay in preorder:
 * all that were below that ancestor still are.
 */
void
cr_profile_cut_stacks(struct cr_profile *p, uint32_t most)
{
	uint32_t *parent, *end, *depth;

	cr_needed(p, CR_NEEDS_TREE);
	cr_tree_ahead_wait(p);
	parent = cr_arena_array(&p->arena, p->n_nodes, sizeof(*parent));
	end = cr_arena_array(&p->arena, p->n_nodes, sizeof(*end));
	depth = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*depth));
	for (uint32_t i = 0; i < p->n_nodes; i++) {
		parent[i] = p->node_parent[i];
		end[i] = p->node_end[i];
		if (!i)
			continue;
		depth[i] = depth[parent[i]] + 1;
		if (depth[i] <= most + 1)
			continue;
		/* The parent is deeper than `most`, so it was moved already. */
		parent[i] = parent[parent[i]];
		depth[i] = most + 1;
	}
	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (depth[i] > most)
			end[i] = i + 1;
	free(depth);
	p->node_parent = parent;
	p->node_end = end;
	p->default_tree = NULL;
}
