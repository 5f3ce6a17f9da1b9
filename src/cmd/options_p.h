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
 * Parse argv from argv[1] on; `--` ends the options. --store, --strict, --quiet and --no-sandbox
 * may also precede the subcommand. Returns EXIT_DONE, or EXIT_USAGE after printing a message. Free
 * *out with cr_options_fini().
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

/*
 * Print the options of a subcommand, its own before the shared ones: each with its text, or if not
 * is_long, of the shared ones only the names.
 */
void cr_options_help(const struct cr_cmd *cmd, bool is_long, FILE *out);

#define CR_HELP_CELLS 79 /* width of the help: it fits in 80 columns */

/* Print an entry of a list of the help: a name, and from `column` on its text in several lines. */
void cr_help_entry(const char *left, const char *about, uint32_t column, FILE *out);

/*
 * Print the help of a subcommand, of "formats", or of the program if topic is NULL; the long one
 * through the user's pager. Returns the exit code: EXIT_USAGE for an unknown topic.
 */
int cr_help_print(const char *topic, bool is_long);

#endif
