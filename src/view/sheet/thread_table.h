#ifndef CRESSET_VIEW_SHEET_THREAD_TABLE_H
#define CRESSET_VIEW_SHEET_THREAD_TABLE_H

#include "query/diff/thread_diff.h"
#include "view/sheet/sheet.h"

/*
 * Threads, processes or comms as a table for programs, one row each: numbers, name, cost, and when
 * and how long each ran and waited. Times are in ns; what the recording does not know is empty.
 */
struct cr_thread_table {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_thread_rows *t;
	const struct cr_thread_diff *diff; /* of a difference */
	const uint32_t *order;
	enum cr_thread_by by;
};

/*
 * order: rows of t, as they are to be printed; all of them. Borrows t and order; out must not move.
 * There is nothing to free.
 */
void cr_thread_table_init(const struct cr_thread_rows *t, const uint32_t *order,
	enum cr_thread_by by, struct cr_thread_table *out);

/* The same of a difference: costs and samples before and after, and the verdicts. */
void cr_thread_table_init_diff(
	const struct cr_thread_diff *diff, const uint32_t *order, struct cr_thread_table *out);

#endif
