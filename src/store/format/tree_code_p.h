#ifndef CR_STORE_FORMAT_TREE_CODE_P_H
#define CR_STORE_FORMAT_TREE_CODE_P_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Encodes a preorder tree with two small integers for each node: how many levels to go up from the
 * previous node, and the index of this child among the distinct children of its parent's key. A
 * pair (key of the parent, key of the child) is called a way:
 *
 *	node   0  1  2  3  4       ways: from a parent's key to a child's key
 *	key    -  a  b  c  b             - -> a     a -> b, a -> c     c -> b
 *	parent -  0  1  1  3
 *	up     0  0  0  1  0       levels up from the previous node: 0 is its child, 1 a sibling ..
 *	way    0  0  0  1  0       index among the ways from the parent's key
 *
 * Keys are less than n_keys; the root has the key n_keys, which no other node has. Ways are sorted
 * by the parent's key, and then by how many nodes they lead to, the most first.
 */
struct cr_tree_code {
	uint32_t *up, *way;  /* by node */
	uint32_t *from, *to; /* by way */
	uint32_t n;          /* number of ways */
};

/*
 * Encode a tree: parent and key by node, in preorder; key[0] is ignored. out->up is NULL: see
 * cr_tree_code_up(). Free *out with cr_tree_code_fini().
 */
void cr_tree_code_make(const uint32_t *parent, const uint32_t *key, uint32_t nodes, uint32_t n_keys,
	struct cr_tree_code *out);
void cr_tree_code_fini(struct cr_tree_code *w);

/*
 * By key: the index of its first way, plus two elements at the end. NULL if the ways are not
 * sorted, or lead from a key that is none. The caller frees it.
 */
uint32_t *cr_tree_code_ways(const struct cr_tree_code *w, uint32_t n_keys);

/* `up` of the n nodes that begin at `from`; it does not need the other nodes' in memory. */
void cr_tree_code_up(const uint32_t *parent, uint32_t from, uint32_t n, uint32_t *up);

/*
 * Decode a tree of `nodes` nodes: write parent, key and end (the end of each subtree; may be NULL)
 * of each node; key[0] is 0. The caller has checked `to`. parent and key may be w->up and w->way:
 * each value is read before it is overwritten. Returns false if the data is no tree, or one deeper
 * than most_deep.
 */
bool cr_tree_code_follow(const struct cr_tree_code *w, uint32_t nodes, uint32_t n_keys,
	uint32_t most_deep, uint32_t *parent, uint32_t *key, uint32_t *end);

#endif
