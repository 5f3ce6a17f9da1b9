#ifndef CR_CMD_OPTIONS_P_H
#define CR_CMD_OPTIONS_P_H

#include "exit_code_p.h"
#include "option_values_p.h"

#include <stdio.h>

const struct cr_cmd *cr_cmd_at(size_t i); /* the i-th subcommand; NULL past the last */
const struct cr_cmd *cr_cmd_find(const char *name);

/*
 * Run the subcommand o->cmd: limit the memory, confine the process to what the options need, and
 * call it. Returns its exit code. Only once in a process.
 */
int cr_cmd_run(struct cr_options *o);

/* Report an unknown command, with the one that was probably meant. */
void cr_cmd_complain(const char *name);

/*
 * Parse argv from argv[1] on; `--` ends the options. --store, --strict and --no-sandbox may also
 * precede the subcommand. Returns EXIT_DONE, or EXIT_USAGE after printing a message. Free *out with
 * cr_options_fini().
 */
int cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out);

/* Print "cresset: WORD: what" on stderr, made safe for a terminal. */
void cr_options_complain(const char *word, const char *what);

/* Free what cr_options_parse() allocated. */
void cr_options_fini(struct cr_options *o);

/* The same, naming the command whose help explains more. Returns EXIT_USAGE. */
int cr_options_usage(const struct cr_cmd *cmd, const char *what, const char *word);

/* EXIT_DONE if a reader has this name; otherwise EXIT_USAGE after printing the valid names. */
int cr_options_format(const char *name);

/* Print the options of a subcommand, one per line, its own before the shared ones. */
void cr_options_help(const struct cr_cmd *cmd, FILE *out);

#endif
