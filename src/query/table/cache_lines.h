#ifndef CR_QUERY_TABLE_CACHE_LINES_H
#define CR_QUERY_TABLE_CACHE_LINES_H

#include "base/err.h"
#include "model/profile.h"
#include "query/fold/select.h"

/*
 * Cache lines that several processors use, as perf c2c report finds them: from the fields "addr"
 * and "data_src" of sampled loads and stores. A load that finds its line modified in the cache of
 * another processor (HITM) had to wait for it.
 */
#define CR_CACHE_LINE_BYTES 64u

struct cr_cache_counts {
	uint64_t loads, stores;
	uint64_t local_hitm,
		remote_hitm;         /* loads; remote: the other processor is on another socket */
	uint64_t latency, latencies; /* sum of the field "weight" of loads, and how many had it */
};

/* The accesses to one place of a line by one function of one thread name. */
struct cr_cache_place {
	uint32_t line; /* row of the line */
	uint32_t offset;
	uint32_t function; /* row of the functions: that of the leaf; CR_NO_ROW: no stack */
	uint64_t addr;     /* of code without a name, in its dso */
	struct cr_str comm;
	struct cr_cache_counts counts;
};

struct cr_cache_line {
	uint64_t addr;
	struct cr_str dso; /* what is mapped there; "" if unknown */
	struct cr_cache_counts counts;
	uint32_t threads, cpus;         /* how many use it */
	uint32_t first_place, n_places; /* rows of its places */
};

struct cr_cache_lines {
	struct cr_cache_line
		*lines; /* by falling number of HITM, then of samples, then by address */
	uint32_t n;
	struct cr_cache_place *places; /* of a line adjacent, in the same order, then by offset */
	uint32_t n_places;
	struct cr_cache_counts all; /* also of lines that are not listed */
};

/* Bits of enum cr_needs. */
unsigned cr_cache_lines_needs(const struct cr_filter *f);

/*
 * Find the lines of the selected samples. all: also those without HITM. CR_ENOTFOUND if the event
 * has no data addresses or sources; otherwise fails like cr_select(). Borrows names from p. Free
 * them with cr_cache_lines_fini() in any case.
 */
int cr_cache_lines_make(const struct cr_profile *p, const struct cr_filter *f, bool all,
	struct cr_cache_lines *out, struct cr_err *err);
void cr_cache_lines_fini(struct cr_cache_lines *l);

#endif
