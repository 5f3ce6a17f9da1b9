#ifndef CR_CMD_WRITING_P_H
#define CR_CMD_WRITING_P_H

#include "options_p.h"

#include "write/writer.h"

/*
 * The writer that -f, or the extension of -o, or else fallback asks for; EXIT_USAGE, told, if there
 * is none.
 */
int cr_writing_choose(
	const struct cr_options *o, const char *fallback, const struct cr_writer **out);

/*
 * EXIT_USAGE, and a message, if an option of an output format was given and the output, called
 * `form`, is in none of them.
 */
int cr_writing_check(const struct cr_options *o, const char *form);

/* Was this option of a writer given? */
bool cr_writing_has(const struct cr_options *o, const char *option);

/*
 * The options of the writer as they were given, and the defaults of the others: free() *out. Or
 * EXIT_USAGE, with a message, when it has no such option or cannot use a value.
 */
int cr_writing_options(const struct cr_options *o, const struct cr_writer *w, void **out);

/* Write what `in` holds to -o; an exit code. */
int cr_writing_run(const struct cr_options *o, const struct cr_writer *w, const void *options,
	const struct cr_write_in *in);

/* Fold or select as the filter says, and write. */
int cr_writing_profile(const struct cr_options *o, const struct cr_writer *w, const void *options,
	const struct cr_profile *p);

#endif
