#ifndef CRESSET_VIEW_SHEET_THREADS_SHEET_H
#define CRESSET_VIEW_SHEET_THREADS_SHEET_H

#include "query/table/thread_list.h"
#include "view/sheet/sheet.h"

/* The threads of a profile, one row each. Rows refer to threads. */
struct cr_threads_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_thread_list *threads;
	struct cr_str event;
	uint32_t n_left_out;  /* number of threads beyond the limit */
	struct cr_text *text; /* text of the last cell requested */
};

/*
 * Show the first `limit` threads, 0 for all. event: the name in the column of that name. Borrows
 * both; out must not move.
 */
void cr_threads_sheet_init(const struct cr_thread_list *threads, struct cr_str event,
	uint32_t limit, struct cr_threads_sheet *out);
void cr_threads_sheet_fini(struct cr_threads_sheet *s);

#endif
