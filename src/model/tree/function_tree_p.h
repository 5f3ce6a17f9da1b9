#ifndef CR_MODEL_TREE_FUNCTION_TREE_P_H
#define CR_MODEL_TREE_FUNCTION_TREE_P_H

#include "model/tree/path_sums.h"

/*
 * Makes the tree of functions of sorted sums, below their comms. See tree_walk_p.h.
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
 * if the tree would have more than most_nodes nodes; each comm counts, also without samples.
 */
bool cr_function_tree_make(const struct cr_profile *p, struct cr_path_sums_sorted *sums,
	uint32_t main, uint64_t most_nodes, struct cr_arena *arena, struct cr_function_tree *out);

#endif
