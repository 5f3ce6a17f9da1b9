#ifndef CR_MODEL_TREE_OUTERMOST_H
#define CR_MODEL_TREE_OUTERMOST_H

#include "model/profile.h"

/*
 * Take the inlined functions out of a profile whose default tree is made: each location keeps the
 * function that its code was made for, the last of its lines. The trees are those of a profile that
 * was named without inlined functions. What p points at stays where it is. O(locations + nodes of
 * the default tree).
 */
void cr_outermost(struct cr_profile *p);

#endif
