#ifndef CRESSET_VIEW_SHEET_SHEET_H
#define CRESSET_VIEW_SHEET_SHEET_H

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
	CR_CELL_REAL,  /* `real`; nothing, and null in JSON, if it is NaN */
};

struct cr_cell {
	uint8_t kind;    /* enum cr_cell_kind */
	uint32_t indent; /* blanks before all of a text, for people */
	char before[24]; /* stands before a text: "[k] " */
	struct cr_str
		text; /* as it came: each writer makes it safe; borrowed until the next cell */
	const char *behind;  /* stands behind it: " (inlined)"; NULL for nothing */
	struct cr_str brief; /* shown instead of text where that has no room; "" for none */
	uint64_t number, whole;
	double real;
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
	uint32_t cells;   /* at least so wide */
	bool is_name; /* of functions: where there is little room it keeps twice the cells of other
			 texts */
	/* Of lines (sheet_lines.h) alone: */
	bool fixed;     /* never wider than `cells`; rows need not be measured */
	uint8_t rank;   /* left out of narrow lines before those of a smaller rank; 0: never */
	uint32_t from;  /* left out of lines with fewer cells */
	uint8_t closer; /* this many blanks less than two before it */
};

/* What a row stands for, so that other views can show or select the same. */
enum cr_row_kind {
	CR_ROW_NONE,
	CR_ROW_FRAME,  /* a function, dso or line: id is a frame of the tree that has its key */
	CR_ROW_NODE,   /* id: a node of the tree */
	CR_ROW_THREAD, /* id: the tid, 0xffffffff if unknown; other: the pid */
	CR_ROW_KEY,   /* a value of the key that samples are grouped by: its name, and id its row */
	CR_ROW_RANGE, /* values or times from `from` to before `to` */
	CR_ROW_LINE,  /* name: the source file; id: the line */
	CR_ROW_ADDRESS /* from: the address of an instruction */
};

struct cr_row_ref {
	uint8_t kind; /* enum cr_row_kind */
	uint32_t id, other;
	struct cr_str name; /* borrowed from the sheet */
	uint64_t from, to;
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
	/* Append what stands below a row, as text or as members of the row's dso; or NULL. */
	void (*below)(const struct cr_sheet *s, uint32_t row, struct cr_text *out);
	void (*below_json)(const struct cr_sheet *s, uint32_t row, struct cr_json_out *out);
	/* What a row stands for; NULL where rows stand for nothing else that can be selected. */
	void (*stands_for)(const struct cr_sheet *s, uint32_t row, struct cr_row_ref *out);
	const void *user;
};

/* What a row stands for: kind CR_ROW_NONE where the sheet does not say. */
struct cr_row_ref cr_sheet_row_ref(const struct cr_sheet *s, uint32_t row);

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
