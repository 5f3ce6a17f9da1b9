#ifndef CR_SESSION_VIEWS_SOURCE_ROWS_P_H
#define CR_SESSION_VIEWS_SOURCE_ROWS_P_H

#include "source_changes_p.h"

#include "session/annotation.h"
#include "session/session.h"
#include "session/views/view.h"

#include "base/vec.h"
#include "view/listing/annotate_sheet.h"
#include "view/listing/source_lines.h"

/*
 * The rows of the source view: notes on what is missing, the listing of a function, and the
 * instructions of the lines that are open.
 */

enum cr_source_mode {
	CR_SOURCE_MODE_SOURCE,
	CR_SOURCE_MODE_BOTH,
	CR_SOURCE_MODE_CODE,
	CR_SOURCE_MODES
};

enum cr_source_row_kind { CR_SOURCE_ROW_NOTE, CR_SOURCE_ROW_LISTING, CR_SOURCE_ROW_BELOW };

/* A line of the view: a note, a row of the listing, or an instruction below a line of source. */
struct cr_source_row {
	uint8_t kind;  /* enum cr_source_row_kind */
	uint32_t at;   /* note, row of the listing, or address */
	uint32_t row;  /* of the listing; that an instruction is below */
	uint32_t part; /* of a note: which of its lines */
};

struct cr_source_rows {
	char *function; /* name; NULL while there is none */
	char *dso;      /* "" for any */
	struct cr_annotation a;
	struct cr_listing list;
	struct cr_source_lines lines;
	/* In a difference: the side that is listed, and what its lines cost on both. */
	uint32_t side;
	struct cr_annotation other; /* of the other side */
	bool has_other;
	struct cr_source_changes changes;
	bool is_diff;
	bool only_changed;              /* other lines are left out */
	bool ascii;                     /* the terminal has no characters beyond ASCII */
	struct cr_annotate_sheet sheet; /* made when it is asked for */
	uint8_t *open;                  /* by row of the listing: 1 if its instructions are shown */
	CR_VEC(struct cr_source_row) shown;
	CR_VEC(char *) notes;
	int32_t width; /* that notes are wrapped for */
	enum cr_source_mode mode;
	bool has_mode; /* the user chose it */
	bool has_a;    /* there is an annotation */
	bool made, selecting;
	struct cr_sheet_surface surface;
	struct cr_session *s; /* while the surface is in use */
};

/*
 * Make the rows if they are stale: of the selected function, or of the hottest one if none is
 * selected. What fails is a note. The functions `make`, `drop` and `fini` of the view.
 */
void cr_source_rows_make(struct cr_view *v, struct cr_session *s);
void cr_source_rows_drop_changed(struct cr_view *v, unsigned changed);
void cr_source_rows_fini(struct cr_view *v);

/* Make the rows from the listing again, after one was opened or closed. */
void cr_source_rows_show(struct cr_view *v);

/* What the user chose; else source if there is any, else instructions. */
enum cr_source_mode cr_source_rows_mode(const struct cr_source_rows *w);

/*
 * Line number `part` of a note, as wrapped for the width of the pane; empty past the last.
 * Borrowed.
 */
struct cr_str cr_source_rows_note_line(
	const struct cr_source_rows *w, uint32_t note, uint32_t part);

/*
 * The function that has the instructions, if this one is only inlined; "" otherwise. Borrowed.
 */
struct cr_str cr_source_rows_host(const struct cr_source_rows *w);

/* The function that a note refers to, by its index, for Enter to follow; "" for none. Borrowed. */
struct cr_str cr_source_rows_note_function(const struct cr_source_rows *w, uint32_t note);

/* What is painted for a row that is no note. */
struct cr_listing_row cr_source_rows_row(
	const struct cr_source_rows *w, const struct cr_source_row *at);
/* The source file of a row of the listing; "" if none is known. */
struct cr_str cr_source_rows_file(const struct cr_source_rows *w, uint32_t row);

/* The row of the selected line; else the hottest one, else the first. */
uint32_t cr_source_rows_row_of_selection(
	const struct cr_source_rows *w, const struct cr_session *s);
/*
 * The next row after `from` by falling self cost, or the one before it; for `from` CR_NO_ROW the
 * hottest or the least hot one. Wraps around. CR_NO_ROW if no row has self cost.
 */
uint32_t cr_source_rows_hot_after(const struct cr_source_rows *w, uint32_t from, bool backward);

/* A frame of the tree with the name of the function; CR_NO_ROW if there is none. */
uint32_t cr_source_rows_frame(const struct cr_source_rows *w, const struct cr_session *s);

/* Scroll so that the selected row is in the middle. */
void cr_source_rows_centre(struct cr_view *v);

#endif
