#ifndef CRESSET_VIEW_SHEET_SHEET_H
#define CRESSET_VIEW_SHEET_SHEET_H

#include "base/json_out.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A table for any surface: columns, and cells that are computed on request, so that a long table is
 * never stored. A column may be meant only for people ("[k] do_idle", "12.34%") or only for
 * programs (the raw numbers behind it).
 */
enum cr_cell_kind {
	CR_CELL_NONE, /* empty; null in JSON */
	CR_CELL_TEXT,
	CR_CELL_NUMBER,
	CR_CELL_PADDED, /* a number with at least three digits: 007 */
	CR_CELL_SIGNED, /* the bits of an int64_t */
	CR_CELL_HEX,
	CR_CELL_SHARE, /* number / whole, in percent */
	CR_CELL_BOOL,  /* false if number is 0 */
	CR_CELL_REAL,  /* `real`; nothing, and null in JSON, if it is NaN */
};

struct cr_cell {
	uint8_t kind;       /* enum cr_cell_kind */
	uint32_t indent;    /* blanks before the text, for people */
	char before[24];    /* printed before a text: "[k] " */
	struct cr_str text; /* unchanged: each writer makes it safe; borrowed until the next cell */
	const char *behind; /* printed after the text: " (inlined)"; NULL for nothing */
	/* In a pane: enum cr_ink and its level, see view/style/paint.h. 0: plain. */
	uint8_t ink, level;
	struct cr_str file;  /* the source file that the text names, for links; "" for none */
	struct cr_str brief; /* printed instead of text if that does not fit; "" for none */
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
	const char *id;   /* in CSV and JSON: "dso" */
	uint8_t audience; /* enum cr_sheet_for */
	bool right;       /* right-aligned */
	uint32_t cells;   /* minimum width in cells */
	bool is_name; /* of functions: where there is little room it keeps twice the cells of other
			 texts */
	/* Used only by sheet_lines.h: */
	bool fixed;     /* never wider than `cells`; rows need not be measured */
	uint8_t rank;   /* larger ones are omitted first in narrow lines; 0: never */
	uint32_t from;  /* left out of lines with fewer cells */
	uint8_t closer; /* it is preceded by two blanks minus this number */
};

/* A column that only programs see, of this name. */
#define CR_SHEET_RAW(id_)                                                 \
	{                                                                 \
		.head = (id_), .id = (id_), .audience = CR_SHEET_PROGRAMS \
	}

/* What a row refers to, so that other views can show or select the same. */
enum cr_row_kind {
	CR_ROW_NONE,
	CR_ROW_FRAME,  /* a function, dso or line; id: a frame of the tree that has its key */
	CR_ROW_NODE,   /* id: a node of the tree */
	CR_ROW_THREAD, /* id: the tid, 0xffffffff if unknown; other: the pid */
	CR_ROW_KEY,    /* a value of the key that samples are grouped by: its name; id: its row */
	CR_ROW_RANGE,  /* values or times in [from, to) */
	CR_ROW_LINE,   /* name: the source file; id: the line */
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
	/* widths of the first columns, 0 for as wide as needed; NULL for none. */
	const uint16_t *widths;
	uint32_t n_widths;
	/* Between columns, which are then not padded; NULL for perf's look. */
	const char *separator;
	/* Maximum width of a text line in cells: text columns are narrowed to fit; 0: no limit. */
	uint32_t line_cells;
	bool inks;  /* text has the inks of its cells, as escape sequences: see ink_codes.h */
	bool ascii; /* '~' instead of an ellipsis in shortened texts */

	/* Compute a cell. */
	void (*cell)(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out);
	/*
	 * With inks: append the URL that a cell with this file links to; false for none. NULL for
	 * no links. May keep `file` until the next call.
	 */
	bool (*url)(void *user, struct cr_str file, struct cr_text *out);
	void *url_user;
	uint32_t head_indent; /* indent of the headings in cells */
	/* Indent of a row in cells; NULL for none. */
	uint32_t (*indent)(const struct cr_sheet *s, uint32_t row);
	/*
	 * Append what belongs below a row, as text or as members of the row's JSON object; may be
	 * NULL.
	 */
	void (*below)(const struct cr_sheet *s, uint32_t row, struct cr_text *out);
	void (*below_json)(const struct cr_sheet *s, uint32_t row, struct cr_json_out *out);
	/* What a row refers to; NULL if rows refer to nothing that can be selected. */
	void (*stands_for)(const struct cr_sheet *s, uint32_t row, struct cr_row_ref *out);
	const void *user;
};

/* What a row refers to: kind CR_ROW_NONE if the sheet does not tell. */
struct cr_row_ref cr_sheet_row_ref(const struct cr_sheet *s, uint32_t row);

/* The ink of a cell; a share without one is hot, good or dim by its size. See style/paint.h. */
uint8_t cr_cell_ink(const struct cr_cell *c);

/* Append a cell for people, safe for a terminal. */
void cr_cell_put(const struct cr_cell *c, struct cr_text *out);

/*
 * The same in at most `cells` cells: the text is shortened by cr_label_fit(); what surrounds it is
 * kept if possible.
 */
void cr_cell_fit(const struct cr_cell *c, uint32_t cells, struct cr_text *out);

/*
 * Width of each column: that of its heading, its widest cell and the requested width; the widest
 * text columns are narrowed to fit s->line_cells. The caller frees it.
 */
uint32_t *cr_sheet_widths(const struct cr_sheet *s);

#endif
