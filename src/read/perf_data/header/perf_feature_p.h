#ifndef CR_READ_PERF_DATA_HEADER_PERF_FEATURE_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_FEATURE_P_H

#include "perf_header_p.h"

/*
 * Bits of the header's bitmap, and ids of HEADER_FEATURE records in pipe mode. Source:
 * perf.data-file-format.txt.
 */
enum perf_feature {
	PERF_FEATURE_TRACING_DATA = 1,
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
	PERF_FEATURE_CPU_TOPOLOGY = 13,
	PERF_FEATURE_NUMA_TOPOLOGY = 14,
	PERF_FEATURE_BRANCH_STACK = 15,
	PERF_FEATURE_PMU_MAPPINGS = 16,
	PERF_FEATURE_GROUP_DESC = 17,
	PERF_FEATURE_AUXTRACE = 18,
	PERF_FEATURE_STAT = 19,
	PERF_FEATURE_CACHE = 20,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_MEM_TOPOLOGY = 22,
	PERF_FEATURE_CLOCKID = 23,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_FEATURE_BPF_PROG_INFO = 25,
	PERF_FEATURE_BPF_BTF = 26,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CPU_PMU_CAPS = 28,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_HYBRID_TOPOLOGY = 30,
	PERF_FEATURE_PMU_CAPS = 31,
	PERF_FEATURE_CPU_DOMAIN_INFO = 32,
	PERF_FEATURE_E_MACHINE = 33,
	PERF_FEATURE_CLN_SIZE = 34,
	PERF_FEATURE_KNOWN, /* one more than the last known */
	PERF_FEATURE_BITS = 256,
};

/*
 * Read the payload of one feature from c. Facts are added to the builder; what the reader itself
 * needs (names of events and of PMUs, groups, build-ids, number of processors) is stored in the
 * header. c->bad afterwards: it was truncated, or contains an impossible count. The payload is
 * borrowed until cr_perf_header_fini(). Empty payloads are valid only for BRANCH_STACK and STAT.
 * Unknown features are ignored.
 */
void cr_perf_feature_read(
	unsigned bit, struct cr_cursor *c, struct perf_header *h, struct cr_builder *b);

/*
 * Set the names of an attr and its PMU from the features, since attrs and features come in any
 * order.
 */
void cr_perf_feature_name_attr(struct perf_header *h, size_t row);

/*
 * Read the body of a BUILD_ID record, after its header: s32 pid, the id in 24 bytes, the name.
 * Stored in h.
 */
void cr_perf_feature_build_id(struct perf_header *h, struct cr_cursor *body, uint16_t misc);

/*
 * Read all features of a recording in a file, listed in the table after its records. Also adds
 * facts about the header: where the records are, which features are missing, which are unknown.
 */
void cr_perf_features_read(
	const struct cr_input *in, struct perf_header *h, struct cr_builder *b, struct cr_log *log);

#endif
