#ifndef CR_MODEL_TREE_TREE_P_H
#define CR_MODEL_TREE_TREE_P_H

#include "model/tree/tree.h"

/* By frame its place in the order of cr_frame_cmp(), then of the numbers; free() it. */
uint32_t *cr_tree_finish_rank(const struct cr_frame *frames, uint32_t n);

/* A tree of frames alone, and more of them, copied. */
struct cr_tree *cr_tree_new(const struct cr_frame *frames, uint32_t n_frames,
	const struct cr_frame *more, uint32_t n_more);

/* What frames point at and nobody else owns, counted: trees that were made alike share it. */
struct cr_tree_names *cr_tree_names_new(struct cr_arena *names);   /* names is empty afterwards */
struct cr_tree_names *cr_tree_names_hold(struct cr_tree_names *n); /* NULL is none */
void cr_tree_names_join(struct cr_tree_names *n, struct cr_arena *more);
void cr_tree_names_drop(struct cr_tree_names *n);

/* Names that its frames point at and nobody else owns; names is empty afterwards. */
void cr_tree_keep(struct cr_tree *t, struct cr_arena *names);

/* A tree with the frames of another, more behind them, its names, event and unit; no nodes. */
struct cr_tree *cr_tree_new_like(
	const struct cr_tree *t, const struct cr_frame *more, uint32_t n_more);

/*
 * Nodes of a tree to be, parents before their children, siblings in any order. Arrays are from
 * malloc(). leaf and leaf_samples may be NULL: the same as weight and samples.
 */
struct cr_tree_raw {
	uint32_t n, sides;
	uint32_t *parent, *frame;
	uint64_t *weight[CR_SIDES], *samples[CR_SIDES], *leaf[CR_SIDES], *leaf_samples[CR_SIDES];
	const uint32_t
		*rank; /* by frame: its place in the order of names; NULL: names are compared */
};

/*
 * Sort, renumber in preorder, sum: t, which has its frames, gets all that is by node. raw's arrays
 * are t's or gone afterwards. map as cr_tree_builder_finish() has it. Time is linear but for
 * families of many children.
 */
void cr_tree_finish(struct cr_tree *t, struct cr_tree_raw *raw, uint32_t **map);

/*
 * The same for nodes that are in preorder, of one side, and whose arrays outlive t. False, with t
 * as it was, when siblings do not stand by falling weight or a node has nothing; of siblings that
 * weigh the same any order will do.
 */
bool cr_tree_finish_borrowed(struct cr_tree *t, uint32_t n, const uint32_t *parent,
	const uint32_t *frame, const uint64_t *weight, const uint64_t *samples);

/* The order alone: place[i] is where node i comes to stand, or CR_NO_ROW; returns how many stay. */
uint32_t cr_tree_finish_order(
	const struct cr_tree_raw *raw, const struct cr_frame *frames, uint32_t *place);

#endif
