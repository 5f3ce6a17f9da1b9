#ifndef CRESSET_VIEW_SHEET_LATENCY_SHEET_H
#define CRESSET_VIEW_SHEET_LATENCY_SHEET_H

#include "query/time/latency.h"
#include "view/sheet/sheet.h"

/* How long things took, as tables: by key, as a histogram, and bucket by bucket. */
struct cr_latency_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_latency *latency;
	struct cr_sheet_column *columns;
	struct cr_latency_row *rows;
	char *from_head, *to_head; /* of buckets */
	uint64_t most;             /* the largest count of the histogram */
	bool unicode;
	struct cr_text *text; /* of the cell that was asked for last */
};

/*
 * All of them borrow l and key; out is not to be moved.
 *
 * keys       a row a key: how many times, how long in all, mean and percentiles. Rows stand for
 *            keys. key: the head of the column of names; NULL: one row for all, without a name
 * histogram  a row a power of two of all, with a bar. Rows stand for ranges
 * buckets    a row a bucket of each key that is not empty, as numbers for programs
 */
void cr_latency_keys(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out);
void cr_latency_histogram(const struct cr_latency *l, bool unicode, struct cr_latency_sheet *out);
void cr_latency_buckets(const struct cr_latency *l, const char *key, struct cr_latency_sheet *out);
void cr_latency_sheet_fini(struct cr_latency_sheet *s);

/* "p50" ... "longest", as files for programs call them. */
const char *cr_latency_mark_id(enum cr_latency_mark mark);

#endif
