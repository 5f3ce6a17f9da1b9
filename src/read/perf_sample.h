#ifndef CR_PERF_SAMPLE_H
#define CR_PERF_SAMPLE_H

#include "perf_attr.h"

/* One PERF_RECORD_SAMPLE as far as it is used. Fields that the attr does not sample keep their defaults. */
struct perf_sample {
	uint64_t id;      /* IDENTIFIER or ID; 0 */
	uint64_t ip;      /* 0 */
	uint64_t time;    /* 0 */
	uint64_t period;  /* the attr's sample_period */
	uint32_t pid, tid; /* UINT32_MAX */
	uint32_t cpu;     /* UINT32_MAX */
	struct cr_cursor chain; /* the u64 entries of the callchain, markers among them */
	bool has_chain;
};

/*
 * Decode the body of a sample by its attr's sample_type. False when a field runs past the
 * record's end; what was read before it stands in *out. All fields are stepped over in the
 * kernel's order, so a body that is well formed is consumed to its last field.
 */
bool perf_sample_read(struct cr_cursor body, const struct perf_attr *a, struct perf_sample *out);

/* The trailer that other records carry when the attr has sample_id_all; missing fields stay 0. */
struct perf_trailer {
	uint64_t time, id;
	uint32_t pid, tid, cpu;
	size_t bytes; /* length of the trailer */
};

bool perf_trailer_read(struct cr_cursor body, const struct perf_attr *a, struct perf_trailer *out);

#endif
