#ifndef CR_READ_PERF_DATA_PERF_VALUES_P_H
#define CR_READ_PERF_DATA_PERF_VALUES_P_H

#include "base/hash.h"
#include "base/vec.h"

/*
 * Counter values that samples of PERF_SAMPLE_READ carry: what a sample counts is by how much a
 * value has grown since the last one of its id, and of its thread where each thread counts for
 * itself. All zero bytes is an empty table.
 */
struct perf_values {
	CR_VEC(struct perf_last_value) rows;
	struct cr_index index;
};

struct perf_last_value {
	uint64_t id, value;
	uint32_t tid;
};

uint64_t cr_perf_values_grown(struct perf_values *v, uint64_t id, uint32_t tid, uint64_t value);
void cr_perf_values_fini(struct perf_values *v);

#endif
