#ifndef CR_QUERY_DIFF_UNION_P_H
#define CR_QUERY_DIFF_UNION_P_H

#include "model/tree/tree.h"

/* Two trees that are added up: nodes whose paths have the same frames are one node. */
struct cr_union {
	const struct cr_tree *const *side; /* CR_SIDES trees of one side each */
	uint32_t *const *frame;            /* by side and frame: its number in the builder */
	uint32_t n_frames;                 /* of the builder */
	bool grouped;                      /* otherwise stacks are added without their groups */
	/* By side: gets, by node of the tree, its node of the builder; NULL: not wanted. */
	uint32_t *const *place;
};

/*
 * Add the nodes of both trees to a builder that has only the root, each weight to its side. Time is
 * linear in the number of nodes. If the work is stopped, nodes are missing.
 */
void cr_union_add(const struct cr_union *u, struct cr_tree_builder *tb);

#endif
