#ifndef CR_TUI_PANE_P_H
#define CR_TUI_PANE_P_H

#include "base/vec.h"
#include "session/session.h"
#include "session/split.h"
#include "session/views/view.h"
#include "tui/term.h"
#include "view/style/theme.h"

/* An area of the screen that reacts to clicks. */
struct cr_zone {
	int32_t x0, x1, y;
	const char *line; /* line to run: a string literal */
};

typedef CR_VEC(struct cr_zone) cr_zones;

/* A rectangle of the screen to draw into, and the properties of the terminal. */
struct cr_pane {
	struct cr_grid *g;
	const struct cr_term *term;
	const struct cr_theme *theme; /* NULL: the default one */
	cr_zones *zones;
	int32_t x, y, width, height;
};

/*
 * The panes: each draws one kind of surface. `first` is the first row drawn. _at(): what is drawn
 * at a cell of the screen, a node of the tree or a row; CR_NO_ROW for nothing.
 */
void cr_pane_scene_draw(
	const struct cr_scene_surface *surface, int32_t first, const struct cr_pane *p);
uint32_t cr_pane_scene_at(const struct cr_scene_surface *surface, int32_t first,
	const struct cr_pane *p, int32_t x, int32_t y);

/* The first row drawn is that of surface->view. */
void cr_pane_sheet_draw(const struct cr_sheet_surface *surface, const struct cr_pane *p);
/* Appends the command that a click there runs, unless it only selects the row. */
uint32_t cr_pane_sheet_at(const struct cr_sheet_surface *surface, const struct cr_pane *p,
	int32_t x, int32_t y, struct cr_text *click);

/* Draw a view with the pane of its surface. */
void cr_pane_view_draw(struct cr_view *v, struct cr_session *s, const struct cr_pane *p);
/*
 * Append the command that selects what is drawn at a cell of the screen: "select 12", "row 3".
 * Returns false if there is nothing.
 */
bool cr_pane_view_at(struct cr_view *v, struct cr_session *s, const struct cr_pane *p, int32_t x,
	int32_t y, struct cr_text *out);
/* Append the command that a drag of the mouse between two columns runs. False for none. */
bool cr_pane_view_drag(struct cr_view *v, struct cr_session *s, const struct cr_pane *p,
	int32_t from, int32_t to, struct cr_text *out);

/*
 * The panes of a session. p: the area of the views.
 *
 * _draw: the views, a line with the name above each of two panes, and the divider between panes
 * side by side. _at: the pane at a cell of the screen, 0 or 1, and in out the rectangle of its
 * view; CR_NO_ROW for none. The line above a view belongs to its pane.
 */
void cr_pane_split_draw(struct cr_session *s, const struct cr_pane *p);
uint32_t cr_pane_split_at(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y,
	struct cr_pane *out);

/* True if the cell can be dragged to resize two panes. */
bool cr_pane_on_divider(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y);
/* Append the command that moves the divider to a cell: "pane 62.5". */
void cr_pane_put_divider(const struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y,
	struct cr_text *out);

/* Append the name of a view, and which of its rows are seen if not all are: "flame 3-20/31". */
void cr_pane_put_view(struct cr_view *v, struct cr_session *s, struct cr_text *out);

/* An example of a look, drawn at the start of a line of text. */
struct cr_sample_look {
	uint32_t line; /* of the text, from 0 */
	uint32_t ch;   /* character that fills it */
	struct cr_look look;
};

typedef CR_VEC(struct cr_sample_look) cr_sample_looks;

/*
 * Print the help, wrapped to a width in cells: keys, mouse, what colours and widths mean in this
 * terminal, commands. samples gets the colours to draw in it.
 */
#define CR_PANE_LEGEND "Colours and widths" /* the heading of what they mean */
void cr_pane_help_text(const struct cr_session *s, const struct cr_term *t, uint32_t cells,
	struct cr_text *out, cr_sample_looks *samples);

/*
 * Draw into the first line of p what widths, rows and colours of the flame graph mean. Returns
 * false, and draws nothing, if the user has selected, zoomed or searched something, in another
 * view, or in a narrow pane.
 */
bool cr_pane_legend_draw(struct cr_session *s, const struct cr_pane *p);

/* Mark on line y of the screen, at the right edge of p, that there are so many more rows. */
void cr_pane_mark_beyond(const struct cr_pane *p, int32_t y, int32_t rows, bool up);

/* Parts of the help: a heading, and a key or command with the text about it. */
void cr_pane_help_heading(struct cr_text *out, const char *text);
void cr_pane_help_entry(struct cr_text *out, const char *key, const char *about, uint32_t cells);

/*
 * Draw the top line: title, event, samples, query, warnings about missing data, facts, the view.
 * Missing data is always marked: other fields give way to the mark.
 */
void cr_title_bar_draw(struct cr_session *s, const struct cr_pane *p);

/* The lines about what is selected; the labels at the bottom. */
void cr_status_selected(struct cr_session *s, const struct cr_pane *p);
/* The labels are those of the current view, or of a page of text. */
void cr_status_labels(const struct cr_session *s, const struct cr_pane *p, bool page);

/* The labels of the keys that may follow Ctrl-W. */
void cr_status_pane_labels(const struct cr_pane *p);

/* Append "12 functions, 12.30 %" for the search; brief: only the share. */
void cr_status_matches(const struct cr_session *s, bool brief, struct cr_text *out);

/* A mark of the browser, or its ASCII replacement. */
static inline const char *
cr_pane_mark(const struct cr_pane *p, const char *unicode, const char *ascii)
{
	return p->term->unicode ? unicode : ascii;
}

/* True if edges of boxes may be at eighths of a cell. */
static inline bool
cr_pane_fine(const struct cr_term *t)
{
	return t->unicode && t->colors >= CR_COLORS_256;
}

#define CR_PANE_BAR_NAMELESS '?' /* the same of a box of a function without a name */

/* The first character of a box of the flame graph if edges are at whole cells. */
static inline uint32_t
cr_pane_bar(const struct cr_term *t, bool kernel, bool inlined)
{
	static const uint32_t unicode[2][2] = {{0x258f, 0x250a}, {0x258c, 0x259a}}; /* ▏ ┊ ▌ ▚ */
	static const char ascii[2][2] = {{'|', ';'}, {'#', '%'}};

	return t->unicode ? unicode[kernel][inlined] : (uint32_t)ascii[kernel][inlined];
}

static inline void
cr_pane_zone(const struct cr_pane *p, int32_t x0, int32_t x1, int32_t y, const char *line)
{
	const struct cr_zone z = {x0, x1, y, line};

	cr_vec_push(p->zones, z);
}

/* The colour of a part of the theme in this terminal, which must have colours. */
uint32_t cr_pane_color(const struct cr_pane *p, enum cr_theme_part part);

/* The colour of the frames of a kind in this terminal, which must have colours. */
uint32_t cr_pane_kind_color(const struct cr_pane *p, enum cr_kind kind);

/* Text in black or white, whichever is easier to read on this colour in this terminal. */
struct cr_look cr_pane_look_on(const struct cr_pane *p, uint32_t background, uint8_t attr);

/* The look of the selection: a colour that no frame has, or reversed. */
struct cr_look cr_pane_look_selected(const struct cr_pane *p);
/* The look of a bar in a selected row; kind: enum cr_kind of the code it shows. */
struct cr_look cr_pane_look_selected_bar(const struct cr_pane *p, uint8_t kind);

/* The look of text that matches the search. */
struct cr_look cr_pane_look_match(const struct cr_pane *p);

/* The look of an ink in this terminal; level as of struct cr_ink_span. */
struct cr_look cr_pane_look_ink(const struct cr_pane *p, uint8_t ink, uint8_t level);

#define CR_LOOK_PLAIN ((struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0})
#define CR_LOOK_BOLD ((struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_BOLD})
#define CR_LOOK_DIM ((struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_DIM})
#define CR_LOOK_REVERSE ((struct cr_look){CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_REVERSE})

#endif
