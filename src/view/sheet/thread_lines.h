#ifndef CRESSET_VIEW_SHEET_THREAD_LINES_H
#define CRESSET_VIEW_SHEET_THREAD_LINES_H

#include "query/table/thread_rows.h"
#include "view/sheet/change_cells.h"

/*
 * Threads as lines: the share of the cost with a bar, the ids and the name, and what the recording
 * knows beside: when the thread ran, and if there are times off the CPU, for how long and in which
 * function it waited. A narrower line leaves out columns, the least telling first. In a difference
 * a line has the columns of change_cells.h, the ids and the name.
 */
struct cr_thread_lines {
	const struct cr_thread_rows *t; /* borrowed */
	enum cr_thread_by by;
	const struct cr_change_cells
		*change; /* by row of t; NULL if it is no difference; borrowed */
	bool verdicts;   /* with that: there are verdicts */
};

/* The line of heads, of at most `cells` cells (0: as wide as needed), appended. */
void cr_thread_lines_head(const struct cr_thread_lines *l, uint32_t cells, struct cr_text *out);

/* A row of t, as wide as out->width says. mark: before the name: whether it is open. */
void cr_thread_lines_put(const struct cr_thread_lines *l, uint32_t row, const char *mark,
	bool unicode, struct cr_paint *out);

/* A function below its row: its share of `whole`, what it is ("runs"), its name, its cost. */
void cr_thread_lines_put_function(const struct cr_thread_lines *l, const char *what,
	const struct cr_thread_function *f, uint64_t whole, struct cr_str unit,
	struct cr_paint *out);

/* All about a row in two lines, 0 and 1, appended: fields three blanks apart, the best first. */
void cr_thread_lines_about(
	const struct cr_thread_lines *l, uint32_t row, uint32_t line, struct cr_text *out);

#endif
