#ifndef CRESSET_VIEW_SHEET_TABLE_SHEET_H
#define CRESSET_VIEW_SHEET_TABLE_SHEET_H

#include "query/table/chains.h"
#include "query/table/table.h"
#include "view/sheet/sheet.h"

struct cr_table_sheet_opts {
	double percent_limit; /* rows with less are omitted */
	uint32_t limit;       /* maximum number of rows; 0 for all */
	bool fields;          /* columns were chosen: self is named overhead */
	bool estimated;       /* parallelism and latency are: ≈ in their headings */
	bool hierarchy;       /* one level per key, sorted by falling self */
	/* Of a table of cr_table_beside(): the name of each side; otherwise NULL. */
	const struct cr_str *sides;
	const struct cr_chain_opts *chain; /* NULL for no call chains */
	const char *separator;
	const uint16_t *widths;
	uint32_t n_widths;
	uint32_t line_cells; /* like that of struct cr_sheet, for call chains too */
	bool ascii;
	bool inks; /* these are like those of struct cr_sheet */
	bool (*url)(void *user, struct cr_str file, struct cr_text *out);
	void *url_user;
	struct cr_table_rows only;
};

/* A row of the sheet: a row of the table, or a level of the hierarchy. */
struct cr_table_line {
	uint32_t row; /* of the table; for a level, one of its rows */
	uint32_t level;
	const struct cr_table_cost *cost; /* of each side; of a level only what belongs to self */
};

/* A table as a sheet. */
struct cr_table_sheet {
	struct cr_sheet sheet; /* its `user` points at this struct */
	const struct cr_table *table;
	const struct cr_tree *tree;
	struct cr_str event;
	struct cr_sheet_column *columns;
	uint8_t *what, *side; /* by column */
	struct cr_table_line *lines;
	struct cr_table_cost *costs; /* of the levels of a hierarchy */
	struct cr_arena texts;       /* heads and ids of columns */
	uint32_t n_left_out;         /* number of rows or lines beyond the limit */
	struct cr_chains *chains;
	struct cr_chain_opts chain;
	char *head; /* heading of the names in a hierarchy */
};

/* Borrows everything; out must not move. */
void cr_table_sheet_init(const struct cr_tree *t, const struct cr_table *h,
	const struct cr_table_sheet_opts *o, struct cr_table_sheet *out);
void cr_table_sheet_fini(struct cr_table_sheet *s);

/*
 * Lines of a hierarchy: levels above their content, each sorted by falling self. The caller frees
 * the result and *costs, which the lines point to.
 */
struct cr_table_line *cr_table_levels(
	const struct cr_table *h, uint32_t *n, struct cr_table_cost **costs);

/*
 * Append call chains below a row: as text, with names fitted into lines of `line_cells` cells (not
 * if that is 0, or each chain is on one line); or as the JSON member "callchains".
 */
void cr_chain_text(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, bool first_is_row, uint32_t line_cells,
	struct cr_text *out);
void cr_chain_json(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, struct cr_json_out *j);

#endif
