#ifndef CR_QUERY_DIFF_H
#define CR_QUERY_DIFF_H

#include "cresset/base/err.h"
#include "cresset/profile/tree.h"

#include <stdbool.h>

struct cr_filter;
struct cr_fold_opts;

/*
 * The union of two trees: side 0 before, side 1 after. Frames are matched by canonical name and
 * the base name of their object; clone suffixes (.isra.0, .constprop.1, .part.2, .cold, .llvm.123)
 * and Rust hashes (::h and 16 hex digits) are put aside, and so is whether a frame is inlined. out borrows the names of both trees'
 * profiles, and nothing of the trees.
 *
 * Stacks stand under their comm if both sides know the comms of at least half of their cost;
 * else comms are put aside, so that a program under a new name still matches itself.
 *
 * Weights stay as they were recorded: shares are compared, total[s][n] of total[s][0].
 */
int cr_diff(const struct cr_tree *before, const struct cr_tree *after, struct cr_tree **out, struct cr_err *err);

/*
 * Is p a difference itself? Text formats with two counts a stack are: their fact "differential" is set, and
 * the counts are those of two events, "before" and "after".
 */
bool cr_diff_is(const struct cr_profile *p);

/*
 * What it says: of these two events what the filter selects, whatever event that names. Names and objects
 * are told apart as they are. out borrows p's names. Fails as cr_fold() does.
 */
int cr_diff_within(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o, struct cr_tree **out,
	struct cr_err *err);

/* The name without what the compiler made up. Borrowed from name; at most two cuts. */
struct cr_str cr_diff_canonical(struct cr_str name);

/* Share of the whole after minus before, in millionths; of totals, or of selfs. */
int32_t cr_diff_total_ppm(const struct cr_tree *t, uint32_t node);
int32_t cr_diff_self_ppm(const struct cr_tree *t, uint32_t node);

#endif
