#ifndef CRESSET_VIEW_SHEET_FUNCTION_SHEET_H
#define CRESSET_VIEW_SHEET_FUNCTION_SHEET_H

#include "query/table/table.h"
#include "view/sheet/sheet_lines.h"

/*
 * A table by a merged key (functions, dsos, groups) as rows to browse or compare. Rows refer to
 * frames.
 *
 * - One side: SELF %, a bar of self cost, TOTAL %, SAMPLES (of self), the name, its dso. For events
 *   whose samples are sums: weights, under the name of their unit, instead of samples.
 * - Two sides: share of self before and after, and their difference in points; the same for total;
 *   a mark, + new, - removed; the name, its dso. No samples.
 *
 * Programs get the name, the dso, and the weights of the rows as numbers.
 */
#define CR_FUNCTION_COLUMNS 14u

struct cr_function_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_lines lines;
	const struct cr_tree *tree; /* borrowed, like the table */
	const struct cr_table *table;
	uint32_t *order;     /* rows of the table, in display order */
	const uint8_t *kept; /* by row of the table: 1 to show it; NULL: all; borrowed */
	enum cr_table_sort sort;
	bool reverse;
	bool shows_weights;
	bool is_measured; /* cells are for lines from now on, and have an ink */
	uint64_t most;    /* the highest self cost of a row of one side */
	struct cr_str unit;
	struct cr_sheet_column columns[CR_FUNCTION_COLUMNS];
	uint8_t what[CR_FUNCTION_COLUMNS]; /* by column: its kind */
	struct cr_text *cost_head;
	struct cr_text *text, *brief; /* text of the last cell requested */
};

/*
 * t: the tree the table was made from. head: heading of the names, "FUNCTION". Rows have the order
 * of the table. Borrows t and table; out must not move.
 */
void cr_function_sheet_init(const struct cr_tree *t, const struct cr_table *table, const char *head,
	struct cr_function_sheet *out);
void cr_function_sheet_fini(struct cr_function_sheet *s);

/* Sort the rows like cr_table_order(). */
void cr_function_sheet_sort(struct cr_function_sheet *s, enum cr_table_sort sort, bool reverse);

/* Show only these rows of the table, in the same order: 1 by row; NULL: all. Borrowed. */
void cr_function_sheet_keep(struct cr_function_sheet *s, const uint8_t *rows);

#endif
