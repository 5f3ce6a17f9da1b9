#ifndef CRESSET_VIEW_SHEET_SHEET_LINES_H
#define CRESSET_VIEW_SHEET_SHEET_LINES_H

#include "view/sheet/sheet.h"

/*
 * A sheet as lines of a given width, one at a time: for a pane of the browser, and for output that
 * has no "#" before its heads. Only columns for people are shown.
 *
 * Where a line is too narrow, columns are left out by their rank. The first column of texts (the
 * name) and the second share what the others leave: names in full first, then the second column in
 * full or in its brief form.
 */
#define CR_SHEET_LINES_COLUMNS 24u /* of a sheet that is drawn; the others are not shown */

struct cr_sheet_lines {
	const struct cr_sheet *sheet;              /* borrowed */
	uint32_t widest[CR_SHEET_LINES_COLUMNS];   /* cells of the widest cell */
	uint32_t briefest[CR_SHEET_LINES_COLUMNS]; /* the same with every text in its brief form */
};

/* Measures the rows once: time grows with the rows and the columns that are not fixed. */
void cr_sheet_lines_init(struct cr_sheet_lines *l, const struct cr_sheet *s);

/*
 * The line of heads and that of a row, at most `cells` wide (0: nothing is cut or left out),
 * appended without a line feed and without blanks at the end, safe for a terminal.
 */
void cr_sheet_lines_head(const struct cr_sheet_lines *l, uint32_t cells, struct cr_text *out);
void cr_sheet_lines_row(
	const struct cr_sheet_lines *l, uint32_t row, uint32_t cells, struct cr_text *out);

#endif
