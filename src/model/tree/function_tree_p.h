#ifndef CR_MODEL_TREE_FUNCTION_TREE_P_H
#define CR_MODEL_TREE_FUNCTION_TREE_P_H

#include "model/tree/path_sums.h"

/*
 * Makes the tree of functions of sorted sums: each location becomes a run of its functions, the
 * outermost first, and equal functions below one parent become one node.
 *
 * It is one walk from the root down. A node stands for a set of places in the location tree, and
 * its children are the next functions of all of them. So a node is written once, at its final
 * number, and besides the tree only the siblings on the way down need memory. What is below a node
 * of the location tree is a range of the sorted pairs, so its total is a difference of two running
 * sums.
 */
struct cr_function_tree {
	uint32_t n, n_frames;
	const uint32_t *parent, *frame; /* by node, in preorder */
	/* By frame: row of the functions, or CR_NO_ROW and a comm; frame 0 is the root's. */
	const uint32_t *frame_function;
	const struct cr_str *frame_comm;
};

/*
 * Siblings are sorted by falling total of the column `main`, then by name. The node of each pair
 * becomes its node of the tree. The arrays belong to the arena. Returns false, and makes nothing,
 * if the tree would have more than most_nodes nodes; each comm counts for one.
 */
bool cr_function_tree_make(const struct cr_profile *p, struct cr_path_sums_sorted *sums,
	uint32_t main, uint64_t most_nodes, struct cr_arena *arena, struct cr_function_tree *out);

#endif
