#ifndef CR_VIEW_SHEET_SHEET_H
#define CR_VIEW_SHEET_SHEET_H

#include "base/json_out.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A table for any surface: columns, and cells that are asked for one by one, so that a long table
 * is never held whole. A column may be for people alone ("[k] do_idle", "12.34%") or for programs
 * alone (the raw numbers behind it).
 */
enum cr_cell_kind {
	CR_CELL_NONE, /* nothing; null in JSON */
	CR_CELL_TEXT,
	CR_CELL_NUMBER,
	CR_CELL_PADDED, /* a number of three digits at least: 007 */
	CR_CELL_SIGNED, /* an int64_t's bits */
	CR_CELL_HEX,
	CR_CELL_SHARE, /* number of whole, in percent */
	CR_CELL_BOOL,  /* number is 0 or not */
};

struct cr_cell {
	uint8_t kind;    /* enum cr_cell_kind */
	uint32_t indent; /* blanks before all of a text, for people */
	char before[24]; /* stands before a text: "[k] " */
	struct cr_str
		text; /* as it came: each writer makes it safe; borrowed until the next cell */
	const char *behind; /* stands behind it: " (inlined)"; NULL for nothing */
	uint64_t number, whole;
};

enum cr_sheet_for {
	CR_SHEET_PEOPLE = 1,
	CR_SHEET_PROGRAMS = 2,
	CR_SHEET_ALL = 3,
};

struct cr_sheet_column {
	const char *head; /* "Shared Object" */
	const char *id;   /* of CSV and JSON: "dso" */
	uint8_t audience; /* enum cr_sheet_for */
	bool right;       /* aligned to the right */
	uint8_t cells;    /* at least so wide */
	bool is_name; /* of functions: where there is little room it keeps twice the cells of other
			 texts */
};

struct cr_sheet {
	const struct cr_sheet_column *columns;
	uint32_t n_columns, n_rows;
	const uint16_t *widths; /* of the first columns, 0 for as wide as it takes; NULL for none */
	uint32_t n_widths;
	const char
		*separator;  /* between columns, which are not padded then; NULL for perf's look */
	uint32_t line_cells; /* of a line as text: columns of texts get fewer cells until it fits;
				0: what they need */
	bool ascii;          /* '~' where a text is cut, instead of an ellipsis */

	void (*cell)(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out);
	uint32_t head_indent; /* how far the heads are moved in, in cells */
	/* How far a row is; NULL for not at all. */
	uint32_t (*indent)(const struct cr_sheet *s, uint32_t row);
	/* Append what stands below a row, as text or as members of the row's object; or NULL. */
	void (*below)(const struct cr_sheet *s, uint32_t row, struct cr_text *out);
	void (*below_json)(const struct cr_sheet *s, uint32_t row, struct cr_json_out *out);
	const void *user;
};

/* A cell as people read it, appended, safe for a terminal. */
void cr_cell_put(const struct cr_cell *c, struct cr_text *out);

/*
 * The same in at most so many cells: a text is made to fit by cr_label_fit(), what stands around it
 * stays if it can.
 */
void cr_cell_fit(const struct cr_cell *c, uint32_t cells, struct cr_text *out);

/*
 * Cells that each column takes: of its head, its widest cell, what the caller wants, and
 * s->line_cells, for which the widest columns of texts are made narrower; free() it.
 */
uint32_t *cr_sheet_widths(const struct cr_sheet *s);

#endif
