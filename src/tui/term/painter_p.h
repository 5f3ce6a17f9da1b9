#ifndef CR_TUI_PAINTER_P_H
#define CR_TUI_PAINTER_P_H

#include "painter_terminal_p.h"
#include "tui/grid.h"

/*
 * Turns screens into the bytes that a terminal needs to show them. Only cells that changed are
 * sent, with few bytes: only those colours and attributes are set that will be seen, blanks are
 * erased, characters are repeated, and lines that moved are scrolled.
 */

struct cr_painter;

struct cr_painter *cr_painter_new(const struct cr_painter_terminal *t);
void cr_painter_free(struct cr_painter *p);

/* What the terminal shows is unknown: the next drawing clears the screen and draws everything. */
void cr_painter_forget(struct cr_painter *p);

/* Append the bytes that show g on a terminal that shows what was drawn last. */
void cr_painter_draw(struct cr_painter *p, const struct cr_grid *g, struct cr_text *out);

/* Append the bytes after which others can write: no attributes, and a visible cursor. */
void cr_painter_leave(struct cr_painter *p, struct cr_text *out);

#endif
