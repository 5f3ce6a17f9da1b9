#ifndef CR_MODEL_TREE_TREE_GROW_P_H
#define CR_MODEL_TREE_TREE_GROW_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nodes that become another tree: each is a run of frames, maybe none, below what the node it hangs
 * from became; equal frames below one parent are one. Nothing is hashed: nodes are taken parent by
 * parent of the new tree, so that a mark on each frame tells whether this parent has a child of it.
 */
struct cr_growth {
	uint32_t n;          /* nodes in preorder; 0 becomes the root, which is of frame 0 */
	const uint32_t *end; /* of their subtrees */
	const uint32_t *up;  /* what they hang from, less than their number; NULL: as they stand */
	/*
	 * Either a frame each, UINT32_MAX for none, or a row, whose run is from run[first[row]] to
	 * before run[first[row + 1]].
	 */
	const uint32_t *frame;
	const uint32_t *row, *first, *run;
	bool once; /* a frame right below its equal is the same node */
	uint32_t n_frames;
};

/*
 * parent and frame: of n nodes, parents first, the children of one beside each other. node: by node
 * of the growth. All to be free()d.
 */
struct cr_grown {
	uint32_t n;
	uint32_t *parent, *frame;
	uint32_t *node;
};

void cr_tree_grow(const struct cr_growth *in, struct cr_grown *out);

#endif
