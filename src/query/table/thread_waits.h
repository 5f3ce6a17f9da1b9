#ifndef CR_QUERY_TABLE_THREAD_WAITS_H
#define CR_QUERY_TABLE_THREAD_WAITS_H

#include "base/err.h"
#include "query/fold/select.h"

/*
 * Where the life of each thread went: on a CPU, or off it for which reason. Computed from the
 * derived events "off-cpu" and "lifetime" of a recording of switches.
 */
enum cr_wait {
	CR_WAIT_ON,        /* on a CPU */
	CR_WAIT_SLEEP,     /* waited for an event: S, and I of idle kernel threads */
	CR_WAIT_DISK,      /* uninterruptible: D */
	CR_WAIT_QUEUE,     /* woken, and waited for a CPU */
	CR_WAIT_PREEMPTED, /* left the CPU although it could run: R, R+ */
	CR_WAIT_STOPPED,   /* T, t, P and rarer ones */
	CR_WAIT_OFF,       /* off the CPU, the reason is unknown */
	CR_WAIT_REST,      /* not between two recorded switches: remainder of the lifetime */
	CR_WAITS_ALL
};

struct cr_thread_waits_row {
	int32_t pid, tid;
	struct cr_str comm;
	uint64_t ns[CR_WAITS_ALL]; /* add up to lifetime */
	uint64_t lifetime;
	uint64_t switches;   /* number of times that it left the CPU */
	uint64_t queued;     /* number of times in the run queue */
	uint64_t queue_most; /* the longest of them, in ns */
	uint64_t open;       /* ns at the end of the recording, part of the remainder, ... */
	struct cr_str state; /* ... in which it was in this state; "" for none */
	struct cr_str waker; /* comm of the thread that ended most of its waiting; "" for none */
	uint64_t waker_tid;
	uint64_t waker_ns; /* time off the CPU that this one ended */
};

struct cr_thread_waits {
	struct cr_thread_waits_row *rows; /* sorted by falling time on the CPU, then pid, tid */
	uint32_t n;
	struct cr_thread_waits_row all; /* the sums; without comm and waker */
	bool has_queue;                 /* wakings were recorded */
	struct cr_arena names;
};

#define CR_LIFETIME "lifetime" /* name of the event */

/* Bits as in cr_filter_needs(). */
unsigned cr_thread_waits_needs(const struct cr_filter *f);

/*
 * f selects threads by comm, pid and tid. With times, only the parts of intervals and lifetimes
 * inside count. CR_EUSAGE for other conditions, CR_ENOTFOUND if no switches were recorded. out
 * borrows p.
 */
int cr_thread_waits_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_thread_waits *out, struct cr_err *err);
void cr_thread_waits_fini(struct cr_thread_waits *w);

#endif
