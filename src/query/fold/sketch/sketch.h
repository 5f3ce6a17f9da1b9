#ifndef CR_QUERY_FOLD_SKETCH_H
#define CR_QUERY_FOLD_SKETCH_H

#include "query/fold/fold.h"

/*
 * The tree of stacks that are grouped by one key, as far as a flame graph shows it. With many
 * groups the complete tree has a node for each stack of each group: tens of millions, most of them
 * too narrow for any screen.
 *
 * A sketch has all children of each node of at least 1/CR_SKETCH_SHARE of the whole. Other nodes
 * are closed: nothing is below them. What is there is as in the complete tree: totals, self, and
 * the order of siblings. The subtree of one group is complete.
 */
#define CR_SKETCH_SHARE 2000u

struct cr_sketch_opts {
	uint64_t least_nodes; /* a tree that may have fewer nodes is made completely */
	uint32_t opened1;     /* the group, + 1, whose subtree is complete; 0: none */
};

struct cr_sketch {
	struct cr_tree *tree; /* NULL: there is no sketch of this query; then all is zero */
	/* All stacks without groups, complete, with the frames of the other tree. */
	struct cr_tree *plain;
	uint64_t unresolved; /* cr_tree_unresolved() of the complete tree */
};

/*
 * Fold as cr_plan_fold() does, but to a sketch, unless that is no use: the plan groups by another
 * key than pid, tid or cpu, by several, or by few; or there would be too many numbers. Fails
 * as cr_plan_fold(). The caller frees both trees.
 */
int cr_plan_sketch(struct cr_plan *plan, const struct cr_filter *f, const struct cr_sketch_opts *o,
	struct cr_sketch *out, struct cr_err *err);

/* The group, + 1, that a node of a sketch is in; 0 for the root. */
uint32_t cr_sketch_group1(const struct cr_tree *t, uint32_t node);

/* True if something is below the node that is not in the tree. */
bool cr_sketch_is_closed(const struct cr_tree *t, uint32_t node);

#endif
