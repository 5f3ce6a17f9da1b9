#ifndef CR_READ_PERF_DATA_PERF_PARALLEL_P_H
#define CR_READ_PERF_DATA_PERF_PARALLEL_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/builder.h"

/*
 * How many threads run at the same time. It becomes the field "parallelism" of samples.
 *
 * - A recording of a command or of processes has SWITCH records. All recorded threads are counted
 *   together, as perf report --latency does: the count begins at 1; a switch adds or subtracts 1,
 *   and an exit subtracts 1.
 * - A recording of the whole machine has SWITCH_CPU_WIDE records or samples of sched:sched_switch.
 *   The threads of each process are counted apart: the processors on which one of them runs.
 */
struct perf_parallel_process {
	int32_t pid;
	uint32_t running; /* number of processors */
};

struct perf_parallel {
	bool counted;   /* the recording has SWITCH records, or one of the other sources */
	bool wide;      /* processes are counted apart */
	int64_t others; /* running threads of a command, without the first */
	CR_VEC(uint32_t) on_cpu1; /* by cpu: row of the process that runs there, + 1; 0: unknown */
	CR_VEC(struct perf_parallel_process) processes;
	struct cr_index index;      /* of the processes, by pid */
	CR_VEC(cr_field_id) fields; /* by event: where its values go */
};

void cr_perf_parallel_fini(struct perf_parallel *m);

/* A recorded thread has left its CPU or returned to one; or it has ended. */
void cr_perf_parallel_switch(struct perf_parallel *m, bool out);
void cr_perf_parallel_exit(struct perf_parallel *m);

/* From now on a thread of process pid runs on this cpu; pid 0 is the idle task. */
void cr_perf_parallel_run(struct perf_parallel *m, uint32_t cpu, int32_t pid);

/*
 * The number of running threads at a sample of process pid on this cpu (UINT32_MAX if unknown), 1
 * to `cpus`, the processors of the machine (0 if unknown). 0 if nothing is known about switches.
 */
uint32_t cr_perf_parallel_of(struct perf_parallel *m, uint32_t cpus, uint32_t cpu, int32_t pid);

/* Set the field of the sample last added, of this event. */
void cr_perf_parallel_put(
	struct perf_parallel *m, struct cr_builder *b, cr_event_id event, uint32_t value);

#endif
