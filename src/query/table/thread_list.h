#ifndef CR_QUERY_TABLE_THREAD_LIST_H
#define CR_QUERY_TABLE_THREAD_LIST_H

#include "base/err.h"
#include "query/fold/select.h"

/* What samples say of the threads that they were taken of. */
struct cr_thread {
	int32_t pid, tid;   /* -1 when not known */
	struct cr_str comm; /* its name by task_names.h; in the list's memory */
	uint64_t samples, weight;
	uint64_t first_ns, last_ns; /* after the recording's first sample; of samples with a time */
	uint32_t cpu_from, cpus;    /* rows of the processors that it was seen on, by number */
	bool has_time;
};

struct cr_thread_list {
	struct cr_thread *threads; /* by falling weight, then by pid and tid */
	uint32_t n;
	uint16_t *cpu;
	uint64_t weight; /* of all */
	struct cr_arena names;
};

/* Bits as cr_filter_needs(), for what there is in p. */
unsigned cr_thread_list_needs(const struct cr_profile *p, const struct cr_filter *f);

/*
 * Of the samples that f selects. CR_EUSAGE where threads were not recorded; else fails as
 * cr_select() does.
 */
int cr_thread_list_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_thread_list *out, struct cr_err *err);
void cr_thread_list_fini(struct cr_thread_list *t);

#endif
