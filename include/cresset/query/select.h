#ifndef CR_QUERY_SELECT_H
#define CR_QUERY_SELECT_H

#include "cresset/base/err.h"
#include "cresset/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Which samples to look at. All zero selects all of event 0. */
struct cr_filter {
	const char *event;   /* name; NULL is the first event with samples */
	const char *comm;    /* exact; NULL is any */
	bool has_pid, has_tid, has_cpu;
	int32_t pid, tid;
	uint32_t cpu;
	uint64_t from_ns, to_ns; /* [from, to) after the first sample's time; to 0: no end */
};

/* True when the filter asks for more than an event, so that samples have to be read. */
bool cr_filter_needs_samples(const struct cr_filter *f);

/* The event it names, or the one with the most samples; CR_ENOTFOUND tells which events there are. */
int cr_filter_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err);

/* One byte a sample, 1 for selected; free() it. The profile must have its samples. */
int cr_select(const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err);

#endif
