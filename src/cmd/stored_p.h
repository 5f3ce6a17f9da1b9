#ifndef CR_CMD_STORED_P_H
#define CR_CMD_STORED_P_H

#include "reply_p.h"

#include "store/edit.h"

/*
 * Operations of subcommands on a profile that is stored, given by its name or as a .cresset file.
 * All report errors and return an exit code.
 */

/* Its path, which the caller frees. The file need not exist. */
int cr_stored_path(const struct cr_options *o, const char *name, char **out);

/*
 * Check before a long job that a profile can be stored under a name, which must not be a path.
 * Returns EXIT_DONE, or an exit code after reporting why not: the name is in use, without
 * --replace.
 */
int cr_stored_may_add(const struct cr_options *o, const char *name);

/* Read its facts and events. */
int cr_stored_peek(const struct cr_options *o, const char *name, struct cr_profile **out);

/* See cr_store_edit(). */
int cr_stored_edit(
	const struct cr_options *o, const char *name, const struct cr_edit *edits, size_t n);

/* Write what was stored as `name`, as members of an object: "name", "samples", "call_paths". */
void cr_stored_reply(struct cr_json_out *j, const char *name, const struct cr_profile *p);

/*
 * End a reply about what was stored: print it with --json, free it otherwise. Like cr_job_say(), it
 * does not fail if standard output cannot be written.
 */
void cr_stored_reply_end(struct cr_reply *r);

/*
 * Print "LEAD kept as NAME: 7 samples, 9 distinct frames of stacks" on standard output; lead must
 * be safe to print.
 */
void cr_stored_report(const char *lead, const char *name, const struct cr_profile *p);

/*
 * export -f cresset: write the profile to -o, or to standard output if that is no terminal; byte
 * for byte, if it is stored and undamaged. With filters it is refused, since a profile is written
 * completely or not at all.
 */
int cr_stored_export(const struct cr_options *o);

#endif
