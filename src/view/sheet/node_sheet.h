#ifndef CRESSET_VIEW_SHEET_NODE_SHEET_H
#define CRESSET_VIEW_SHEET_NODE_SHEET_H

#include "base/vec.h"
#include "model/tree/tree.h"
#include "view/sheet/sheet.h"

#define CR_NODE_COLUMNS 13u /* maximum number of columns */

/*
 * Nodes of call trees as a table for programs, one row each: depth, name, dso, costs and samples;
 * with two sides those before and after. Rows are in the order in which they were added.
 */
struct cr_node_row {
	const struct cr_tree *tree; /* borrowed; all have the same number of sides */
	uint32_t node;
	uint32_t depth;   /* as printed */
	const char *part; /* what the row belongs to, such as "caller"; a literal */
};

struct cr_node_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_column columns[CR_NODE_COLUMNS];
	uint8_t what[CR_NODE_COLUMNS]; /* by column */
	CR_VEC(struct cr_node_row) rows;
};

/*
 * Begin without rows. sides: of the trees. parts: with a column for the parts. out must not move.
 * End it with cr_node_sheet_fini(); one that is all zeros need not be ended.
 */
void cr_node_sheet_init(uint32_t sides, bool parts, struct cr_node_sheet *out);
void cr_node_sheet_fini(struct cr_node_sheet *s);

void cr_node_sheet_add(struct cr_node_sheet *s, struct cr_node_row row);

#endif
