#ifndef CR_QUERY_HEALTH_ADVICE_H
#define CR_QUERY_HEALTH_ADVICE_H

#include "query/health/health.h"
#include "query/health/record_line.h"

/*
 * How to record the same again, better: changes to the command line of perf record that the
 * findings call for, and no others. All zero bytes is no change.
 */
struct cr_advice {
	char call_graph[24];  /* for --call-graph: "fp", "dwarf,16384"; "" leaves it */
	bool dump_is_largest; /* stacks are longer than the dumps, and those as long as the kernel
				 takes */
	uint64_t freq;        /* for -F, in Hz; 0 leaves it */
	uint64_t count;       /* for -c; 0 leaves it */
	uint64_t buffer_mib;  /* for -m; 0 leaves it */
	uint32_t max_stack;   /* kernel.perf_event_max_stack before it; 0 leaves it */
	bool mono_clock;      /* -k 1: what jitdump agents want */
	bool no_compress;     /* without -z */
	bool with_build_id;   /* without -B */
	bool build_ids;       /* --buildid-mmap: in the records, not in a table at the end */
	uint64_t was_freq;    /* Hz of this recording; 0 when not known or none */
};

/* line: of the recording; where it was not understood facts alone are gone by. */
void cr_advice_make(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *out);

/* Is there a change to the command line? */
bool cr_advice_changes(const struct cr_advice *a);

/*
 * The changed line, appended, in pieces that belong on one line of the terminal, each ended by
 * NUL: "perf record\0-F 999\0-a\0sleep 10\0". Nothing if the line was not understood.
 */
void cr_advice_line(
	const struct cr_advice *a, const struct cr_record_line *line, struct cr_text *out);

#endif
