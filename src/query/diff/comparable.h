#ifndef CR_QUERY_DIFF_COMPARABLE_H
#define CR_QUERY_DIFF_COMPARABLE_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * Append what makes it doubtful to compare two profiles, a line each: other builds of a program,
 * another processor model, kernel, kind of stacks or rate of sampling, lost samples. t: their
 * difference. Unknown facts are no reason.
 */
void cr_comparable_put(
	const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t, struct cr_text *out);

#endif
