#ifndef CR_TUI_TERM_KEYS_P_H
#define CR_TUI_TERM_KEYS_P_H

#include "escape_p.h"
#include "tui/term.h"

#include <signal.h>

struct _win_st; /* WINDOW of curses */
struct timespec;

/*
 * Keys, pasted text and reports of the mouse from a terminal that curses has opened. Curses reads
 * them through a pad: reading from a window would draw it.
 */
struct cr_term_keys {
	int fd;
	struct _win_st *pad;
	bool mouse;         /* reports of the mouse are events; they are ignored otherwise */
	bool pasting;       /* pasted text is arriving */
	int64_t clicked_ms; /* time and place of the last click */
	int32_t clicked_x, clicked_y;
	/* An invalid sequence: its characters from escape_at on are keys. */
	struct cr_escape escape;
	size_t escape_at;
};

/* Set the modes for reading from fd. _close() keeps them: endwin() resets them. */
void cr_term_keys_open(struct cr_term_keys *k, int fd);
void cr_term_keys_close(struct cr_term_keys *k);

/* Store the next event that has arrived; false if there is none. Does not wait. */
bool cr_term_keys_next(struct cr_term_keys *k, struct cr_input_event *out);

/* True if more input has arrived. */
bool cr_term_keys_waits(const struct cr_term_keys *k);

enum cr_term_wait { CR_WAIT_INPUT, CR_WAIT_OTHER, CR_WAIT_END };

/*
 * Sleep until there is input or a signal (CR_WAIT_INPUT), no more input is possible (CR_WAIT_END),
 * or `other` is readable or the time has passed (CR_WAIT_OTHER). other -1, time NULL: not used.
 * Signals are unblocked as in `mask` only here, so none is missed.
 */
enum cr_term_wait cr_term_keys_wait(
	const struct cr_term_keys *k, int other, const struct timespec *time, const sigset_t *mask);

/* Milliseconds since some start that is the same for the whole run. */
int64_t cr_term_now_ms(void);

#endif
