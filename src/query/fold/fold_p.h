#ifndef CR_QUERY_FOLD_FOLD_P_H
#define CR_QUERY_FOLD_FOLD_P_H

#include "model/tree/fold_template.h"
#include "query/fold/fold.h"
#include "select_p.h"

/*
 * Groups that stacks are placed under: a number for each sample, and frames for each number. Keys
 * that depend on the same column (task, cpu) share a table; tables of several columns are combined
 * as samples come. Keys that depend on the leaf are combined last, after the samples were summed.
 */
struct cr_grouping;

/* select: samples to fold, needed for fields; otherwise NULL. Fails like cr_lanes_find(). */
int cr_grouping_new(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, const uint8_t *select, struct cr_grouping **out,
	struct cr_err *err);
void cr_grouping_free(struct cr_grouping *g);

/* The bits of enum cr_needs that the groups read. */
unsigned cr_grouping_needs(const struct cr_fold_opts *o);

/* True if the options contain the group; CR_GROUP_USUAL does not count. */
bool cr_grouping_asks(const struct cr_fold_opts *o, enum cr_group group);

/* Move the names made for groups to `names`. */
void cr_grouping_names(struct cr_grouping *g, struct cr_arena *names);

/* Some of the rows from one on: their numbers, 0 for that one, ascending. */
struct cr_grouping_some {
	const uint32_t *rows;
	uint32_t n;
};

/*
 * Store the group numbers of selected rows, as far as they do not depend on the leaf. some: those
 * that are wanted, at least; of the others out is as it was or has a number. NULL: all of them.
 * Returns false, with out unchanged, if all are 0.
 */
bool cr_grouping_rows(struct cr_grouping *g, const struct cr_selector *s, uint64_t from,
	uint64_t to, const struct cr_grouping_some *some, uint32_t *out);

/* True if groups depend on anything else than the leaf. */
bool cr_grouping_by_row(const struct cr_grouping *g);

/*
 * True if groups depend on the leaf. Then cr_grouping_of_node() combines the number from
 * cr_grouping_rows() with the node.
 */
bool cr_grouping_by_node(const struct cr_grouping *g);
uint32_t cr_grouping_of_node(struct cr_grouping *g, uint32_t number, uint32_t node);

/* How many groups there are so far. */
uint32_t cr_grouping_count(const struct cr_grouping *g);

/* The groups so far. The caller frees *way; g owns the frames. */
void cr_grouping_ways(struct cr_grouping *g, struct cr_fold_template_groups *out, uint32_t **way);

/*
 * Find the node of each selected sample in a tree that was folded from the same samples.
 *
 * - s, groups: what t was folded with; all groups have been numbered.
 * - selector: a new one, at its first row.
 * - place: by row of the samples; set for the selected ones, to CR_NO_ROW if t has no such node,
 *   since it has no weight. Other rows are left as they are.
 */
void cr_fold_places(const struct cr_fold_template *s, struct cr_grouping *groups,
	struct cr_selector *selector, const struct cr_tree *t, uint32_t *place);

/* ---- plans; see fold.h */

struct cr_plan {
	const struct cr_profile *p;
	const uint16_t *part_of; /* by row; NULL: all rows are folded */
	uint16_t part;
	struct cr_fold_opts opts;
	struct cr_fold_template *template; /* NULL until samples are folded */
	struct cr_grouping *groups;        /* likewise; for fields they are made each time */
	struct cr_arena names;             /* of the groups, if there is no template */
	/* By node: a cell, in which its rows are added up with those of other nodes; NULL: none. */
	const uint32_t *cell_of;
	uint32_t n_cells, n_groups; /* if there are cells: how many, and of how many groups */
	uint32_t only1;             /* the group, + 1, whose rows alone are added; 0: all */
};

/* True if the default tree has the answer. p may be NULL. */
bool cr_plan_is_stored(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o);

/* Fold what f selects from the default tree, which must have the answer. Fails like cr_fold(). */
int cr_plan_stored(const struct cr_profile *p, const struct cr_filter *f, struct cr_tree **out,
	struct cr_err *err);

/* What a fold selects. When grouping by event, it is all events unless one was requested. */
struct cr_filter cr_plan_filter(const struct cr_filter *f, const struct cr_fold_opts *o);

/* Make the rows of the template, if they are not there yet. */
int cr_plan_rows(struct cr_plan *plan, struct cr_err *err);

/* Make the groups of what f selects, if they are not there yet. */
int cr_plan_groups(struct cr_plan *plan, const struct cr_filter *f, struct cr_err *err);

/* Sums by node and group. The first n_first of them are in the order of nodes. */
struct cr_plan_sums {
	struct cr_fold_template_sum *p; /* freed by the caller */
	size_t n, n_first;
	bool by_group; /* instead, all are in the order of groups, in a group of nodes */
};

/*
 * Add up what f selects; the groups must be there. With cells, which need groups that do not depend
 * on the leaf, the node of a sum is group * n_cells + cell, and all sums are in its order. Nothing
 * is to be freed on failure.
 */
int cr_plan_sum_up(struct cr_plan *plan, const struct cr_filter *f, struct cr_selector *selector,
	struct cr_plan_sums *out, struct cr_err *err);

/* Set event and unit of a tree of these samples, and what it lacks of the event. */
void cr_plan_label_event(struct cr_tree *t, const struct cr_profile *p, cr_event_id event);
void cr_plan_label(
	const struct cr_filter *f, const struct cr_selector *selector, struct cr_tree *t);

#endif
