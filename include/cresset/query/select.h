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
	const char *where;   /* "NAME=VALUE" of a detail of the event, numbers also as 0x...; NULL is any */
};

/* True when the filter asks for more than an event, so that samples have to be read. */
bool cr_filter_needs_samples(const struct cr_filter *f);

/* The event it names, or cr_event_main(); CR_ENOTFOUND tells which events there are. */
int cr_filter_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err);

/* The event's detail of this name, with its values; CR_ENOTFOUND when it has none. */
int cr_filter_field(const struct cr_profile *p, cr_event_id event, struct cr_str name, const struct cr_detail **out,
	struct cr_err *err);

/* One byte a sample, 1 for selected; free() it. The profile must have its samples, for `where` the values too. */
int cr_select(const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err);

#endif
