#ifndef CR_TUI_TUI_H
#define CR_TUI_TUI_H

#include "cresset/session/session.h"
#include "cresset/tui/term.h"

/* Browse a session on a terminal until the user leaves. Session and terminal stay the caller's. */
int cr_tui_run(struct cr_session *s, struct cr_term *t, struct cr_err *err);

#endif
