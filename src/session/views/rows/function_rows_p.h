#ifndef CR_SESSION_VIEWS_ROWS_FUNCTION_ROWS_P_H
#define CR_SESSION_VIEWS_ROWS_FUNCTION_ROWS_P_H

#include "session/views/view.h"

#include "view/sheet/function_sheet.h"
#include "view/sheet/verdict_sheet.h"

/*
 * The rows of the view of functions: the table of the zoomed part of the tree, in a difference its
 * verdicts, their order, and which rows are shown.
 */
struct cr_functions {
	struct cr_table table;
	/* The tree and the zoom that the table is of; tree 0 for none. */
	uint64_t tree;
	uint32_t zoom;
	struct {
		struct cr_table table;
		uint64_t tree;
		uint32_t zoom;
	} before;                         /* the table shown before, as undo often needs it again */
	struct cr_function_sheet sheet;   /* its order and direction are those of both sheets */
	bool borrows_table;               /* the table is that of the verdicts */
	const struct cr_judged *judged;   /* of a difference, borrowed; NULL: nothing is judged */
	struct cr_verdict_sheet verdicts; /* shown instead if something is judged */
	/* By row of the table: 1 if one of its frames matches the search; may be NULL. */
	uint8_t *row_hit;
	bool is_kept; /* the rows shown are those that `matches` asks for */
	bool matches; /* only rows that match the search are shown, if there is one */
	bool made;
	bool colors_noise; /* rows whose change may be noise have its colour, too */
	struct cr_sheet_surface surface;
};

/* The sheet that is shown: that of the verdicts if something is judged. */
const struct cr_sheet *cr_function_rows_sheet(const struct cr_functions *f);
const struct cr_sheet_lines *cr_function_rows_lines(const struct cr_functions *f);

/* The row of the table that is shown on a line, and the line of a row. */
uint32_t cr_function_rows_on(const struct cr_functions *f, uint32_t line);
uint32_t cr_function_rows_line(const struct cr_functions *f, uint32_t row);

/* The row of a node of the tree; CR_NO_ROW if it is not in the table. */
uint32_t cr_function_rows_of_node(
	const struct cr_functions *f, const struct cr_session *s, uint32_t node);
/* That of the selected function; CR_NO_ROW if none is selected. */
uint32_t cr_function_rows_of_selection(const struct cr_functions *f, const struct cr_session *s);

/* The order in which they are at first. */
enum cr_table_sort cr_function_rows_sort_first(const struct cr_functions *f);
void cr_function_rows_sort(struct cr_functions *f, enum cr_table_sort sort, bool reverse);

/* Make the verdicts of a difference anew. */
void cr_function_rows_judge(struct cr_functions *f, struct cr_session *s);

/* What the view does: make the rows that are missing, drop what has changed, free all. */
void cr_function_rows_make(struct cr_view *v, struct cr_session *s);
void cr_function_rows_drop(struct cr_view *v, unsigned changed);
void cr_function_rows_fini(struct cr_view *v);

#endif
