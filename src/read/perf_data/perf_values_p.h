#ifndef CR_READ_PERF_DATA_PERF_VALUES_P_H
#define CR_READ_PERF_DATA_PERF_VALUES_P_H

#include "base/hash.h"
#include "base/vec.h"

/*
 * Counter values in samples with PERF_SAMPLE_READ. The weight of a sample is the growth of a value
 * since the last sample with the same id. If threads are counted separately, it is the last one of
 * the same thread too. All zero bytes is an empty table.
 */
struct perf_values {
	CR_VEC(struct perf_last_value) rows;
	struct cr_index index;
};

struct perf_last_value {
	uint64_t id, value;
	uint32_t tid;
};

/* Store a value and return its growth since the last call with the same id and tid. */
uint64_t cr_perf_values_grown(struct perf_values *v, uint64_t id, uint32_t tid, uint64_t value);
void cr_perf_values_fini(struct perf_values *v);

#endif
