#ifndef CRESSET_VIEW_WAITING_SYSCALLS_SHEET_H
#define CRESSET_VIEW_WAITING_SYSCALLS_SHEET_H

#include "query/time/syscalls.h"
#include "view/sheet/sheet.h"

#define CR_SYSCALLS_COLUMNS 16

/* System calls, one row each; by thread, the sum of a thread comes before its calls. */
struct cr_syscalls_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_column columns[CR_SYSCALLS_COLUMNS];
	const struct cr_syscalls *calls;
	bool with_sums;       /* the last row has the sums of all calls */
	uint32_t n_left_out;  /* number of rows beyond the limit */
	struct cr_text *text; /* text of the last cell requested */
};

/*
 * Show the first `limit` rows, 0 for all. by_thread: with columns for the thread. Borrows calls;
 * out must not move.
 */
void cr_syscalls_sheet_init(const struct cr_syscalls *calls, uint32_t limit, bool by_thread,
	bool with_sums, struct cr_syscalls_sheet *out);
void cr_syscalls_sheet_fini(struct cr_syscalls_sheet *s);

#endif
