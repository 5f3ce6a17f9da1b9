#ifndef CR_VIEW_SHEET_TABLE_H
#define CR_VIEW_SHEET_TABLE_H

#include "base/text.h"
#include "query/table/hist.h"
#include "query/table/top.h"

#include <stdbool.h>

/*
 * The flat table as rows of text columns, for a terminal pane and for a pipe alike. One side: SELF
 * % TOTAL % SAMPLES (of self) FUNCTION OBJECT, or LINE FUNCTION; of a tree of sums
 *            weights in the place of samples, under the name of their unit
 * Two sides: share of self before and now and their difference in points, the same of total; a
 *            mark, + new, - gone; FUNCTION; OBJECT. Samples are not shown.
 * Where there is no room the columns that say least are left out, objects are shown by their
 * base names, and names are cut by cr_label_fit().
 */
struct cr_table {
	const struct cr_top *top; /* borrowed */
	uint32_t sides;
	uint32_t *order; /* rows of top in the order shown */
	uint32_t n;
	enum cr_table_sort sort;
	bool reverse;
	const char *what;      /* head of the name column; "FUNCTION" unless changed */
	const char *beside;    /* head of the column of objects; "OBJECT", with paths in it, unless
				  changed */
	uint32_t cost_cells;   /* of the column of samples */
	uint32_t name_cells;   /* of the longest name, "(inlined)" and all */
	uint32_t object_cells; /* of the longest object */
	uint32_t base_cells;   /* of the longest base name of an object */
};

/* Rows in the order of top. An older table must be cr_table_fini()d first. */
void cr_table_init(struct cr_table *t, const struct cr_top *top, uint32_t sides);

/*
 * Weights fall (with two sides those of now), deltas fall by absolute value, names rise; reverse
 * turns that round. Ties are by name, then object, either way.
 */
void cr_table_sort(struct cr_table *t, enum cr_table_sort sort, bool reverse);
void cr_table_fini(struct cr_table *t);

/* Share after minus share before of a row, in millionths. */
int32_t cr_table_delta_self_ppm(const struct cr_top *top, uint32_t row);
int32_t cr_table_delta_total_ppm(const struct cr_top *top, uint32_t row);

/*
 * The head line and row order[i], at most `cells` wide (0: nothing is cut or left out), appended
 * to out without newline or blanks at the end, names safe for a terminal.
 */
void cr_table_head(const struct cr_table *t, uint32_t cells, struct cr_text *out);
void cr_table_row(const struct cr_table *t, uint32_t i, uint32_t cells, struct cr_text *out);

#endif
