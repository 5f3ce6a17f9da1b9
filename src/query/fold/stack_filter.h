#ifndef CR_QUERY_FOLD_STACK_FILTER_H
#define CR_QUERY_FOLD_STACK_FILTER_H

#include "query/lang/query.h"

/*
 * Which samples the transforms of a query leave in: what a series counts, where a tree would have
 * their weight. Stacks are looked at once, in the location tree, and then it is an array access a
 * sample.
 */

/* What has to be there: bits as of cr_filter_needs(). 0 where there is nothing to sift. */
unsigned cr_stack_filter_needs(const struct cr_query *q);

/*
 * Clear the bytes of sel, as of cr_select(), of the samples that are left out of the tree that
 * cr_query_run() makes, of functions under their comms. CR_EUSAGE for what needs the tree itself: a
 * path to begin stacks at, and steps behind those that turn stacks over or fold them up which
 * depend on what is above what. Then sel is as it was.
 */
int cr_stack_filter(
	const struct cr_profile *p, const struct cr_query *q, uint8_t *sel, struct cr_err *err);

#endif
