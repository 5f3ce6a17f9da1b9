#ifndef CRESSET_VIEW_SHEET_CHANGE_CELLS_H
#define CRESSET_VIEW_SHEET_CHANGE_CELLS_H

#include "query/diff/significance.h"
#include "view/style/paint.h"

/*
 * The first columns of any line of a difference: the share before and after in percent, the change
 * in points, the verdict where there is room, and a mark that can be read without colours: "+" for
 * what grew and "-" for what shrank.
 */
struct cr_change_cells {
	uint64_t part[CR_SIDES], whole[CR_SIDES];
	/*
	 * The change that the mark shows, in millionths of the whole: 0 if it may be noise. See
	 * cr_change_ppm().
	 */
	int32_t shown;
	const struct cr_verdict *verdict; /* NULL: nothing was tested */
};

/* How many cells the columns take of a line of so many cells, 0 for as wide as needed. */
uint32_t cr_change_cells_width(uint32_t cells, bool verdicts);

/* Append their headings. verdicts: there are verdicts; head: above them, at most 18 cells. */
void cr_change_cells_head(uint32_t cells, bool verdicts, const char *head, struct cr_text *out);

/* Append them to a line of out->width cells, which must be empty. */
void cr_change_cells_put(
	const struct cr_change_cells *c, bool verdicts, bool unicode, struct cr_paint *out);

#endif
