#ifndef CR_CMD_OPTIONS_P_H
#define CR_CMD_OPTIONS_P_H

#include "exit_code_p.h"
#include "option_values_p.h"

#include <stdio.h>

const struct cr_cmd *cr_cmd_at(size_t i); /* NULL past the last */
const struct cr_cmd *cr_cmd_find(const char *name);

/* There is no command of this name: a message, with the one that was likely meant. */
void cr_cmd_complain(const char *name);

/*
 * argv[1] on, an argument `--` ends the options; --store, --strict and --no-sandbox are taken
 * before the subcommand too. EXIT_DONE, or EXIT_USAGE with a message printed.
 */
int cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out);

/* "cresset: WORD: what" on stderr, made safe for a terminal. */
void cr_options_complain(const char *word, const char *what);

/* Free what cr_options_parse() allocated. */
void cr_options_fini(struct cr_options *o);

/* The same, with the command whose help says more: EXIT_USAGE. */
int cr_options_usage(const struct cr_cmd *cmd, const char *what, const char *word);

/* EXIT_DONE if a reader has this name; else EXIT_USAGE, and the names that there are were told. */
int cr_options_format(const char *name);

/* The options of a subcommand, a line each, its own before those that others have too. */
void cr_options_help(const struct cr_cmd *cmd, FILE *out);

#endif
