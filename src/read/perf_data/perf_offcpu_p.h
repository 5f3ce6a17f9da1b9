#ifndef CR_READ_PERF_DATA_PERF_OFFCPU_P_H
#define CR_READ_PERF_DATA_PERF_OFFCPU_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/builder.h"

/*
 * How long threads were off the CPU, out of when they left it and came back: an event "off-cpu" of
 * unit "ns" that no record is a sample of. Its samples have the stack that the thread left the CPU
 * with, the time it came back, and a field "state" as ps has it: S, D, R+ ...
 *
 * Leaving is told by a sample of sched:sched_switch, with a stack, by a SWITCH record, without
 * one, or by both of them, which then count once. Coming back is told by SWITCH records, and by
 * what the sched_switch of another thread switches to.
 */
enum perf_off_source {
	PERF_OFF_BY_SAMPLE = 1,
	PERF_OFF_BY_SWITCH = 2,
};

struct perf_off {
	uint32_t tid;
	uint8_t told; /* enum perf_off_source, or-ed; 0: it is on a CPU, or nobody knows */
	bool dead;
	uint64_t since;
	struct cr_sample sample; /* but for its time and weight */
	const char *state;       /* NULL when not known */
};

struct perf_offcpu {
	CR_VEC(struct perf_off) threads;
	struct cr_index index; /* by tid */
	bool used;             /* there is an event */
	cr_event_id event;
	cr_field_id state;
	uint64_t ends_missed;
};

/*
 * Thread tid leaves the CPU at a time. s has the node, task and cpu. prev_state is that of
 * sched_switch; -1 when not known.
 */
void cr_perf_offcpu_leave(struct perf_offcpu *o, enum perf_off_source by, uint32_t tid,
	const struct cr_sample *s, int64_t prev_state);
void cr_perf_offcpu_return(
	struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time);
void cr_perf_offcpu_exit(struct perf_offcpu *o, uint32_t tid);

/* The recording ends: threads that are off the CPU were so until then. */
void cr_perf_offcpu_end(struct perf_offcpu *o, struct cr_builder *b, uint64_t time);
void cr_perf_offcpu_fini(struct perf_offcpu *o);

#endif
