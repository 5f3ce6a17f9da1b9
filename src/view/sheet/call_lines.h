#ifndef CRESSET_VIEW_SHEET_CALL_LINES_H
#define CRESSET_VIEW_SHEET_CALL_LINES_H

#include "model/tree/tree.h"
#include "view/style/paint.h"

/*
 * Lines for the nodes of a call tree: a share with a bar, a second share, the samples, then the
 * name behind whatever shows where it is in the tree, and its dso. Of two sides: the share now with
 * a bar, the share before, the difference in points.
 *
 * Where a line is narrow, the samples, then the dso, then the bar, then the second share are left
 * out.
 */
struct cr_call_lines {
	const struct cr_tree *of; /* sides, units, and what shares of all are of; borrowed */
	const char *share_head, *second_head; /* "TOTAL %", "SELF %"; not used with two sides */
	const char *name_head;                /* "CALL TREE" */
};

/* What one line shows. Numbers are in the unit of the tree. */
struct cr_call_line {
	const struct cr_frame *frame;
	bool inlined;                       /* say so behind the name */
	bool strong;                        /* the name stands out */
	uint64_t part, whole;               /* of the first share and its bar */
	uint64_t second_part, second_whole; /* with two sides: of the share before */
	uint64_t weight, samples;           /* which one is shown depends on the tree */
	struct cr_str guide; /* before the name: lines of a tree, a mark; safe for a terminal */
};

/* Append the line of heads, of at most `cells` cells (0: as wide as needed). */
void cr_call_lines_head(const struct cr_call_lines *l, uint32_t cells, struct cr_text *out);

/* A line, as wide as out->width says. */
void cr_call_lines_put(const struct cr_call_lines *l, const struct cr_call_line *line, bool unicode,
	struct cr_paint *out);

/* Cells that the guide of a line may have, so that the name has as many. */
uint32_t cr_call_lines_guide_cells(const struct cr_call_lines *l, uint32_t cells);

#endif
