#ifndef CR_READ_PERF_DATA_PERF_SAMPLE_P_H
#define CR_READ_PERF_DATA_PERF_SAMPLE_P_H

#include "read/perf_data/header/perf_attr_p.h"

/* Origin of a sample's callchain. */
enum perf_chain_kind {
	PERF_CHAIN_RECORDED, /* written by the kernel, also later */
	/* The user part comes from the branch stack: it has no return addresses. */
	PERF_CHAIN_BRANCHES,
	/* The user part was unwound from registers and stack: it has no return addresses. */
	PERF_CHAIN_UNWOUND,
	PERF_CHAIN_CUT, /* the same, and its outermost frames are missing */
};

/*
 * A marker of composed chains: the next entry is a return address, though it is the first of its
 * part. It has this meaning only if has_history is set.
 */
#define PERF_CHAIN_RETURNS ((uint64_t)-4095)

/*
 * A PERF_RECORD_SAMPLE up to its callchain. Fields that the attr does not sample have the defaults
 * stated here.
 */
struct perf_sample {
	uint64_t id;       /* IDENTIFIER or ID; default 0 */
	uint64_t ip;       /* default 0 */
	uint64_t time;     /* default 0 */
	uint64_t addr;     /* default 0 */
	uint64_t period;   /* default: the attr's sample_period */
	uint32_t pid, tid; /* default UINT32_MAX */
	uint32_t cpu;      /* default UINT32_MAX */
	bool has_chain;
	enum perf_chain_kind chain_kind; /* default PERF_CHAIN_RECORDED */
	bool has_history; /* the chain contains branches, see perf_history_p.h; default false */
	struct cr_cursor chain; /* the u64 entries of the callchain, including markers */
	/* Unless the attr is plain: */
	struct cr_cursor rest; /* what follows the callchain: cr_perf_sample_rest() */
	struct cr_cursor read; /* the values of READ: cr_perf_read_next() */
};

/* The fields after the callchain. Those that the attr does not sample are empty or 0. */
struct perf_sample_rest {
	struct cr_cursor raw; /* fields of a tracepoint, or what a program wrote to bpf-output */
	struct cr_cursor branches; /* entries of 24 bytes, newest first: u64 from, to, flags */
	uint64_t regs_abi;         /* of regs_user: 0 none, 1 32 bits, 2 64 bits */
	/* u64 for each bit of the attr's sample_regs_user, lowest first. */
	struct cr_cursor regs_user;
	struct cr_cursor stack_user; /* from the stack pointer upwards, as much as was copied */
	bool stack_full;             /* as much as was requested was copied */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
};

/* The value of one event in the READ field of a sample. */
struct perf_read_value {
	uint64_t value, id; /* 0 if the format has no ids */
};

/* Set sample_words, words_before_time and plain of an attr, which the functions below need. */
void cr_perf_sample_layout(struct perf_attr *a);

/*
 * Decode the body of a sample according to its attr's sample_type. Returns false if a field exceeds
 * the record; *out is then incomplete. All fields are skipped in the kernel's order, so a
 * valid body is consumed completely.
 */
bool cr_perf_sample_read(
	const struct cr_cursor *body, const struct perf_attr *a, struct perf_sample *out);

/* Decode s->rest; false if a field exceeds it. */
bool cr_perf_sample_rest(
	struct cr_cursor rest, const struct perf_attr *a, struct perf_sample_rest *out);

/* True if the attr samples any field after the callchain. */
bool cr_perf_sample_has_rest(const struct perf_attr *a);

/*
 * Return the number of values in s->read and move the cursor before the first; _next() reads one.
 */
uint64_t cr_perf_read_begin(struct cr_cursor *read, const struct perf_attr *a);
struct perf_read_value cr_perf_read_next(struct cr_cursor *read, const struct perf_attr *a);

/* The trailer of other records if the attr has sample_id_all; missing fields stay 0. */
struct perf_trailer {
	uint64_t time, id;
	uint32_t pid, tid, cpu;
	size_t bytes; /* length of the trailer */
};

/* body: the record after its header. False if it is shorter than the trailer. */
bool cr_perf_trailer_read(
	struct cr_cursor body, const struct perf_attr *a, struct perf_trailer *out);

#endif
