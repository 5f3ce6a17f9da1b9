#ifndef CR_QUERY_TABLE_THREAD_ROWS_H
#define CR_QUERY_TABLE_THREAD_ROWS_H

#include "query/lang/query.h"
#include "query/time/series.h"

/*
 * Threads, processes or comms with what their samples say: cost, when it was, on how many
 * processors, and, where the recording has times off the CPU, how long and in which functions they
 * waited.
 */
enum cr_thread_by { CR_THREAD_BY_THREAD, CR_THREAD_BY_PROCESS, CR_THREAD_BY_COMM, CR_THREAD_BYS };

const char *cr_thread_by_name(enum cr_thread_by by); /* "thread", "process", "comm" */

#define CR_THREAD_BINS 240u /* of a row, in time; it can be drawn in any divisor of it */

struct cr_thread_row {
	int32_t pid, tid;   /* -1 where not known; tid: of one thread of the row */
	struct cr_str comm; /* its name by task_names.h */
	uint32_t threads;   /* that have samples of either event */
	uint64_t samples, weight;
	uint64_t first_ns, last_ns; /* after the recording's first sample; only if has_time */
	bool has_time;
	uint32_t cpus;   /* processors that it was seen on */
	uint64_t *bins;  /* CR_THREAD_BINS weights over the span; NULL where times are not known */
	uint64_t off_ns; /* time off the CPU */
	uint64_t waits;  /* how often */
	uint64_t longest_ns;
	struct cr_str waits_in; /* the function in which most of that time was spent; "" */
	uint64_t waits_in_ns;
	uint32_t number; /* of the row before it was sorted */
};

/* A function, and what it has of a row. */
struct cr_thread_function {
	struct cr_str name;
	uint64_t cost;
};

struct cr_thread_rows {
	struct cr_thread_row
		*rows; /* those with samples, by falling weight, then time off the CPU */
	uint32_t n;
	uint64_t weight, samples, off_ns; /* of all rows */
	uint64_t most_bin;                /* the largest of all bins */
	struct cr_span span;              /* that the bins cover; only if has_times */
	bool has_times, has_cpus;
	bool has_off;     /* the recording has times off the CPU */
	bool has_reasons; /* and functions that threads waited in: stacks were recorded for it */
	struct cr_str unit;
	uint32_t *row_of; /* by task: its row; CR_NO_ROW for one without samples */
	struct cr_arena arena;
};

/*
 * What has to be there: bits as of cr_filter_needs(). For the functions of a row also CR_NEEDS_NODE
 * and CR_NEEDS_TREE.
 */
unsigned cr_thread_rows_need(const struct cr_profile *p, const struct cr_query *q);

/*
 * Of the samples that q leaves, as cr_series_make() takes them. CR_EUSAGE where threads were not
 * recorded; else it fails as cr_select() and cr_stack_filter() do. out borrows p's names. slices:
 * sums of p's samples, which save two passes over the samples for many queries; or NULL. One more
 * pass over the samples, and one over the nodes, where there are times off the CPU.
 */
int cr_thread_rows_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_slices *slices, enum cr_thread_by by, struct cr_thread_rows *out,
	struct cr_err *err);
void cr_thread_rows_fini(struct cr_thread_rows *t);

/* The functions that one row spent most in, by falling cost. */
#define CR_THREAD_FUNCTIONS 5u

struct cr_thread_functions {
	struct cr_thread_function p[CR_THREAD_FUNCTIONS];
	uint32_t n;
	uint64_t whole; /* the cost of the row */
	struct cr_arena names;
};

/*
 * off: the functions that the row waited in, by time off the CPU; else those that were sampled. A
 * pass over the samples. Fails as cr_thread_rows_make() does.
 */
int cr_thread_functions_make(const struct cr_profile *p, const struct cr_query *q,
	const struct cr_thread_rows *t, uint32_t row, bool off, struct cr_thread_functions *out,
	struct cr_err *err);
void cr_thread_functions_fini(struct cr_thread_functions *f);

#endif
