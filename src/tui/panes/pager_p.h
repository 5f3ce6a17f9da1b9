#ifndef CR_TUI_PAGER_P_H
#define CR_TUI_PAGER_P_H

#include "tui/panes/pane_p.h"

#include "base/err.h"

/*
 * The pager shows a page of text over the views: the help, or what a command printed. It wraps long
 * lines, or cuts them and scrolls sideways. A line is a line of the text; a row is a line of the
 * screen. A pager of zero bytes is closed.
 */

struct cr_pager_row {
	uint32_t line;
	uint32_t from, len; /* bytes of the text */
	uint32_t indent;    /* cells; 0 in the first row of a line */
};

struct cr_pager {
	const char *title; /* NULL if it is closed */
	bool headings;     /* lines that are not indented are headings */
	bool cut;          /* lines are cut, not wrapped */
	struct cr_text text;
	cr_sample_looks samples;
	CR_VEC(struct cr_pager_row) rows;
	int32_t width, height; /* of the text on the screen, in cells */
	int32_t first;         /* the row at the top */
	int32_t left;          /* scrolled off to the left, in cells */
	uint32_t widest;       /* the width of the longest line, in cells */
	char *pattern;         /* the search; NULL for none */
	CR_VEC(uint32_t) hits; /* the lines that match, in order */
	uint32_t hit;          /* the current one: an index of hits */
};

/*
 * Open the page, or replace its text: then it keeps its place and its search. The title is
 * borrowed, the text is copied with its control characters escaped.
 */
void cr_pager_set(struct cr_pager *p, const char *title, struct cr_str text);
void cr_pager_close(struct cr_pager *p);

/*
 * _fit(): set the size of the pane, in cells. _scroll_to(): show this row at the top, as far as
 * possible. _wrap(): wrap long lines, or cut them.
 */
void cr_pager_fit(struct cr_pager *p, int32_t width, int32_t height);
void cr_pager_scroll_to(struct cr_pager *p, int32_t row);
void cr_pager_go(struct cr_pager *p, const char *line);    /* scroll to the line with this text */
void cr_pager_sideways(struct cr_pager *p, int32_t cells); /* cuts lines from now on */
void cr_pager_wrap(struct cr_pager *p, bool wrap);

/*
 * Mark the lines that match a regular expression, and scroll to the first of them at or after the
 * top of the screen. "" forgets the search. Returns CR_EUSAGE for a bad pattern.
 */
int cr_pager_search(struct cr_pager *p, const char *pattern, struct cr_err *err);
void cr_pager_next(struct cr_pager *p, int32_t by); /* the next match; by -1 the one before */
void cr_pager_put_matches(const struct cr_pager *p, struct cr_text *out); /* "2 of 7 lines" */

/* Draw the visible rows. */
void cr_pager_draw(const struct cr_pager *p, const struct cr_pane *pane);
/*
 * Append the place, "1-22/160  13 %", or "13 %" on a narrow screen; nothing if all rows are shown.
 */
void cr_pager_put_place(const struct cr_pager *p, struct cr_text *out);

#endif
