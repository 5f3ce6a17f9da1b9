#ifndef CR_QUERY_DIFF_EXPLAIN_H
#define CR_QUERY_DIFF_EXPLAIN_H

#include "query/diff/diff.h"

/*
 * Append which dsos and functions with other names were compared as one, and why, a line each; and
 * functions of one side that may be renamed ones of the other: they have the same caller and about
 * the same total cost, at least 1 % of the whole. side: the trees that cr_diff() made `both` of
 * with these options.
 */
void cr_diff_explain(const struct cr_tree *const side[CR_SIDES], const struct cr_tree *both,
	const struct cr_diff_opts *o, struct cr_text *out);

#endif
