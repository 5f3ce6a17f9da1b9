#ifndef CR_READ_PERF_DATA_PERF_JIT_P_H
#define CR_READ_PERF_DATA_PERF_JIT_P_H

#include "perf_space_p.h"
#include "symbol/jit/jitdump.h"

/*
 * Code of JIT compilers that wrote a jitdump, mapped into the address spaces while the records are
 * processed in time order:
 *
 *	cr_perf_jits_open()    when a process maps the marker, see cr_jitdump_is_name()
 *	perf_jits_due()        before each record, with its time;
 *	cr_perf_jits_play()    if that returned true
 */
#define PERF_JIT_DUMPS 1024u /* further markers are ignored */

struct perf_jit {
	struct cr_jitdump dump; /* its file is closed */
	size_t next;            /* next row of dump.code */
	cr_dso_id dso;
	int32_t pid; /* of the process with the marker, as recorded */
};

struct perf_jits {
	CR_VEC(struct perf_jit) dumps;
	uint64_t due;   /* time of the next code, if waiting */
	bool waiting;   /* there is further code */
	uint32_t tried; /* number of markers */
};

/*
 * Open the jitdump of a process that has mapped m->path, the marker, at m->start. comparable: the
 * recording uses CLOCK_MONOTONIC (perf record -k mono), so its times can be compared with the
 * jitdump's. Otherwise, or if the jitdump uses another clock, all its code is mapped now; at each
 * address the last one wins. A missing jitdump is logged.
 */
void cr_perf_jits_open(struct perf_jits *j, struct perf_spaces *s,
	const struct cr_symbol_opts *opts, const struct cr_jit_marker *m, bool comparable);

static inline bool
perf_jits_due(const struct perf_jits *j, uint64_t time)
{
	return j->waiting && time >= j->due;
}

/* Map the code that was loaded up to that time. */
void cr_perf_jits_play(struct perf_jits *j, struct perf_spaces *s, uint64_t time);

void cr_perf_jits_fini(struct perf_jits *j);

#endif
