#ifndef CR_QUERY_FOLD_SLICES_H
#define CR_QUERY_FOLD_SLICES_H

#include "query/lang/query.h"

/*
 * The samples of a profile, added up in slices of consecutive rows by event, task and cpu. Rows are
 * nearly in time order, so that most slices are completely in one bin of a time series. Then a few
 * sums stand for thousands of rows, and only rows of the other slices are read one by one. A time
 * series of ten million samples takes a few milliseconds of CPU that way.
 */
struct cr_slices;
struct cr_selector;

#define CR_SLICES_ROWS 2048u /* of a slice, for cr_slices_new() */

/* What must be read before cr_slices_new(): bits of enum cr_needs. */
unsigned cr_slices_need(const struct cr_profile *p);

/*
 * Add up the samples of p, `rows` to a slice; in one pass. NULL if sums would save little, because
 * there are few samples or too many different tasks and cpus; also if the work is cancelled. p must
 * outlive the slices, and its columns must stay. The caller frees them.
 */
struct cr_slices *cr_slices_new(const struct cr_profile *p, uint32_t rows);
void cr_slices_free(struct cr_slices *s);

/*
 * True if a query can be answered from sums: it looks at events, tasks, cpus and times only. NULL
 * has no answers.
 */
bool cr_slices_can(const struct cr_slices *s, const struct cr_query *q);

/* One more than the largest cpu of a sample; 0 if no sample has a known cpu. */
uint32_t cr_slices_cpus(const struct cr_slices *s);

/*
 * Bin i begins at start_ns + i * width_ns, on the clock of the recording. Times after the last bin,
 * or before the first one, are in the last one.
 */
struct cr_slices_bins {
	uint64_t start_ns, width_ns;
	uint32_t n;
};

/* Samples that agree in all of this. */
struct cr_slices_sum {
	uint32_t task;
	uint16_t cpu, event;
	uint64_t rows, weight;      /* how many samples, and their weight together */
	bool is_timed;              /* they have times */
	uint64_t first_ns, last_ns; /* of a single row both are its time; else of the slice */
	uint32_t bin;
};

/*
 * Call sum() for all samples that are selected; each sample is in one call. exact: by slice, not 0
 * if its rows have to come one by one; NULL if that does not matter. Slices are counted by
 * cr_slices_count().
 */
void cr_slices_each(const struct cr_slices *s, struct cr_selector *selector,
	const struct cr_slices_bins *bins, const uint8_t *exact,
	void (*sum)(void *user, uint32_t slice, const struct cr_slices_sum *sum), void *user);
uint32_t cr_slices_count(const struct cr_slices *s);

#endif
