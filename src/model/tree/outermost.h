#ifndef CR_MODEL_TREE_OUTERMOST_H
#define CR_MODEL_TREE_OUTERMOST_H

#include "model/profile.h"

/*
 * Remove the inlined functions from a profile that has a default tree. Each location keeps only the
 * function that contains the code, the last of its lines. Trees then equal those of a profile that
 * was symbolized without inlined functions. Tables of p do not move. O(locations + nodes of the
 * default tree).
 */
void cr_outermost(struct cr_profile *p);

#endif
