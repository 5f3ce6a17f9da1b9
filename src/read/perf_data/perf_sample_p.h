#ifndef CR_READ_PERF_DATA_PERF_SAMPLE_P_H
#define CR_READ_PERF_DATA_PERF_SAMPLE_P_H

#include "read/perf_data/header/perf_attr_p.h"

/* How the callchain of a sample came to be. */
enum perf_chain_kind {
	PERF_CHAIN_RECORDED, /* as the kernel wrote it, or found it later */
	PERF_CHAIN_BRANCHES, /* the user's part is made of branches: nothing in it is a return
				address */
	PERF_CHAIN_UNWOUND,  /* the user's part is made of registers and stack: neither is there */
	PERF_CHAIN_CUT,      /* so it is, and its outermost frames are missing */
};

/*
 * One PERF_RECORD_SAMPLE up to its callchain. Fields that the attr does not sample keep their
 * defaults.
 */
struct perf_sample {
	uint64_t id;       /* IDENTIFIER or ID; 0 */
	uint64_t ip;       /* 0 */
	uint64_t time;     /* 0 */
	uint64_t addr;     /* 0 */
	uint64_t period;   /* the attr's sample_period */
	uint32_t pid, tid; /* UINT32_MAX */
	uint32_t cpu;      /* UINT32_MAX */
	bool has_chain;
	enum perf_chain_kind chain_kind; /* PERF_CHAIN_RECORDED */
	struct cr_cursor chain;          /* the u64 entries of the callchain, markers among them */
	struct cr_cursor rest;           /* what stands behind it: cr_perf_sample_rest() */
	struct cr_cursor read;           /* the values of READ: cr_perf_read_next() */
};

/*
 * What stands behind the callchain. Cursors are empty and numbers 0 where the attr does not sample
 * them.
 */
struct perf_sample_rest {
	struct cr_cursor raw; /* of a tracepoint its fields, of bpf-output what the program wrote */
	struct cr_cursor branches; /* entries of 24 bytes, newest first: u64 from, to, flags */
	uint64_t regs_abi;         /* of regs_user: 0 none, 1 of 32 bits, 2 of 64 */
	struct cr_cursor
		regs_user; /* u64 for each bit of the attr's sample_regs_user, lowest first */
	struct cr_cursor stack_user; /* from the stack pointer up, as much as could be copied */
	bool stack_full;             /* all that was asked for could be */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
};

/* The value that a sample of READ has for one event. */
struct perf_read_value {
	uint64_t value, id; /* id 0 where the format has none */
};

/*
 * Decode the body of a sample by its attr's sample_type. False when a field runs past the
 * record's end; what was read before it stands in *out. All fields are stepped over in the
 * kernel's order, so a body that is well formed is consumed to its last field.
 */
bool cr_perf_sample_read(struct cr_cursor body, const struct perf_attr *a, struct perf_sample *out);

/* s->rest decoded; false when a field runs past its end. */
bool cr_perf_sample_rest(
	struct cr_cursor rest, const struct perf_attr *a, struct perf_sample_rest *out);

/* Does the attr sample anything of it? */
bool cr_perf_sample_has_rest(const struct perf_attr *a);

/* How many values s->read has, with the cursor put before the first. */
uint64_t cr_perf_read_begin(struct cr_cursor *read, const struct perf_attr *a);
struct perf_read_value cr_perf_read_next(struct cr_cursor *read, const struct perf_attr *a);

/* The trailer that other records carry when the attr has sample_id_all; missing fields stay 0. */
struct perf_trailer {
	uint64_t time, id;
	uint32_t pid, tid, cpu;
	size_t bytes; /* length of the trailer */
};

bool cr_perf_trailer_read(
	struct cr_cursor body, const struct perf_attr *a, struct perf_trailer *out);

#endif
