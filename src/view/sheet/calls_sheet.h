#ifndef CRESSET_VIEW_SHEET_CALLS_SHEET_H
#define CRESSET_VIEW_SHEET_CALLS_SHEET_H

#include "model/tree/tree.h"
#include "view/sheet/sheet.h"

/*
 * The callers or the callees of a function as a sheet: a row for each node of a tree that
 * CR_TRANSFORM_CALLERS or CR_TRANSFORM_CALLEES made, moved in by its depth.
 */
enum cr_calls_column {
	CR_CALLS_EVENT,
	CR_CALLS_WHOLE_SHARE, /* of all that was selected */
	CR_CALLS_SHARE,       /* of the stacks with the function */
	CR_CALLS_SAMPLES,
	CR_CALLS_DSO,
	CR_CALLS_SYMBOL, /* moved in by the depth */
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
	uint32_t side;           /* whose costs are shown */
	uint64_t whole;          /* of all that was selected */
	uint32_t *nodes;         /* by row: what it stands for */
	uint32_t n;
	uint32_t left_out;   /* rows over the limit */
	struct cr_text made; /* the text of a cell that no tree has */
};

/* No rows yet. whole: the weight of all that was selected, function or not. */
void cr_calls_init(struct cr_calls *c, const struct cr_tree *t, uint32_t side, uint64_t whole);
void cr_calls_fini(struct cr_calls *c);

/*
 * A row for each node but those with less than `percent` of the function's cost, those more than
 * `depth` calls away from it (0: any), and those over `limit` rows (0: none). What is below a node
 * that is left out is left out too.
 */
void cr_calls_choose(struct cr_calls *c, double percent, uint32_t depth, uint32_t limit);

/* Columns, rows and cells of the sheet; the rest of it is the caller's. */
void cr_calls_sheet(struct cr_calls *c, struct cr_sheet *out);

#endif
