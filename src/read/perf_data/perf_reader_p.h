#ifndef CR_READ_PERF_DATA_PERF_READER_P_H
#define CR_READ_PERF_DATA_PERF_READER_P_H

#include "perf_branches_p.h"
#include "perf_chain_p.h"
#include "perf_field_p.h"
#include "perf_jit_p.h"
#include "perf_offcpu_p.h"
#include "perf_order_p.h"
#include "perf_parallel_p.h"
#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "perf_stream_p.h"
#include "perf_unwind_p.h"
#include "perf_values_p.h"
#include "read/perf_data/header/perf_header_p.h"
#include "read/perf_data/tracepoints/perf_tracing_p.h"
#include "read/reader.h"

/*
 * State of reading one perf.data recording. The way of a record:
 *
 *	perf_stream ─► read_perf_data ─► perf_order ─┬─► perf_play   changes of address spaces
 *	   (bytes)     (the recorder's   (by time)   └─► perf_add_sample
 *	                own records)
 *
 * Sources: linux/perf_event.h for the kernel's records, perf.data-file-format.txt for perf's own.
 */
enum perf_record_type {
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_READ = 8,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_AUX = 11,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_SWITCH = 14,
	PERF_RECORD_SWITCH_CPU_WIDE = 15,
	PERF_RECORD_NAMESPACES = 16,
	PERF_RECORD_KSYMBOL = 17,
	PERF_RECORD_CGROUP = 19,
	PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	PERF_RECORD_KERNEL_LAST = 22,
	PERF_RECORD_USER_FIRST = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_TRACING_DATA = 66,
	PERF_RECORD_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_USER_LAST = 86,
};

struct perf_held;
struct perf_held_of;

/*
 * A decoded sample whose chain was not looked up yet: the memory for the lookup is being fetched.
 */
struct perf_awaited {
	struct perf_sample s;
	const struct perf_attr *a; /* attr that describes the fields of the record */
	cr_event_id event;
	uint32_t thread; /* row of the threads */
	unsigned cpumode;
	uint32_t parallelism; /* see cr_perf_parallel_of() */
	uint64_t cgroup_id1;  /* see struct perf_thread */
	struct perf_chain_key key;
	CR_VEC(uint64_t) made; /* a chain that was composed, so is in no record */
	struct perf_unwound unwound;
};

#define PERF_AHEAD 16 /* in samples; a power of two */
#define PERF_NEAR 6   /* the same for what is fetched second; less than PERF_AHEAD */

struct perf_reader {
	const struct cr_input *in;
	const struct cr_read_opts *opts;
	struct cr_builder *b;
	struct perf_header header;
	struct perf_stream *streams; /* of the file, then those of the directory */
	size_t n_streams;
	struct perf_order order;
	struct perf_spaces spaces;
	struct perf_chains chains;
	struct perf_jits jits;
	bool ordered;          /* every record has a time */
	bool monotonic;        /* the times are of CLOCK_MONOTONIC */
	int id_front, id_back; /* see cr_perf_attr_id_from_front(); equal in all attrs */
	struct perf_values values;
	/* Samples that wait for the rest of their chain; used entries leave gaps. */
	CR_VEC(struct perf_held)
	held;
	CR_VEC(struct perf_held_of) held_of; /* by thread */
	struct cr_index held_index;          /* by tid: row of held_of */
	size_t held_bytes;                   /* size of those that still wait */
	CR_VEC(uint64_t) joined;             /* the chain of one of them, both parts */
	struct perf_unwinds unwinds;
	struct perf_fields fields;
	struct perf_branches branches;
	bool has_history; /* a stack contains the branches of its sample */
	struct perf_offcpu offcpu;
	struct perf_parallel parallel;
	struct perf_tracing tracing;
	size_t n_named;    /* number of attrs that have a row in the builder */
	size_t n_laid_out; /* number of attrs that cr_perf_events_layout() has processed */
	uint64_t first_ns, last_ns;
	uint64_t touched; /* bytes read or processed since pages of the input were last dropped */
	uint64_t counts[PERF_RECORD_USER_LAST + 1]; /* number of records by type */
	/* Ring buffer: the oldest is at n_played; it has n_read - n_played entries. */
	struct perf_awaited ahead[PERF_AHEAD];
	uint64_t n_read, n_played;
	struct {
		uint64_t id;
		uint32_t attr1; /* row of the attrs, + 1 */
	} known_ids[64]; /* by low bits of the id: cached results of cr_perf_header_attr_of() */
};

/* ---- perf_event.c: records in general: their types and events */

/* Log that recorded data is missing, and set CR_PROFILE_IN_PART. */
void cr_perf_damaged(struct perf_reader *r, const char *kind, const struct perf_record *rec);
const char *cr_perf_record_name(uint32_t type); /* "MMAP2" */
/* Find the description of an attr's tracepoint. */
void cr_perf_attr_trace(struct perf_attr *a, const struct perf_tracing *tracing);

/* Add a count that is no sample. */
void cr_perf_count(struct perf_attr *a, uint64_t value);
/*
 * The attr with this id; the first attr for id 0, which synthesised records have; NULL if unknown.
 */
const struct perf_attr *cr_perf_attr_by_id(struct perf_reader *r, uint64_t id);
/* The attr of a sample; NULL if unknown. */
const struct perf_attr *cr_perf_sample_attr(struct perf_reader *r, const struct perf_record *rec);
/* The attr that describes the trailer of a record that is no sample. */
const struct perf_attr *cr_perf_trailer_attr(struct perf_reader *r, const struct perf_record *rec);
/* The trailer of a record; all zero if it has none. */
struct perf_trailer cr_perf_record_trailer(struct perf_reader *r, const struct perf_record *rec);
/* The body without its trailer. */
struct cr_cursor cr_perf_record_body(struct perf_reader *r, const struct perf_record *rec);
/* The time by which a record is sorted; 0 if it has none and is processed at once. */
uint64_t cr_perf_record_time(struct perf_reader *r, const struct perf_record *rec);
/* The cpu of a record, as stored in the samples. */
uint16_t cr_perf_cpu_column(const struct perf_attr *a, uint32_t cpu);
/* Call it whenever attrs were added; it processes the new ones. */
void cr_perf_events_layout(struct perf_reader *r);

/* ---- perf_play.c: records other than samples, in time order */
void cr_perf_play(struct perf_reader *r, const struct perf_record *rec);

/* ---- perf_own.c: the recorder's own records, when they are read */
void cr_perf_own(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec);

/* ---- perf_add_sample.c: samples */
/* Add a sample to the profile; the last few are completed later, see cr_perf_sample_flush(). */
void cr_perf_add_sample(struct perf_reader *r, const struct perf_record *rec);
/* Complete the waiting samples of a thread with the rest of their chains. */
void cr_perf_sample_deferred(struct perf_reader *r, const struct perf_record *rec);
/* At the end: add the samples whose chains were not completed. */
void cr_perf_sample_waiting(struct perf_reader *r);
void cr_perf_sample_fini(struct perf_reader *r);
/* Complete the samples of cr_perf_add_sample(), before anything changes that they depend on. */
void cr_perf_sample_flush(struct perf_reader *r);

#endif
