#ifndef CR_QUERY_FOLD_TRANSFORM_P_H
#define CR_QUERY_FOLD_TRANSFORM_P_H

#include "query/fold/transform.h"

/* Check an argument. CR_EUSAGE explains what is wrong. */
int cr_transform_check(enum cr_transform how, const char *arg, struct cr_err *err);

/* By frame: the first frame that is the same function, inlined or not. The caller frees it. */
uint32_t *cr_tree_functions(const struct cr_tree *t);

/*
 * cr_tree_invert(): invert the stacks below their groups: leaves first or, if they are that
 * already, outermost callers first.
 *
 * cr_tree_callers(): of a tree that is not leaves first, select the stacks with a frame of hit[],
 * remove what the outermost such frame calls, and invert them.
 *
 * map: as for cr_transform_mapped(); may be NULL.
 */
struct cr_tree *cr_tree_invert(const struct cr_tree *t, const uint8_t *above, uint32_t **map);
struct cr_tree *cr_tree_callers(
	const struct cr_tree *t, const uint8_t *above, const uint8_t *hit, uint32_t **map);

#endif
