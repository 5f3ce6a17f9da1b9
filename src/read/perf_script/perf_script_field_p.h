#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_FIELD_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_FIELD_P_H

#include "model/build/builder.h"
#include "read/kit/line_cache_p.h"

/*
 * What samples carry beside their stacks, as fields: of tracepoints their fields, "prev_comm=x", a
 * field each as perf.data has them; of what is no such list the text, "payload"; of branch stacks
 * how many branches there are, how many were predicted wrong, and their cycles.
 */
struct perf_script_fields {
	struct cr_line_cache known; /* to rows of the fields */
};

void cr_perf_script_fields_init(struct perf_script_fields *d);
void cr_perf_script_fields_fini(struct perf_script_fields *d);

/* "sched:sched_switch", not "cycles:u". */
bool cr_perf_script_is_tracepoint(struct cr_str event);

/* Of the sample that was added last. */
void cr_perf_script_payload(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	struct cr_str payload);

struct perf_script_branches {
	uint64_t n, mispredicted, cycles;
};

/* The branches of a line " 0x12/0x34/P/-/-/3 ...": of another line there are none. */
void cr_perf_script_branches_line(struct perf_script_branches *out, struct cr_str line);
void cr_perf_script_branches(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	const struct perf_script_branches *branches);

#endif
