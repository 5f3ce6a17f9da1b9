#ifndef CR_READ_PERF_DATA_HEADER_PERF_HEADER_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_HEADER_P_H

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "perf_attr_p.h"
#include "perf_bpf_p.h"
#include "read/reader.h"

/* A build-id in the header's table, for dsos whose mapping records have none. */
struct perf_build_id {
	struct cr_str name; /* borrowed from the input */
	uint8_t id[20];
	uint8_t len;
	uint8_t cpumode; /* of the record: 1 for the kernel and its modules */
};

/* An event id of a ring buffer, and its attr. */
struct perf_event_id {
	uint64_t id;
	uint32_t attr;
};

/* A PMU of the recorded machine: type number in attrs, and name. */
struct perf_pmu {
	uint32_t type;
	struct cr_str name; /* borrowed from the input */
};

/* Events that were counted as a group. */
struct perf_group {
	struct cr_str name; /* borrowed from the input; usually "" */
	/* Row of the first attr, and number of attrs; checked only when all attrs are known. */
	uint32_t leader, members;
};

/* The parts of perf.data around the records. All zero bytes is an empty one. */
struct perf_header {
	uint64_t data_offset, data_len; /* of the records, inside the input */
	/* data_len according to the header: 0 if the recorder did not finish. */
	uint64_t recorded_len;
	uint64_t features[4]; /* bits of the features present; none if the recording is truncated */
	bool swap;            /* the recorder's byte order differs from ours */
	bool cut;             /* truncated: records up to the end of the input, no features */
	bool pipe;            /* pipe mode: only records, which contain everything else */
	struct cr_cursor tracing; /* the feature TRACING_DATA; empty if there is none */
	CR_VEC(struct perf_attr) attrs;
	/* names of the events, by row of attrs; in old pipes they precede the attrs. */
	CR_VEC(struct cr_str)
	names;
	CR_VEC(struct perf_pmu) pmus;
	CR_VEC(struct perf_group) groups;
	CR_VEC(struct perf_build_id) build_ids;
	CR_VEC(struct perf_event_id) ids;
	struct cr_index id_index;       /* id to row of ids */
	struct cr_index build_id_index; /* name to row of build_ids */
	char machine[32]; /* of the recording, as printed by uname -m; "" if unknown */
	uint32_t n_cpus;  /* of the recorded machine; 0 if unknown */
	struct perf_bpf bpf;
};

/* A section of the file. */
struct perf_section {
	uint64_t offset, size;
};

/*
 * _read(): read offset and size. _fits(): true if it lies within a file of len bytes. _cursor():
 * its bytes, which must fit; swap: in the other byte order.
 */
struct perf_section cr_perf_section_read(struct cr_cursor *c);
bool cr_perf_section_fits(const struct perf_section *s, size_t len);
struct cr_cursor cr_perf_section_cursor(
	const struct cr_input *in, const struct perf_section *s, bool swap);

/*
 * Read header, attrs and ids; cr_perf_features_read() reads the features. Fails if there is no
 * header or no attr. A killed or truncated recording has no data size, or data beyond the end of
 * the file. Its records then extend to the end of the input, and it has no features. Source:
 * tools/perf/Documentation/perf.data-file-format.txt, checked with real files.
 */
int cr_perf_header_read(const struct cr_input *in, struct perf_header *h, struct cr_builder *b,
	struct cr_log *log, struct cr_err *err);
/*
 * Add an attr from a record: the attr, then its ids. False if it is invalid, or beyond the limit.
 */
bool cr_perf_header_attr(struct perf_header *h, struct cr_cursor body);
void cr_perf_header_fini(struct perf_header *h);

/* Row of the attr with this id; CR_NO_ROW if there is none. */
uint32_t cr_perf_header_attr_of(const struct perf_header *h, uint64_t id);

/* The build-id in the table for a name; NULL if none. */
const struct perf_build_id *cr_perf_header_build_id(
	const struct perf_header *h, struct cr_str name);

/*
 * The table's entry for the kernel itself, not for a module: "[kernel.kallsyms]", or the path of
 * the recorder's vmlinux; NULL if none.
 */
const struct perf_build_id *cr_perf_header_kernel(const struct perf_header *h);

#endif
