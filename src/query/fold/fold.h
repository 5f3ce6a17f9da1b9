#ifndef CR_QUERY_FOLD_FOLD_H
#define CR_QUERY_FOLD_FOLD_H

#include "base/err.h"
#include "model/tree/fold_template.h"
#include "query/fold/select.h"

#define CR_GROUPS_MOST 8

/* How stacks become a tree. All zero is functions, inlined ones too, right under the root. */
struct cr_fold_opts {
	enum cr_granularity granularity;
	bool apart;     /* functions without a name are told apart by their address, frame.number */
	bool outermost; /* no inlined functions: their cost is that of the function they are in */
	bool bare; /* no stacks: samples are of their groups themselves, none of which is of the
		      leaf */
	uint8_t n_groups; /* stacks stand under frames of these, the first outermost */
	uint8_t groups[CR_GROUPS_MOST]; /* enum cr_group */
	const char *field;              /* of CR_GROUP_FIELD */
};

/* What is shown when nobody says how: functions under their comms, where these are known. */
#define CR_FOLD_USUAL ((struct cr_fold_opts){.n_groups = 1, .groups = {CR_GROUP_USUAL}})

/*
 * The columns of the samples and the tables that a fold reads: bits as cr_filter_needs() has them.
 * p may be NULL as long as nothing is open: then more may be asked for than is needed. 0 for a fold
 * that is served from the default tree: of functions under CR_GROUP_USUAL, with nothing selected
 * but an event and comms.
 */
unsigned cr_fold_needs(
	const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o);

/*
 * The columns that a fold needs whole, bits of enum cr_needs, some of which it may not need at all.
 * Of the others it needs only the zones of p's samples for which want[z], as many as there are,
 * becomes 1. cr_fold_zones() reads no column; it fails as cr_select() does.
 */
unsigned cr_fold_needs_whole(const struct cr_filter *f, const struct cr_fold_opts *o);
int cr_fold_zones(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, uint8_t *want, struct cr_err *err);

/*
 * Fold what the filter selects into a call tree. out borrows p's names: free it before p.
 *
 * Groups: frames "nginx", "1234 nginx" for pids and tids, "cpu 3", the dso, the event,
 * "FIELD=VALUE" or "no FIELD" of a field; past 65536 values the rest stands under "other FIELD".
 * Of CR_GROUP_EVENT all events are taken unless the filter names one; where their units differ,
 * weights are numbers of samples. Asking for groups that were not recorded is CR_EUSAGE, for a
 * field that the event lacks CR_ENOTFOUND; else it fails as cr_select() does, or with CR_ELIMIT
 * past CR_FOLD_TEMPLATE_NODES_MOST nodes.
 */
int cr_fold(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	struct cr_tree **out, struct cr_err *err);

/*
 * The same several times with the same opts: what folds have in common is worked out once, so that
 * another filter costs one pass over the samples. Borrows p, and opts' strings. Trees may outlive
 * the plan.
 */
struct cr_plan;

struct cr_plan *cr_plan_new(const struct cr_profile *p, const struct cr_fold_opts *o);
/*
 * Whatever of it needs the location tree alone: it may be done before columns of the samples are
 * read, and is by then else.
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
void cr_plan_free(struct cr_plan *plan);

#endif
