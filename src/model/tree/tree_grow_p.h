#ifndef CR_MODEL_TREE_TREE_GROW_P_H
#define CR_MODEL_TREE_TREE_GROW_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Computes the tree that results when each node of an input tree is replaced by a run of frames
 * (possibly empty) below the new place of its parent. Equal frames below one parent become one
 * node. It is one pass over the input: most parents have few children, which are compared one after
 * the other, and a new node is near its parent in memory. Only children of parents with many are
 * looked up in a hash table.
 */
struct cr_growth {
	uint32_t n; /* number of nodes, in preorder; node 0 becomes the root and has frame 0 */
	const uint32_t *parent;
	const uint32_t *end; /* ends of their subtrees */
	/*
	 * By node: its parent in the new tree, a smaller number than its own; NULL: parents stay.
	 */
	const uint32_t *up;
	/*
	 * Either one frame for each node, UINT32_MAX for none; or a row for each node, whose frames
	 * are run[first[row]] up to run[first[row + 1]], exclusive.
	 */
	const uint32_t *frame;
	const uint32_t *row, *first, *run;
	const uint8_t *skip; /* by node: not 0 to leave out its subtree; NULL: none */
	bool once;           /* a frame directly below an equal frame is the same node */
	bool whole;          /* compute all of it even if the work is cancelled, see base/work.h */
};

/*
 * The new tree of n nodes: parents first. node: by node of the input, its new node, or 0 if it was
 * left out. The caller frees the arrays.
 */
struct cr_grown {
	uint32_t n;
	uint32_t *parent, *frame;
	uint32_t *node;
};

/* Compute the new tree; see struct cr_grown. */
void cr_tree_grow(const struct cr_growth *in, struct cr_grown *out);

#endif
