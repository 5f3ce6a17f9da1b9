#ifndef CRESSET_VIEW_WAITING_INTERVALS_SHEET_H
#define CRESSET_VIEW_WAITING_INTERVALS_SHEET_H

#include "query/time/intervals.h"
#include "view/sheet/sheet.h"

#define CR_INTERVALS_COLUMNS 11

/* Intervals between events, one row for each key. */
struct cr_intervals_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	struct cr_sheet_column columns[CR_INTERVALS_COLUMNS];
	const struct cr_intervals *intervals;
	bool with_sums;       /* the last row has the sums */
	uint32_t n_left_out;  /* number of rows beyond the limit */
	struct cr_text *text; /* text of the last cell requested */
};

/* Show the first `limit` rows, 0 for all. Borrows intervals; out must not move. */
void cr_intervals_sheet_init(const struct cr_intervals *intervals, uint32_t limit,
	enum cr_interval_by by, bool with_sums, struct cr_intervals_sheet *out);
void cr_intervals_sheet_fini(struct cr_intervals_sheet *s);

#endif
