#ifndef CRESSET_VIEW_SHEET_TREE_ROWS_H
#define CRESSET_VIEW_SHEET_TREE_ROWS_H

#include "base/text.h"
#include "base/vec.h"
#include "model/tree/tree.h"

/*
 * A call tree as lines that are opened and closed: the lines of a node that is open are followed by
 * those of its children. Only open nodes are looked into, so that making the lines of a large tree
 * takes the time of those that are shown.
 *
 * Children with less than the least extent are not shown, unless all children of their node have
 * less, or they were revealed. A node that is the only child shown is not moved in: it stands below
 * its parent, so that a long chain of calls stays readable.
 */
struct cr_tree_row {
	uint32_t node;
	uint32_t head;  /* row of the first node of its chain; itself if it begins one */
	uint32_t up;    /* row of the head of the chain that its own chain is in; CR_NO_ROW */
	uint32_t level; /* how far it is moved in */
	bool last;      /* no sibling of the chain follows; of a head */
};

struct cr_tree_rows {
	const struct cr_tree *t;         /* borrowed */
	uint8_t *flags;                  /* by node */
	uint64_t least;                  /* extent; 0: everything is shown */
	CR_VEC(struct cr_tree_row) rows; /* in the order of their nodes */
	uint32_t *row_at;                /* by depth: scratch of cr_tree_rows_make() */
};

/* All nodes are closed, and there are no rows yet. */
void cr_tree_rows_init(struct cr_tree_rows *r, const struct cr_tree *t);
void cr_tree_rows_fini(struct cr_tree_rows *r);

/*
 * Make the rows of the nodes below root, which counts as open, and if with_root a row for root
 * itself. Time grows with the rows and the siblings of those that are not shown.
 */
void cr_tree_rows_make(struct cr_tree_rows *r, uint32_t root, bool with_root);

/* The row of a node; CR_NO_ROW if it is not shown. */
uint32_t cr_tree_rows_of(const struct cr_tree_rows *r, uint32_t node);

/* True if the node has children, shown or not. */
bool cr_tree_rows_can_open(const struct cr_tree_rows *r, uint32_t node);
bool cr_tree_rows_is_open(const struct cr_tree_rows *r, uint32_t node);

/* These change what the next cr_tree_rows_make() makes. */
void cr_tree_rows_open(struct cr_tree_rows *r, uint32_t node, bool open);
/* Show the children of a node however small they are. */
void cr_tree_rows_show_all(struct cr_tree_rows *r, uint32_t node);
/* Open all rows whose children are large enough to be shown. */
void cr_tree_rows_open_more(struct cr_tree_rows *r);
/* Open all nodes above this one, and show it and them however small they are. */
void cr_tree_rows_reveal(struct cr_tree_rows *r, uint32_t node);
/*
 * Open node, its costliest child, and so on, as long as that has at least half of its parent.
 * Returns the last one.
 */
uint32_t cr_tree_rows_open_path(struct cr_tree_rows *r, uint32_t node);
/* Open the nodes less than `levels` below root, and close all others below it. */
void cr_tree_rows_open_levels(struct cr_tree_rows *r, uint32_t root, uint32_t levels);
/*
 * Open the costliest closed node that is shown, again and again, until there are about `rows` rows:
 * what is worth seeing first. Makes the rows.
 */
void cr_tree_rows_open_costliest(
	struct cr_tree_rows *r, uint32_t root, bool with_root, uint32_t rows);

#define CR_TREE_ROWS_GUIDE 64u /* cells of lines at most */

/*
 * Append what stands before the name in a row: the lines of the tree and a mark, in at most `cells`
 * cells and CR_TREE_ROWS_GUIDE. Where a row is moved in further, the outermost lines are left out.
 */
void cr_tree_rows_put_guide(const struct cr_tree_rows *r, uint32_t row, uint32_t cells,
	bool unicode, struct cr_text *out);

#endif
