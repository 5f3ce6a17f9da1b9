#ifndef CR_READ_PERF_DATA_PERF_OFFCPU_P_H
#define CR_READ_PERF_DATA_PERF_OFFCPU_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/builder.h"

/*
 * Computes how long threads were off the CPU: an event "off-cpu" with unit "ns" and no records of
 * its own. Each sample has the stack with which the thread left the CPU, and the time when it came
 * back. The field "state" is as printed by ps: S, D, R+ ...
 *
 * A thread leaves the CPU at a sample of sched:sched_switch, which has a stack, or at a SWITCH
 * record, which has none. If both occur, they count once. It returns at a SWITCH record, or when
 * the sched_switch of another thread switches to it.
 */
enum perf_off_source {
	PERF_OFF_BY_SAMPLE = 1,
	PERF_OFF_BY_SWITCH = 2,
};

struct perf_off {
	uint32_t tid;
	uint8_t out_by; /* enum perf_off_source, or-ed; 0: on a CPU, or unknown */
	bool dead;
	uint64_t since;
	struct cr_sample sample; /* without its time and weight */
	const char *state;       /* NULL if unknown */
};

struct perf_offcpu {
	CR_VEC(struct perf_off) threads;
	struct cr_index index; /* by tid */
	bool used;             /* the event exists */
	cr_event_id event;
	cr_field_id state;
	uint64_t ends_missed;
};

/*
 * Thread tid leaves the CPU at s->time_ns. s also has node, task and cpu. prev_state: of
 * sched_switch; -1 if unknown.
 */
void cr_perf_offcpu_leave(struct perf_offcpu *o, enum perf_off_source by, uint32_t tid,
	const struct cr_sample *s, int64_t prev_state);
/* Thread tid is on a CPU again: add a sample for the time since it left. */
void cr_perf_offcpu_return(
	struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time);
/* Thread tid has ended. */
void cr_perf_offcpu_exit(struct perf_offcpu *o, uint32_t tid);

/* The recording ends: add samples for the threads that are off the CPU. */
void cr_perf_offcpu_end(struct perf_offcpu *o, struct cr_builder *b, uint64_t time);
void cr_perf_offcpu_fini(struct perf_offcpu *o);

#endif
