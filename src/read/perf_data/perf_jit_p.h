#ifndef CR_READ_PERF_DATA_PERF_JIT_P_H
#define CR_READ_PERF_DATA_PERF_JIT_P_H

#include "perf_space_p.h"
#include "symbol/jit/jitdump.h"

/*
 * Code of JIT compilers that wrote a jitdump, mapped into the address spaces while a recording is
 * played:
 *
 *	cr_perf_jits_open()    when a process maps the marker, see cr_jitdump_is_name()
 *	perf_jits_due()     before any record of that time is played;
 *	cr_perf_jits_play()    when something is
 */
#define PERF_JIT_DUMPS 1024u /* further markers are passed over */

struct perf_jit {
	struct cr_jitdump dump; /* its file is closed */
	size_t next;            /* row of dump.code */
	cr_dso_id dso;
	int32_t pid; /* of the process with the marker, as recorded */
};

struct perf_jits {
	CR_VEC(struct perf_jit) dumps;
	uint64_t due;   /* time of the first code that is to come, if any is to */
	bool waiting;   /* some is */
	uint32_t tried; /* markers seen */
};

/*
 * The process has mapped m->path, the marker, and m->start is there. comparable: the recording's
 * times are those of CLOCK_MONOTONIC (perf record -k mono), so that the dump's mean something;
 * else, and where the dump has another clock, all its code is there from now on, the last at an
 * address staying. A dump that is not found is told in the log.
 */
void cr_perf_jits_open(struct perf_jits *j, struct perf_spaces *s,
	const struct cr_symbol_opts *opts, const struct cr_jit_marker *m, bool comparable);

static inline bool
perf_jits_due(const struct perf_jits *j, uint64_t time)
{
	return j->waiting && time >= j->due;
}

/* Map what was loaded up to that time. */
void cr_perf_jits_play(struct perf_jits *j, struct perf_spaces *s, uint64_t time);

void cr_perf_jits_fini(struct perf_jits *j);

#endif
