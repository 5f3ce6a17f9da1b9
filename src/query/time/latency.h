#ifndef CR_QUERY_TIME_LATENCY_H
#define CR_QUERY_TIME_LATENCY_H

#include "query/fold/lanes.h"
#include "query/lang/query.h"

/*
 * The distribution of intervals that an event's samples stand for: threads off the CPU, spans of a
 * trace. Each sample's weight is an interval, in the event's unit of time.
 */
struct cr_latency_opts {
	struct cr_lane_by by;
	uint32_t top; /* number of keys shown, those with most time; the rest is combined; 0: all */
};

/*
 * Buckets are powers of two divided in 8, so a value is known to an eighth: 0, 1 ... 7 alone, then
 * 8, 9 ... 15, then 16-17, 18-19 ... 30-31, then 32-35 ...
 */
#define CR_LATENCY_STEPS 8u
#define CR_LATENCY_BUCKETS (62u * CR_LATENCY_STEPS)

static inline uint32_t
cr_latency_bucket(uint64_t v)
{
	const uint32_t power = v < CR_LATENCY_STEPS ? 2 : 63 - (uint32_t)__builtin_clzll(v);

	return (uint32_t)(v < CR_LATENCY_STEPS ? v
					       : (power - 2) * CR_LATENCY_STEPS +
							 (v >> (power - 3)) % CR_LATENCY_STEPS);
}

/* Smallest and largest value of a bucket. */
uint64_t cr_latency_least(uint32_t bucket);
uint64_t cr_latency_most(uint32_t bucket); /* inclusive */

enum cr_latency_mark {
	CR_LATENCY_P50,
	CR_LATENCY_P90,
	CR_LATENCY_P99,
	CR_LATENCY_P999,
	CR_LATENCY_MAX,
	CR_LATENCY_MARKS
};

struct cr_latency_lane {
	struct cr_str name;
	uint64_t number; /* like that of a cr_lane */
	uint32_t keys;   /* 1; for the rest the number of keys it combines */
	bool is_rest;
	uint64_t count, sum; /* number and total of the intervals; count is at least 1 */
	uint64_t least;
	/*
	 * Exact: the smallest value that this percentage of intervals does not exceed; the last one
	 * is the maximum.
	 */
	uint64_t at[CR_LATENCY_MARKS];
	uint64_t *bucket_count, *bucket_sum; /* CR_LATENCY_BUCKETS elements */
};

struct cr_latency {
	uint32_t n_lanes; /* lanes with samples */
	/* Sorted by falling sum, then count, then name; the rest is the last one. */
	struct cr_latency_lane *lanes;
	struct cr_latency_lane all;
	struct cr_str event, unit;
	struct cr_arena arena;
};

/*
 * The event to use: the one that f names, otherwise the derived one, off-cpu. CR_EUSAGE if its
 * weights are no times or are sums of several; CR_ENOTFOUND if there is none.
 */
int cr_latency_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out,
	struct cr_err *err);

/* What must be read: bits as in cr_filter_needs(). */
unsigned cr_latency_needs(const struct cr_query *q, const struct cr_latency_opts *o);

/*
 * Samples are selected as in cr_series_make(). out borrows p's names. Needs 8 bytes per selected
 * sample and some passes over them. CR_ELIMIT for more than 30000 keys; otherwise fails like
 * cr_latency_event(), cr_lanes_make() and cr_stack_filter().
 */
int cr_latency_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_latency_opts *o, struct cr_latency *out, struct cr_err *err);
void cr_latency_fini(struct cr_latency *l);

#endif
