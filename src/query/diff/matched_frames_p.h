#ifndef CR_QUERY_DIFF_MATCHED_FRAMES_P_H
#define CR_QUERY_DIFF_MATCHED_FRAMES_P_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * Numbers the frames of both sides of a difference. Frames that match have the same number, which
 * is also the number of the frame in the tree of cr_diff().
 */
struct cr_matched_frames;

/* Why two frames whose names differ match. */
enum cr_match_why {
	CR_WHY_CANONICAL, /* marks of the compiler were removed */
	CR_WHY_BARE,      /* return types, parameters and versions were removed, too */
	CR_WHY_NUMBERS,   /* the numbers of lambdas and closures were removed, too */
};

enum cr_matching {
	CR_MATCH_NAMES, /* canonical names; dsos as match_p.h says */
	CR_MATCH_PATHS, /* canonical names; dsos only by path */
	CR_MATCH_EXACT, /* equal names and paths */
};

/*
 * Match the frames that the nodes of both trees have. p: their profiles, for build-ids; each may be
 * NULL. If the work is stopped, frames are missing. Borrows names from both trees. The caller frees
 * it.
 */
struct cr_matched_frames *cr_matched_frames_new(const struct cr_tree *const side[CR_SIDES],
	const struct cr_profile *const p[CR_SIDES], enum cr_matching how);
void cr_matched_frames_free(struct cr_matched_frames *fs);

/* Numbers are below this; 0 is that of the root. */
uint32_t cr_matched_frames_n(const struct cr_matched_frames *fs);

/* The number of a frame of either side, of whatever tree; CR_NO_ROW if it matches none. */
uint32_t cr_matched_frames_find(const struct cr_matched_frames *fs, const struct cr_frame *f);

/*
 * By frame of t, a tree of a part of either side: its number, 0 if no node has it. The caller frees
 * the array.
 */
uint32_t *cr_matched_frames_of(const struct cr_matched_frames *fs, const struct cr_tree *t);

/*
 * A builder of trees with these frames. keep: the tree owns the texts from now on, else fs must
 * outlive it.
 */
struct cr_tree_builder *cr_matched_frames_builder(struct cr_matched_frames *fs, bool keep);

/* Append the dsos and functions that were matched although their names differ, a line each. */
void cr_matched_frames_explain(const struct cr_matched_frames *fs, struct cr_text *out);

/* The main executables that were matched although their names differ, as of cr_match_main(). */
void cr_matched_frames_main(const struct cr_matched_frames *fs, struct cr_str out[CR_SIDES]);

#endif
