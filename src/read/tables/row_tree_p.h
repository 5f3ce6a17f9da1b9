#ifndef CR_READ_TABLES_ROW_TREE_P_H
#define CR_READ_TABLES_ROW_TREE_P_H

#include "read/kit/stacks_p.h"

/*
 * Reads a table whose rows are a call tree, indented by depth: the caller of a row is the last row
 * with a smaller depth. Rows have self weights, see cr_row_tree_self(), or totals that include the
 * rows below, see cr_row_tree_total(): then self is what remains after the rows below are
 * subtracted.
 */
#define CR_ROW_TREE_TOTALS 2

struct cr_row_tree_row {
	cr_location_id location;
	cr_node_id node;                   /* unused in a tree of callers */
	uint64_t left[CR_ROW_TREE_TOTALS]; /* of its totals, minus the rows below so far */
};

/* All zero bytes, apart from s, callers, depth_first and totals, is a table without rows. */
struct cr_row_tree {
	struct cr_stacks *s;
	bool callers; /* rows below a row are its callers: the outermost rows are the leaves */
	uint32_t depth_first;                  /* depth of the outermost row */
	cr_event_id total[CR_ROW_TREE_TOTALS]; /* events of cr_row_tree_total() */
	uint32_t totals;                       /* number of totals */
	CR_VEC(struct cr_row_tree_row) open;   /* the last row and its ancestors, outermost first */
};

/*
 * Add a row, which accounts for its line. Returns false, and reports the line, if it is more than
 * one level deeper than the row before: it and the rows below it are omitted.
 */
bool cr_row_tree_row(
	struct cr_row_tree *t, uint32_t depth, cr_location_id location, struct cr_str line);

/* Add self weight to the last row; 0 adds no sample. Not for a tree of callers. */
void cr_row_tree_self(struct cr_row_tree *t, cr_event_id event, uint64_t weight);

/* Set a total of the last row, which includes the rows below it. */
void cr_row_tree_total(struct cr_row_tree *t, uint32_t total, uint64_t weight);

/* End the tree: the next row is an outermost one. */
void cr_row_tree_end(struct cr_row_tree *t);
void cr_row_tree_fini(struct cr_row_tree *t);

#endif
