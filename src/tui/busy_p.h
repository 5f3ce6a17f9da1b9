#ifndef CR_TUI_BUSY_P_H
#define CR_TUI_BUSY_P_H

#include "base/vec.h"
#include "session/session.h"
#include "tui/term.h"

/*
 * A command of the session, or other work on it, may take long. While it runs in the calling
 * thread, a second thread has the terminal: it draws how far the work is into the bottom line of
 * the screen, and reads keys.
 * Esc and ^C stop the command; other keys are kept until it is done.
 *
 * So the session, and all code below it, is used by one thread only, and by the same one as ever.
 */
struct cr_busy {
	struct cr_term *term;
	const struct cr_grid *grid;           /* what the screen shows */
	CR_VEC(struct cr_input_event) events; /* read while a command ran */
	size_t at;                            /* the next one of these */
};

enum cr_busy_how {
	CR_BUSY_STOPPABLE,
	CR_BUSY_TYPING, /* any key stops it: the next one makes its result stale */
	CR_BUSY_WHOLE,  /* nothing stops it */
};

/* Other work than a command; `label` is drawn with how far it is. */
struct cr_busy_job {
	const char *label;
	int (*run)(void *user, struct cr_err *err);
	void *user;
};

/* Run the job, then make what the views are drawn from. Returns what the job returned. */
int cr_busy_do(struct cr_busy *b, struct cr_session *s, const struct cr_busy_job *job,
	enum cr_busy_how how, struct cr_err *err);

/* The same with cr_session_run(). CR_ECANCEL if the command was stopped. */
int cr_busy_run(struct cr_busy *b, struct cr_session *s, const char *line, FILE *out,
	enum cr_busy_how how, struct cr_err *err);

/* The next event that was kept; false when there is none. */
bool cr_busy_next(struct cr_busy *b, struct cr_input_event *out);
bool cr_busy_has_events(const struct cr_busy *b);

void cr_busy_fini(struct cr_busy *b);

#endif
