#ifndef CR_MODEL_MERGE_MERGE_H
#define CR_MODEL_MERGE_MERGE_H

#include "base/err.h"
#include "model/profile.h"

/*
 * Many profiles as one. What comes out depends on which recordings go in and on nothing else: in
 * any order and any grouping (a merge of merges) it is the same, row by row.
 *
 *	m = cr_merge_new();
 *	cr_merge_add(m, p, name, err)         for each; p may be freed at once
 *	cr_merge_finish(m, &out, err)         named, without a default tree
 *	cr_merge_free(m)
 *
 * Dsos are one if name, kind and build-id are; functions if dso, name and start are, inlined
 * ones also the file; locations if address and lines are; stacks if all their locations are.
 * Addresses in kernel and modules are moved to where these were loaded in none of the recordings
 * and could have been in all, so that a boot makes no difference. Events are one if name and unit
 * are; where two share a name alone the unit is put behind it.
 *
 * The samples of a recording stay together and in their order, and the recordings stand one behind
 * the other, by host, date and content. Each has its own address spaces, and so its own tasks: pids
 * of two recordings are never one. The event "wall" stays if all that have any of its parts have
 * it. Times count from the start of each recording, which is CR_MERGE_START_NS. Samples get a
 * field "host".
 *
 * A fact stays if all inputs have it alike; those that tell which event is what are made anew, and
 * so is "merge inputs", the list of recordings. Rows of the quality add up.
 */
#define CR_MERGE_START_NS ((uint64_t)1000000000)

struct cr_merge;

struct cr_merge *cr_merge_new(void);
void cr_merge_free(struct cr_merge *m);

/*
 * p has all that it has: tree, samples, fields. name is what it goes by in the list of inputs,
 * unless it is merged itself. CR_EFORMAT when its samples are lost, CR_ELIMIT when all of it is too
 * much for one profile, CR_EUNSUPPORTED when two of its events have the same name and unit. After a
 * failure m is only to be freed.
 */
int cr_merge_add(
	struct cr_merge *m, const struct cr_profile *p, struct cr_str name, struct cr_err *err);
int cr_merge_finish(struct cr_merge *m, struct cr_profile **out, struct cr_err *err);

/* A recording that went into a profile, in the order of their samples and address spaces. */
struct cr_merge_input {
	struct cr_hash_pair {
		uint64_t lo, hi;
	} digest; /* of all its tables, before it was merged */
	uint64_t samples;
	uint32_t spaces;      /* at least 1 */
	uint32_t flags;       /* enum cr_profile_flags, its own */
	uint64_t first_ns;    /* of its first sample, on its own clock; 0 when there are no times */
	uint64_t duration_ns; /* 0 when not known */
	struct cr_str event, unit; /* its main event */
	struct cr_str wall; /* its fact "wall": the events that it has the sum of; "" for none */
	struct cr_str name, host, date, command;
};

struct cr_merge_inputs {
	struct cr_merge_input *p;
	uint32_t n;
	struct cr_arena texts;
};

/* What p was merged from; none for a profile that is no merge. */
void cr_merge_inputs(const struct cr_profile *p, struct cr_merge_inputs *out);
void cr_merge_inputs_fini(struct cr_merge_inputs *inputs);

/*
 * By task of p, room for n_tasks, the number of the recording it is of; 0 all over for a profile
 * that is no merge.
 */
void cr_merge_recordings(const struct cr_profile *p, uint32_t *recording);

#endif
