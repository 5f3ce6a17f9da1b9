#ifndef CR_SYMBOL_ELF_SYMTREE_P_H
#define CR_SYMBOL_ELF_SYMTREE_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A red-black tree of items in order: the shape that perf's own tree of symbols has after the same
 * insertions and removals. Only for dsos whose symbols overlap at an address that is asked,
 * where perf's answer is the first symbol on the way down that holds the address.
 *
 * Nodes are numbered from 1; node 0 stands for "none". Item i is node i + 1.
 */
struct cr_symtree {
	struct cr_symtree_node {
		uint32_t parent, left, right;
		bool red;
	} * nodes;
	uint32_t items; /* how many there is room for */
	uint32_t root;
};

/* Make room for that many items. All zero bytes is a valid tree without any. */
void cr_symtree_grow(struct cr_symtree *t, uint32_t items);

/*
 * The new item goes between two nodes that follow each other in order, 0 for none: whoever knows
 * them saves the way down, which in a large tree waits for memory at every step.
 */
void cr_symtree_insert(struct cr_symtree *t, uint32_t item, uint32_t before, uint32_t after);
void cr_symtree_erase(struct cr_symtree *t, uint32_t item);
void cr_symtree_fini(struct cr_symtree *t);

#endif
