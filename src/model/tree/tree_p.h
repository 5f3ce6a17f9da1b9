#ifndef CR_MODEL_TREE_TREE_P_H
#define CR_MODEL_TREE_TREE_P_H

#include "model/tree/tree.h"

/*
 * Returns an array by frame: its position in the order of cr_frame_cmp(), equal frames in order of
 * number. The caller frees it.
 */
uint32_t *cr_tree_finish_rank(const struct cr_frame *frames, uint32_t n);

/*
 * Compare the names of two siblings as the lines of folded stacks are sorted: the name of a leaf is
 * followed by a blank, another one by a semicolon. Returns < 0, 0 or > 0.
 */
int cr_tree_name_cmp(struct cr_str f, bool f_leaf, struct cr_str g, bool g_leaf);

/* A tree without nodes that has copies of `frames`, followed by copies of `more`. */
struct cr_tree *cr_tree_new(const struct cr_frame *frames, uint32_t n_frames,
	const struct cr_frame *more, uint32_t n_more);

/*
 * Frames of a tree, or names that frames point at and that the tree owns, with a reference count:
 * trees derived from one another share them. _new() moves `names` into it, _hold() adds a reference
 * (NULL is allowed), _join() moves more names into it, _drop() removes a reference.
 */
struct cr_tree_names *cr_tree_names_new(struct cr_arena *names);
struct cr_tree_names *cr_tree_names_hold(struct cr_tree_names *n);
void cr_tree_names_join(struct cr_tree_names *n, struct cr_arena *more);
void cr_tree_names_drop(struct cr_tree_names *n);

/*
 * A tree without nodes that has t's frames, followed by `more`, and t's names, event and unit. It
 * may outlive t; without `more` they share the frames.
 */
struct cr_tree *cr_tree_new_like(
	const struct cr_tree *t, const struct cr_frame *more, uint32_t n_more);

/* The ends of the subtrees of n nodes in preorder. The caller frees them. */
uint32_t *cr_tree_ends(const uint32_t *parent, uint32_t n);

/*
 * Sort siblings that are mostly sorted, or few. compare: as for qsort_r().
 */
struct cr_sibling {
	uint64_t extent;
	uint32_t node, frame;
};
void cr_tree_sort_siblings(struct cr_sibling *all, uint32_t n,
	int (*compare)(const void *a, const void *b, void *user), void *user);

/*
 * Nodes of a future tree: parents before their children, siblings in any order. The arrays come
 * from malloc(). leaf and leaf_samples may be NULL, which means equal to weight and samples.
 */
struct cr_tree_raw {
	uint32_t n, sides;
	uint32_t *parent, *frame;
	uint64_t *weight[CR_SIDES], *samples[CR_SIDES], *leaf[CR_SIDES], *leaf_samples[CR_SIDES];
	/* By frame: its position in the order of names; NULL: names are compared. */
	const uint32_t *rank;
};

/*
 * Sort the siblings, renumber in preorder and compute totals. t already has its frames; it gets the
 * arrays by node. raw's arrays are moved to t or freed. map: as for cr_tree_builder_finish(). Time
 * is linear, except for nodes with many children.
 */
void cr_tree_finish(struct cr_tree *t, struct cr_tree_raw *raw, uint32_t **map);

/*
 * Without any order or totals but those of the root: see cr_tree_builder_finish_bare(). end comes
 * from malloc(), and is moved to t; NULL: it is computed from the parents, which are otherwise not
 * used and may be NULL.
 */
void cr_tree_finish_bare(struct cr_tree *t, struct cr_tree_raw *raw, uint32_t *end);

/*
 * The same without copying, for nodes of one side that are in preorder and whose arrays outlive t.
 * Returns false and leaves t unchanged if siblings are not sorted by falling weight or a node is
 * empty. Siblings of equal weight may have any order.
 */
bool cr_tree_finish_borrowed(struct cr_tree *t, uint32_t n, const uint32_t *parent,
	const uint32_t *frame, const uint64_t *weight, const uint64_t *samples);

/*
 * Compute only the order: place[i] is the new number of node i, or CR_NO_ROW if it is dropped.
 * Returns the number of nodes that remain.
 */
uint32_t cr_tree_finish_order(
	const struct cr_tree_raw *raw, const struct cr_frame *frames, uint32_t *place);

/*
 * The same for a tree of one side whose nodes are in their final order, with their totals. t gets
 * the arrays, which come from malloc().
 */
struct cr_tree_made {
	uint32_t n;
	uint32_t *parent, *frame;
	uint64_t *weight, *samples, *total, *total_samples;
};
void cr_tree_finish_made(struct cr_tree *t, const struct cr_tree_made *made);

#endif
