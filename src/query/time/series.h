#ifndef CR_QUERY_TIME_SERIES_H
#define CR_QUERY_TIME_SERIES_H

#include "query/fold/lanes.h"
#include "query/fold/slices.h"
#include "query/lang/query.h"

/*
 * Samples and weight over time by any key, the data of a timeline. Needs one pass over the columns
 * for the totals of the keys, and one for the keys shown separately.
 */
struct cr_series_opts {
	struct cr_lane_by by;
	/* 1 to CR_SERIES_BINS_MOST; there are fewer if the span has fewer nanoseconds. */
	uint32_t bins;
	uint64_t len_ns; /* minimum length of the span, so that two series have the same bins */
	/* Number of keys shown, those with most weight; the rest is combined; 0: all. */
	uint32_t top;
	/* Sums of the profile's samples, which make many series faster; or NULL. */
	const struct cr_slices *slices;
};

#define CR_SERIES_BINS_MOST 100000u
#define CR_SERIES_CELLS_MOST (UINT64_C(1) << 22) /* in a series or a heat map */

/*
 * The time over which samples are counted: from the recording's first sample to its last one, or
 * from the earliest to the latest time of the filter.
 */
struct cr_span {
	uint64_t first_ns; /* first sample of the recording, on its clock */
	uint64_t from_ns;  /* start of the span, after first_ns */
	uint64_t len_ns;   /* at least 1 */
};

struct cr_series_lane {
	struct cr_str name;
	uint64_t number; /* like that of a cr_lane */
	uint32_t keys;   /* 1; for the rest the number of keys it combines */
	bool is_rest;
	uint64_t samples, weight;
	uint64_t *bin_samples, *bin_weight; /* n_bins elements */
};

struct cr_series {
	struct cr_span span;
	/* Bin i begins at from_ns + i * bin_ns; the last may extend beyond the span. */
	uint64_t bin_ns;
	uint32_t n_bins;
	uint32_t n_lanes; /* lanes with samples */
	/* Sorted by falling weight, then samples, then name; the rest is the last one. */
	struct cr_series_lane *lanes;
	uint64_t samples, weight; /* over all lanes */
	uint64_t untimed; /* number of selected samples without a time, which are in no lane */
	/*
	 * "" if several events are counted; if their units differ, weights are numbers of samples.
	 */
	struct cr_str event, unit;
	bool summed; /* see cr_event_is_summed() */
	struct cr_arena arena;
};

/*
 * What must be read: bits as in cr_filter_needs(). p may be NULL if it is not open yet; with it
 * fewer columns may be needed.
 */
unsigned cr_series_needs(
	const struct cr_profile *p, const struct cr_query *q, const struct cr_series_opts *o);

/*
 * Count the samples that q selects and its transforms keep; keys are those recorded.
 *
 * out borrows p's names. CR_EUSAGE if no sample has a time, or the key was not recorded; CR_ELIMIT
 * if keys times bins exceed CR_SERIES_CELLS_MOST; otherwise fails like cr_select() and
 * cr_stack_filter().
 */
int cr_series_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_series_opts *o, struct cr_series *out, struct cr_err *err);
void cr_series_fini(struct cr_series *s);

/*
 * A map with seconds from left to right, and the time within each second from bottom to top. What
 * happens once a second, or simultaneously on several processors, is visible as a pattern. Cell
 * [column * rows + row] counts the samples from column * 1 s + row * 1 s / rows on, relative to the
 * start of the span.
 */
struct cr_heat {
	struct cr_span span; /* begins at a whole second after the first sample */
	uint32_t columns, rows;
	uint64_t *samples;
	uint64_t most; /* maximum of a cell */
	uint64_t whole, untimed;
	struct cr_str event;
	struct cr_arena arena;
};

/* Bits of enum cr_needs that must be read before cr_heat_make(). */
unsigned cr_heat_needs(const struct cr_query *q);

#define CR_HEAT_ROWS_MOST 1000u

/*
 * rows: 1 to CR_HEAT_ROWS_MOST. CR_ELIMIT if the span has more seconds than CR_SERIES_CELLS_MOST
 * allows.
 */
int cr_heat_make(const struct cr_profile *p, const struct cr_query *q, uint32_t rows,
	struct cr_heat *out, struct cr_err *err);
void cr_heat_fini(struct cr_heat *h);

#endif
