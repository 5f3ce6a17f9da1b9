#ifndef CR_CMD_WRITING_P_H
#define CR_CMD_WRITING_P_H

#include "options_p.h"

#include "write/writer.h"

/*
 * The writer selected by -f, by the extension of -o, or else `fallback`. EXIT_USAGE, reported, if
 * there is none.
 */
int cr_writing_choose(
	const struct cr_options *o, const char *fallback, const struct cr_writer **out);

/*
 * Report it and return EXIT_USAGE if an option of an output format was given, but the output, named
 * `form`, is in none of them.
 */
int cr_writing_check(const struct cr_options *o, const char *form);

/* True if this option of a writer was given. */
bool cr_writing_has(const struct cr_options *o, const char *option);

/*
 * The options of the writer: given values, and defaults for the others. The caller frees *out.
 * EXIT_USAGE, with a message, if the writer lacks an option or refuses a value.
 */
int cr_writing_options(const struct cr_options *o, const struct cr_writer *w, void **out);

/* Write `in` to -o; returns an exit code. */
int cr_writing_run(const struct cr_options *o, const struct cr_writer *w, const void *options,
	const struct cr_write_in *in);

/*
 * Fold or select according to the filter, and write. With --anonymize the names of p are replaced;
 * p can only be freed afterwards.
 */
int cr_writing_profile(const struct cr_options *o, const struct cr_writer *w, const void *options,
	struct cr_profile *p);

#endif
