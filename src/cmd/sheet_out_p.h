#ifndef CR_CMD_SHEET_OUT_P_H
#define CR_CMD_SHEET_OUT_P_H

#include "reply_p.h"

#include "view/sheet/sheet_lines.h"

/*
 * Prints tables on standard output in the form that the options select: text, CSV, JSON or
 * Markdown. Above each table it prints what the table shows, how much of that has names, and what
 * is missing; for CSV only the names of the columns.
 */
struct cr_sheets {
	const struct cr_options *o;
	const struct cr_profile *p;
	uint32_t n;            /* number of tables printed */
	const char *note;      /* an additional line above a table in text form; NULL for none */
	struct cr_reply reply; /* open until the end */
};

/*
 * Weight of the samples whose leaf has no name, and of all selected ones, before transforms change
 * the stacks.
 */
struct cr_nameless {
	uint64_t weight, selected;
};

/* Report it and return EXIT_USAGE if more than one form was requested. */
int cr_sheets_check(const struct cr_options *o);

/*
 * A command that prints one table of its first argument: load these parts of the profile (bits of
 * enum cr_store_parts), print it, and report what is due at the end. Returns the exit code. Call
 * cr_sheets_check() before.
 */
int cr_sheets_run(const struct cr_options *o, unsigned parts,
	int (*print)(const struct cr_options *o, struct cr_profile *p));

/*
 * The same for one whose query tells which parts are needed only when the profile is open: read
 * these too, and those that the options need, and print the warnings.
 */
int cr_sheets_fetch(
	const struct cr_options *o, struct cr_profile *p, unsigned parts, struct cr_err *err);

/* Maximum number of rows, 0 for all: as requested, otherwise suited to a terminal. */
uint32_t cr_sheets_limit(const struct cr_options *o);

/* Begin. Nothing is written before the first table. s must not move until the end. */
void cr_sheets_begin(struct cr_sheets *s, const struct cr_options *o, const struct cr_profile *p);

/* For a tree with one side that was not transformed. */
struct cr_nameless cr_nameless_of(const struct cr_tree *t);

/*
 * Print a table. t: the tree it was made from, with one side. of: "callers of main", or NULL.
 * left_out: number of rows beyond the limit.
 */
void cr_sheets_put(struct cr_sheets *s, const struct cr_tree *t, const struct cr_nameless *nameless,
	const char *of, const struct cr_sheet *sheet, uint32_t left_out);
void cr_sheets_end(struct cr_sheets *s);

/* An event of a table that has columns for several. t: as for cr_sheets_put(). */
struct cr_sheets_event {
	const struct cr_tree *t;
	struct cr_nameless nameless;
};

/* The same for a table of n events, each with columns of its own, in this order. */
void cr_sheets_put_events(struct cr_sheets *s, const struct cr_sheets_event *events, uint32_t n,
	const struct cr_sheet *sheet, uint32_t left_out);

/*
 * Print a sheet without "#" before its heads: the heads and the first `limit` rows (0: all), in
 * lines of at most `cells` (0: no limit). The number of omitted rows is printed last.
 */
void cr_sheets_put_lines(const struct cr_sheet_lines *l, uint32_t cells, uint32_t limit);

#endif
