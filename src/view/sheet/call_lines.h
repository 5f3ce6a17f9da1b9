#ifndef CRESSET_VIEW_SHEET_CALL_LINES_H
#define CRESSET_VIEW_SHEET_CALL_LINES_H

#include "model/tree/tree.h"
#include "view/sheet/change_cells.h"

/*
 * Text lines for nodes of a call tree: a share with a bar, a second share, the samples, then the
 * name after whatever shows its place in the tree, and its dso. With two sides the columns of
 * change_cells.h come before the name.
 *
 * In narrow lines the samples are omitted first, then the dso, the bar and the second share.
 */
struct cr_call_lines {
	const struct cr_tree *of; /* for sides, units and the base of shares; borrowed */
	const char *share_head, *second_head; /* "TOTAL %", "SELF %"; unused with two sides */
	const char *name_head;                /* "CALL TREE" */
	bool verdicts;                        /* with two sides: lines have verdicts */
};

/* Content of one line. Numbers are in the unit of the tree. */
struct cr_call_line {
	const struct cr_frame *frame;
	bool inlined;         /* print that after the name */
	bool strong;          /* emphasise the name */
	uint64_t part, whole; /* of the first share and its bar */
	uint64_t second_part, second_whole;
	uint64_t weight, samples;      /* the tree decides which is shown */
	struct cr_change_cells change; /* with two sides, instead of all these numbers */
	/* Printed before the name: tree lines, a mark; must be safe for a terminal. */
	struct cr_str guide;
};

/* Append the line of headings, at most `cells` cells (0: as wide as needed). */
void cr_call_lines_head(const struct cr_call_lines *l, uint32_t cells, struct cr_text *out);

/* Append a line of the width out->width. */
void cr_call_lines_put(const struct cr_call_lines *l, const struct cr_call_line *line, bool unicode,
	struct cr_paint *out);

/* Maximum width of the guide in cells, such that the name gets as much. */
uint32_t cr_call_lines_guide_cells(const struct cr_call_lines *l, uint32_t cells);

#endif
