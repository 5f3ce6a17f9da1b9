#ifndef CRESSET_VIEW_SHEET_VERDICT_SHEET_H
#define CRESSET_VIEW_SHEET_VERDICT_SHEET_H

#include "query/diff/evidence.h"
#include "view/sheet/sheet_lines.h"

/*
 * The rows of a difference with their verdicts: the share before and after in percent, the change
 * in points with its 95 % interval, the change as a part of the row itself, samples, the change of
 * the other cost (total beside self, or self beside total), the verdict, the name and the dso.
 *
 * Rows that are called changed come first, then the others, each sorted by the size of the change.
 */
#define CR_VERDICT_COLUMNS 26u

struct cr_verdict_sheet {
	struct cr_sheet sheet; /* its user is this */
	struct cr_sheet_lines lines;
	const struct cr_table *table;      /* borrowed */
	const struct cr_verdict *verdicts; /* borrowed; by row of the table */
	const struct cr_verdict *other;    /* likewise, of the other cost */
	uint32_t *order;                   /* rows of the table, as they are shown */
	struct cr_sheet_column columns[CR_VERDICT_COLUMNS];
	struct cr_text *text, *brief; /* of the cell that was asked for last */
	double shown; /* what a share of 1 is printed as; a percentage has 1 for 100 % */
	double raw;   /* the same for programs */
	double samples[CR_SIDES]; /* of all recordings of a side */
	bool is_share;            /* amounts are percentages */
};

/*
 * totals: judge total cost, else self cost. all: also rows of which neither cost changed. head:
 * above the names, "FUNCTION". t: the difference. Borrows table and judged; out is not to be moved.
 * End it with cr_verdict_sheet_fini().
 */
void cr_verdict_sheet_init(const struct cr_tree *t, const struct cr_table *table,
	const struct cr_judged *judged, bool totals, bool all, const char *head,
	struct cr_verdict_sheet *out);

/* Show only the rows that are called changed. Call it before the rows are sorted otherwise. */
void cr_verdict_sheet_only_called(struct cr_verdict_sheet *s);

/* Show only these of the rows that are shown: 1 by row of the table. */
void cr_verdict_sheet_keep(struct cr_verdict_sheet *s, const uint8_t *rows);

/* Show the rows in this order; those that are not among the n are no longer shown. */
void cr_verdict_sheet_set_order(struct cr_verdict_sheet *s, const uint32_t *order, uint32_t n);

/* Sort the rows as cr_table_order() does instead. */
void cr_verdict_sheet_sort(struct cr_verdict_sheet *s, enum cr_table_sort sort, bool reverse);

/*
 * The verdict about a row of the table in a line: "5.00 to 8.12 changed + 95 % interval +1.20 ..
 * +5.04 could show 2.0".
 */
void cr_verdict_put_line(const struct cr_verdict_sheet *s, uint32_t row, struct cr_text *out);

/* The same of a verdict about shares that is in no sheet; and its word: "cannot tell (±1.2)". */
void cr_verdict_put_shares(const struct cr_verdict *v, bool unicode, struct cr_text *out);
void cr_verdict_put_word(const struct cr_verdict *v, bool unicode, struct cr_text *out);
/* " 2/10 changed": how many of the rows that were tested are called. */
void cr_verdict_put_called(const struct cr_verdict_summary *s, struct cr_text *out);
void cr_verdict_sheet_fini(struct cr_verdict_sheet *s);

/*
 * What the costs of a sheet of t's rows are, as a line without line feed: "shares of the total of
 * each side" or "CPU time in ms". narrowed: a query selects a part of each side.
 */
void cr_verdict_amounts(
	const struct cr_judged *j, const struct cr_tree *t, bool narrowed, struct cr_text *out);

/*
 * Append the head of any surface with verdicts, a line each: the number of recordings and samples,
 * the run-to-run noise that was used, how many rows are called changed, and the smallest change
 * that could have been shown. totals: of the verdicts about total cost.
 */
void cr_verdict_head(const struct cr_judged *j, bool totals, struct cr_text *out);

#endif
