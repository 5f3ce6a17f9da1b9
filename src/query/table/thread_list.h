#ifndef CR_QUERY_TABLE_THREAD_LIST_H
#define CR_QUERY_TABLE_THREAD_LIST_H

#include "base/err.h"
#include "query/fold/select.h"

/* What the samples of a thread show. */
struct cr_thread {
	int32_t pid, tid;   /* -1 if unknown */
	struct cr_str comm; /* its name according to task_names.h; the list owns it */
	uint64_t samples, weight;
	/* In ns after the recording's first sample; from samples with a time. */
	uint64_t first_ns, last_ns;
	uint32_t cpu_from, cpus; /* range in the list's cpu[]: the processors it ran on, sorted */
	bool has_time;
};

struct cr_thread_list {
	struct cr_thread *threads; /* sorted by falling weight, then by pid and tid */
	uint32_t n;
	uint16_t *cpu;
	uint64_t weight; /* of all threads */
	struct cr_arena names;
};

/* Bits as in cr_filter_needs(), for what p contains. */
unsigned cr_thread_list_needs(const struct cr_profile *p, const struct cr_filter *f);

/*
 * List the threads of the samples that f selects. CR_EUSAGE if threads were not recorded; otherwise
 * fails like cr_select().
 */
int cr_thread_list_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_thread_list *out, struct cr_err *err);
void cr_thread_list_fini(struct cr_thread_list *t);

#endif
