#ifndef CR_READ_PERF_DATA_PERF_BRANCHES_P_H
#define CR_READ_PERF_DATA_PERF_BRANCHES_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "perf_space_p.h"

/*
 * The branch entries of all samples, added up: samples of two derived events.
 *
 * - "branch-stack": a branch, as a stack of two frames: where it was, and below it where it went.
 *   The weight counts how often it was taken.
 * - "branch-blocks": code that ran from one branch to the next without another one, as a stack of
 *   the start and below it the branch that ended it.
 *
 * Branches of different threads, predicted and mispredicted ones, and those with and without a
 * number of cycles, are different samples. Both events have no times.
 */
struct perf_edge {
	cr_task_id task;
	cr_node_id ticket;
	struct cr_location_at from, to;
	uint8_t kind; /* bits of enum perf_edge_kind */
	uint64_t count, cycles;
};

enum perf_edge_kind {
	PERF_EDGE_BLOCK = 1,
	PERF_EDGE_MISSED = 2,
	PERF_EDGE_PREDICTED = 4,
	PERF_EDGE_IN_TX = 8,
	PERF_EDGE_ABORT = 16,
	PERF_EDGE_TIMED = 32, /* its cycles were counted */
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
