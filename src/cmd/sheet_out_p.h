#ifndef CR_CMD_SHEET_OUT_P_H
#define CR_CMD_SHEET_OUT_P_H

#include "options_p.h"

#include "view/sheet/sheet_lines.h"

/*
 * Tables on standard output as the options say: text, CSV, JSON, Markdown. Above each stands what
 * it is of, how much of that has a name, and what is missing; CSV has the names of its columns
 * there and nothing else.
 */
struct cr_sheets {
	const struct cr_options *o;
	const struct cr_profile *p;
	uint32_t n;       /* printed so far */
	const char *note; /* a line more above a table as text; NULL for none */
	struct cr_text text;
	struct cr_json_out json; /* open until the end */
};

/*
 * Weight of samples whose leaf has no name, of all that were selected: as it is before stacks are
 * changed.
 */
struct cr_nameless {
	uint64_t weight, selected;
};

/* EXIT_USAGE, and said so, when more than one form was asked for. */
int cr_sheets_check(const struct cr_options *o);

/* So many rows at most, 0 for all: as was asked for, else as a terminal can show. */
uint32_t cr_sheets_limit(const struct cr_options *o);

/* Nothing is written before the first table. s is not moved until the end. */
void cr_sheets_begin(struct cr_sheets *s, const struct cr_options *o, const struct cr_profile *p);

/* Of a tree of one side that no transform has been at. */
struct cr_nameless cr_nameless_of(const struct cr_tree *t);

/* t: what it is of, one side. of: "callers of main", or NULL. left_out: rows past the limit. */
void cr_sheets_put(struct cr_sheets *s, const struct cr_tree *t, const struct cr_nameless *nameless,
	const char *of, const struct cr_sheet *sheet, uint32_t left_out);
void cr_sheets_end(struct cr_sheets *s);

/*
 * Print a sheet without "#" before its heads: the heads, and the first `limit` rows (0: all), in
 * lines of at most `cells` (0: no limit). How many rows are left out is printed last.
 */
void cr_sheets_put_lines(const struct cr_sheet_lines *l, uint32_t cells, uint32_t limit);

#endif
