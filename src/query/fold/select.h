#ifndef CR_QUERY_FOLD_SELECT_H
#define CR_QUERY_FOLD_SELECT_H

#include "base/err.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which samples to use. Entries of one list are alternatives; different lists must all match; an
 * empty list is no condition. All zero bytes selects all samples of the main event. The caller owns
 * arrays and strings.
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

/* [from, to) in ns after the first sample of the recording, or in millionths of its length. */
struct cr_time {
	/*
	 * UINT64_MAX as end means no end; so does 1000000 millionths, which include the last
	 * sample.
	 */
	uint64_t from, to;
	bool is_share;
};

struct cr_times {
	struct cr_time *p;
	size_t n;
};

/*
 * Where a sample was taken, by the dso of its leaf: the kernel with its modules and BPF programs,
 * or user, every other known kind. Unknown kinds, such as in a text without dsos, are neither.
 */
enum cr_mode {
	CR_MODE_KERNEL = 1,
	CR_MODE_USER = 2,
	CR_MODE_UNKNOWN = 4,
};

struct cr_filter {
	const char *event; /* name; NULL means cr_event_main() */
	/*
	 * What samples cost, if not as recorded: the profile must have been changed to it, see
	 * model/cost.h.
	 */
	const char *cost;
	bool all_events;      /* ignore the event; then wheres must be empty */
	struct cr_strs comms; /* equal to the comm */
	struct cr_strs dsos;  /* dso of the leaf: its full name, or what follows the last '/' */
	struct cr_ranges pids, tids, cpus; /* an unknown pid or tid is CR_ID_NONE */
	struct cr_ranges sockets;          /* of the cpu, see cr_sockets_of() */
	struct cr_times times;
	uint8_t modes; /* bits of enum cr_mode; 0 means any */
	/*
	 * "NAME=VALUE" of a field of the event, numbers also as 0x...; different names must all
	 * match.
	 */
	struct cr_strs wheres;
	/*
	 * Names of events, or NULL. Samples are selected from one of switch_on (without it from the
	 * first) to one of switch_off, and again from the next of switch_on. The samples that begin
	 * and end such a part do not belong to it, unless show_switches is set.
	 */
	const char *switch_on, *switch_off;
	bool show_switches;
};

#define CR_ID_NONE UINT32_MAX /* -1 as a number of a range */

/* True if the filter has more conditions than an event, so that samples must be read. */
bool cr_filter_needs_samples(const struct cr_filter *f);

/* The bits of enum cr_needs that must be read before cr_select(), apart from CR_NEEDS_EVENT. */
unsigned cr_filter_needs(const struct cr_filter *f);

/* The event it names, or cr_event_main(); CR_ENOTFOUND lists the events. */
int cr_filter_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out,
	struct cr_err *err);

/* The event's field with this name, including values; CR_ENOTFOUND if there is none. */
int cr_filter_field(const struct cr_profile *p, cr_event_id event, struct cr_str name,
	const struct cr_field **out, struct cr_err *err);

/*
 * Determine which zones of p's samples are needed: want[z] becomes 1 or 0. No column needs to be
 * read for this. Rows in other zones are not examined. Fails like cr_select().
 */
int cr_filter_zones(
	const struct cr_profile *p, const struct cr_filter *f, uint8_t *want, struct cr_err *err);

/*
 * Return one byte per sample in *out, 1 if selected; the caller frees it. The columns of
 * cr_filter_needs() must have been read, and that of the events if several have samples. CR_EUSAGE
 * if something was not recorded, CR_EFORMAT if samples are lost.
 */
int cr_select(
	const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err);

#endif
