#ifndef CR_QUERY_FOLD_TRANSFORM_H
#define CR_QUERY_FOLD_TRANSFORM_H

#include "base/err.h"
#include "model/tree/tree.h"

enum cr_transform {
#define SELECTION(id, word, arg, about)
#define FOLDING(id, word, arg, about)
#define TRANSFORM(id, word, arg, about) CR_TRANSFORM_##id,
#include "query/lang/query_words.def"
	CR_TRANSFORMS
};

/*
 * The stacks of t changed, as a tree of its own, of as many sides. t stays; out borrows what t
 * borrows and may outlive it. What each of them does is told in cresset(1); arg is what it says
 * there: a pattern (smart case, of names, or behind dso: file: group:), "=NAME", a name,
 * "direct". CR_EUSAGE for one that makes no sense.
 *
 * Groups that the query has put above the stacks (cr_frame.group) stay above them. Weight is moved
 * to other frames, or leaves the tree for out->left_out[]: the sum of both is always the same. Time
 * is linear in nodes and frames, but for what turns stacks over: that goes by the depths of nodes
 * with self weight, until these are millions in sum; then callers of what is less than 1/100000 of
 * the whole are left out, their cost is not.
 */
int cr_transform(const struct cr_tree *t, enum cr_transform how, const char *arg,
	struct cr_tree **out, struct cr_err *err);

#endif
