#ifndef CRESSET_VIEW_WAITING_WAITS_SHEET_H
#define CRESSET_VIEW_WAITING_WAITS_SHEET_H

#include "query/table/thread_waits.h"
#include "view/sheet/sheet.h"

#define CR_WAITS_COLUMNS 32

/* Where the lives of threads went, one row each. Rows refer to threads. */
struct cr_waits_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_column columns[CR_WAITS_COLUMNS];
	const struct cr_thread_waits *waits;
	bool only_sums;
	uint32_t n_left_out;  /* number of threads beyond the limit */
	struct cr_text *text; /* text of the last cell requested */
};

/*
 * Show the first `limit` threads, 0 for all. with_sums: a last row has the sums. People do not see
 * columns that are zero in all rows. Borrows waits; out must not move.
 */
void cr_waits_sheet_init(const struct cr_thread_waits *waits, uint32_t limit, bool with_sums,
	struct cr_waits_sheet *out);
/* Show only the sums. */
void cr_waits_sheet_sums(const struct cr_thread_waits *waits, struct cr_waits_sheet *out);
void cr_waits_sheet_fini(struct cr_waits_sheet *s);

#endif
