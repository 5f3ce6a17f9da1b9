#ifndef CR_READ_PERF_DATA_PERF_OFFCPU_P_H
#define CR_READ_PERF_DATA_PERF_OFFCPU_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/builder.h"

/*
 * Computes how long threads were on and off the CPU: an event "off-cpu" with unit "ns" and no
 * records of its own. Each sample has the stack with which the thread left the CPU, and the time
 * when it came back. Its fields:
 *
 *	state      why it left, as printed by ps: S, D, R+ ...
 *	queued     ns at its end in which the thread was woken already, but waited for a CPU
 *	waker      comm of the thread that woke it, and waker_tid
 *	ran        ns that the thread had run before it left, since its return was recorded
 *	open       1 if the recording ended before it came back
 *
 * A thread leaves the CPU at a sample of sched:sched_switch, which has a stack, or at a SWITCH
 * record, which has none. If both occur, they count once. It returns at a SWITCH record, or when
 * the sched_switch of another thread switches to it.
 *
 * A second event, "lifetime", has one sample for each thread: its time is the end of the thread or
 * of the recording, its weight the ns since the thread began or was first seen. Its fields:
 *
 *	ran        ns that it had run at the end of its life
 *	queued     ns that it waited for a CPU before it ran for the first time
 *	open       ns that it was in the same state when the recording ended
 *	state      this state: "on", or as above; "off" if unknown
 */
enum perf_off_source {
	PERF_OFF_BY_SAMPLE = 1,
	PERF_OFF_BY_SWITCH = 2,
};

struct perf_off {
	uint32_t tid;
	uint8_t out_by; /* enum perf_off_source, or-ed; 0: on a CPU, or unknown */
	bool dead, forked, has_task;
	uint64_t since;
	/* Times, 0 if unknown: its first sign of life; its end. */
	uint64_t first, died;
	uint64_t in;           /* since when it runs; 0: it does not, or unknown */
	uint64_t ready;        /* when it was woken, after it had left; 0 if not */
	uint64_t ran;          /* before it left; 0 if unknown */
	uint64_t queued_first; /* before it ran for the first time */
	uint64_t waker;        /* text of the comm that woke it, if ready */
	uint32_t waker_tid;
	cr_task_id task;
	struct cr_sample sample; /* without its time and weight */
	const char *state;       /* NULL if unknown */
};

struct perf_offcpu {
	CR_VEC(struct perf_off) threads;
	struct cr_index index; /* by tid */
	bool used;             /* the event exists */
	bool wanted;           /* switches may be recorded */
	bool switched;         /* they were */
	bool has_waking;       /* sched:sched_waking is recorded, so sched_wakeup is not used */
	bool wide; /* the whole machine is recorded, by samples: see cr_perf_offcpu_leave() */
	cr_event_id event;
	cr_field_id state, queued, waker, waker_tid, ran, open;
	CR_VEC(uint64_t) last_switch; /* by cpu: time of its last sample of sched_switch */
	uint64_t last;                /* the last time known */
	uint64_t ends_missed, ends_taken;
};

/* The thread lives at this time. task: as which its samples are added. */
void cr_perf_offcpu_seen(struct perf_offcpu *o, uint32_t tid, uint64_t time, cr_task_id task);
/* Thread tid begins. */
void cr_perf_offcpu_fork(struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time);
/* Thread tid was woken by another. waker: a text of b. */
void cr_perf_offcpu_wake(
	struct perf_offcpu *o, uint32_t tid, uint64_t time, uint64_t waker, uint32_t waker_tid);

/*
 * Thread tid leaves the CPU at s->time_ns. s also has node, task and cpu. prev_state: of
 * sched_switch; -1 if unknown.
 *
 * If its return was not recorded, although the whole machine is, it is assumed to have returned at
 * the previous switch of the CPU, or when it was woken after that.
 */
void cr_perf_offcpu_leave(struct perf_offcpu *o, struct cr_builder *b, enum perf_off_source by,
	uint32_t tid, const struct cr_sample *s, int64_t prev_state);
/* Thread tid is on a CPU again: add a sample for the time since it left. */
void cr_perf_offcpu_return(
	struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time);
/* Thread tid has ended; time: 0 if unknown. */
void cr_perf_offcpu_exit(struct perf_offcpu *o, uint32_t tid, uint64_t time);

/*
 * The recording ends. _end(): add samples for the threads that are off the CPU. _lives(): add the
 * event "lifetime", if switches were recorded.
 */
void cr_perf_offcpu_end(struct perf_offcpu *o, struct cr_builder *b, uint64_t time);
void cr_perf_offcpu_lives(struct perf_offcpu *o, struct cr_builder *b, uint64_t time);
void cr_perf_offcpu_fini(struct perf_offcpu *o);

#endif
