#ifndef CR_TUI_TUI_H
#define CR_TUI_TUI_H

#include "session/session.h"
#include "tui/term.h"

/*
 * Browse a session on a terminal until the user leaves. Session and terminal stay the caller's.
 * Returns 0, or the signal that the program should die by once the terminal is closed: SIGINT for
 * ^C, which is a key in the browser, and SIGHUP when the terminal is gone.
 */
int cr_tui_run(struct cr_session *s, struct cr_term *t);

#endif
