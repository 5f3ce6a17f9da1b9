#ifndef CRESSET_VIEW_STYLE_LABEL_H
#define CRESSET_VIEW_STYLE_LABEL_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * Append a name to t in at most `cells` cells, made safe for a terminal, and without annotations of
 * folded stacks such as _[k]. It tries in order: the whole name; without compiler suffixes; without
 * argument list and return type; without template arguments; the last parts of a qualified name;
 * the rest with an ellipsis in the middle. Appends nothing if cells < 2. Returns the cells used.
 * data/flame/names.js does the same.
 */
uint32_t cr_label_fit(struct cr_text *t, struct cr_str name, uint32_t cells);

/* Replace the ellipses of t, from a position on, by '~', for a terminal without that character. */
void cr_label_ascii(struct cr_text *t, size_t from);

/* The cost of a node: "1 234 samples", or "12.3 ms" for an event whose samples are sums. */
void cr_label_cost(struct cr_text *t, const struct cr_tree *tree, uint32_t side, uint64_t weight,
	uint64_t samples);

/*
 * True for recorded branches and for the samples of a branch trace. Their numbers say how often,
 * not how long. A page that shows such an event has this text after the costs.
 */
bool cr_label_is_count(struct cr_str event);
#define CR_LABEL_COUNTS " (counts, not time)"

/* The event of the weights; if two sides differ, "cpu-clock -> cycles" with this arrow. */
void cr_label_event(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/*
 * The cost of the whole tree; for two sides "100 -> 98 samples" with this arrow. Branches have
 * CR_LABEL_COUNTS after it.
 */
void cr_label_costs(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/*
 * The share of the event that is in the tree: "62.10 %", or "62.10 % -> 64.00 %" for two sides.
 * Nothing if it is complete.
 */
void cr_label_kept(struct cr_text *t, const struct cr_tree *tree, const char *arrow);

/* The last directory and the file of a path: "http/request.c". Borrowed. */
struct cr_str cr_label_path(struct cr_str path);

#endif
