#ifndef CR_CMD_STORED_P_H
#define CR_CMD_STORED_P_H

#include "options_p.h"

#include "store/edit.h"

/*
 * What subcommands do with a profile that is stored, by its name or as a .cresset file, and with no
 * other. All say what went wrong and give an exit code.
 */

/* Where it is; the caller's to free. Nothing is looked for there. */
int cr_stored_path(const struct cr_options *o, const char *name, char **out);

/* Its facts and events. */
int cr_stored_peek(const struct cr_options *o, const char *name, struct cr_profile **out);

/* See cr_store_edit(). */
int cr_stored_edit(
	const struct cr_options *o, const char *name, const struct cr_edit *edits, size_t n);

/*
 * "LEAD kept as NAME: 7 samples, 9 distinct frames of stacks" on standard output; lead is safe to
 * print.
 */
void cr_stored_report(const char *lead, const char *name, const struct cr_profile *p);

/*
 * export -f cresset: to -o, or standard output if that is no terminal; byte for byte, if it is
 * stored and whole. A profile is written whole or not at all: with filters it is refused.
 */
int cr_stored_export(const struct cr_options *o);

#endif
