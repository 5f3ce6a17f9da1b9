#ifndef CR_MODEL_TREE_STACK_ROWS_P_H
#define CR_MODEL_TREE_STACK_ROWS_P_H

#include "tree_grow_p.h"
#include "tree_walk_p.h"

/*
 * The tree that a growth results in, with its nodes in preorder. Where many nodes of the location
 * tree become one row, as addresses of the same functions do, a walk over the rows is faster than
 * one over the nodes: it does not go through all of them at once. Where locations have many frames,
 * there are more rows than nodes, and they are better not made.
 */
struct cr_stack_rows {
	uint32_t n;
	uint32_t *parent, *frame; /* by row; the caller frees them */
	uint32_t *row_of_node;    /* likewise */
};

void cr_stack_rows_make(const struct cr_growth *in, struct cr_stack_rows *out);
void cr_stack_rows_fini(struct cr_stack_rows *r);

/* True if a walk over rows is likely to be faster. Only a part of the nodes is tried. */
bool cr_stack_rows_pay(const struct cr_growth *in);

/*
 * Change the input of a walk from the nodes to the rows: locations are frames then. end and same
 * are memory for it, freed by the caller.
 */
void cr_stack_rows_walk(
	const struct cr_stack_rows *r, struct cr_tree_walk_in *in, uint32_t **end, uint32_t **same);

/*
 * Replace the nodes of pairs, which are sorted by node in each group, by their rows, and sort them
 * again. ends: by group, the end of its pairs.
 */
void cr_stack_rows_sort(const struct cr_stack_rows *r, const uint32_t *ends, uint32_t n_groups,
	uint32_t *node, uint32_t *row);

#endif
