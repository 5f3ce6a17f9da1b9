#ifndef CR_TUI_TERM_H
#define CR_TUI_TERM_H

#include "base/err.h"
#include "session/key.h"
#include "tui/grid.h"

/*
 * The terminal interface of the browser, implemented with curses (term_curses.c) and in memory
 * (term_memory.c).
 */
enum cr_mouse {
	CR_MOUSE_CLICK,
	CR_MOUSE_DOUBLE,
	CR_MOUSE_WHEEL_UP,
	CR_MOUSE_WHEEL_DOWN,
	CR_MOUSE_RIGHT,
	CR_MOUSE_DRAG,    /* moved with the first button pressed */
	CR_MOUSE_RELEASE, /* of the first button */
};

struct cr_input_event {
	uint32_t key; /* a code point or enum cr_key */
	enum cr_mouse mouse;
	int32_t x, y;
	bool pasted; /* the key is a code point that was pasted; it may be a control character */
};

enum cr_color_depth { CR_COLORS_NONE, CR_COLORS_8, CR_COLORS_16, CR_COLORS_256, CR_COLORS_DIRECT };

struct cr_term {
	enum cr_color_depth colors;
	bool unicode; /* false: draw only ASCII */
	void (*size)(struct cr_term *t, int32_t *width, int32_t *height);
	void (*draw)(struct cr_term *t, const struct cr_grid *g);    /* sends only changes */
	void (*read)(struct cr_term *t, struct cr_input_event *out); /* blocks */
	/*
	 * The same while waiting for something else too: returns false if fd becomes readable or ms
	 * have passed before there is an event. fd -1: only return an event that has arrived,
	 * without waiting.
	 */
	bool (*read_until)(struct cr_term *t, int fd, int ms, struct cr_input_event *out);
	/*
	 * True if more input has arrived, so that drawing would be obsolete. Returns false now and
	 * then anyway, so that the user sees progress.
	 */
	bool (*pending)(struct cr_term *t);
	bool (*waits)(struct cr_term *t); /* more input waits; always true when it does */
	void (*redraw)(struct cr_term
			*t); /* the next draw sends everything: somebody wrote over the screen */
	/*
	 * Give the terminal to somebody else while run() runs, in the mode in which the program
	 * found it. ^C and ^Z are then for them.
	 */
	void (*aside)(struct cr_term *t, void (*run)(void *user), void *user);
	/* Report the mouse, or leave it to the terminal. At first it is reported. */
	void (*mouse)(struct cr_term *t, bool on);
	/* Copy a text to the clipboard of the terminal, if that can and is allowed to. */
	void (*copy)(struct cr_term *t, struct cr_str text);
	/* Set the title of the terminal's window, if it has one. It has no control characters. */
	void (*title)(struct cr_term *t, const char *title);
	/* Stop the program like ^Z; returns when it is continued. */
	void (*suspend)(struct cr_term *t);
	void (*close)(struct cr_term *t); /* restores the terminal; frees t */
};

/*
 * Open the real terminal. Fails with CR_EIO if there is none. Keys are read from /dev/tty if
 * standard input is no terminal.
 */
int cr_term_curses_open(struct cr_term **out, struct cr_err *err);

/*
 * For tests: a terminal of width x height cells that reads keys from a script. Characters are
 * themselves; other keys are <name>: <up> <enter> <esc> <tab> <^r> <resize 120x40> <click 10,5>
 * <double 10,5> <drag 12,5> <release 12,5> <wheel-up 3,4> <lt>; newlines are ignored. Text between
 * <paste> and </paste> is pasted. Between <ahead> and </ahead> each key is typed before the last
 * one is read; between <busy> and </busy> while the command of the key before runs. The end of the
 * script is a hangup. It has all colours and Unicode until the caller changes its fields.
 */
struct cr_term *cr_term_memory_new(int32_t width, int32_t height, const char *script);
const struct cr_grid *cr_term_memory_grid(const struct cr_term *t); /* what was drawn last */
/* The title that was set last; "" if none was. For tests. */
const char *cr_term_memory_title(const struct cr_term *t);
/* What was copied last; "" if nothing was. For tests. */
const char *cr_term_memory_copied(const struct cr_term *t);
unsigned cr_term_memory_draws(const struct cr_term *t); /* number of draws */

#endif
