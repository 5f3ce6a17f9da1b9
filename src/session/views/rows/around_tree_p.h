#ifndef CR_SESSION_VIEWS_ROWS_AROUND_TREE_P_H
#define CR_SESSION_VIEWS_ROWS_AROUND_TREE_P_H

#include "model/tree/tree.h"

/*
 * The tree without groups, in which all frames of the function are equal, inlined or not. So it has
 * one list of callers and one of callees. What is neither above nor below the function is left
 * out, so that the rest of a large tree costs no time later. Free it with cr_tree_free().
 */
struct cr_tree *cr_around_tree(const struct cr_tree *t, struct cr_str function);

#endif
