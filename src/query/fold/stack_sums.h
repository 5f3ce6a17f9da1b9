#ifndef CR_QUERY_FOLD_STACK_SUMS_H
#define CR_QUERY_FOLD_STACK_SUMS_H

#include "model/tree/location_frames.h"
#include "query/fold/fold.h"

/*
 * What a fold adds up, without a tree: the weight of each stack in each group. For callers that
 * need neither the order of siblings nor equal stacks as one node, such as a table.
 */
struct cr_stack_sums {
	const struct cr_profile *p;
	struct cr_location_frames frames;
	/* n of them, by group, in a group by node of p's location tree. */
	struct cr_fold_template_sum *sums;
	size_t n;
	size_t *ends; /* by group: the end of its sums */
	struct cr_fold_template_groups groups;
	uint32_t *way;
	struct cr_tree *root; /* a tree of the root alone, with all weight, event and unit */
};

/*
 * True if the sums that a filter selects can stand for the tree: groups do not depend on the leaf,
 * all frames are code, and no stored tree has the answer.
 */
bool cr_plan_can_sum(const struct cr_plan *plan, const struct cr_filter *f);

/*
 * Add up what the filter selects; cr_plan_can_sum() must be true. A plan that made sums makes no
 * trees. The sums borrow from p and the plan. Fails like cr_plan_fold(). Call cr_stack_sums_fini()
 * in any case.
 */
int cr_plan_sums(struct cr_plan *plan, const struct cr_filter *f, struct cr_stack_sums *out,
	struct cr_err *err);
void cr_stack_sums_fini(struct cr_stack_sums *s);

#endif
