#ifndef CR_MODEL_TREE_TREE_ORDER_H
#define CR_MODEL_TREE_TREE_ORDER_H

#include "model/tree/tree.h"

/*
 * Return a copy of t with the siblings sorted by name, in the order in which sorting the lines of
 * its folded stacks puts them: flamegraph.pl and inferno draw frames in that order. Siblings with
 * the same name keep their order. *node, a node of t, becomes that node of the copy. The copy
 * borrows frames and names from t, which must outlive it; the caller frees it with cr_tree_free().
 */
struct cr_tree *cr_tree_by_name(const struct cr_tree *t, uint32_t *node);

/* The same by falling extent, as struct cr_tree says, for trees in another order. */
struct cr_tree *cr_tree_by_weight(const struct cr_tree *t, uint32_t *node);

#endif
