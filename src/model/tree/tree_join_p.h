#ifndef CR_MODEL_TREE_TREE_JOIN_P_H
#define CR_MODEL_TREE_TREE_JOIN_P_H

#include "tree_p.h"

/*
 * Makes a tree of one side from subtrees directly below its root, one after the other, so that
 * besides the finished tree only one subtree needs memory.
 */
struct cr_tree_join {
	struct cr_tree *t;
	uint32_t most; /* nodes that there is room for */
	uint32_t *parent, *end, *frame, *depth;
	uint64_t *weight, *samples, *total, *total_samples;
	uint32_t *place; /* of the nodes of a subtree */
	uint32_t room;   /* nodes that `place` has room for */
};

/* t: a tree without nodes that has its frames. n: number of nodes that it will have. */
void cr_tree_join_begin(struct cr_tree_join *j, struct cr_tree *t, uint32_t n);

/*
 * Append a subtree: node 0 of raw is a child of the root. Children of the root come in the order of
 * the calls; the others are sorted as by cr_tree_finish(). The caller keeps raw's arrays. A
 * subtree for which there is no room is left out.
 */
void cr_tree_join_add(struct cr_tree_join *j, const struct cr_tree_raw *raw);

/* The tree is complete. */
void cr_tree_join_end(struct cr_tree_join *j);

#endif
