#ifndef CRESSET_VIEW_SHEET_THREADS_SHEET_H
#define CRESSET_VIEW_SHEET_THREADS_SHEET_H

#include "query/table/thread_list.h"
#include "view/sheet/sheet.h"

/* The threads of a profile, a row each. Rows stand for threads. */
struct cr_threads_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_thread_list *threads;
	struct cr_str event;
	uint32_t n_left_out;  /* threads past the limit */
	struct cr_text *text; /* of the cell that was asked for last */
};

/*
 * Shows the first `limit` threads, 0 for all. event: the name in the column of that name. Borrows
 * both; out is not to be moved.
 */
void cr_threads_sheet_init(const struct cr_thread_list *threads, struct cr_str event,
	uint32_t limit, struct cr_threads_sheet *out);
void cr_threads_sheet_fini(struct cr_threads_sheet *s);

#endif
