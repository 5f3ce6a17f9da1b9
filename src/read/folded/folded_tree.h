#ifndef CR_READ_FOLDED_FOLDED_TREE_H
#define CR_READ_FOLDED_FOLDED_TREE_H

#include "base/str.h"
#include "model/tree/tree_nodes.h"

/*
 * A call tree built from folded stacks while they are read, without a profile: memory is needed for
 * the tree, not for the samples. Lines are understood as flamegraph.pl does. Each line decides for
 * itself whether it has two counts; then the tree has two sides, and the boxes are as wide as the
 * second count. A line with one count has it on both sides.
 *
 *	f = cr_folded_tree_new(&opts);
 *	cr_folded_tree_read(f, p, len, NULL, NULL);     as often as there are inputs
 *	t = cr_folded_tree_finish(f, &cut);            also frees f
 */
struct cr_folded_tree_opts {
	bool reverse; /* put the innermost frame first */
	/* Merge only equal stacks of neighbouring lines, and keep the order of the input. */
	bool in_order;
	/* Of two counts, the first is that of the second side; boxes stay as wide. */
	bool negate;
	/* Add _[w] to the frames after a frame "--", which belong to the thread that wakes. */
	bool wakers;
	/*
	 * If not empty: begin each stack with its innermost frame of one of these names, and leave
	 * out stacks without such a frame. Borrowed.
	 */
	const char *const *base;
	size_t n_base;
};

struct cr_folded_tree;

/* o is borrowed until the end. */
struct cr_folded_tree *cr_folded_tree_new(const struct cr_folded_tree_opts *o);

/* Called from time to time with bytes [from, to) of the input that are not needed any more. */
typedef void cr_folded_done(void *user, uint64_t from, uint64_t to);
#define CR_FOLDED_STEP ((uint64_t)8 << 20) /* bytes between two calls */

/* What was read: lines with a count, lines left out, and which of them was the first, from 1. */
struct cr_folded_lines {
	uint64_t used, bad, first_bad;
};

/* Add the lines of the len bytes at p. done may be NULL. */
struct cr_folded_lines cr_folded_tree_read(
	struct cr_folded_tree *f, const void *p, size_t len, cr_folded_done *done, void *user);

/*
 * Raise the sum of the counts that the boxes are drawn by to `total`; the rest belongs to no stack.
 * Returns false and changes nothing if it is larger.
 */
bool cr_folded_tree_raise(struct cr_folded_tree *f, uint64_t total);

/*
 * Return the tree, which the caller frees, and free f.
 * cut: see cr_tree_nodes_cut(). Siblings are in the order of cr_tree_by_name(), or with in_order in
 * that of the input. Event and unit are those of a comment that cresset writes before folded
 * stacks; both "" without it. If a count has a fraction, the unit is "millionths".
 */
struct cr_tree *cr_folded_tree_finish(struct cr_folded_tree *f, struct cr_tree_cut *cut);
void cr_folded_tree_free(struct cr_folded_tree *f);

#endif
