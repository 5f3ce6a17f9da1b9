#ifndef CRESSET_VIEW_SHEET_LATENCY_SHEET_H
#define CRESSET_VIEW_SHEET_LATENCY_SHEET_H

#include "query/time/latency.h"
#include "view/sheet/sheet.h"

/* The distribution of intervals as tables: by key, as a histogram, and by bucket. */
struct cr_latency_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_latency *latency;
	struct cr_sheet_column *columns;
	struct cr_latency_row *rows;
	char *from_head, *to_head; /* headings of buckets */
	uint64_t most;             /* largest count of the histogram */
	bool unicode;
	struct cr_text *text; /* text of the last cell requested */
};

/*
 * All borrow l and key; out must not move.
 *
 * - keys: one row per key: number, total, mean and percentiles. Rows refer to keys. key: heading of
 *   the names; NULL: one row for all, without a name.
 * - histogram: one row per power of two over all keys, with a bar. Rows refer to ranges.
 * - buckets: one row per bucket of each key that is not empty, as numbers for programs.
 */
void cr_latency_keys(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out);
void cr_latency_histogram(const struct cr_latency *l, bool unicode, struct cr_latency_sheet *out);
void cr_latency_buckets(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out);
void cr_latency_sheet_fini(struct cr_latency_sheet *s);

/* "p50" ... "longest", as named in files for programs. */
const char *cr_latency_mark_id(enum cr_latency_mark mark);

#endif
