#ifndef CR_MODEL_MERGE_FLEET_H
#define CR_MODEL_MERGE_FLEET_H

#include "model/merge/merge.h"

/*
 * Folds many recordings into one small profile, a fleet: it has sums of equal stacks instead of
 * single samples, so its size depends on the distinct stacks and not on the recordings.
 *
 * A row of its samples is one stack of one event in one group of recordings; its weight is the sum.
 * Stacks are those of the default tree: functions and inlined functions, without addresses and
 * lines. Dsos are one if they have the same name and kind, whatever their build-ids. A fleet has no
 * processors, no thread ids, no mappings and no fields of samples, and times only if they were
 * asked for.
 *
 * The noise from recording to recording survives: each recording belongs to one of
 * CR_FLEET_BATCHES batches, chosen by a hash of its contents, and a group has recordings of one
 * batch only. A difference compares batches as if they were recordings. This works for any function
 * and any query, unlike sums of squares, which would have to be kept for each of them.
 *
 * Like a merge, a fleet depends only on which recordings go in: order and grouping make no
 * difference, and fleets can be folded into fleets.
 */
#define CR_FLEET_BATCHES 16u
#define CR_FLEET_KEYS_MOST 8u

/* What recordings, and their stacks, are kept apart by. */
struct cr_fleet_by {
	bool comm; /* the comm of a thread */
	/*
	 * "host", or facts of the recordings such as "osrelease" and "tag.version". The samples of
	 * the result have fields with these names. They end in a NUL.
	 */
	struct cr_str keys[CR_FLEET_KEYS_MOST];
	uint32_t n_keys;
	/*
	 * Keep apart the recordings that began in different intervals of this length, counted from
	 * 1970; the start of the interval is the time of their rows. 0: no times.
	 */
	uint64_t bucket_ns;
};

/*
 * Start a merge that folds what is added to it. `by` is copied; its texts are borrowed until the
 * merge is freed.
 *
 * cr_merge_add() then accepts recordings and fleets with the same `by`. Of a recording it reads the
 * default tree and cr_fleet_needs(), of a fleet all samples. It fails with CR_EUNSUPPORTED for a
 * merge that is no fleet, for a fleet with another `by`, for a recording without a default tree
 * and, with bucket_ns, for a recording without a date.
 */
struct cr_merge *cr_merge_new_fleet(const struct cr_fleet_by *by);

/* The columns, bits of enum cr_needs, that cr_merge_add() must read to fold p. */
unsigned cr_fleet_needs(const struct cr_profile *p);

/* Recordings that were folded together. */
struct cr_fleet_group {
	uint32_t batch;              /* less than CR_FLEET_BATCHES */
	uint64_t recordings;         /* how many */
	const struct cr_str *values; /* by key; "" if the recordings have no such fact */
};

/* Samples of one event in one group. */
struct cr_fleet_count {
	uint64_t samples;
	/*
	 * The sum of the effective numbers of samples of the recordings, see struct
	 * cr_verdict_recording. 0 if they are not known.
	 */
	uint64_t effective;
};

/* What a fleet says about itself. */
struct cr_fleet {
	struct cr_fleet_by by;
	uint64_t recordings, samples;
	uint32_t n, n_events;
	/* By address space of the profile: the group whose tasks have it. */
	const struct cr_fleet_group *groups;
	const struct cr_fleet_count *counts; /* [group * n_events + event] */
	struct cr_arena arena;               /* owns everything above */
};

/*
 * Describe p. False if it is no fleet, its description is damaged, or groups times events are over
 * 2^24; end *out in any case.
 */
bool cr_fleet_of(const struct cr_profile *p, struct cr_fleet *out);
void cr_fleet_fini(struct cr_fleet *f);

/* Append "by comm, host, in intervals of 10 min", or "by nothing". */
void cr_fleet_put_by(const struct cr_fleet_by *by, struct cr_text *out);

#endif
