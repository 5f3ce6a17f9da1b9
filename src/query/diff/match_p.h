#ifndef CR_QUERY_DIFF_MATCH_P_H
#define CR_QUERY_DIFF_MATCH_P_H

#include "base/text.h"
#include "model/tree/tree.h"

/*
 * Matches the dsos of two profiles though their paths differ, so that two builds of a program can
 * be compared. Dsos match if
 * - they have the same name: the file's, without directories, " (deleted)" and a library version.
 *   All JIT code is named "[jit]", the kernel "[kernel]";
 * - they have the same build-id;
 * - they are the main executables of both sides and match nothing else: on each side the one with
 *   at least half of the time spent in executables.
 *
 * With by_path only equal paths match.
 */
struct cr_match;

/*
 * The trees must have been folded from the profiles. A profile may be NULL: then its build-ids are
 * unknown. Borrows names of both.
 */
struct cr_match *cr_match_new(const struct cr_profile *const p[CR_SIDES],
	const struct cr_tree *const t[CR_SIDES], bool by_path);
void cr_match_free(struct cr_match *m);

struct cr_match_of {
	uint32_t class; /* equal for matching dsos */
	/*
	 * Name to show: of the second side, otherwise of the first; the one with the largest total.
	 */
	struct cr_str shown;
	uint8_t kind; /* kind of that dso */
};

/* name: that of a dso in either tree, or "". */
struct cr_match_of cr_match_dso(const struct cr_match *m, struct cr_str name);

/*
 * Match the source file of a frame; false if the frame does not stand for a file. Files match if
 * their paths have the same end and no other file has it.
 */
bool cr_match_file(const struct cr_match *m, const struct cr_frame *f, struct cr_match_of *out);

/*
 * The main executables that were matched although their names differ, by side; both "" if there are
 * none.
 */
void cr_match_main(const struct cr_match *m, struct cr_str out[CR_SIDES]);

/* Append the dsos that were matched although their names differ, and why, a line each. */
void cr_match_explain(const struct cr_match *m, struct cr_text *out);

/* "libx.so" from "/usr/lib/libx.so.1.2 (deleted)". A part of name, or a constant. */
struct cr_str cr_match_canonical(struct cr_str name, uint8_t kind);

#endif
