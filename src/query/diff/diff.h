#ifndef CR_QUERY_DIFF_DIFF_H
#define CR_QUERY_DIFF_DIFF_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"

#include <stdbool.h>

struct cr_filter;
struct cr_matched_frames;
struct cr_fold_opts;

/*
 * Choose the events of two profiles to compare: the one that the filter names, or one with that
 * name and other precision modifiers ("cycles:ppp" for "cycles"). Without a name: the main event of
 * p[0] if p[1] has samples of a matching one; otherwise the main event of p[1] if p[0] has;
 * otherwise both main events, which cr_diff() refuses. Fails like cr_filter_event(); then *side,
 * unless side is NULL, is the side without such an event.
 */
int cr_diff_events(const struct cr_profile *const p[CR_SIDES], const struct cr_filter *f,
	cr_event_id out[CR_SIDES], uint32_t *side, struct cr_err *err);

/*
 * The event of p to compare with e, an event of another profile: one that cr_diff_alike() accepts.
 * If there is none: with force one with that name, otherwise the main event; without force
 * CR_EUSAGE, or CR_ENOTFOUND if p has no events.
 */
int cr_diff_partner(const struct cr_profile *p, const struct cr_event *e, bool force,
	cr_event_id *out, struct cr_err *err);

/*
 * CR_OK if both count the same, otherwise CR_EUSAGE. Precision modifiers may differ: "cpu-clock"
 * and "cpu-clock:ppp" match, "cycles:u" and "cycles" do not. Units must be equal, or both units of
 * time.
 */
int cr_diff_alike(
	const struct cr_measure *before, const struct cr_measure *after, struct cr_err *err);

/* True for "ns", "us", "ms" and "s". */
bool cr_diff_is_time(struct cr_str unit);

/*
 * Append the sampling rates of the events of both sides, "4000 Hz" or "every 100000", to out[side];
 * nothing if unknown. Returns true if both are known and differ. t: the difference of these
 * profiles.
 */
bool cr_diff_rates(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t,
	struct cr_text out[CR_SIDES]);

/* All zero bytes is the default. */
struct cr_diff_opts {
	bool force;       /* compare events that do not match */
	bool by_path;     /* dsos match only by path */
	bool keep_groups; /* keep stacks below their groups */
	/* Profiles of the trees, for build-ids; may be NULL. */
	const struct cr_profile *profile[CR_SIDES];
	/*
	 * The matched frames of the trees to be compared, or of two trees that they are parts of,
	 * from cr_diff_match(). Then the result has the numbers of these frames, and must not
	 * outlive them. NULL: matched anew. Borrowed.
	 */
	struct cr_matched_frames *frames;
};

/*
 * Match the frames of two trees with the options o, so that several differences of them need not do
 * it again. Borrows names from the trees. The caller frees it with cr_diff_match_free().
 */
struct cr_matched_frames *cr_diff_match(
	const struct cr_tree *const side[CR_SIDES], const struct cr_diff_opts *o);
void cr_diff_match_free(struct cr_matched_frames *frames);

/*
 * Combine two trees: side 0 is before, side 1 is after. Frames match by canonical name and dso.
 * Dsos match if they have the same file name or the same build-id, or are the main executables of
 * both sides, see match_p.h; all JIT code is one dso. Clone suffixes (.isra.0, .constprop.1,
 * .part.2, .cold, .llvm.123) and Rust hashes (::h and 16 hex digits) are ignored, and so is whether
 * a frame is inlined. The result borrows names from both trees' profiles, and nothing from the
 * trees. The caller frees it.
 *
 * Frames have the names and dsos of the side after, if it has them. Main executables paired only
 * because of that are listed in paired[] of the tree.
 *
 * Stacks are grouped by comm if they keep their groups, or if both sides know the comms of at least
 * half of their cost. Otherwise comms are ignored, so that a renamed program still matches itself.
 *
 * Weights stay as recorded: compare shares, total[s][n] / total[s][0]. CR_EUSAGE if the events do
 * not match, unless o->force. o may be NULL.
 */
int cr_diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o,
	struct cr_tree **out, struct cr_err *err);

/*
 * The same, and store where each node went: map[s] is an array by node of the tree of side s, its
 * node of *out, or CR_NO_ROW if that is empty. The caller frees both; they are NULL on failure.
 */
int cr_diff_mapped(const struct cr_tree *before, const struct cr_tree *after,
	const struct cr_diff_opts *o, struct cr_tree **out, uint32_t *map[CR_SIDES],
	struct cr_err *err);

/*
 * True if p is itself a difference: a text format with two counts per stack. Then the fact
 * "differential" is set, and the counts belong to two events, "before" and "after".
 */
bool cr_diff_is(const struct cr_profile *p);

/*
 * The difference that such a profile contains: of both events what the filter selects, ignoring the
 * event it names. Names and dsos must be equal to match. out borrows p's names. Fails like
 * cr_fold().
 */
int cr_diff_within(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, struct cr_tree **out, struct cr_err *err);

/*
 * Share after minus share before, in millionths of what cr_tree_whole() says; of the total, or of
 * self.
 */
int32_t cr_diff_total_ppm(const struct cr_tree *t, uint32_t node);
int32_t cr_diff_self_ppm(const struct cr_tree *t, uint32_t node);

#endif
