#ifndef CR_CMD_FOLDED_INPUT_P_H
#define CR_CMD_FOLDED_INPUT_P_H

#include "options_p.h"

#include "read/folded/folded_tree.h"

/* Adds the lines of len bytes at p to `into`, as cr_folded_tree_read() does. */
typedef struct cr_folded_lines cr_folded_reader(
	void *into, const void *p, size_t len, cr_folded_done *done, void *user);

/*
 * Read folded stacks from a file, or from standard input if `what` is "-", without a profile. Lines
 * without a count are reported. Returns an exit code: EXIT_IN_PART with --strict if there are such
 * lines.
 */
int cr_folded_input(
	const struct cr_options *o, const char *what, cr_folded_reader *read, void *into);

#endif
