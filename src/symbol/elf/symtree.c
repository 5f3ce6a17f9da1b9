#include "symtree_p.h"

#include "base/mem.h"

#include <stdlib.h>

/*
 * The textbook algorithms (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, 3rd
 * edition, chapter 13). The kernel's rbtree library performs the same steps, so the shapes agree:
 * insertion below a leaf, removal by the leftmost node of the right subtree.
 */

void
cr_symtree_grow(struct cr_symtree *t, uint32_t items)
{
	if (t->nodes && items <= t->items)
		return;
	t->nodes = cr_realloc(t->nodes, (uint64_t)items + 1, sizeof(*t->nodes));
	t->items = items;
	t->nodes[0] = (struct cr_symtree_node){0};
}

void
cr_symtree_fini(struct cr_symtree *t)
{
	free(t->nodes);
	*t = (struct cr_symtree){0};
}

/* Put v in the place of u; u's own links stay. */
static void
replace(struct cr_symtree *t, uint32_t u, uint32_t v)
{
	const uint32_t p = t->nodes[u].parent;

	if (!p)
		t->root = v;
	else if (t->nodes[p].left == u)
		t->nodes[p].left = v;
	else
		t->nodes[p].right = v;
	t->nodes[v].parent = p;
}

/*
 *	  x              y
 *	 / \            / \
 *	a   y    ─►    x   c
 *	   / \        / \
 *	  b   c      a   b
 */
static void
rotate_left(struct cr_symtree *t, uint32_t x)
{
	struct cr_symtree_node *n = t->nodes;
	const uint32_t y = n[x].right, b = n[y].left;

	n[x].right = b;
	if (b)
		n[b].parent = x;
	replace(t, x, y);
	n[y].left = x;
	n[x].parent = y;
}

static void
rotate_right(struct cr_symtree *t, uint32_t x)
{
	struct cr_symtree_node *n = t->nodes;
	const uint32_t y = n[x].left, b = n[y].right;

	n[x].left = b;
	if (b)
		n[b].parent = x;
	replace(t, x, y);
	n[y].right = x;
	n[x].parent = y;
}

static void
rotate(struct cr_symtree *t, uint32_t x, bool left)
{
	if (left)
		rotate_left(t, x);
	else
		rotate_right(t, x);
}

void
cr_symtree_insert(struct cr_symtree *t, uint32_t item, uint32_t before, uint32_t after)
{
	struct cr_symtree_node *n = t->nodes;
	/* Of two adjacent nodes one is below the other, so exactly one of the two links is free. */
	const bool under_before = before && !n[before].right;
	uint32_t z = item + 1;

	n[z] = (struct cr_symtree_node){.parent = under_before ? before : after, .red = true};
	if (under_before)
		n[before].right = z;
	else if (after)
		n[after].left = z;
	else
		t->root = z;

	while (n[n[z].parent].red) {
		const uint32_t parent = n[z].parent, grand = n[parent].parent;
		const bool on_left = n[grand].left == parent;
		const uint32_t uncle = on_left ? n[grand].right : n[grand].left;

		if (n[uncle].red) {
			n[parent].red = n[uncle].red = false;
			n[grand].red = true;
			z = grand;
			continue;
		}
		if (z == (on_left ? n[parent].right : n[parent].left)) {
			z = parent;
			rotate(t, z, on_left);
		}
		n[n[z].parent].red = false;
		n[grand].red = true;
		rotate(t, grand, !on_left);
	}
	n[t->root].red = false;
}

/* x carries an extra black. x may be node 0, whose parent is set meanwhile. */
static void
erase_fix(struct cr_symtree *t, uint32_t x)
{
	struct cr_symtree_node *n = t->nodes;

	while (x != t->root && !n[x].red) {
		const uint32_t p = n[x].parent;
		const bool on_left = n[p].left == x;
		uint32_t w = on_left ? n[p].right : n[p].left;
		uint32_t near, far;

		if (n[w].red) {
			n[w].red = false;
			n[p].red = true;
			rotate(t, p, on_left);
			w = on_left ? n[p].right : n[p].left;
		}
		near = on_left ? n[w].left : n[w].right;
		far = on_left ? n[w].right : n[w].left;
		if (!n[near].red && !n[far].red) {
			n[w].red = true;
			x = p;
			continue;
		}
		if (!n[far].red) {
			n[near].red = false;
			n[w].red = true;
			rotate(t, w, !on_left);
			w = on_left ? n[p].right : n[p].left;
			far = on_left ? n[w].right : n[w].left;
		}
		n[w].red = n[p].red;
		n[p].red = false;
		n[far].red = false;
		rotate(t, p, on_left);
		x = t->root;
	}
	n[x].red = false;
}

void
cr_symtree_erase(struct cr_symtree *t, uint32_t item)
{
	struct cr_symtree_node *n = t->nodes;
	const uint32_t z = item + 1;
	bool black_gone = !n[z].red;
	uint32_t x;

	if (!n[z].left || !n[z].right) {
		x = n[z].left ? n[z].left : n[z].right;
		replace(t, z, x);
	} else {
		uint32_t y = n[z].right;

		while (n[y].left)
			y = n[y].left;
		black_gone = !n[y].red;
		x = n[y].right;
		if (n[y].parent == z) {
			n[x].parent = y;
		} else {
			replace(t, y, x);
			n[y].right = n[z].right;
			n[n[y].right].parent = y;
		}
		replace(t, z, y);
		n[y].left = n[z].left;
		n[n[y].left].parent = y;
		n[y].red = n[z].red;
	}
	if (black_gone)
		erase_fix(t, x);
	n[0] = (struct cr_symtree_node){0};
}
