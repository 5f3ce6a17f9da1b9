#ifndef CR_READ_PERF_DATA_HEADER_PERF_ATTR_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_ATTR_P_H

#include "base/text.h"
#include "bytes/cursor.h"
#include "model/build/builder.h"

/*
 * struct perf_event_attr of a recording, as far as needed. Source: linux/perf_event.h as of Linux
 * 6.18; sizes from 64 (VER0); members beyond the recorded size read as zero.
 */
enum perf_sample_bits {
	PERF_SAMPLE_IP = 1u << 0,
	PERF_SAMPLE_TID = 1u << 1,
	PERF_SAMPLE_TIME = 1u << 2,
	PERF_SAMPLE_ADDR = 1u << 3,
	PERF_SAMPLE_READ = 1u << 4,
	PERF_SAMPLE_CALLCHAIN = 1u << 5,
	PERF_SAMPLE_ID = 1u << 6,
	PERF_SAMPLE_CPU = 1u << 7,
	PERF_SAMPLE_PERIOD = 1u << 8,
	PERF_SAMPLE_STREAM_ID = 1u << 9,
	PERF_SAMPLE_RAW = 1u << 10,
	PERF_SAMPLE_BRANCH_STACK = 1u << 11,
	PERF_SAMPLE_REGS_USER = 1u << 12,
	PERF_SAMPLE_STACK_USER = 1u << 13,
	PERF_SAMPLE_WEIGHT = 1u << 14,
	PERF_SAMPLE_DATA_SRC = 1u << 15,
	PERF_SAMPLE_IDENTIFIER = 1u << 16,
	PERF_SAMPLE_TRANSACTION = 1u << 17,
	PERF_SAMPLE_REGS_INTR = 1u << 18,
	PERF_SAMPLE_PHYS_ADDR = 1u << 19,
	PERF_SAMPLE_AUX = 1u << 20,
	PERF_SAMPLE_CGROUP = 1u << 21,
	PERF_SAMPLE_DATA_PAGE_SIZE = 1u << 22,
	PERF_SAMPLE_CODE_PAGE_SIZE = 1u << 23,
	PERF_SAMPLE_WEIGHT_STRUCT = 1u << 24,
};

enum perf_read_bits {
	PERF_FORMAT_TOTAL_TIME_ENABLED = 1,
	PERF_FORMAT_TOTAL_TIME_RUNNING = 2,
	PERF_FORMAT_ID = 4,
	PERF_FORMAT_GROUP = 8,
	PERF_FORMAT_LOST = 16,
};

#define PERF_ATTR_INHERIT ((uint64_t)1 << 1)
#define PERF_ATTR_EXCLUDE_CALLCHAIN_USER ((uint64_t)1 << 22)
#define PERF_ATTR_FREQ ((uint64_t)1 << 10)
#define PERF_ATTR_SAMPLE_ID_ALL ((uint64_t)1 << 18)
#define PERF_ATTR_USE_CLOCKID ((uint64_t)1 << 25)
#define PERF_ATTR_CONTEXT_SWITCH ((uint64_t)1 << 26)
#define PERF_ATTR_DEFER_CALLCHAIN ((uint64_t)1 << 38)
#define PERF_BRANCH_CALL_STACK ((uint64_t)1 << 11)
#define PERF_BRANCH_HW_INDEX ((uint64_t)1 << 17)
#define PERF_BRANCH_COUNTERS ((uint64_t)1 << 19)

struct perf_tracepoint;
struct perf_trace_field;

struct perf_attr {
	uint32_t type;
	uint32_t size;
	uint64_t config;
	uint64_t sample_period; /* or the frequency */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	uint32_t wakeup; /* in events, or in bytes with the flag watermark */
	uint32_t bp_type;
	uint64_t config1, config2; /* address and length of a breakpoint */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* in bytes */
	int32_t clockid;            /* with the flag use_clockid */
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack; /* in frames */
	uint32_t aux_sample_size;  /* in bytes */
	uint32_t aux_action;
	uint64_t sig_data;
	uint64_t config3, config4;

	/* Members added by the reader: */
	struct cr_str name; /* from EVENT_DESC; "" until then */
	struct cr_str pmu;  /* from PMU_MAPPINGS: name of cr_perf_attr_pmu(); "" until then */
	uint64_t ids_offset, ids_bytes; /* section of u64 ids in the file */
	cr_event_id event;
	/* See cr_perf_sample_layout(): words of a sample before READ, and before its time. */
	uint8_t sample_words, words_before_time;
	/*
	 * Its samples have no data address, no counter values, nothing after the callchain, and the
	 * callchain is whole: most recordings have only such events.
	 */
	bool plain;
	/* Sum of its counts in records that are no samples; UINT64_MAX on overflow. */
	uint64_t counted;
	uint64_t n_counted; /* number of these counts */
	/* Its tracepoint, if the recording describes it; otherwise NULL. */
	const struct perf_tracepoint *tracepoint;
	/* Of sched:sched_switch; otherwise NULL. */
	const struct perf_trace_field *prev_pid, *prev_state, *next_pid;
	/* The thread that is woken; NULL if this is no tracepoint of waking. */
	const struct perf_trace_field *woken_pid;
	bool woken_late; /* sched_wakeup, which follows a sched_waking */
};

/* Decode an attr that fills c; false if it is shorter than the oldest version. */
bool cr_perf_attr_read(struct cr_cursor *c, struct perf_attr *out);

/*
 * The type number of the PMU that counts: the attr's type, or for generic events of a hybrid
 * machine the one in their config; 0 for any.
 */
uint32_t cr_perf_attr_pmu(const struct perf_attr *a);

/*
 * True for an event added by the recorder to receive mappings and similar records. It counts
 * nothing.
 */
bool cr_perf_attr_is_dummy(const struct perf_attr *a);

/*
 * Append a name for an event without one, like perf 7.3: "cpu-clock:u", "raw 0x1c2"; for PMUs of
 * the machine "intel_pt/config=0x300/", "cpu_core/cycles/". Bytes of the input are not made safe.
 */
void cr_perf_attr_name(const struct perf_attr *a, struct cr_text *out);

/* True for cpu-clock and task-clock, whose periods are time on a CPU. */
bool cr_perf_attr_is_clock(const struct perf_attr *a);

/* True for the bpf-output event of perf record --off-cpu, whose raw bytes are the sample. */
bool cr_perf_attr_is_off_cpu(const struct perf_attr *a);

/* Unit of its periods: "ns", "cycles", "events" ... */
const char *cr_perf_attr_unit(const struct perf_attr *a);
/* The same by name, "cycles:u", "cpu_core/cycles/", for a text that has only names. */
const char *cr_perf_name_unit(struct cr_str name);

/*
 * Index of the id among the u64s of a SAMPLE, counted from the front; and among those of another
 * record's trailer, counted from the back (1 is the last). -1 if there is none.
 */
int cr_perf_attr_id_from_front(const struct perf_attr *a);
int cr_perf_attr_id_from_back(const struct perf_attr *a);

#endif
