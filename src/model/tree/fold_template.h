#ifndef CR_MODEL_TREE_FOLD_TEMPLATE_H
#define CR_MODEL_TREE_FOLD_TEMPLATE_H

#include "base/err.h"
#include "model/tree/location_frames.h"
#include "model/tree/tree_nodes.h"

/*
 * The frames of all locations of a profile, and all its stacks as a tree of frames without weights.
 * Every fold at one granularity shares it: no names are compared.
 */
struct cr_fold_template {
	const struct cr_profile *p;
	uint32_t n; /* rows in preorder, row 0 is the root; 0: cr_fold_template_rows() adds them */
	uint32_t n_frames;
	const uint32_t *parent, *frame;
	const uint32_t *row_of_node; /* by node of the location tree */
	/* Frame 0 is the root's; the frame of function row r is r + 1. */
	const struct cr_frame *frames;
	const uint32_t *first, *run; /* by location: see struct cr_location_frames */
	bool once;                   /* adjacent equal frames are one */
	const uint32_t *rank;        /* by frame: its position in the order of cr_frame_cmp() */
	struct cr_tree_names *names; /* names made for the frames, shared with the trees */
	struct cr_arena arena;
	uint32_t held; /* how often it was held */
};

/*
 * Borrows names from p, which must outlive it; p's locations and nodes must have been read. Time is
 * linear in the number of locations, apart from sorting the frames. The caller frees it.
 */
struct cr_fold_template *cr_fold_template_new(
	const struct cr_profile *p, const struct cr_fold_template_opts *o);
/* Make the rows, unless they are there or the work is cancelled. Trees do not need them. */
void cr_fold_template_rows(struct cr_fold_template *s);
void cr_fold_template_free(struct cr_fold_template *s);
/* The next cr_fold_template_free() frees nothing. */
struct cr_fold_template *cr_fold_template_hold(struct cr_fold_template *s);

/*
 * Give s the arena of names; they live as long as s and all its trees. names is empty afterwards.
 */
void cr_fold_template_keep(struct cr_fold_template *s, struct cr_arena *names);

/* Weight and samples of one group of stacks at a node of the location tree. */
struct cr_fold_template_sum {
	uint64_t weight;
	uint64_t samples;
	uint32_t group;
	uint32_t node;
};

/*
 * Groups that stacks are placed under. Each group is a path of frames from the root; groups with
 * the same prefix share its nodes.
 */
struct cr_fold_template_groups {
	uint32_t n;          /* 1 when n_keys is 0 */
	uint32_t n_keys;     /* number of frames of each path */
	const uint32_t *way; /* [group * n_keys + key]: number in `frames` */
	const struct cr_frame *frames;
	uint32_t n_frames;
};

/*
 * Make the tree of n sums, which may be in any order, each of another group or node. The function
 * frees sums. Empty groups and nodes are dropped. The tree, which the caller frees, may outlive s.
 * CR_ELIMIT if it would have more than CR_FOLD_TEMPLATE_NODES_MOST nodes, as with very many groups.
 */
#define CR_FOLD_TEMPLATE_NODES_MOST (1u << 25)

int cr_fold_template_tree(const struct cr_fold_template *s, struct cr_fold_template_sum *sums,
	size_t n, const struct cr_fold_template_groups *groups, struct cr_tree **out,
	struct cr_err *err);

/* Which part of a tree is made. */
struct cr_fold_template_part {
	uint32_t most_nodes; /* of a tree with more nodes, nothing is made */
	/* What is closed: see struct cr_tree_walk_in. Zeros: nothing. */
	uint32_t share;
	const uint32_t *path;
	uint32_t n_path;
	uint64_t least;
};

/*
 * The same without freeing the sums. Returns NULL if there would be too many nodes. If any node is
 * closed, the tree is a sketch.
 */
struct cr_tree *cr_fold_template_part(const struct cr_fold_template *s,
	const struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, const struct cr_fold_template_part *part);

/* Count the nodes of the tree that cr_fold_template_part() would make, without making it. */
void cr_fold_template_count(const struct cr_fold_template *s,
	const struct cr_fold_template_sum *sums, size_t n,
	const struct cr_fold_template_groups *groups, struct cr_tree_count *count);

#endif
