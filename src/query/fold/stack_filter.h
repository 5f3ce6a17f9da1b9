#ifndef CR_QUERY_FOLD_STACK_FILTER_H
#define CR_QUERY_FOLD_STACK_FILTER_H

#include "query/lang/query.h"

/*
 * Decides which samples the transforms of a query keep, for a time series, where a tree would have
 * their weight. Each stack is examined once, in the location tree; after that each sample costs an
 * array access.
 */

/* True if transforms of the query may drop samples. Those that only change stacks do not. */
bool cr_stack_filter_selects(const struct cr_query *q);

/* What must be read: bits as in cr_filter_needs(). 0 if nothing is filtered. */
unsigned cr_stack_filter_needs(const struct cr_query *q);

/*
 * Clear the bytes in sel (as from cr_select()) of samples that are not in the tree that
 * cr_query_run() makes, of functions grouped by comm. CR_EUSAGE, with sel unchanged, for transforms
 * that need the tree itself: a path where stacks begin, and, after a transform that inverts or
 * merges stacks, those that depend on the order of frames.
 */
int cr_stack_filter(
	const struct cr_profile *p, const struct cr_query *q, uint8_t *sel, struct cr_err *err);

#endif
