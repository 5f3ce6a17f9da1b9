#ifndef CR_CMD_JOB_P_H
#define CR_CMD_JOB_P_H

#include "options_p.h"

/*
 * What every subcommand does with an input: load it with progress on a terminal and ^C to stop,
 * tell its warnings, turn errors into exit codes.
 */

/* "cresset: WHAT: message, at offset N" on stderr; the exit code that goes with it. */
int cr_job_fail(const char *what, const struct cr_err *err);

/*
 * The same for what is kept in the store; what to do if the name is taken (CR_EEXISTS) is said too:
 * --replace where the subcommand has it, else -n, else rm.
 */
int cr_job_fail_keep(const struct cr_options *o, const char *what, const struct cr_err *err);

/*
 * The same once the profile is open: that it has no such event, field or function is EXIT_NOTHING.
 */
int cr_job_fail_query(const char *what, const struct cr_err *err);

/* True, and told with the query, when that has left no samples. */
bool cr_job_none_left(const struct cr_options *o, uint64_t samples);

/*
 * Prints a line about what a command has done, and ends the line. When standard output cannot be
 * written, a message goes to standard error, but the command does not fail: its work is done.
 */
void cr_job_say(const char *text);

/* Warnings that were gathered, a line each, on stderr. */
void cr_job_warn(const char *what, const struct cr_log *log);

/* EXIT_DONE, or the code of a failure that was told. parts: enum cr_store_parts. */
int cr_job_load(
	const struct cr_options *o, const char *what, unsigned parts, struct cr_profile **out);

/*
 * enum cr_store_parts that the filters, groups and lines of o need: the default tree where they ask
 * for no sample.
 */
unsigned cr_job_parts(const struct cr_options *o);

/*
 * The tree that the filters and groups of o ask for: of two sides where p is a difference and no
 * event was asked for.
 */
int cr_job_fold(const struct cr_options *o, const struct cr_profile *p, struct cr_tree **out,
	struct cr_err *err);

/* Ingest one file under a name (NULL: from the file's); *name is the caller's to free. */
int cr_job_ingest(const struct cr_options *o, const char *path, const char *as, char **name,
	struct cr_profile **out);

/* EXIT_IN_PART if --strict was said and p is not whole, else code. */
int cr_job_end(const struct cr_options *o, const struct cr_profile *p, int code);

/*
 * What a profile does not say as well as it might, a line each behind lead; losses before names,
 * the largest counts first. At most `most` of them, without source lines; UINT32_MAX is all.
 */
void cr_job_quality(const struct cr_profile *p, const char *lead, uint32_t most, FILE *out);

/* A path or name without directories and ".cresset", for titles; the caller's to free. */
char *cr_job_title(const char *what);

#endif
