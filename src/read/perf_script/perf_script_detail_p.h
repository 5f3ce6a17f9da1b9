#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_DETAIL_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_DETAIL_P_H

#include "model/build/builder.h"
#include "read/kit/seen_p.h"

/*
 * What samples carry beside their stacks, as details: of tracepoints their fields, "prev_comm=x", a
 * detail each as perf.data has them; of what is no such list the text, "payload"; of branch stacks
 * how many branches there are, how many were predicted wrong, and their cycles.
 */
struct perf_script_details {
	struct cr_seen known; /* to rows of the details */
};

void cr_perf_script_details_init(struct perf_script_details *d);
void cr_perf_script_details_fini(struct perf_script_details *d);

/* "sched:sched_switch", not "cycles:u". */
bool cr_perf_script_is_tracepoint(struct cr_str event);

/* Of the sample that was added last. */
void cr_perf_script_payload(struct perf_script_details *d, struct cr_builder *b, cr_event_id event,
	struct cr_str payload);

struct perf_script_branches {
	uint64_t n, mispredicted, cycles;
};

/* The branches of a line " 0x12/0x34/P/-/-/3 ...": of another line there are none. */
void cr_perf_script_branches_line(struct perf_script_branches *out, struct cr_str line);
void cr_perf_script_branches(struct perf_script_details *d, struct cr_builder *b, cr_event_id event,
	const struct perf_script_branches *branches);

#endif
