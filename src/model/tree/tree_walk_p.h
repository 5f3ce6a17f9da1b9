#ifndef CR_MODEL_TREE_TREE_WALK_P_H
#define CR_MODEL_TREE_TREE_WALK_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/tree/tree_nodes.h"
#include "tree_p.h"

#include <stdatomic.h>

/*
 * Makes a tree of frames from sums by node of the location tree: each location becomes a run of
 * frames, the outermost first, and equal frames below one parent become one node.
 *
 * It is one walk from the root down. A node stands for a set of places in the location tree, and
 * its children are the next frames of all of them. So a node is written once, at its final number,
 * and besides the tree only the siblings on the way down need memory. What is below a node of the
 * location tree is a range of the sums, so its total is a difference of two running sums.
 *
 *	cr_tree_walk_begin(&w, &in);
 *	top = cr_tree_walk_add(&w, parent, frame, lo, hi);    groups above the stacks
 *	cr_tree_walk_down(&w, top, lo, hi);                   all stacks of a group
 *	...
 *	cr_tree_walk_end(&w);                                 if nothing failed, w has the tree
 */

/* The sums: n pairs of a node and a weight, those of each group in the order of nodes. */
struct cr_tree_pairs {
	uint32_t n;
	uint32_t *node;          /* the walk replaces it by the node of the tree */
	const uint64_t *weight;  /* at [row[pair] * stride] */
	const uint64_t *samples; /* likewise; NULL: no totals are made */
	const uint32_t *row;
	size_t stride;
};

struct cr_tree_walk_in {
	/* The location tree: n nodes in preorder; the location of node 0 is unused. */
	uint32_t n_nodes;
	const uint32_t *parent, *end, *location;
	/* The frames of location i are run[first[i]] up to run[first[i + 1]], exclusive. */
	const uint32_t *first, *run;
	uint32_t n_frames; /* greater than any number in run */
	bool once;         /* a frame directly below an equal frame is the same node */
	struct cr_tree_pairs pairs;
	/* Order of siblings with equal totals: by frame. Returns < 0, 0 or > 0. */
	int (*compare)(const void *user, uint32_t a, uint32_t b);
	const void *user;
	uint64_t most_nodes;
	bool whole; /* go on even if the work is cancelled, see base/work.h */
	/* Set when a walk is stopped, and stops each that has it; NULL: there is one walk. */
	atomic_bool *stop;
	/*
	 * If this is not 0, nodes are closed whose total is less than 1/share of the total of the
	 * nearest of `path` above them, or of the root: nothing is written below a closed node, and
	 * what is there is marked with CR_WALK_BELOW. path: frames below the root, each the child
	 * of the one before it; these nodes are not closed. There are totals.
	 */
	uint32_t share;
	const uint32_t *path;
	uint32_t n_path;
	uint64_t least; /* without a share: nodes with a total of less are closed; 0: none is */
	/* If this is not NULL, nodes are only counted. Not with `once`. */
	struct cr_tree_count *count;
};

#define CR_WALK_BELOW (1u << 31) /* in the node of a pair that ends below a closed node */

/* Sums of all pairs before each, modulo 2^64, and how often that has wrapped; NULL: never. */
struct cr_running {
	uint64_t *sum;
	uint32_t *carry;
};

struct cr_tree_walk {
	struct cr_tree_walk_in in;
	/* The tree, in preorder. The totals are NULL if there are no samples. */
	uint32_t n, room;
	uint32_t *parent, *frame;
	uint64_t *total, *total_samples;
	uint64_t *least;     /* with a share: nodes below it are closed if they have less */
	uint32_t path_node;  /* the innermost node of the path that is written */
	uint32_t path_depth; /* how many of its frames are written */
	/* There are too many nodes, or the work was cancelled: the tree is not complete. */
	bool too_many, stopped;
	/* For tree_walk.c. */
	struct cr_running weight, samples;
	/* Of all nodes; or of those in `own`, with location NULL. */
	const uint32_t *end, *location;
	struct {
		CR_VEC(uint32_t) end;
		CR_VEC(struct cr_walk_run) runs;
		CR_VEC(uint32_t) frames;
	} own;
	CR_VEC(struct cr_walk_pending) pending;
	CR_VEC(struct cr_walk_place) places;
	CR_VEC(struct cr_walk_step) steps;
	CR_VEC(struct cr_sibling) siblings;
	struct cr_walk_seen *seen;
	uint32_t stamp;
	uint64_t passed; /* places, since progress was reported */
};

void cr_tree_walk_begin(struct cr_tree_walk *w, const struct cr_tree_walk_in *in);

/* The weight of the pairs [lo, hi), at most UINT64_MAX. */
uint64_t cr_tree_walk_weight(const struct cr_tree_walk *w, uint32_t lo, uint32_t hi);

/* Add a node that has the pairs [lo, hi) below it, and return it. The first one is the root. */
uint32_t cr_tree_walk_add(
	struct cr_tree_walk *w, uint32_t parent, uint32_t frame, uint32_t lo, uint32_t hi);

/* Write the nodes of all stacks of the pairs [lo, hi) below `top`. */
void cr_tree_walk_down(struct cr_tree_walk *w, uint32_t top, uint32_t lo, uint32_t hi);

/*
 * _beside(): begin another walk of the same pairs, for other groups in another thread, that has
 * only a root so far. `beside` borrows from w. _join(): put what is below its root behind the nodes
 * of w, and end it. Returns what is added to the numbers of its nodes, in its pairs too.
 */
void cr_tree_walk_beside(struct cr_tree_walk *beside, const struct cr_tree_walk *w);
uint32_t cr_tree_walk_join(struct cr_tree_walk *w, struct cr_tree_walk *beside);

/*
 * Free all but the arrays of the tree, which the caller owns. If the tree is not complete, free
 * these too and return false; then room is 0.
 */
bool cr_tree_walk_end(struct cr_tree_walk *w);

#endif
