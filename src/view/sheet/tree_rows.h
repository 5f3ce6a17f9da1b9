#ifndef CRESSET_VIEW_SHEET_TREE_ROWS_H
#define CRESSET_VIEW_SHEET_TREE_ROWS_H

#include "base/text.h"
#include "base/vec.h"
#include "model/tree/tree.h"

/*
 * A call tree as lines that can be expanded: an open node is followed by its children. Only open
 * nodes are visited, so the time depends on the visible lines, even in a large tree.
 *
 * Children with less than the minimum extent are hidden, unless all children of their node have
 * less, or they were revealed. A node that is the only visible child is not indented, so that a
 * long chain of calls stays readable.
 */
struct cr_tree_row {
	uint32_t node;
	uint32_t head;  /* row of the first node of its chain; itself if it begins one */
	uint32_t up;    /* row of the head of the enclosing chain; CR_NO_ROW if none */
	uint32_t level; /* indent level */
	bool last;      /* for a head: no sibling of the chain follows */
};

struct cr_tree_rows {
	const struct cr_tree *t; /* borrowed */
	uint8_t *flags;          /* by node */
	uint64_t least;          /* minimum extent; 0: everything is shown */
	const uint8_t *kept; /* by node: 0 if it is hidden, whatever it costs; borrowed; or NULL */
	CR_VEC(struct cr_tree_row) rows; /* in the order of their nodes */
	uint32_t *row_at;                /* by depth: scratch buffer of cr_tree_rows_make() */
};

/* Begin with all nodes closed and no rows. */
void cr_tree_rows_init(struct cr_tree_rows *r, const struct cr_tree *t);
void cr_tree_rows_fini(struct cr_tree_rows *r);

/*
 * Make the rows of the nodes below root, which counts as open, and with with_root also a row for
 * root itself. Time grows with the rows and the siblings of hidden nodes.
 */
void cr_tree_rows_make(struct cr_tree_rows *r, uint32_t root, bool with_root);

/* The row of a node; CR_NO_ROW if it is hidden. */
uint32_t cr_tree_rows_of(const struct cr_tree_rows *r, uint32_t node);

/* True if the node has children, visible or not. */
bool cr_tree_rows_can_open(const struct cr_tree_rows *r, uint32_t node);
bool cr_tree_rows_is_open(const struct cr_tree_rows *r, uint32_t node);

/* These functions change what the next cr_tree_rows_make() makes. */
void cr_tree_rows_open(struct cr_tree_rows *r, uint32_t node, bool open);
/* Show all children of a node, however small. */
void cr_tree_rows_show_all(struct cr_tree_rows *r, uint32_t node);
/* Open all rows whose children are large enough to be shown. */
void cr_tree_rows_open_more(struct cr_tree_rows *r);
/* Open all ancestors of this node, and show it and them, however small. */
void cr_tree_rows_reveal(struct cr_tree_rows *r, uint32_t node);
/*
 * Open node, its costliest child, and so on, while that has at least half of its parent. Returns
 * the last one.
 */
uint32_t cr_tree_rows_open_path(struct cr_tree_rows *r, uint32_t node);
/* Open the nodes less than `levels` below root, and close all others below it. */
void cr_tree_rows_open_levels(struct cr_tree_rows *r, uint32_t root, uint32_t levels);
/*
 * Open the costliest closed visible node repeatedly, until there are about `rows` rows. Makes the
 * rows.
 */
void cr_tree_rows_open_costliest(
	struct cr_tree_rows *r, uint32_t root, bool with_root, uint32_t rows);

#define CR_TREE_ROWS_GUIDE 64u /* maximum width of tree lines in cells */

/*
 * Append the tree lines and the mark before the name of a row, in at most `cells` cells and
 * CR_TREE_ROWS_GUIDE. If a row is indented further, the outermost lines are omitted.
 */
void cr_tree_rows_put_guide(const struct cr_tree_rows *r, uint32_t row, uint32_t cells,
	bool unicode, struct cr_text *out);

#endif
