#ifndef CR_QUERY_FOLD_TRANSFORM_P_H
#define CR_QUERY_FOLD_TRANSFORM_P_H

#include "query/fold/transform.h"

/* Is this an argument for it? CR_EUSAGE tells what is wrong. */
int cr_transform_check(enum cr_transform how, const char *arg, struct cr_err *err);

/* By frame, free() it: the first frame that is the same function, inlined or not. */
uint32_t *cr_tree_functions(const struct cr_tree *t);

/*
 * Turn the stacks over below their groups: leaves first, or, if they are that already, outermost
 * callers first.
 *
 * cr_tree_callers(), of a tree that is not leaves first, takes the stacks that hold a frame of
 * hit[], cuts off what the outermost such frame calls, and turns them over.
 */
struct cr_tree *cr_tree_invert(const struct cr_tree *t, const uint8_t *above);
struct cr_tree *cr_tree_callers(const struct cr_tree *t, const uint8_t *above, const uint8_t *hit);

#endif
