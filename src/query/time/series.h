#ifndef CR_QUERY_TIME_SERIES_H
#define CR_QUERY_TIME_SERIES_H

#include "query/fold/lanes.h"
#include "query/lang/query.h"

/*
 * Samples and weight over time, by any key: what a timeline is drawn from. One pass over the
 * columns for the sums of the keys, and one for those that are kept apart.
 */
struct cr_series_opts {
	struct cr_lane_by by;
	uint32_t bins; /* 1 to CR_SERIES_BINS_MOST; there are fewer where the time has fewer
			  nanoseconds */
	uint32_t top;  /* keys with most weight, the rest of them being one; 0: all */
};

#define CR_SERIES_BINS_MOST 100000u
#define CR_SERIES_CELLS_MOST (UINT64_C(1) << 22) /* of a series or a heat map */

/*
 * A run of time that samples are counted over: of the recording, from its first sample to its last
 * one, or from the earliest to the latest time that the filter asks for.
 */
struct cr_span {
	uint64_t first_ns; /* the first sample of the recording, on its clock */
	uint64_t from_ns;  /* where the span begins, after first_ns */
	uint64_t len_ns;   /* at least 1 */
};

struct cr_series_lane {
	struct cr_str name;
	uint64_t number; /* as of a cr_lane */
	uint32_t keys;   /* 1; of the rest how many it is made of */
	bool is_rest;
	uint64_t samples, weight;
	uint64_t *bin_samples, *bin_weight; /* n_bins */
};

struct cr_series {
	struct cr_span span;
	uint64_t bin_ns; /* bin i is the time from from_ns + i * bin_ns on; the last may reach
			    beyond the span */
	uint32_t n_bins;
	uint32_t n_lanes; /* those that have samples */
	struct cr_series_lane
		*lanes; /* by falling weight, then samples, then name; the rest is the last one */
	uint64_t samples, weight;  /* of all lanes */
	uint64_t untimed;          /* samples selected that have no time, and are in no lane */
	struct cr_str event, unit; /* "" where several events are counted; weights of several units
				      are samples then */
	bool summed;               /* see cr_event_is_summed() */
	struct cr_arena arena;
};

/* What has to be there: bits as of cr_filter_needs(). */
unsigned cr_series_needs(const struct cr_query *q, const struct cr_series_opts *o);

/*
 * Of q samples are selected, and those left out that its transforms leave out; keys are of what was
 * recorded.
 *
 * out borrows p's names. CR_EUSAGE where nothing has a time, or the key was not recorded; CR_ELIMIT
 * where keys and bins are more than CR_SERIES_CELLS_MOST; else it fails as cr_select() and
 * cr_stack_filter() do.
 */
int cr_series_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_series_opts *o, struct cr_series *out, struct cr_err *err);
void cr_series_fini(struct cr_series *s);

/*
 * The same as a map of seconds, side by side, and of times within them, one above the other: what
 * happens once a second, or at the same time on several processors, shows as a pattern. Cell
 * [column * rows + row] has the samples from column * 1 s + row * 1 s / rows on, after the second
 * that the span begins in.
 */
struct cr_heat {
	struct cr_span span; /* begins with a whole second after the first sample */
	uint32_t columns, rows;
	uint64_t *samples;
	uint64_t most; /* of a cell */
	uint64_t whole, untimed;
	struct cr_str event;
	struct cr_arena arena;
};

unsigned cr_heat_needs(const struct cr_query *q);

#define CR_HEAT_ROWS_MOST 1000u

/*
 * rows: 1 to CR_HEAT_ROWS_MOST. CR_ELIMIT where there are more seconds than CR_SERIES_CELLS_MOST
 * has room for.
 */
int cr_heat_make(const struct cr_profile *p, const struct cr_query *q, uint32_t rows,
	struct cr_heat *out, struct cr_err *err);
void cr_heat_fini(struct cr_heat *h);

#endif
