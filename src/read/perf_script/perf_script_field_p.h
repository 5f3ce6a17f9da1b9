#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_FIELD_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_FIELD_P_H

#include "model/build/builder.h"
#include "perf_script_branch_p.h"
#include "read/kit/line_cache_p.h"

/*
 * Values that samples have besides their stacks, as fields: the fields of tracepoints,
 * "prev_comm=x", one each as in perf.data; the text "payload" if it is no such list; for branch
 * stacks the number of branches, of mispredictions, and their cycles.
 */
struct perf_script_fields {
	struct cr_line_cache known; /* rows of the fields */
};

/* Begin a text; the cache is empty. */
void cr_perf_script_fields_init(struct perf_script_fields *d);
void cr_perf_script_fields_fini(struct perf_script_fields *d);

/* True for "sched:sched_switch", false for "cycles:u". */
bool cr_perf_script_is_tracepoint(struct cr_str event);

/* Add the payload of the last sample. */
void cr_perf_script_payload(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	struct cr_str payload);

/* Add the sums of the branches of the last sample. */
void cr_perf_script_branches(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	const struct perf_script_branches *branches);

#endif
