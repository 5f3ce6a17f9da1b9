#ifndef CR_QUERY_FOLD_FOLD_H
#define CR_QUERY_FOLD_FOLD_H

#include "base/err.h"
#include "model/tree/fold_template.h"
#include "query/fold/select.h"

#define CR_GROUPS_MOST 16
#define CR_FOLD_FIELDS_MOST 8

/*
 * How stacks become a tree. All zero bytes means: functions, including inlined ones, directly below
 * the root.
 */
struct cr_fold_opts {
	enum cr_granularity granularity;
	bool apart; /* separate functions without a name by address, frame.number */
	/* No inlined functions: their cost belongs to the function that contains them. */
	bool outermost;
	/*
	 * No stacks: samples belong directly to their groups, none of which may depend on the leaf.
	 */
	bool bare;
	uint8_t n_groups;               /* number of groups above the stacks, the first outermost */
	uint8_t groups[CR_GROUPS_MOST]; /* enum cr_group */
	/* By occurrence of CR_GROUP_FIELD: a field, or a word of derived.h. */
	const char *fields[CR_FOLD_FIELDS_MOST];
};

/* The default view: functions, grouped by comm if comms are known. */
#define CR_FOLD_USUAL ((struct cr_fold_opts){.n_groups = 1, .groups = {CR_GROUP_USUAL}})

/*
 * The columns and tables that a fold reads, bits as in cr_filter_needs(). p may be NULL if no
 * profile is open yet: then the result may contain more than needed. 0 if the default tree
 * suffices: functions grouped by CR_GROUP_USUAL, with only an event and comms selected.
 */
unsigned cr_fold_needs(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o);

/*
 * _needs_whole(): columns that a fold needs completely, bits of enum cr_needs; maybe more than it
 * needs. Of other columns it needs only the zones of p's samples for which cr_fold_zones() sets
 * want[z] to 1. cr_fold_zones() reads no column and fails like cr_select().
 */
unsigned cr_fold_needs_whole(const struct cr_filter *f, const struct cr_fold_opts *o);
int cr_fold_zones(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, uint8_t *want, struct cr_err *err);

/*
 * Fold what the filter selects into a call tree. out borrows p's names: the caller frees it before
 * p.
 *
 * Group frames are named "nginx", "1234 nginx" for pids and tids, "cpu 3", the dso, the event,
 * "FIELD=VALUE" or "no FIELD" for a field, with the number of the field among those of the options;
 * beyond 65536 values the rest is "other FIELD". With
 * CR_GROUP_EVENT all events are folded unless the filter names one; if their units differ, weights
 * are numbers of samples.
 *
 * CR_EUSAGE for groups that were not recorded, CR_ENOTFOUND for a field that the event lacks,
 * CR_ELIMIT for more than CR_FOLD_TEMPLATE_NODES_MOST nodes; otherwise fails like cr_select().
 */
int cr_fold(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	struct cr_tree **out, struct cr_err *err);

/*
 * A filter by the dso of the leaf, which includes kernel and user, needs no samples either if the
 * dso of a function is that of its code. _is_by_leaf(): the filter has such conditions, besides
 * those that the default tree satisfies anyway; p is as for cr_fold_needs(). _by_leaf() does it;
 * the locations must have been read. It returns false if the samples must be read nevertheless, or
 * to say why it failed.
 */
bool cr_fold_is_by_leaf(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o);
bool cr_fold_by_leaf(const struct cr_profile *p, const struct cr_filter *f, struct cr_tree **out);

/*
 * Folds several times with the same options. What the folds share is computed once, so another
 * filter costs one pass over the samples. Borrows p, and strings of the options. Trees may outlive
 * the plan.
 */
struct cr_plan;

/* Never fails; nothing is computed yet. Free it with cr_plan_free(). */
struct cr_plan *cr_plan_new(const struct cr_profile *p, const struct cr_fold_opts *o);
/*
 * Compute what depends only on the location tree, unless the work is cancelled. Call it optionally,
 * before columns of the samples are read; otherwise the first fold does it.
 */
void cr_plan_prepare(struct cr_plan *plan);
int cr_plan_fold(
	struct cr_plan *plan, const struct cr_filter *f, struct cr_tree **out, struct cr_err *err);
/*
 * The same with those of the selected samples alone whose row has the number `part` in part_of,
 * which has a number for each row of p's samples. Samples are read, though a default tree may be
 * there.
 */
int cr_plan_fold_part(struct cr_plan *plan, const struct cr_filter *f, const uint16_t *part_of,
	uint16_t part, struct cr_tree **out, struct cr_err *err);
/*
 * The same as cr_plan_fold(), and store where each sample is: place[] is by row of p's samples, its
 * node of the tree, or CR_NO_ROW if the sample was not selected or weighs nothing. Samples are
 * read, though a default tree may be there. The caller frees *place; NULL on failure.
 */
int cr_plan_fold_places(struct cr_plan *plan, const struct cr_filter *f, struct cr_tree **out,
	uint32_t **place, struct cr_err *err);
void cr_plan_free(struct cr_plan *plan);

#endif
