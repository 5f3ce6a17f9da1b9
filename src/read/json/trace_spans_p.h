#ifndef CR_READ_JSON_TRACE_SPANS_P_H
#define CR_READ_JSON_TRACE_SPANS_P_H

#include "base/vec.h"
#include "json_reader_p.h"

/*
 * Spans of a trace: what ran from when to when on which thread, given as a whole or by begin and
 * end events, in any order. Nested spans become stacks with self times.
 */
#define CR_SPANS_MAX (1u << 25) /* 1.5 GB of them */

struct cr_span {
	uint64_t at, end; /* ns */
	uint64_t name;    /* hash; 0 for an end event that does not name its span */
	uint64_t offset;  /* in the input, for error messages */
	uint32_t thread;
	uint32_t order; /* order of insertion */
	cr_location_id location;
	char kind; /* 'B' begin, 'E' end, 'X' whole span */
};

struct cr_spans {
	CR_VEC(struct cr_span) all;
};

/* Returns false beyond the limit. */
bool cr_spans_add(struct cr_spans *s, struct cr_span span);

/*
 * Convert the spans to samples. An end event matches the last open begin of its thread with the
 * same name; others are reported and ignored. A span without an end ends with the last event of its
 * thread. Each sample is the self time of a span until the next span begins or ends there. The
 * function calls sample() for each, ordered by thread, then time.
 */
void cr_spans_run(struct cr_spans *s, struct cr_json_reader *t,
	void (*sample)(void *user, uint32_t thread, cr_node_id node, uint64_t at, uint64_t weight),
	void *user);

void cr_spans_fini(struct cr_spans *s);

#endif
