#ifndef CR_READ_PERF_DATA_PERF_ORDER_P_H
#define CR_READ_PERF_DATA_PERF_ORDER_P_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Sorts records by time, one round after another. The recorder drains the buffers of all CPUs in
 * turn and writes FINISHED_ROUND after each turn. Records older than the newest of the previous
 * round cannot be preceded by later input any more, and are delivered. Equal times keep the file
 * order. A record that comes too late is delivered late, like in perf, so that the order of samples
 * equals perf's.
 *
 * All zero bytes is an empty queue.
 */
struct perf_order_entry {
	uint64_t time;
	const unsigned char *p; /* the record */
};

struct perf_order {
	CR_VEC(struct perf_order_entry) queue;
	CR_VEC(struct perf_order_entry) spare; /* second buffer for merging */
	size_t given;   /* number of entries at the front delivered by the last round */
	uint64_t limit; /* newest time of the completed rounds */
	uint64_t newest;
};

/* Add a record. p is borrowed. */
static inline void
cr_perf_order_add(struct perf_order *o, uint64_t time, const unsigned char *p)
{
	cr_vec_push(&o->queue, ((struct perf_order_entry){time, p}));
	o->newest = CR_MAX(o->newest, time);
}

/*
 * End a round; all: the data ends. Returns the n entries to deliver in *due, valid until the next
 * call.
 */
void cr_perf_order_round(
	struct perf_order *o, bool all, const struct perf_order_entry **due, size_t *n);
void cr_perf_order_fini(struct perf_order *o);

#endif
