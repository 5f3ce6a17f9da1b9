#ifndef CR_QUERY_HEALTH_ADVICE_H
#define CR_QUERY_HEALTH_ADVICE_H

#include "query/health/health.h"
#include "query/health/record_line.h"

/*
 * How to make a better recording: changes to the command line of perf record that the findings
 * suggest. All zero bytes is no change.
 */
struct cr_advice {
	char call_graph[24]; /* for --call-graph: "fp", "dwarf,16384"; "" if unchanged */
	/* Stacks exceed the dumps, which already have the kernel's maximum size. */
	bool dump_is_largest;
	uint64_t freq;       /* for -F, in Hz; 0 if unchanged */
	uint64_t count;      /* for -c; 0 if unchanged */
	uint64_t buffer_mib; /* for -m, in MiB; 0 if unchanged */
	uint32_t max_stack;  /* value for kernel.perf_event_max_stack; 0 if unchanged */
	bool mono_clock;     /* add -k 1, which jitdump agents need */
	bool no_compress;    /* remove -z */
	bool with_build_id;  /* remove -B */
	/* Add --buildid-mmap: build-ids in the records, not in a table at the end. */
	bool build_ids;
	uint64_t was_freq; /* rate of this recording in Hz; 0 if unknown or none */
};

/* line: command line of the recording; if it was not understood, only facts are used. */
void cr_advice_make(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *out);

/* True if the command line changes. */
bool cr_advice_changes(const struct cr_advice *a);

/*
 * Append the changed command line, in parts that belong on one line of the terminal, each ended by
 * NUL: "perf record\0-F 999\0-a\0sleep 10\0". Nothing if the line was not understood.
 */
void cr_advice_line(
	const struct cr_advice *a, const struct cr_record_line *line, struct cr_text *out);

#endif
