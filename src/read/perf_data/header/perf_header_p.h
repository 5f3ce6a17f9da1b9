#ifndef CR_READ_PERF_DATA_HEADER_PERF_HEADER_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_HEADER_P_H

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "perf_attr_p.h"
#include "perf_bpf_p.h"
#include "read/reader.h"

/* A build-id of the header's table, for the dsos whose mapping records carry none. */
struct perf_build_id {
	struct cr_str name; /* borrowed from the input */
	uint8_t id[20];
	uint8_t len;
	uint8_t cpumode; /* of the record: 1 for the kernel and its modules */
};

/* An event id of a ring buffer, and the attr it belongs to. */
struct perf_event_id {
	uint64_t id;
	uint32_t attr;
};

/* A kind of events that the recording machine had: its number in attrs, and its name. */
struct perf_pmu {
	uint32_t type;
	struct cr_str name; /* borrowed from the input */
};

/* Events that were counted together. */
struct perf_group {
	struct cr_str name;       /* borrowed from the input; "" mostly */
	uint32_t leader, members; /* row of the first attr, and how many; believed only when all
				     attrs are known */
};

/* What stands around the records of a perf.data. All zero bytes is an empty one. */
struct perf_header {
	uint64_t data_offset, data_len; /* of the records, inside the input */
	uint64_t recorded_len; /* what the header says of it: 0 where the recorder never came to it
				*/
	uint64_t features[4];  /* bits of those that are there; none where the recording is cut */
	bool swap;             /* the recorder's byte order is not ours */
	bool cut;              /* records up to the end of the input, no features */
	bool pipe;             /* nothing but records: all else comes in records of its own */
	struct cr_cursor tracing; /* the feature TRACING_DATA; empty when there is none */
	CR_VEC(struct perf_attr) attrs;
	CR_VEC(struct cr_str)
	names; /* of the events, by row of attrs; in pipes of old they come before the attrs */
	CR_VEC(struct perf_pmu) pmus;
	CR_VEC(struct perf_group) groups;
	CR_VEC(struct perf_build_id) build_ids;
	CR_VEC(struct perf_event_id) ids;
	struct cr_index id_index;       /* id to row of ids */
	struct cr_index build_id_index; /* name to row of build_ids */
	char machine[32];               /* that recorded, as uname -m calls it; "" if not known */
	uint32_t n_cpus;                /* of the recording machine; 0 if not known */
	struct perf_bpf bpf;
};

/* A part of the file. */
struct perf_section {
	uint64_t offset, size;
};

struct perf_section cr_perf_section_read(struct cr_cursor *c);
bool cr_perf_section_fits(const struct perf_section *s, size_t len);
struct cr_cursor cr_perf_section_cursor(
	const struct cr_input *in, const struct perf_section *s, bool swap);

/*
 * Read header, attrs and ids; the features are another's, see cr_perf_features_read(). Fails when
 * there is nothing to be had: no header, no attr. A recording that was killed or cut short (no data
 * size, or data past the end of the file) has its records up to the end of the input and no
 * features. Source: tools/perf/Documentation/perf.data-file-format.txt, checked against real files.
 */
int cr_perf_header_read(const struct cr_input *in, struct perf_header *h, struct cr_builder *b,
	struct cr_log *log, struct cr_err *err);
/* One more attr, of a record: the attr, then its ids. False if it is not one, or past the limit. */
bool cr_perf_header_attr(struct perf_header *h, struct cr_cursor body);
void cr_perf_header_fini(struct perf_header *h);

/* Row of the attr that an id belongs to; CR_NO_ROW if no attr has it. */
uint32_t cr_perf_header_attr_of(const struct perf_header *h, uint64_t id);

/* The build-id that the table has for a name; NULL if none. */
const struct perf_build_id *cr_perf_header_build_id(
	const struct perf_header *h, struct cr_str name);

/*
 * What the table calls the kernel itself, not a module of it: "[kernel.kallsyms]", or the path of
 * the vmlinux that the recorder had; NULL if it does not.
 */
const struct perf_build_id *cr_perf_header_kernel(const struct perf_header *h);

#endif
