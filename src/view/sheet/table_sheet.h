#ifndef CRESSET_VIEW_SHEET_TABLE_SHEET_H
#define CRESSET_VIEW_SHEET_TABLE_SHEET_H

#include "query/table/chains.h"
#include "query/table/table.h"
#include "view/sheet/sheet.h"

struct cr_table_sheet_opts {
	double percent_limit;              /* rows of less are left out */
	uint32_t limit;                    /* so many rows at most; 0 for all */
	bool fields;                       /* columns were chosen: self is called overhead */
	bool hierarchy;                    /* a level a key, by falling self */
	const struct cr_chain_opts *chain; /* NULL for no call chains */
	const char *separator;
	const uint16_t *widths;
	uint32_t n_widths;
	uint32_t line_cells; /* as of struct cr_sheet, for call chains too */
	bool ascii;
};

/* A row of the sheet: of the table, or of a level of the hierarchy. */
struct cr_table_line {
	uint32_t row; /* of the table; of a level one that is in it */
	uint32_t level;
	uint64_t self, samples, kernel, user; /* of the level */
};

/* A table as a sheet. */
struct cr_table_sheet {
	struct cr_sheet sheet; /* its user is this */
	const struct cr_table *table;
	const struct cr_tree *tree;
	struct cr_str event;
	struct cr_sheet_column *columns;
	uint8_t *what; /* by column */
	struct cr_table_line *lines;
	uint32_t n_left_out; /* rows or lines past the limit */
	struct cr_chains *chains;
	struct cr_chain_opts chain;
	char *head; /* of the names of a hierarchy */
};

/* Borrows all of it; out is not to be moved. */
void cr_table_sheet_init(const struct cr_tree *t, const struct cr_table *h,
	const struct cr_table_sheet_opts *o, struct cr_table_sheet *out);
void cr_table_sheet_fini(struct cr_table_sheet *s);

/* Lines of a hierarchy: levels above what is in them, each by falling self; free() them. */
struct cr_table_line *cr_table_levels(const struct cr_table *h, uint32_t *n);

/*
 * Call chains as text below a row, names fitting in lines of so many cells unless that is 0 or all
 * of a chain stands in one; or as the JSON member "callchains". Appended. */
void cr_chain_text(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, bool first_is_row, uint32_t line_cells,
	struct cr_text *out);
void cr_chain_json(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, struct cr_json_out *j);

#endif
