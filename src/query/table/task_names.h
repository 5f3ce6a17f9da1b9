#ifndef CR_QUERY_TABLE_TASK_NAMES_H
#define CR_QUERY_TABLE_TASK_NAMES_H

#include "model/merge/merge.h"
#include "model/profile.h"

/*
 * Which threads, or which processes, the tasks of a profile are of, and what each is called.
 * Nothing else decides that:
 *
 *	- A thread has the name of its last sample, whichever samples are selected. perf does it so.
 *	- A process has the name of its main thread; without a sample of that, the name of its last
 *	  sample.
 *	- In a merge, ids of two recordings are two threads, and the name of each says which
 *	  recording it is of.
 */
enum cr_tasks_by {
	CR_TASKS_BY_TID,     /* a row for each tid; where it was used again, threads of several
				processes are one */
	CR_TASKS_BY_PID,     /* a row for each process */
	CR_TASKS_BY_PID_TID, /* a row for each thread of each process */
};

struct cr_task_names {
	const struct cr_profile *p;
	uint32_t *of;                  /* by task: its row */
	uint32_t *task;                /* by row: the task that it is named after */
	uint32_t n;                    /* rows, in the order of their first tasks */
	uint32_t *recording;           /* by task */
	struct cr_merge_inputs inputs; /* none of a profile that is no merge */
};

/* The profile is borrowed, and must have its column of tasks. */
void cr_task_names_make(const struct cr_profile *p, enum cr_tasks_by by, struct cr_task_names *out);
void cr_task_names_fini(struct cr_task_names *n);

/* The name of a row, appended: "nginx", "nginx (web1)" in a merge; nothing where it has none. */
void cr_task_name_put(const struct cr_task_names *n, uint32_t row, struct cr_text *out);

#endif
