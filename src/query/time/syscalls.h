#ifndef CR_QUERY_TABLE_SYSCALLS_H
#define CR_QUERY_TABLE_SYSCALLS_H

#include "base/err.h"
#include "query/fold/select.h"

/*
 * System calls, by name: how often they were made, how often they failed, how long they took.
 * Computed from the samples of raw_syscalls:sys_enter and sys_exit, or of syscalls:sys_enter_NAME
 * and sys_exit_NAME.
 */
struct cr_syscall {
	struct cr_str name;
	int32_t pid, tid; /* by thread, otherwise -1 */
	struct cr_str comm;
	uint64_t calls, errors;    /* that returned; with a result below 0 */
	uint64_t sum, least, most; /* durations, in ns */
	double mean, deviation;    /* of the durations; the standard deviation of their mean */
	bool is_sum;               /* of all calls of a thread, or of all threads; name is "" */
};

struct cr_syscalls_opts {
	bool by_thread; /* a row for each name in each thread; otherwise for each name */
	bool with_sums; /* with by_thread: also a row for each thread, before its names */
};

struct cr_syscalls {
	struct cr_str event; /* the one with the most ends of calls */
	/* Sorted by falling sum, then calls, then name; by thread, threads first in that order. */
	struct cr_syscall *rows;
	uint32_t n;
	struct cr_syscall all;
	uint64_t half; /* calls whose beginning was not recorded: their duration counts as 0 */
	uint64_t open; /* calls that had not returned at the end */
	struct cr_arena names;
};

/* Bits as in cr_filter_needs(). */
unsigned cr_syscalls_needs(const struct cr_filter *f);

/*
 * Calls that returned in a sample that f selects. CR_EUSAGE if f has conditions on event, dso or
 * fields; CR_ENOTFOUND if no system calls were recorded. out borrows p.
 */
int cr_syscalls_make(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_syscalls_opts *o, struct cr_syscalls *out, struct cr_err *err);
void cr_syscalls_fini(struct cr_syscalls *s);

#endif
