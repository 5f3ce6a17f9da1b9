#ifndef CR_CMD_JOB_P_H
#define CR_CMD_JOB_P_H

#include "options_p.h"

/*
 * Shared by the subcommands: load an input with progress on a terminal and ^C to stop, print
 * warnings, turn errors into exit codes.
 */

/* Print "cresset: WHAT: message, at offset N" on stderr; return the exit code. */
int cr_job_fail(const char *what, const struct cr_err *err);

/*
 * The same for a profile to be stored. If the name is in use (CR_EEXISTS), it also says what to do:
 * --replace if the subcommand has it, otherwise -n, otherwise rm.
 */
int cr_job_fail_keep(const struct cr_options *o, const char *what, const struct cr_err *err);

/* The same when the profile is open: a missing event, field or function is EXIT_NOTHING. */
int cr_job_fail_query(const char *what, const struct cr_err *err);

/* If the query has left no samples, report that with the query and return true. */
bool cr_job_none_left(const struct cr_options *o, uint64_t samples);

/*
 * Print a line about what a command has done. If standard output cannot be written, a message goes
 * to standard error, but the command does not fail: its work is done.
 */
void cr_job_say(const char *text);

/*
 * Print the warnings of a log on stderr, one per line, unless --quiet was given. With --json they
 * are also part of the reply.
 */
void cr_job_warn(const struct cr_options *o, const char *what, const struct cr_log *log);

/* The same for one warning: "WHAT: warning: TEXT". */
void cr_job_warn_of(const struct cr_options *o, const char *what, const char *text);

/*
 * True, and reported, if no input was named and standard input is a terminal: a command that would
 * read it then waits for nothing.
 */
bool cr_job_lacks_input(const struct cr_options *o);

/*
 * Between the two calls, show on a terminal how far this thread's work is (base/work.h). Nothing
 * may be printed meanwhile but warnings. ^C ends the program.
 */
void cr_job_work_begin(const struct cr_options *o);
void cr_job_work_end(void);

/*
 * Load a profile, reading `parts` (bits of enum cr_store_parts). Returns EXIT_DONE, or the code of
 * a failure that was reported. The caller owns *out.
 */
int cr_job_load(
	const struct cr_options *o, const char *what, unsigned parts, struct cr_profile **out);

/*
 * Bits of enum cr_store_parts that the filters, groups and lines of o need: only the default tree
 * if they need no samples.
 */
unsigned cr_job_parts(const struct cr_options *o);

/*
 * The tree for the filters and groups of o; with two sides if p is a difference and no event was
 * requested. The caller owns *out.
 */
int cr_job_fold(const struct cr_options *o, const struct cr_profile *p, struct cr_tree **out,
	struct cr_err *err);
/* The same for who looks only at the largest nodes; see cr_query_run_cut(). */
int cr_job_fold_cut(const struct cr_options *o, const struct cr_profile *p, uint32_t share,
	struct cr_tree_cut *cut, struct cr_tree **out, struct cr_err *err);

/* Ingest one file under a name (NULL: derived from the file's). The caller frees *name and *out. */
int cr_job_ingest(const struct cr_options *o, const char *path, const char *as, char **name,
	struct cr_profile **out);

/* Return EXIT_IN_PART with --strict and a profile that was read in part, otherwise code. */
int cr_job_end(const struct cr_options *o, const struct cr_profile *p, int code);

/*
 * Print what is missing in a profile, one line each with the prefix `lead`; losses before names,
 * largest counts first. At most `most` of them, without missing source lines; UINT32_MAX prints
 * all.
 */
void cr_job_quality(const struct cr_profile *p, const char *lead, uint32_t most, FILE *out);

/* The name without directories and ".cresset", for titles. The caller frees it. */
char *cr_job_title(const char *what);

#endif
