#ifndef CR_OPTIONS_H
#define CR_OPTIONS_H

#include "cresset/base/log.h"
#include "cresset/query/collapse.h"
#include "cresset/query/select.h"
#include "cresset/query/top.h"
#include "cresset/session/load.h"
#include "cresset/view/palette.h"
#include "cresset/view/table.h"

/* Options by what they are for; a subcommand takes some of these groups. */
enum option_group {
	OPT_ANY = 1,
	OPT_LOAD = 2,
	OPT_INGEST = 4,
	OPT_EVENT = 8,
	OPT_FILTER = 16,
	OPT_TABLE = 32,
	OPT_VIEW = 64,
	OPT_OUTPUT = 128,
	OPT_SVG = 256,
	OPT_DIFF = 512,
	OPT_FIELDS = 1024,
	OPT_FROM = 2048,
	OPT_TASK = 4096,
	OPT_COLLAPSE = 8192,
};

enum exit_code {
	EXIT_DONE = 0,
	EXIT_DIFFERENCE = 1, /* a difference, or nothing found */
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,
	EXIT_IN_PART = 4,
};

/* The command line of one subcommand. Strings are argv's. */
struct cr_options {
	const struct cr_cmd *cmd;
	const char **args;      /* what is no option; free() it */
	int n_args;
	struct cr_load_opts load;
	struct cr_filter filter;
	const char *name, *commands, *format, *output, *title, *fields, *group;
	struct cr_collapse_opts collapse;
	const char **skip_after; /* collapse has them; free() it */
	const char *java;        /* the last option that is for Java's dumps alone */
	bool inlined, quiet;
	bool strict, replace, report, icicle, srcline, full_source_path;
	enum cr_top_key key;
	enum cr_table_sort order;
	bool has_order;
	bool has_table;         /* any option of the table was given */
	uint32_t limit, width_px;
	enum cr_palette palette;
};

/* A subcommand: a line in cmds.def and a file cmd_NAME.c. run returns an exit code. */
struct cr_cmd {
	const char *name, *args, *about;
	int least, most; /* arguments */
	unsigned groups; /* enum option_group */
	int (*run)(const struct cr_options *o);
};

const struct cr_cmd *cr_cmd_at(size_t i); /* NULL past the last */
const struct cr_cmd *cr_cmd_find(const char *name);

/*
 * argv[1] on, an argument `--` ends the options; --store and --strict are taken before the
 * subcommand too. EXIT_DONE, or EXIT_USAGE with a message printed.
 */
int cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out);

/* "cresset: WORD: what" on stderr, the word made safe for a terminal. */
void cr_options_complain(const char *word, const char *what);

/* EXIT_DONE if a reader has this name; else EXIT_USAGE, and the names that there are were told. */
int cr_options_format(const char *name);

/* The options of a subcommand, a line each. */
void cr_options_help(const struct cr_cmd *cmd, FILE *out);

#endif
