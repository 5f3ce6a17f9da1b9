#ifndef CR_TUI_BUSY_P_H
#define CR_TUI_BUSY_P_H

#include "base/vec.h"
#include "session/session.h"
#include "tui/term.h"

/*
 * A command of the session, or other work on it, may take long. While it runs in the calling
 * thread, a second thread uses the terminal: it draws the progress in the bottom line and reads
 * keys. Esc and ^C cancel the command; other keys are kept until it is done.
 *
 * So the session, and all code below it, is always used by the same thread.
 */
struct cr_busy {
	struct cr_term *term;
	const struct cr_grid *grid;           /* content of the screen */
	CR_VEC(struct cr_input_event) events; /* read while a command ran */
	size_t at;                            /* the next one to return */
};

enum cr_busy_how {
	CR_BUSY_STOPPABLE,
	CR_BUSY_TYPING, /* any key cancels it, since the next key makes its result obsolete */
	CR_BUSY_WHOLE,  /* it cannot be cancelled */
};

/* Work that is no command; `label` is drawn with its progress. */
struct cr_busy_job {
	const char *label;
	int (*run)(void *user, struct cr_err *err);
	void *user;
};

/* Run the job, then prepare the data of the views. Returns the result of the job. */
int cr_busy_do(struct cr_busy *b, struct cr_session *s, const struct cr_busy_job *job,
	enum cr_busy_how how, struct cr_err *err);

/* The same with cr_session_run(). CR_ECANCEL if the command was stopped. */
int cr_busy_run(struct cr_busy *b, struct cr_session *s, const char *line, FILE *out,
	enum cr_busy_how how, struct cr_err *err);

/* The next event that was kept; false if there is none. */
bool cr_busy_next(struct cr_busy *b, struct cr_input_event *out);
bool cr_busy_has_events(const struct cr_busy *b);

void cr_busy_fini(struct cr_busy *b);

#endif
