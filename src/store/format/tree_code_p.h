#ifndef CR_STORE_FORMAT_TREE_CODE_P_H
#define CR_STORE_FORMAT_TREE_CODE_P_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How a tree in preorder becomes small numbers. Of a node is kept how far up from the node before
 * it hangs, and which of the ways that lead on from what its parent stands for it takes:
 *
 *	node   0  1  2  3  4       ways: from what a node stands for (its key) to what a child does
 *	key    -  a  b  c  b             - -> a     a -> b, a -> c     c -> b
 *	parent -  0  1  1  3
 *	up     0  0  0  1  0       from the node before: 0 is its child, 1 its sibling ...
 *	way    0  0  0  1  0       number among the ways from the parent's key
 *
 * A key is less than n_keys, and that of the root is n_keys: nothing else is it. The ways are in
 * the order of the keys they lead from, those of a key in the order in which the tree takes them
 * first.
 */
struct cr_tree_code {
	uint32_t *up, *way;  /* by node */
	uint32_t *from, *to; /* by way */
	uint32_t n;          /* ways */
};

/* parent and key by node, preorder; key[0] is not looked at. cr_tree_code_fini() what comes out. */
void cr_tree_code_make(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys,
	struct cr_tree_code *out);
void cr_tree_code_fini(struct cr_tree_code *w);

/*
 * The way back: parent, key and end (where a subtree ends; may be NULL) of so many nodes; key[0] is
 * 0. `to` is checked already. parent and key may be w's up and way: each is read before it is
 * written. False when this is no tree, or one deeper than most_deep.
 */
bool cr_tree_code_follow(const struct cr_tree_code *w, uint32_t nodes, uint32_t n_keys,
	uint32_t most_deep, uint32_t *parent, uint32_t *key, uint32_t *end);

#endif
