#ifndef CR_QUERY_DIFF_EXPLAIN_H
#define CR_QUERY_DIFF_EXPLAIN_H

#include "query/diff/diff.h"

/*
 * Append a line for each two dsos or functions that were compared as one although their names
 * differ, with the reason. Then append a line for each two functions that may be one under a new
 * name: each is on one side only, and they have the same caller and a similar total cost of at
 * least 1 %. side: the trees that cr_diff() combined to `both` with the options o.
 */
void cr_diff_explain(const struct cr_tree *const side[CR_SIDES], const struct cr_tree *both,
	const struct cr_diff_opts *o, struct cr_text *out);

#endif
