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
 * Change the stacks of t; the result, which the caller frees, is a tree with as many sides. t is
 * unchanged; out borrows what t borrows and may outlive it. cresset(1) describes the transforms;
 * arg is their argument there: a pattern (smart case, for names, or after dso: file: group:),
 * "=NAME", a name or /RE/, "direct". CR_EUSAGE for an invalid one.
 *
 * Groups that the query put above the stacks (cr_frame.group) stay above them. Weight moves to
 * other frames or leaves the tree for out->left_out[]: the sum of both is constant. Time is linear
 * in nodes and frames, except for inverting stacks, which takes the sum of the depths of nodes with
 * self weight. If that exceeds some millions, callers of less than 1/100000 of the whole are
 * omitted; their cost is not.
 */
int cr_transform(const struct cr_tree *t, enum cr_transform how, const char *arg,
	struct cr_tree **out, struct cr_err *err);

/*
 * The same, and store where the weight of each node went: *map is an array by node of t, its node
 * of out, or CR_NO_ROW if its weight left the tree. The caller frees *map; NULL on failure.
 */
int cr_transform_mapped(const struct cr_tree *t, enum cr_transform how, const char *arg,
	struct cr_tree **out, uint32_t **map, struct cr_err *err);

#endif
