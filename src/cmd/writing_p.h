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
 * EXIT_USAGE, and a message, if --counts or --header was given and the output, called `form`,
 * cannot heed them.
 */
int cr_writing_check(const struct cr_options *o, const char *form);

/* Write what in holds to -o with the options for pictures; an exit code. */
int cr_writing_run(const struct cr_options *o, const struct cr_writer *w, struct cr_write_in *in);

/* Fold or select as the filter says, and write. */
int cr_writing_profile(
	const struct cr_options *o, const struct cr_writer *w, const struct cr_profile *p);

#endif
