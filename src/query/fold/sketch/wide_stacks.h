#ifndef CR_QUERY_FOLD_WIDE_STACKS_H
#define CR_QUERY_FOLD_WIDE_STACKS_H

#include "model/tree/tree_nodes.h"
#include "query/fold/fold.h"

/*
 * A tree of so many nodes that they take far more memory than the stacks that it is made of: many
 * deep stacks, of which a screen shows some hundred frames. What it is made of is kept instead: the
 * sums of all stacks. Sketches are made of them, and tables (query/table/sums/wide_table.h).
 *
 * A sketch has all children of each node of at least 1/CR_SKETCH_SHARE of the whole, as in
 * query/fold/sketch/sketch.h. A path may be open: its nodes have all their children, too, and what
 * is below the last of them is as if this was the whole. So each node of the path can be shown in
 * the full width.
 */
struct cr_wide_stacks {
	const struct cr_profile *p;
	struct cr_fold_template *template;
	/* n of them; those of a node of p's location tree may be in several groups. */
	struct cr_fold_template_sum *sums;
	size_t n, n_first; /* the first n_first are in the order of nodes */
	struct cr_fold_template_groups groups;
	uint32_t *way;
	struct cr_frame *frames; /* of the groups */
	struct cr_tree *root;    /* a tree of the root alone: event, unit, what is left out */
	uint64_t unresolved;     /* cr_tree_unresolved() of the complete tree */
	uint64_t number;         /* for the use of whoever keeps it */
	unsigned held;
};

/* True if trees of these options can be sketches: their frames have the same numbers in each. */
bool cr_plan_can_be_wide(const struct cr_plan *plan, const struct cr_filter *f);

/* True if walking rows of stacks is faster for this plan, which has been prepared. */
bool cr_plan_has_rows(const struct cr_plan *plan);

/*
 * Fold as cr_plan_fold() does; cr_plan_can_be_wide() must be true. If the tree would have more than
 * most_nodes nodes, *tree is NULL and *wide has its sums, else *wide is NULL. Free *wide with
 * cr_wide_stacks_free(), before the profile; it may outlive the plan.
 */
int cr_plan_fold_wide(struct cr_plan *plan, const struct cr_filter *f, uint64_t most_nodes,
	struct cr_tree **tree, struct cr_wide_stacks **wide, struct cr_err *err);
void cr_wide_stacks_free(struct cr_wide_stacks *w);
/* The next cr_wide_stacks_free() frees nothing. */
struct cr_wide_stacks *cr_wide_stacks_hold(struct cr_wide_stacks *w);

/*
 * The sketch in which a path of n_path frames is open, from a child of the root on; it may end in
 * frames that are not there. share: what the width is divided by, at most; CR_SKETCH_SHARE for a
 * screen. The tree, which the caller frees, may outlive w. Fails if the work is cancelled, and with
 * CR_ELIMIT as cr_plan_fold() does.
 */
int cr_wide_stacks_sketch(const struct cr_wide_stacks *w, uint32_t share, const uint32_t *path,
	uint32_t n_path, struct cr_tree **out, struct cr_err *err);

/*
 * The tree in which nodes with a total of less than cut->least are closed: the least of 1/1000000
 * of the whole + 1, twice that, and so on, of which no more than cut->most nodes have so much.
 * cut->n: how many nodes are not in it. If that least total is more than 1/share of the whole,
 * *out is NULL and *cut unchanged. Fails as cr_wide_stacks_sketch().
 */
int cr_wide_stacks_cut(const struct cr_wide_stacks *w, uint32_t share, struct cr_tree_cut *cut,
	struct cr_tree **out, struct cr_err *err);

#endif
