#ifndef CR_PERF_FEATURE_H
#define CR_PERF_FEATURE_H

#include "perf_header.h"

/* Bits of the header's bitmap, and ids of HEADER_FEATURE records in pipe mode. Source: perf.data-file-format.txt. */
enum perf_feature {
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_BITS = 256,
};

/*
 * One feature's payload, from a cursor that is its whole world: facts go to the builder, what the
 * reader itself goes by (names of events, build-ids) to the header. c->bad afterwards: it ended early.
 */
void perf_feature_read(unsigned bit, struct cr_cursor *c, struct perf_header *h, struct cr_builder *b);

#endif
