#ifndef CR_QUERY_DIFF_DIFF_H
#define CR_QUERY_DIFF_DIFF_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"

#include <stdbool.h>

struct cr_filter;
struct cr_match;
struct cr_fold_opts;

/*
 * Which events of two profiles are compared: the one that the filter names, or one of that name
 * with other precision modifiers ("cycles:ppp" for "cycles"). Without a name: the main event of
 * p[0] if p[1] has samples of one like it, else the main event of p[1] if p[0] has, else the main
 * event of each, which cr_diff() refuses. Fails as cr_filter_event() does; then *side, unless side
 * is NULL, is the side without such an event.
 */
int cr_diff_events(const struct cr_profile *const p[CR_SIDES], const struct cr_filter *f,
	cr_event_id out[CR_SIDES], uint32_t *side, struct cr_err *err);

/*
 * The event of p to compare with e, an event of another profile: one that is alike. If there is
 * none: with force one of that name, else the main one; without force CR_EUSAGE, or CR_ENOTFOUND if
 * p has no events.
 */
int cr_diff_partner(const struct cr_profile *p, const struct cr_event *e, bool force,
	cr_event_id *out, struct cr_err *err);

/*
 * CR_OK if both count the same, else CR_EUSAGE. Names may differ in precision modifiers:
 * "cpu-clock" and "cpu-clock:ppp" are alike, "cycles:u" and "cycles" are not. Units are equal, or
 * both are of time.
 */
int cr_diff_alike(
	const struct cr_measure *before, const struct cr_measure *after, struct cr_err *err);

/*
 * How often the events of both sides of t were sampled, "4000 Hz" or "every 100000", appended to
 * out[side]; nothing where the recording does not say. True if both are known and differ. t is the
 * difference of these profiles.
 */
bool cr_diff_rates(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t,
	struct cr_text out[CR_SIDES]);

/* All zero bytes is the default. */
struct cr_diff_opts {
	bool force;       /* compare events that are not alike */
	bool by_path;     /* dsos are the same if their paths are, and only then */
	bool keep_groups; /* stacks stay under their groups */
	const struct cr_profile
		*profile[CR_SIDES]; /* of the trees, for the build-ids of their dsos; may be NULL */
	/*
	 * Which dsos and files are the same, where that is known already, as for parts of what was
	 * matched whole; NULL: worked out from the trees. Borrowed.
	 */
	const struct cr_match *match;
};

/*
 * The union of two trees: side 0 before, side 1 after. Frames are matched by canonical name and by
 * dso: dsos are the same that have one file name, or one build-id, or are the main executables of
 * both sides, see match.h; code of JIT compilers is all of one dso. Clone suffixes (.isra.0,
 * .constprop.1, .part.2, .cold, .llvm.123) and Rust hashes (::h and 16 hex digits) are put aside,
 * and so is whether a frame is inlined. out borrows the names of both trees' profiles, and nothing
 * of the trees.
 *
 * Frames bear the names and dsos of the side after, where it has them. If main executables were
 * paired by that alone, they are in paired[] of the tree.
 *
 * Stacks stand under their comm if they stay under groups, or both sides know the comms of at least
 * half of their cost; else comms are put aside, so that a program under a new name still matches
 * itself.
 *
 * Weights stay as they were recorded: shares are compared, total[s][n] of total[s][0]. Trees of
 * events that are not alike are CR_EUSAGE unless o->force. o may be NULL.
 */
int cr_diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o,
	struct cr_tree **out, struct cr_err *err);

/*
 * Is p a difference itself? Text formats with two counts a stack are: their fact "differential" is
 * set, and the counts are those of two events, "before" and "after".
 */
bool cr_diff_is(const struct cr_profile *p);

/*
 * What it says: of these two events what the filter selects, whatever event that names. Names and
 * dsos are told apart as they are. out borrows p's names. Fails as cr_fold() does.
 */
int cr_diff_within(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, struct cr_tree **out, struct cr_err *err);

/* The name without what the compiler made up. Borrowed from name; at most two cuts. */
struct cr_str cr_diff_canonical(struct cr_str name);

/* Share of the whole after minus before, in millionths; of totals, or of selfs. */
int32_t cr_diff_total_ppm(const struct cr_tree *t, uint32_t node);
int32_t cr_diff_self_ppm(const struct cr_tree *t, uint32_t node);

#endif
