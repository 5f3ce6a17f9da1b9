#ifndef CRESSET_VIEW_SHEET_CALLS_SHEET_H
#define CRESSET_VIEW_SHEET_CALLS_SHEET_H

#include "model/tree/tree.h"
#include "view/sheet/sheet.h"

/*
 * Callers or callees of a function as a sheet: one row for each node of a tree made by
 * CR_TRANSFORM_CALLERS or CR_TRANSFORM_CALLEES, indented by depth.
 */
enum cr_calls_column {
	CR_CALLS_EVENT,
	CR_CALLS_WHOLE_SHARE, /* of all selected weight */
	CR_CALLS_SHARE,       /* of the stacks that contain the function */
	CR_CALLS_SAMPLES,
	CR_CALLS_DSO,
	CR_CALLS_SYMBOL, /* indented by depth */
	CR_CALLS_DEPTH,
	CR_CALLS_NAME,
	CR_CALLS_LEVEL, /* "k" or "." */
	CR_CALLS_TOTAL,
	CR_CALLS_TOTAL_SAMPLES,
	CR_CALLS_SELF,
	CR_CALLS_SELF_SAMPLES,
};

struct cr_calls {
	const struct cr_tree *t; /* borrowed */
	uint32_t side;           /* side whose costs are shown */
	uint64_t whole;          /* all selected weight */
	uint32_t *nodes;         /* by row: its node */
	uint32_t n;
	uint32_t left_out;   /* number of rows beyond the limit */
	struct cr_text made; /* text of cells that is not in the tree */
};

/* Begin without rows. whole: weight of everything selected, with or without the function. */
void cr_calls_init(struct cr_calls *c, const struct cr_tree *t, uint32_t side, uint64_t whole);
void cr_calls_fini(struct cr_calls *c);

/*
 * Make a row for each node, except those with less than `percent` of the function's cost, those
 * more than `depth` calls away from it (0: no limit), and those beyond `limit` rows (0: no limit).
 * Nodes below an omitted one are omitted too.
 */
void cr_calls_choose(struct cr_calls *c, double percent, uint32_t depth, uint32_t limit);

/* Set columns, rows and cells of the sheet; the caller sets the rest. */
void cr_calls_sheet(struct cr_calls *c, struct cr_sheet *out);

#endif
