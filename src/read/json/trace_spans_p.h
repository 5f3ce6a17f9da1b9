#ifndef CR_READ_JSON_TRACE_SPANS_P_H
#define CR_READ_JSON_TRACE_SPANS_P_H

#include "base/vec.h"
#include "text_json_p.h"

/*
 * What ran from when to when on which thread, as a trace says it: as a whole, or by its begin and
 * its end. Collected in any order; from spans that lie within each other come stacks with their own
 * time.
 */
#define CR_SPANS_MAX (1u << 25) /* 1.5 GB of them */

struct cr_span {
	uint64_t at, end; /* ns */
	uint64_t name;    /* a hash: 0 where an end does not say what of */
	uint64_t offset;  /* in the input, to tell where something is wrong */
	uint32_t thread;
	uint32_t order; /* in which it was added */
	cr_location_id location;
	char kind; /* 'B' begins, 'E' ends, 'X' is whole */
};

struct cr_spans {
	CR_VEC(struct cr_span) all;
};

/* False past the limit. */
bool cr_spans_add(struct cr_spans *s, struct cr_span span);

/*
 * An end is that of the last begin on its thread, of the same name; others are reported and passed
 * over. What does not end does so with the last of its thread. Each sample is a span's own time up
 * to when something begins or ends there.
 *
 * sample is called for them in the order of threads, and of time in a thread.
 */
void cr_spans_run(struct cr_spans *s, struct cr_text_json *t,
	void (*sample)(void *user, uint32_t thread, cr_node_id node, uint64_t at, uint64_t weight),
	void *user);

void cr_spans_fini(struct cr_spans *s);

#endif
