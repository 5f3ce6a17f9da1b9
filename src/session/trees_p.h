#ifndef CR_SESSION_TREES_P_H
#define CR_SESSION_TREES_P_H

#include "session/state_p.h"

/*
 * Makes the trees of a session from its query. The tree after selecting and folding is kept, so
 * that a transform needs no new fold. What folds share is kept too, so that another selection costs
 * one pass over the samples. So are the last trees that were shown, up to 40 MB: undo is instant.
 */
struct cr_trees;

/* Without trees at first. */
struct cr_trees *cr_trees_new(void);
void cr_trees_free(struct cr_trees *ts);

/* Trees that may have so many nodes are made as sketches, if that is wanted. */
void cr_trees_set_least(struct cr_trees *ts, uint64_t least_nodes);

/*
 * Return the tree for this event and query in *out; give it to s and call cr_trees_show(), or
 * release it with cr_trees_drop(). Further parts
 * of a stored profile are read if a selection needs them. If q is the query of s plus further
 * transforms, these are applied to the tree of s. CR_EEMPTY if no samples are left; on failure s is
 * unchanged. The same query and `how` give the same tree, with the same numbers of nodes.
 */
int cr_trees_make(struct cr_trees *ts, const struct cr_session *s, uint32_t event,
	const struct cr_query *q, const struct cr_sketching *how, struct cr_tree **out,
	struct cr_err *err);

/*
 * Compute what the trees of all filters of the only profile of s share, so that the first filter
 * takes no longer than later ones. Does nothing if that is there, or if it cannot be read: then the
 * filter fails.
 */
void cr_trees_prepare(struct cr_trees *ts, const struct cr_session *s);

/*
 * The tree that was made last is shown from now on. old: the one that was shown before, or NULL; it
 * may be kept, and must not be used after this.
 */
void cr_trees_show(struct cr_trees *ts, struct cr_tree *old);

/*
 * The event that the words of a side name, by its row in the side's events. Returns false if they
 * name none.
 */
bool cr_trees_own_event(const struct cr_session *s, uint32_t side, cr_event_id *out);

/* The sides of a difference, each for itself. */
struct cr_trees_sides {
	struct cr_query query[CR_SIDES]; /* of s, with the event of the side */
	struct cr_tree *tree[CR_SIDES];  /* without transforms */
};

/*
 * The sides of the difference of two profiles that s shows. On success the caller ends *out with
 * cr_trees_sides_fini(). Fails as cr_trees_make() does.
 */
int cr_trees_make_sides(struct cr_trees *ts, const struct cr_session *s, struct cr_trees_sides *out,
	struct cr_err *err);
void cr_trees_sides_fini(struct cr_trees_sides *sides);

/*
 * What s asks of a side of the difference of two profiles, or of two times of one, with the event
 * of that side. cr_query_fini() it, unless this fails, as without an event to compare with.
 */
int cr_trees_query_of(
	const struct cr_session *s, uint32_t side, struct cr_query *out, struct cr_err *err);

/* The profiles of s were swapped: fold the next tree anew. */
void cr_trees_swap(struct cr_trees *ts);

/* The tree before transforms that the last tree was made from. */
const struct cr_tree *cr_trees_base(const struct cr_trees *ts);
/* What it has in frames without names: cr_tree_unresolved(). */
uint64_t cr_trees_unresolved(const struct cr_trees *ts, uint32_t side);
/*
 * If the tree that is shown is a sketch: the same stacks without groups, complete, with the same
 * frames.
 */
const struct cr_tree *cr_trees_plain(const struct cr_trees *ts);

/* If the tree that is shown is a sketch of query/fold/sketch/wide_stacks.h: what it is made of. */
const struct cr_wide_stacks *cr_trees_wide(const struct cr_trees *ts);

/* The number, + 1, of the path of frames to a node of t; 0 for the root. */
uint32_t cr_trees_path1(struct cr_trees *ts, const struct cr_tree *t, uint32_t node);

/*
 * Show the profiles of s with this cost, NULL for that as recorded: see model/cost.h. A profile
 * with other costs is a copy that borrows from the recorded one. The copies stay until the end,
 * because trees have their names, and so that undo is instant. Trees that are kept stay, too; the
 * caller makes the tree of s again, and drops what views have made of the samples. Fails as
 * cr_cost_weigh() does; then nothing has changed.
 */
int cr_trees_set_cost(
	struct cr_trees *ts, struct cr_session *s, const char *cost, struct cr_err *err);

/* A profile has changed: fold the next tree anew. */
void cr_trees_forget(struct cr_trees *ts);

/* Release a tree; one that is kept for others stays. */
void cr_trees_drop(struct cr_trees *ts, struct cr_tree *t);

#endif
