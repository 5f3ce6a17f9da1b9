#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_BRANCH_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_BRANCH_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "read/kit/branch_rows_p.h"
#include "read/kit/line_cache_p.h"

/*
 * Branches in the text of perf script, added up like those of perf.data. They have two forms:
 *
 *	0x401120/0x401108/P/-/-/3  work+0x20(/bin/x)/main+0x8(/bin/x)/M/-/-/40/COND/- ...
 *		the fields brstack, brstacksym, brstackoff: the branches of a sample, the newest
 *		first
 *	ADDR NAME (DSO) => ADDR NAME (DSO)
 *		the field addr of a branch trace: each sample is a branch
 */
struct perf_script_end {
	cr_location_id location;
	uint64_t where; /* equal if addresses can be compared: in one dso, or in one function */
	uint64_t addr;
	bool known, zero; /* zero: the address 0 */
};

struct perf_script_edge {
	struct cr_branch_row row; /* first, see cr_branch_rows_put() */
	cr_location_id from, to;
};

struct perf_script_edges {
	struct cr_line_cache known; /* rows of ends, by text */
	CR_VEC(struct perf_script_end) ends;
	CR_VEC(struct perf_script_edge) edges; /* of the current piece */
	struct cr_index index;
	CR_VEC(uint32_t) traced1; /* by task: end where its last branch went, + 1; 0 if unknown */
};

/* What the branches of one sample add up to. */
struct perf_script_branches {
	uint64_t n, mispredicted, cycles;
	uint64_t unusable; /* how many have no address that is known */
};

void cr_perf_script_edges_init(struct perf_script_edges *d);
void cr_perf_script_edges_fini(struct perf_script_edges *d);

/*
 * Position where the branches of a sample begin, up to the end of the text; its length if it has
 * none.
 */
uint32_t cr_perf_script_branches_at(struct cr_str text);

/*
 * The same for what follows the event in a header: an address with its function may come first.
 * *cut: where that ends. *lost: the name of the function and the first branch are glued together:
 * it is left out.
 */
uint32_t cr_perf_script_branches_in_header(struct cr_str text, uint32_t *cut, bool *lost);

/* Add branches that begin at the start of the text. */
void cr_perf_script_branches_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task,
	struct cr_str text, struct perf_script_branches *sums);

/* Split the two ends of a traced branch, "FROM => TO"; false if the text is none. */
bool cr_perf_script_traced(struct cr_str text, struct cr_str *from, struct cr_str *to);

/* Add a traced branch. An end at address 0 is unknown: tracing began or ended there. */
void cr_perf_script_traced_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task,
	struct cr_str from, struct cr_str to);

/* A gap in the trace: the code after it does not follow the last branch. */
void cr_perf_script_traced_gap(struct perf_script_edges *d);

/* The events that have samples. */
enum perf_script_edge_events { PERF_SCRIPT_BRANCHES = 1, PERF_SCRIPT_BLOCKS = 2 };

/*
 * Add the samples of both events, and forget the edges and the last branches. Returns bits of enum
 * perf_script_edge_events.
 */
unsigned cr_perf_script_edges_put(struct perf_script_edges *d, struct cr_builder *b);

#endif
