#ifndef CR_READ_PERF_DATA_PERF_ORDER_P_H
#define CR_READ_PERF_DATA_PERF_ORDER_P_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Records back into time order, a round at a time. The recorder drains the buffers of all CPUs
 * in turn and marks the end of each turn (FINISHED_ROUND): what is older than the newest record
 * of the round before cannot be overtaken any more and is delivered. Equal times keep the order
 * of the file. A record that comes later than that is delivered late, as perf does, so that the
 * order is perf's sample for sample.
 *
 * All zero bytes is an empty queue.
 */
struct perf_order_entry {
	uint64_t time;
	const unsigned char *p; /* the record */
};

struct perf_order {
	CR_VEC(struct perf_order_entry) queue;
	CR_VEC(struct perf_order_entry) spare; /* the other side of a merge */
	size_t given;   /* how many at the front were handed out by the last round */
	uint64_t limit; /* newest time of the rounds that are complete */
	uint64_t newest;
};

void cr_perf_order_add(struct perf_order *o, uint64_t time, const unsigned char *p);

/*
 * The end of a round, or with all set the end of the data. The entries that are due come back in
 * *due, *n of them, valid until the next call.
 */
void cr_perf_order_round(
	struct perf_order *o, bool all, const struct perf_order_entry **due, size_t *n);
void cr_perf_order_fini(struct perf_order *o);

#endif
