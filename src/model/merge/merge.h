#ifndef CR_MODEL_MERGE_MERGE_H
#define CR_MODEL_MERGE_MERGE_H

#include "base/err.h"
#include "model/profile.h"

/*
 * Merges many profiles into one. The result depends only on which recordings go in: it is the same,
 * row by row, in any order and any grouping (a merge of merges).
 *
 *	m = cr_merge_new();
 *	cr_merge_add(m, p, name, err)         for each; p may be freed at once
 *	cr_merge_finish(m, &out, err)         named, without a default tree
 *	cr_merge_free(m)
 *
 * Rows of several inputs become one row if they agree in:
 * - dsos: name, kind and build-id;
 * - functions: dso, name and start; inlined ones also the file;
 * - locations: address and lines;
 * - stacks: all their locations;
 * - events: name and unit. If two events differ only in the unit, the unit is appended to the name.
 *
 * Addresses in kernel and modules are moved to a range that none of the recordings used and all
 * could have used, so that the load address of a boot makes no difference.
 *
 * The samples of a recording stay together and in their order. The recordings follow one another,
 * sorted by host, date and content. Each has its own address spaces and so its own tasks: pids of
 * two recordings are never equal. The event "wall" stays if every input that has one of its parts
 * also has it. The times of each recording count from its start, which is CR_MERGE_START_NS.
 * Samples get a field "host".
 *
 * A fact is kept if all inputs have it with the same value. The facts about events are computed
 * anew, and so is "merge inputs", the list of recordings. Counts of the quality are added.
 */
#define CR_MERGE_START_NS ((uint64_t)1000000000)

struct cr_merge;

struct cr_merge *cr_merge_new(void);
void cr_merge_free(struct cr_merge *m);

/*
 * Add p, all of which must have been read: tree, samples, fields. name: its name in the list of
 * inputs, unused if p is itself a merge. After a failure m can only be freed: CR_EFORMAT if the
 * samples of p are missing; CR_ELIMIT if the sum is too large for one profile; CR_EUNSUPPORTED if
 * two events of p have the same name and unit.
 */
int cr_merge_add(
	struct cr_merge *m, const struct cr_profile *p, struct cr_str name, struct cr_err *err);
/* Return the merged profile in *out; the caller owns it. m can only be freed afterwards. */
int cr_merge_finish(struct cr_merge *m, struct cr_profile **out, struct cr_err *err);

/* A recording that was merged into a profile, in the order of their samples and address spaces. */
struct cr_merge_input {
	struct cr_hash_pair {
		uint64_t lo, hi;
	} digest; /* of all its tables, before the merge */
	uint64_t samples;
	uint32_t spaces;      /* at least 1 */
	uint32_t flags;       /* enum cr_profile_flags of the recording */
	uint64_t first_ns;    /* time of its first sample on its own clock; 0 if it has no times */
	uint64_t duration_ns; /* 0 if unknown */
	struct cr_str event, unit; /* its main event */
	/* Its fact "wall": the events that its "wall" is the sum of; "" if it has none. */
	struct cr_str wall;
	struct cr_str name, host, date, command;
};

struct cr_merge_inputs {
	struct cr_merge_input *p;
	uint32_t n;
	struct cr_arena texts;
};

/* The recordings that p was merged from; n is 0 if p is no merge. Free it with _fini(). */
void cr_merge_inputs(const struct cr_profile *p, struct cr_merge_inputs *out);
void cr_merge_inputs_fini(struct cr_merge_inputs *inputs);

/*
 * Store in recording[], which has room for p->n_tasks, the number of the recording of each task; 0
 * for all if p is no merge.
 */
void cr_merge_recordings(const struct cr_profile *p, uint32_t *recording);

#endif
