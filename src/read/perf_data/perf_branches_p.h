#ifndef CR_READ_PERF_DATA_PERF_BRANCHES_P_H
#define CR_READ_PERF_DATA_PERF_BRANCHES_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "perf_space_p.h"
#include "read/kit/branch_rows_p.h"

/* The branch entries of all samples, added up; see branch_rows_p.h. */
struct perf_edge {
	struct cr_branch_row row; /* first, see cr_branch_rows_put() */
	struct cr_location_at from, to;
};

/* An edge by its absolute addresses. */
struct perf_edge_seen {
	uint64_t from, to;
	uint32_t space, version, kernel_version, task, row1;
	uint8_t kind;
};

struct perf_branches {
	CR_VEC(struct perf_edge) edges;
	struct cr_index index;
	struct perf_edge_seen *seen; /* a cache: 2^PERF_BRANCHES_BITS of them; NULL until used */
};

/*
 * Add the entries of a sample, which are {from, to, flags}, the newest first. all: every branch was
 * recorded, so the code between two entries ran as a block.
 */
void cr_perf_branches_add(struct perf_branches *d, struct perf_spaces *spaces,
	struct perf_space *user, cr_task_id task, struct cr_cursor entries, bool all);

/* Add the samples of both events. Call it once, after all other samples. */
void cr_perf_branches_end(struct perf_branches *d, struct cr_builder *b);
void cr_perf_branches_fini(struct perf_branches *d);

#endif
