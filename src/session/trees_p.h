#ifndef CR_SESSION_TREES_P_H
#define CR_SESSION_TREES_P_H

#include "session/state_p.h"

/*
 * The trees of a session, by its query: what its selection folds to is kept, so that a transform
 * needs no fold, and so is what folds have in common, so that another selection is one pass over
 * the samples.
 */
struct cr_trees;

struct cr_trees *cr_trees_new(void);
void cr_trees_free(struct cr_trees *ts);

/*
 * The tree for this event and query, of the profiles of s; more of a stored profile is read where a
 * selection needs it. Where q is what s shows with more transforms behind it, they are done to the
 * tree of s. out is the caller's: cr_trees_drop() it. CR_EEMPTY when no samples are left; s stays
 * as it is on failure.
 */
int cr_trees_make(struct cr_trees *ts, const struct cr_session *s, uint32_t event,
	const struct cr_query *q, struct cr_tree **out, struct cr_err *err);

/* What the last tree was made from: what is selected, before transforms. */
const struct cr_tree *cr_trees_base(const struct cr_trees *ts);

/* A profile has changed: the next tree is folded anew. */
void cr_trees_forget(struct cr_trees *ts);

/* It is not needed any more; a tree that is kept for others stays. */
void cr_trees_drop(struct cr_trees *ts, struct cr_tree *t);

#endif
