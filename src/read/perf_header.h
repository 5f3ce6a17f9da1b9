#ifndef CR_PERF_HEADER_H
#define CR_PERF_HEADER_H

#include "cresset/base/hash.h"
#include "cresset/base/log.h"
#include "cresset/base/vec.h"
#include "cresset/read/reader.h"
#include "perf_attr.h"

/* A build-id of the header's table, for the objects whose mapping records carry none. */
struct perf_build_id {
	struct cr_str name; /* borrowed from the input */
	uint8_t id[20];
	uint8_t len;
};

/* An event id of a ring buffer, and the attr it belongs to. */
struct perf_event_id {
	uint64_t id;
	uint32_t attr;
};

/* What stands around the records of a perf.data in file mode. All zero bytes is an empty one. */
struct perf_header {
	uint64_t data_offset, data_len; /* of the records, inside the input */
	bool swap;                      /* the recorder's byte order is not ours */
	bool cut;                       /* records up to the end of the input, no features */
	CR_VEC(struct perf_attr) attrs;
	CR_VEC(struct perf_build_id) build_ids;
	CR_VEC(struct perf_event_id) ids;
	struct cr_index id_index;       /* id to row of ids */
	struct cr_index build_id_index; /* name to row of build_ids */
};

/*
 * Read header, attrs, ids and features; facts go to the builder. Fails when there is nothing to
 * be had: no header, no attr. A recording that was killed or cut short (no data size, or data
 * past the end of the file) has its records up to the end of the input and no features.
 * Source: tools/perf/Documentation/perf.data-file-format.txt, checked against real files.
 */
int perf_header_read(const struct cr_input *in, struct perf_header *h, struct cr_builder *b, struct cr_log *log,
	struct cr_err *err);
void perf_header_fini(struct perf_header *h);

/* Row of the attr that an id belongs to; CR_NO_ROW if no attr has it. */
uint32_t perf_header_attr_of(const struct perf_header *h, uint64_t id);

/* The build-id that the table has for a name; NULL if none. */
const struct perf_build_id *perf_header_build_id(const struct perf_header *h, struct cr_str name);

#endif
