#ifndef CRESSET_VIEW_STYLE_CHANGE_H
#define CRESSET_VIEW_STYLE_CHANGE_H

#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/significance.h"
#include "query/table/table.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How the changes of a tree with two sides look on every surface: a colour, and a mark that can be
 * read without colours. A change is that of a node's share, in millionths of the whole.
 *
 * The strength of a colour is the square root of the change, so that one large change does not make
 * the others grey. It is strongest at the cap: the largest change in the tree, but at least half a
 * point and at most five points.
 */
struct cr_change_look {
	const struct cr_tree *tree; /* borrowed */
	bool totals;                /* changes of total cost; otherwise of self cost */
	uint32_t cap_ppm;
	/*
	 * By frame: not 0 if its function is not known to have changed. Its nodes are grey and have
	 * no mark. Borrowed; NULL: every node shows its change.
	 */
	const uint8_t *noise;
};

/*
 * Such an array for the verdicts of a table of functions of the whole tree, by row: all frames but
 * those of rows that are called changed. The caller frees it.
 */
uint8_t *cr_change_noise(
	const struct cr_tree *t, const struct cr_table *table, const struct cr_verdict *verdicts);

/* Computes the cap. The tree has two sides. */
struct cr_change_look cr_change_look_make(
	const struct cr_tree *t, bool totals, const uint8_t *noise);

/* The change that a node shows: 0 if it is noise. */
int32_t cr_change_ppm(const struct cr_change_look *c, uint32_t node);

/* The colour of a change, as 0xRRGGBB: orange grew, blue shrank, grey is none; and of a node. */
uint32_t cr_change_color(const struct cr_change_look *c, int32_t ppm);
uint32_t cr_change_color_of(const struct cr_change_look *c, uint32_t node);

/* '+' or '-' for a change of a tenth of a point or more, otherwise 0. */
char cr_change_mark(const struct cr_change_look *c, uint32_t node);
char cr_change_mark_of(int32_t ppm);

/* By node: not 0 if it or a node below it has a mark, and for the root. The caller frees it. */
uint8_t *cr_change_kept(const struct cr_change_look *c);

/* Append a change in millionths as points with two decimals: "+1.23", "-0.40", "0.00". */
void cr_change_put_points(int64_t ppm, struct cr_text *out);

/*
 * Append what the colours stand for: "self cost, strongest from 5.00 points on"; _brief: "self,
 * max 5.00".
 */
void cr_change_put_scale(const struct cr_change_look *c, struct cr_text *out);
void cr_change_put_scale_brief(const struct cr_change_look *c, struct cr_text *out);

#endif
