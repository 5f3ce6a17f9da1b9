#ifndef CR_QUERY_TIME_INTERVALS_H
#define CR_QUERY_TIME_INTERVALS_H

#include "query/lang/query.h"

/*
 * The times between two events that belong together: from lock:contention_begin to
 * lock:contention_end of the same lock, for instance. An interval belongs to the sample that begins
 * it: to its stack, thread and processor.
 */
struct cr_interval_pair {
	const char *name; /* "lock" */
	const char *begin, *end;
	/*
	 * What both samples have in common, separated by '+': fields, or tid, pid, cpu of the
	 * sample; "a=b" if it is a of the beginning and b of the end.
	 */
	const char *key;
};

enum cr_interval_by {
	CR_INTERVAL_BY_FUNCTION, /* the sampled function */
	CR_INTERVAL_BY_STACK,
	CR_INTERVAL_BY_COMM,
	CR_INTERVAL_BY_TID,
	CR_INTERVAL_BY_CPU,
	CR_INTERVAL_BY_ALL, /* one row for each pair */
	CR_INTERVALS_BY
};

const char *cr_interval_by_word(enum cr_interval_by by); /* NULL past the last */

struct cr_interval_row {
	struct cr_str pair, key;
	uint64_t count, sum, least, most; /* in ns */
};

struct cr_intervals {
	struct cr_interval_row *rows; /* by pair, in each by falling sum, then key */
	uint32_t n;
	struct cr_interval_row all;
	struct cr_str event; /* that begins most of them */
	uint64_t open;       /* beginnings without an end */
	uint64_t half;       /* ends without a beginning */
	struct cr_arena names;
};

#define CR_INTERVAL_KEYS 4u /* maximum number of parts of a key */

/* The i-th of the pairs that are known; NULL past the last. */
const struct cr_interval_pair *cr_interval_known(size_t i);

unsigned cr_intervals_needs(const struct cr_query *q);

/*
 * spec: "BEGIN,END,KEY"; NULL for all pairs that are known. q selects the samples that begin, and
 * transforms their stacks. CR_EUSAGE for an invalid spec, CR_ENOTFOUND if p lacks the events or
 * fields; otherwise fails like cr_query_place(). out borrows p.
 */
int cr_intervals_make(const struct cr_profile *p, const struct cr_query *q, const char *spec,
	enum cr_interval_by by, struct cr_intervals *out, struct cr_err *err);
void cr_intervals_fini(struct cr_intervals *v);

#endif
