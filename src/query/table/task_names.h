#ifndef CR_QUERY_TABLE_TASK_NAMES_H
#define CR_QUERY_TABLE_TASK_NAMES_H

#include "model/merge/merge.h"
#include "model/profile.h"

/*
 * Groups the tasks of a profile by thread or process, and names each. No other code decides this:
 *
 * - A thread has the name of its last sample, whichever samples are selected, like in perf.
 * - A process has the name of its main thread, the last that the recording says. If it says none,
 *   it is the name in the last sample of that thread, or of another one.
 * - In a merge, equal ids of two recordings are two threads, and the name includes the recording.
 */
enum cr_tasks_by {
	/* A row for each tid; if it was reused, threads of several processes are one row. */
	CR_TASKS_BY_TID,
	CR_TASKS_BY_PID,     /* a row for each process */
	CR_TASKS_BY_PID_TID, /* a row for each thread of each process */
};

struct cr_task_names {
	const struct cr_profile *p;
	uint32_t *of;                  /* by task: its row */
	uint32_t *task;                /* by row: the task that gives the name */
	uint32_t n;                    /* number of rows, in the order of their first tasks */
	uint32_t *recording;           /* by task */
	uint32_t *leader;              /* by row: its main thread among p's threads, or CR_NO_ROW */
	struct cr_merge_inputs inputs; /* empty if the profile is no merge */
};

/* The profile is borrowed; its column of tasks must have been read. */
void cr_task_names_make(const struct cr_profile *p, enum cr_tasks_by by, struct cr_task_names *out);
void cr_task_names_fini(struct cr_task_names *n);

/* Append the name of a row: "nginx", or "nginx (web1)" in a merge; nothing if it has no name. */
void cr_task_name_put(const struct cr_task_names *n, uint32_t row, struct cr_text *out);

#endif
