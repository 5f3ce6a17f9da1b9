#ifndef CR_SESSION_VIEWS_ROWS_THREADS_LIST_P_H
#define CR_SESSION_VIEWS_ROWS_THREADS_LIST_P_H

#include "session/session_p.h"
#include "session/views/view.h"

#include "query/diff/thread_diff.h"
#include "view/sheet/thread_lines.h"
#include "view/sheet/thread_table.h"
#include "view/style/change.h"

/* The rows of the view of threads in their order, with the functions below the open one. */
enum cr_threads_sort {
	CR_THREADS_SHARE,
	CR_THREADS_WAITING,
	CR_THREADS_WAITS,
	CR_THREADS_LONGEST,
	CR_THREADS_FIRST,
	CR_THREADS_NAME,
	CR_THREADS_PID,
	CR_THREADS_TID,
	CR_THREADS_SORTS
};

/* A line of the view: a row, or one of the functions below the row that is open. */
struct cr_threads_line {
	uint32_t row;
	uint32_t function; /* CR_NO_ROW for the row itself */
	bool off;
};

struct cr_threads_list {
	const struct cr_thread_rows *t; /* those that are shown: `one`, or `diff.both` */
	struct cr_thread_rows one;
	struct cr_thread_diff diff;
	bool is_diff;
	struct cr_change_cells *change; /* of a difference, by row */
	enum cr_change_shown shown_as;  /* of a difference: which rows are in `shown` */
	struct cr_thread_lines lines;
	struct cr_thread_table table;
	bool ascii;                              /* the terminal has no characters beyond ASCII */
	struct cr_thread_functions functions[2]; /* of the open row: on the CPU and off it */
	CR_VEC(struct cr_threads_line) shown;
	uint32_t *order; /* rows as they are shown */
	uint32_t open;   /* row; CR_NO_ROW */
	enum cr_thread_by by;
	enum cr_threads_sort sort;
	bool reverse, made;
	char *why;     /* there are no rows; NULL if there are */
	char *made_of; /* see cr_view_is_made_of() */
	struct cr_sheet_surface surface;
	struct cr_session *s; /* while the surface is in use */
};

/* Make the rows that the query asks for, unless they are there. */
void cr_threads_list_make(struct cr_view *v, struct cr_session *s);
/* Sort the rows again, and show the functions below the open one. */
void cr_threads_list_show(struct cr_view *v, const struct cr_session *s);
void cr_threads_list_fini(struct cr_view *v);

/* The line of the selected thread; the first one if none is selected. */
uint32_t cr_threads_list_selected(const struct cr_threads_list *w, const struct cr_session *s);

/* True if a row of a difference is known to have changed; without tests, if it has a mark. */
bool cr_threads_list_has_changed(const struct cr_threads_list *w, uint32_t row);

#endif
