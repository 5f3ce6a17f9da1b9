#ifndef CR_TUI_TUI_H
#define CR_TUI_TUI_H

#include "session/session.h"
#include "tui/term.h"

/* What the program can do for the browser. */
struct cr_tui_host {
	void *user;
	/*
	 * Let the user edit a line (0: unknown) of a source file, and return when that is done. The
	 * terminal is in the mode in which the program found it. NULL: this cannot be done.
	 */
	int (*edit)(void *user, struct cr_str file, uint32_t line, struct cr_err *err);
};

/*
 * Browse a session on a terminal until the user leaves. Session, terminal and host, which
 * may be NULL, stay the caller's.
 * Returns 0, or the signal that the program should die by once the terminal is closed: SIGINT for
 * ^C, which is a key in the browser, and SIGHUP when the terminal is gone.
 */
int cr_tui_run(struct cr_session *s, struct cr_term *t, const struct cr_tui_host *host);

#endif
