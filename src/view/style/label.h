#ifndef CRESSET_VIEW_STYLE_LABEL_H
#define CRESSET_VIEW_STYLE_LABEL_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * A name made to fit in so many cells, appended to t, made safe for a terminal; without _[k] and
 * its like of folded stacks at its end. Tried in order: the whole name; without what the compiler
 * has put behind it; without its argument list; without template arguments; the last parts of a
 * qualified name; what is left cut in its middle, with an ellipsis there. Nothing when less than 2
 * cells are there. Returns the cells used. data/flame.js does the same.
 */
uint32_t cr_label_fit(struct cr_text *t, struct cr_str name, uint32_t cells);

/* Replace the ellipses of t, from a byte on, by '~', for a terminal that has no such character. */
void cr_label_ascii(struct cr_text *t, size_t from);

/* What a node costs: "1 234 samples", of a tree of sums "12.3 ms". */
void cr_label_cost(struct cr_text *t, const struct cr_tree *tree, uint32_t side, uint64_t weight,
	uint64_t samples);

/*
 * The event that the weights are of; of two sides with different ones "cpu-clock -> cycles" with
 * this arrow.
 */
void cr_label_event(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/* What all of it costs, of two sides "100 -> 98 samples" with this arrow. */
void cr_label_costs(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/*
 * What share of the event is in the tree: "62.10 %", of two sides "62.10 % -> 64.00 %" with this
 * arrow. Nothing when all of it is.
 */
void cr_label_kept(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/* Of a path the last directory and the file: "http/request.c". Borrowed. */
struct cr_str cr_label_path(struct cr_str path);

#endif
