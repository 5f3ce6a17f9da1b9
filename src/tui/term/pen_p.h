#ifndef CR_TUI_PEN_P_H
#define CR_TUI_PEN_P_H

#include "painter_terminal_p.h"
#include "tui/grid.h"

/*
 * The colours and attributes that a terminal writes with, and the shortest sequences that change
 * them. A look is what a cell of the screen has; colours are numbers of the terminal.
 */
#define CR_PEN_NO_COLOR (-1) /* the terminal's default colour */

struct cr_pen_look {
	int32_t fg, bg;
	uint8_t attr;
};

#define CR_PEN_PLAIN ((struct cr_pen_look){CR_PEN_NO_COLOR, CR_PEN_NO_COLOR, 0})

/* The parameters of a colour, which take long to make. */
struct cr_pen_color {
	int32_t color;
	bool used, background;
	uint8_t len;
	char params[22];
};

#define CR_PEN_COLORS 64

struct cr_pen {
	const struct cr_painter_terminal *t; /* borrowed */
	struct cr_pen_look look;             /* of the terminal */
	struct cr_text by_reset, by_change;  /* scratch */
	struct cr_pen_color colors[CR_PEN_COLORS];
};

void cr_pen_init(struct cr_pen *p, const struct cr_painter_terminal *t);
void cr_pen_fini(struct cr_pen *p);

/* The look that the terminal gives a cell: only colours and attributes that it has. */
struct cr_pen_look cr_pen_look_of(const struct cr_pen *p, const struct cr_cell *cell);

/* True if text, or a blank, looks the same with both. */
bool cr_pen_same(struct cr_pen_look a, struct cr_pen_look b);
bool cr_pen_same_blank(struct cr_pen_look a, struct cr_pen_look b);
/* True if it looks the same when it is written with the look of the terminal. */
bool cr_pen_writes(const struct cr_pen *p, struct cr_pen_look look, bool blank);

/*
 * Append what sets the look of the terminal so that characters, blanks or erased cells look like
 * `to`. next: the look of the characters that follow, NULL if unknown; of two short sequences the
 * one is used after which that look needs the shorter one.
 */
void cr_pen_set(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out);
void cr_pen_set_blank(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out);
void cr_pen_set_erased(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out);

/* Append what sets the default colours and no attributes, whatever the terminal's look is. */
void cr_pen_reset(struct cr_pen *p, struct cr_text *out);

#endif
