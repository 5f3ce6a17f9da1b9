#ifndef CR_MODEL_TREE_KEPT_TREES_H
#define CR_MODEL_TREE_KEPT_TREES_H

#include "base/vec.h"
#include "model/tree/tree.h"

/*
 * Trees that are not shown now but may be shown again, each with a text that says what it shows.
 * When they take too much memory, those that were added first are freed. All zero bytes is a valid
 * set that keeps nothing; set bytes_most to keep trees.
 */
struct cr_kept_tree {
	char *key;
	struct cr_tree *tree;
	uint64_t bytes;
};

struct cr_kept_trees {
	CR_VEC(struct cr_kept_tree) all; /* the one added last is the last */
	uint64_t bytes;                  /* of all of them, about */
	uint64_t bytes_most;             /* limit of bytes */
};

/* Keep a tree; it belongs to the set from now on, and may be freed at once. key is copied. */
void cr_kept_trees_add(struct cr_kept_trees *k, const char *key, struct cr_tree *t);

/* Remove the tree with this key and return it; the caller frees it. NULL if there is none. */
struct cr_tree *cr_kept_trees_take(struct cr_kept_trees *k, const char *key);

/* Free all trees; the set stays valid. */
void cr_kept_trees_clear(struct cr_kept_trees *k);

#endif
