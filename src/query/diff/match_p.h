#ifndef CR_QUERY_DIFF_MATCH_P_H
#define CR_QUERY_DIFF_MATCH_P_H

#include "model/tree/tree.h"

/*
 * Which dsos of two profiles are the same, though their paths differ, so that two builds of one
 * program can be compared. Dsos are the same that have one name: the file's, without its
 * directories, " (deleted)" and the version of a library; all code of JIT compilers has the name
 * "[jit]", and that of the kernel "[kernel]"; have one build-id; are the main executables, if
 * neither has its like on the other side: the one of each side that at least half of the time in
 * executables is spent in. By path alone those of one path are the same, and no others.
 */
struct cr_match;

/*
 * The trees were folded from the profiles; a profile may be NULL, then its build-ids are not known.
 * Borrows names of both.
 */
struct cr_match *cr_match_new(const struct cr_profile *const p[CR_SIDES],
	const struct cr_tree *const t[CR_SIDES], bool by_path);
void cr_match_free(struct cr_match *m);

struct cr_match_of {
	uint32_t class;      /* a number: equal for what is the same */
	struct cr_str shown; /* the name to show for it: of the second side, else of the first, the
				one with the largest total */
	uint8_t kind;        /* of that one */
};

/* name is that of a dso of either tree, or "". */
struct cr_match_of cr_match_dso(const struct cr_match *m, struct cr_str name);

/*
 * False unless the frame stands for a source file. Files are the same whose paths end alike, if no
 * others' do.
 */
bool cr_match_file(const struct cr_match *m, const struct cr_frame *f, struct cr_match_of *out);

/*
 * The main executables that were made one although their names differ, by side; both "" where there
 * are none.
 */
void cr_match_main(const struct cr_match *m, struct cr_str out[CR_SIDES]);

/* "libx.so" of "/usr/lib/libx.so.1.2 (deleted)". Part of name, or a constant. */
struct cr_str cr_match_canonical(struct cr_str name, uint8_t kind);

#endif
