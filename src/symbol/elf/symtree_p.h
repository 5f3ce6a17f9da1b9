#ifndef CR_SYMBOL_ELF_SYMTREE_P_H
#define CR_SYMBOL_ELF_SYMTREE_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A red-black tree with the same shape as perf's tree of symbols after the same insertions and
 * removals. Used only for dsos whose symbols overlap at an asked address. There perf's answer is
 * the first symbol on the path down that contains the address.
 *
 * Nodes are numbered from 1; node 0 means none. Item i is node i + 1.
 */
struct cr_symtree {
	struct cr_symtree_node {
		uint32_t parent, left, right;
		bool red;
	} * nodes;
	uint32_t items; /* capacity */
	uint32_t root;
};

/* Extend the capacity to `items`. All zero bytes is a valid empty tree. */
void cr_symtree_grow(struct cr_symtree *t, uint32_t items);

/*
 * Insert an item between two items that are adjacent in order, given as node numbers, 0 for none. A
 * caller that knows them saves the search, which waits for memory at every step in a large tree.
 */
void cr_symtree_insert(struct cr_symtree *t, uint32_t item, uint32_t before, uint32_t after);
void cr_symtree_erase(struct cr_symtree *t, uint32_t item);
void cr_symtree_fini(struct cr_symtree *t);

#endif
