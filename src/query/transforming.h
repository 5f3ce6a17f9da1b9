#ifndef CR_QUERY_TRANSFORMING_H
#define CR_QUERY_TRANSFORMING_H

#include "cresset/query/transform.h"

/* Is this an argument for it? CR_EUSAGE tells what is wrong. */
int cr_transform_check(enum cr_transform how, const char *arg, struct cr_err *err);

/* By node, free() it: 1 for the root and the groups that the query put above the stacks. */
uint8_t *cr_tree_above(const struct cr_tree *t);

/*
 * Stacks turned over below their groups, the leaf outermost; of all, or from the outermost of the frames that
 * hit[] has on towards the root, and none of the others.
 */
struct cr_tree *cr_tree_invert(const struct cr_tree *t, const uint8_t *above);
struct cr_tree *cr_tree_callers(const struct cr_tree *t, const uint8_t *above, const uint8_t *hit);

#endif
