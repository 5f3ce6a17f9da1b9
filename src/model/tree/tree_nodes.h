#ifndef CR_MODEL_TREE_TREE_NODES_H
#define CR_MODEL_TREE_TREE_NODES_H

#include "model/tree/tree.h"

/*
 * A tree from nodes that were collected elsewhere, with few bytes for each of them. Arrays of the
 * tree that would be equal are one array.
 */
struct cr_tree_node {
	uint32_t parent; /* a smaller number; of node 0, the root, 0 */
	uint32_t frame : 31;
	uint32_t mark : 1; /* for the use of whoever collects them */
	/* Its last child and the one added before it, + 1; 0 for none. */
	uint32_t child1, next1;
	uint64_t weight; /* of the stacks that end here; with two sides, before */
};

/* Put node n, whose parent is set, at the start of its parent's list of children. */
static inline void
cr_tree_node_link(struct cr_tree_node *nodes, uint32_t n)
{
	struct cr_tree_node *parent = &nodes[nodes[n].parent];

	nodes[n].next1 = parent->child1;
	parent->child1 = n + 1;
}

struct cr_tree_nodes {
	uint32_t n;
	struct cr_tree_node *node; /* the lists of children are sorted */
	const uint64_t *after; /* by node: the weight of the second side; NULL: there is one side */
	const uint64_t *samples; /* by node, with one side; NULL: as many as the weight */
	/*
	 * By node: the total of its children that were cut off, which is part of its weight, but
	 * not of its self. NULL: none. The caller frees it.
	 */
	uint64_t *cut_off;
	/* By node: see struct cr_tree. NULL if the nodes are in no order of time. */
	uint64_t *lead;
	uint32_t wide;                 /* the side whose totals are the extents */
	const struct cr_frame *frames; /* copied; frame 0 is the root's */
	/*
	 * By frame: the whole name that siblings are sorted by, in the order of cr_tree_by_name();
	 * NULL: siblings are in the order of their numbers.
	 */
	const struct cr_str *sort_by;
	uint32_t n_frames;
};

/* What a tree lacks that has too many nodes: n nodes with a total below `least`. */
struct cr_tree_cut {
	uint32_t most, n;
	uint64_t least;
};

/* How many nodes a tree has. */
#define CR_TREE_COUNTS 64
struct cr_tree_count {
	uint64_t least;                    /* set by the caller; greater than 0 */
	uint64_t nodes;                    /* all */
	uint64_t at_least[CR_TREE_COUNTS]; /* at [i]: with a total of least << i or more */
};

/*
 * If there is one side without samples and more than cut->most nodes, cut off the smallest: the
 * others move to the front of in->node, with new lists of children. Changes in->n, in->cut_off and
 * *cut.
 */
void cr_tree_nodes_cut(struct cr_tree_nodes *in, struct cr_tree_cut *cut);

/*
 * The caller frees the result with cr_tree_free(). Nodes without weight are dropped. names:
 * the memory that names of frames are in, empty afterwards.
 */
struct cr_tree *cr_tree_from_nodes(const struct cr_tree_nodes *in, struct cr_arena *names);

#endif
