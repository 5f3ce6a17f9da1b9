#ifndef CRESSET_VIEW_WAITING_TIMEHIST_SHEET_H
#define CRESSET_VIEW_WAITING_TIMEHIST_SHEET_H

#include "query/table/timehist.h"
#include "view/sheet/sheet.h"

/* Run time, wait time and scheduling delay of threads, one row each. Rows refer to threads. */
struct cr_timehist_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_timehist *times;
	bool with_sums;
	uint32_t n_left_out;  /* number of threads beyond the limit */
	struct cr_text *text; /* text of the last cell requested */
};

/*
 * Show the first `limit` threads, 0 for all. with_sums: a last row has the sums. Borrows times; out
 * must not move.
 */
void cr_timehist_sheet_init(const struct cr_timehist *times, uint32_t limit, bool with_sums,
	struct cr_timehist_sheet *out);
void cr_timehist_sheet_fini(struct cr_timehist_sheet *s);

#endif
