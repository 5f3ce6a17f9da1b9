#ifndef CR_QUERY_DIFF_COMPARABLE_H
#define CR_QUERY_DIFF_COMPARABLE_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * Append the reasons that make it doubtful to compare two profiles, a line each: another build of a
 * program, another processor model, kernel, kind of stacks or sampling rate, lost samples. t: their
 * difference. Facts that one side does not know are ignored.
 */
void cr_comparable_put(
	const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t, struct cr_text *out);

#endif
