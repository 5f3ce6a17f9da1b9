#ifndef CRESSET_VIEW_SHEET_SHEET_LINES_H
#define CRESSET_VIEW_SHEET_SHEET_LINES_H

#include "view/sheet/sheet.h"
#include "view/style/paint.h"

/*
 * A sheet as lines of a given width, one at a time: for a pane of the browser, and for output
 * without "#" before its headings. Only columns for people are shown.
 *
 * In narrow lines, columns are omitted by rank. The first text column (the name) and the second
 * share what the others leave: names in full first, then the second column in full or in its brief
 * form.
 */
#define CR_SHEET_LINES_COLUMNS 24u /* maximum number of columns; further ones are not shown */

struct cr_sheet_lines {
	const struct cr_sheet *sheet;              /* borrowed */
	uint32_t widest[CR_SHEET_LINES_COLUMNS];   /* width of the widest cell */
	uint32_t briefest[CR_SHEET_LINES_COLUMNS]; /* the same with every text in its brief form */
};

/* Measures the rows once: time grows with the rows and the columns that are not fixed. */
void cr_sheet_lines_init(struct cr_sheet_lines *l, const struct cr_sheet *s);

/*
 * Append the line of headings, or that of a row, at most `cells` wide (0: nothing is shortened or
 * omitted), without a newline and trailing blanks, safe for a terminal.
 */
void cr_sheet_lines_head(const struct cr_sheet_lines *l, uint32_t cells, struct cr_text *out);
void cr_sheet_lines_row(
	const struct cr_sheet_lines *l, uint32_t row, uint32_t cells, struct cr_text *out);

/* The same row in the inks of its cells, of at most out->width cells. */
void cr_sheet_lines_paint(const struct cr_sheet_lines *l, uint32_t row, struct cr_paint *out);

#endif
