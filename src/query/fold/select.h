#ifndef CR_QUERY_FOLD_SELECT_H
#define CR_QUERY_FOLD_SELECT_H

#include "base/err.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which samples to look at. What is said in one list is "any of these", different lists are "and";
 * an empty one is no condition. All zero selects all of the main event. Arrays and strings are the
 * caller's.
 */
struct cr_strs {
	const char **p;
	size_t n;
};

struct cr_range {
	uint64_t from, to; /* both inclusive */
};

struct cr_ranges {
	struct cr_range *p;
	size_t n;
};

/*
 * [from, to) in ns after the first sample of the recording, or in millionths of its whole length.
 */
struct cr_time {
	uint64_t from, to; /* to: UINT64_MAX has no end; nor has 1000000 of shares, which takes the
			      last sample too */
	bool is_share;
};

struct cr_times {
	struct cr_time *p;
	size_t n;
};

/*
 * Where a sample was taken, by the dso of its stack's leaf: kernel, its modules and BPF
 * programs; user, every other kind that is known. What is of no known kind, as all of a text
 * without dsos, is neither.
 */
enum cr_mode {
	CR_MODE_KERNEL = 1,
	CR_MODE_USER = 2,
	CR_MODE_UNKNOWN = 4,
};

struct cr_filter {
	const char *event;    /* name; NULL is cr_event_main() */
	bool all_events;      /* whatever the event; then there are no wheres */
	struct cr_strs comms; /* exact */
	struct cr_strs dsos;  /* of the leaf: its whole name, or what follows the last '/' */
	struct cr_ranges pids, tids, cpus; /* a pid or tid that is not known is CR_ID_NONE */
	struct cr_times times;
	uint8_t modes;         /* enum cr_mode, bits; 0 is any */
	struct cr_strs wheres; /* "NAME=VALUE" of a field of the event, numbers also as 0x...; of
				  different names: and */
};

#define CR_ID_NONE UINT32_MAX /* what -1 is as a number of a range */

/* True when the filter asks for more than an event, so that samples have to be read. */
bool cr_filter_needs_samples(const struct cr_filter *f);

/* The bits of enum cr_needs that must be read before cr_select(), apart from CR_NEEDS_EVENT. */
unsigned cr_filter_needs(const struct cr_filter *f);

/* The event it names, or cr_event_main(); CR_ENOTFOUND tells which events there are. */
int cr_filter_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out,
	struct cr_err *err);

/* The event's field of this name, with its values; CR_ENOTFOUND when it has none. */
int cr_filter_field(const struct cr_profile *p, cr_event_id event, struct cr_str name,
	const struct cr_field **out, struct cr_err *err);

/*
 * Which of the zones of p's samples have to be there: want[z], as many as there are, becomes 1 or
 * 0. No column needs to be there for that. Rows of the others are not looked at. Fails as
 * cr_select() does.
 */
int cr_filter_zones(
	const struct cr_profile *p, const struct cr_filter *f, uint8_t *want, struct cr_err *err);

/*
 * One byte a sample, 1 for selected; free() it. Columns of cr_filter_needs() must be there, and
 * that of the events where more than one has samples. Asking for what was not recorded is
 * CR_EUSAGE, for samples that are lost CR_EFORMAT.
 */
int cr_select(
	const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err);

#endif
