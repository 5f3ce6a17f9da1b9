#ifndef CR_QUERY_TABLE_TIMEHIST_H
#define CR_QUERY_TABLE_TIMEHIST_H

#include "base/err.h"
#include "query/fold/select.h"

/*
 * Run time, wait time and scheduling delay of each thread, by the formulas of perf sched timehist:
 *
 *	run time    from the previous switch of the CPU until the thread leaves it
 *	wait time   from when the thread left a CPU to that previous switch
 *	delay       from when the thread was woken to that previous switch
 *
 * If all switches are recorded, these are the times that thread_waits.h computes. If some are
 * missing, a time may include one of another thread. Source: perf 6.1.
 */
struct cr_timehist_row {
	int32_t pid, tid; /* -1 for threads that had ended when they left the CPU */
	struct cr_str comm;
	uint64_t switches;         /* number of times that it left a CPU */
	uint64_t run, wait, delay; /* sums, in ns */
	uint64_t run_most, delay_most;
};

struct cr_timehist {
	struct cr_timehist_row *rows; /* sorted by falling run time, then pid, tid */
	uint32_t n;
	struct cr_timehist_row all;
	struct cr_arena names;
};

unsigned cr_timehist_needs(const struct cr_filter *f);

/* Fails like cr_thread_waits_make(), and with CR_EUSAGE if f selects times. out borrows p. */
int cr_timehist_make(const struct cr_profile *p, const struct cr_filter *f, struct cr_timehist *out,
	struct cr_err *err);
void cr_timehist_fini(struct cr_timehist *t);

#endif
