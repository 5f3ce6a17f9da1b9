#ifndef CR_READ_TABLES_TEXT_TREE_P_H
#define CR_READ_TABLES_TEXT_TREE_P_H

#include "read/kit/stacks_p.h"

/*
 * A table whose rows are a call tree, each as far to the right as it is deep: a row is called by
 * the last one that is less deep. Rows have their weights as they come, cr_text_tree_self(), or
 * what they and the rows below them have together, cr_text_tree_total(): then what is left of it
 * when the rows below are known is the row's own.
 */
#define CR_TEXT_TREE_TOTALS 2

struct cr_text_row {
	cr_location_id location;
	cr_node_id node;                    /* not of a tree of callers */
	uint64_t left[CR_TEXT_TREE_TOTALS]; /* of its totals, without the rows below so far */
};

/* All zero but for s, and what is said of totals, is a table without rows. */
struct cr_text_tree {
	struct cr_stacks *s;
	bool callers;         /* rows below a row call it: the outermost rows are the leaves */
	uint32_t depth_first; /* of the outermost row */
	cr_event_id total[CR_TEXT_TREE_TOTALS]; /* what cr_text_tree_total() counts */
	uint32_t totals;                        /* how many of them there are */
	CR_VEC(struct cr_text_row) open; /* the last row and those above it, outermost first */
};

/*
 * A row, which accounts for its line. False, and reported with its line, when it is deeper than one
 * below the row before: it is left out, as are those below it.
 */
bool cr_text_tree_row(
	struct cr_text_tree *t, uint32_t depth, cr_location_id location, struct cr_str line);

/* The last row has so much of its own, nothing is no sample. Not for a tree of callers. */
void cr_text_tree_self(struct cr_text_tree *t, cr_event_id event, uint64_t weight);

/* The last row has so much together with those below it. */
void cr_text_tree_total(struct cr_text_tree *t, uint32_t total, uint64_t weight);

/* No row is called by those so far. */
void cr_text_tree_end(struct cr_text_tree *t);
void cr_text_tree_fini(struct cr_text_tree *t);

#endif
