#ifndef CR_TUI_TUI_H
#define CR_TUI_TUI_H

#include "cresset/session/session.h"
#include "cresset/tui/term.h"

/* Browse a session on a terminal until the user leaves. Session and terminal stay the caller's. */
int cr_tui_run(struct cr_session *s, struct cr_term *t, struct cr_err *err);

/* Draw the session once into g, as the browser would. It is laid out for the size of g from then on. */
void cr_tui_draw(struct cr_session *s, struct cr_term *t, struct cr_grid *g);

#endif
