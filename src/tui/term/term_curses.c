#include "tui/term.h"

#include "osc52_p.h"
#include "term_caps_p.h"
#include "term_keys_p.h"

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

/*
 * The terminal. Curses opens it, sets its modes and reads keys; painter_p.h draws, with fewer bytes
 * than curses would. Its windows stay empty.
 */

#define TITLE_ASIDE "\033[22;2t" /* xterm keeps titles on a stack */
#define TITLE_BACK "\033[23;2t"
#define DRAW_MS 100 /* while input waits, draw at least this often */

struct curses_term {
	struct cr_term term; /* must be first: callers get its address */
	SCREEN *screen;
	FILE *in, *out; /* NULL for the standard ones */
	struct cr_term_caps caps;
	struct cr_term_keys keys;
	struct cr_painter *painter;
	int64_t drawn_ms;           /* time of the last drawing */
	struct termios shell_modes; /* of the terminal, before we changed them */
	sigset_t open_mask;         /* original signal mask, used while waiting */
	sigset_t saved_mask;
	struct sigaction saved_cont, saved_stop;
	bool no_mouse; /* the mouse is left to the terminal */
	char *title;   /* of the window; NULL if it is not changed */
};

/*
 * Written by signal handlers. A handler gets no pointer from us, so these are not in a struct.
 * cleanup.h handles signals that end the program.
 */
static volatile sig_atomic_t stopped, continued;

static void
on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static void
on_continue(int sig)
{
	(void)sig;
	continued = 1;
}

static int
input_fd(const struct curses_term *c)
{
	return c->in ? fileno(c->in) : STDIN_FILENO;
}

static int
output_fd(const struct curses_term *c)
{
	return c->out ? fileno(c->out) : STDOUT_FILENO;
}

static void
send(const struct curses_term *c, const struct cr_text *t)
{
	struct cr_err unused = CR_ERR_INIT; /* if the terminal was closed, reading reports it */

	if (t->len)
		cr_write_whole(output_fd(c), t->p, t->len, &unused);
}

/* ---- drawing */

static void
curses_draw(struct cr_term *t, const struct cr_grid *g)
{
	struct curses_term *c = (struct curses_term *)t;
	struct cr_text bytes = {0};

	cr_painter_draw(c->painter, g, &bytes);
	send(c, &bytes);
	cr_text_fini(&bytes);
	c->drawn_ms = cr_term_now_ms();
}

static void
curses_redraw(struct cr_term *t)
{
	cr_painter_forget(((struct curses_term *)t)->painter);
}

static void
curses_size(struct cr_term *t, int32_t *width, int32_t *height)
{
	(void)t;
	getmaxyx(stdscr, *height, *width);
}

/* ---- modes */

/*
 * Modes that curses does not set: marking pasted text, and reporting clicks (1000), moves with a
 * button pressed (1002), in an encoding without an end at column 223 (1006). Curses could read the
 * mouse, too, but when several reports come at once, it gives the last one first and loses others.
 */
#define PASTES_ON "\033[?2004h"
#define PASTES_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"

static void
reports_set(const struct curses_term *c, bool on)
{
	const char *s = !c->caps.mouse || (c->no_mouse && on) ? (on ? PASTES_ON : PASTES_OFF)
			: on                                  ? PASTES_ON MOUSE_ON
							      : PASTES_OFF MOUSE_OFF;

	/* If the terminal was closed, reading reports it. */
	if (c->caps.pastes && write(output_fd(c), s, strlen(s)) < 0)
		errno = 0;
}

/* Set the title of the window, and keep the one before for the end; or bring that back. */
static void
title_set(const struct curses_term *c, bool on)
{
	struct cr_text t = {0};

	if (!c->title)
		return;
	cr_text_puts(&t, on ? TITLE_ASIDE : TITLE_BACK);
	if (on)
		cr_text_printf(&t, "\033]2;%s\007", c->title);
	send(c, &t);
	cr_text_fini(&t);
}

/* What endwin() would send, for a signal that ends the program. */
static void
leaving_set(const struct curses_term *c, bool on)
{
	struct cr_text t = {0};

	if (on) {
		cr_text_puts(&t, c->caps.pastes ? PASTES_OFF : "");
		cr_text_puts(&t, c->caps.mouse ? MOUSE_OFF : "");
		cr_text_puts(&t, c->title ? TITLE_BACK : "");
		cr_term_caps_put(&t, cr_term_cap("sgr0"));
		cr_term_caps_put(&t, cr_term_cap("op"));
		cr_term_caps_put(&t, cr_term_cap("cnorm"));
		cr_term_caps_put(&t, cr_term_cap("rmkx"));
		cr_term_caps_go(0, LINES - 1, &t);
		cr_term_caps_put(&t, cr_term_cap("rmcup"));
		if (!*cr_term_cap("rmcup"))
			cr_term_caps_put(&t, cr_term_cap("el"));
	}
	cr_cleanup_terminal(output_fd(c), t.p, t.len, &c->shell_modes);
	cr_text_fini(&t);
}

/* On a terminal without a second screen the shell continues in the last line, which is cleared. */
static void
screen_leave(struct curses_term *c)
{
	struct cr_text t = {0};

	cr_painter_leave(c->painter, &t);
	if (!*cr_term_cap("rmcup")) {
		cr_term_caps_go(0, LINES - 1, &t);
		cr_term_caps_put(&t, cr_term_cap("el"));
	}
	send(c, &t);
	cr_text_fini(&t);
	endwin();
}

/* Give the terminal to others as it was found, and take it back. */
static void
give_back(struct curses_term *c)
{
	reports_set(c, false);
	title_set(c, false);
	def_prog_mode();
	screen_leave(c);
	leaving_set(c, false);
}

static void
take_again(struct curses_term *c)
{
	leaving_set(c, true);
	reset_prog_mode();
	refresh(); /* resumes after endwin() */
	reports_set(c, true);
	title_set(c, true);
	curses_redraw(&c->term);
	/* The window may have changed size while no thread waited for SIGWINCH. */
	kill(getpid(), SIGWINCH); /* to whichever thread reads next */
}

/* Stop the whole job or only this process; returns when it is continued. */
static void
stop(struct curses_term *c, bool job)
{
	struct sigaction by_default = {.sa_handler = SIG_DFL}, saved;
	sigset_t set;

	give_back(c);
	sigemptyset(&by_default.sa_mask);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaction(SIGTSTP, &by_default, &saved);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	kill(job ? 0 : getpid(), SIGTSTP);
	/* Continued by SIGCONT. */
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGTSTP, &saved, NULL);
	take_again(c);
}

/* Stop the whole job, as the terminal does, including what pipes into us. */
static void
curses_suspend(struct cr_term *t)
{
	stop((struct curses_term *)t, true);
}

/* The whole job is stopped by ^Z; ^C and ^\\ are for the other program alone. */
static void
curses_aside(struct cr_term *t, void (*run)(void *user), void *user)
{
	struct curses_term *c = (struct curses_term *)t;
	struct sigaction by_default = {.sa_handler = SIG_DFL}, ignore = {.sa_handler = SIG_IGN};
	struct sigaction stop_was, int_was, quit_was;
	sigset_t set, was;

	give_back(c);
	sigemptyset(&by_default.sa_mask);
	sigemptyset(&ignore.sa_mask);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaction(SIGTSTP, &by_default, &stop_was);
	sigaction(SIGINT, &ignore, &int_was);
	sigaction(SIGQUIT, &ignore, &quit_was);
	sigprocmask(SIG_UNBLOCK, &set, &was);
	run(user);
	sigprocmask(SIG_SETMASK, &was, NULL);
	sigaction(SIGTSTP, &stop_was, NULL);
	sigaction(SIGINT, &int_was, NULL);
	sigaction(SIGQUIT, &quit_was, NULL);
	take_again(c);
}

static void
curses_mouse(struct cr_term *t, bool on)
{
	struct curses_term *c = (struct curses_term *)t;

	reports_set(c, false);
	c->no_mouse = !on;
	c->keys.mouse = c->caps.mouse && on;
	reports_set(c, true);
}

/* Between two pictures: nothing that the sequence does is seen on the screen. */
static void
curses_copy(struct cr_term *t, struct cr_str text)
{
	struct cr_text sequence = {0};

	cr_osc52_put(text, cr_osc52_through(), &sequence);
	send((struct curses_term *)t, &sequence);
	cr_text_fini(&sequence);
}

static void
curses_title(struct cr_term *t, const char *title)
{
	struct curses_term *c = (struct curses_term *)t;

	if (!c->caps.titles)
		return;
	title_set(c, false);
	free(c->title);
	c->title = cr_strdup(title);
	title_set(c, true);
	leaving_set(c, true);
}

/* Report what signal handlers stored; CR_KEY_NONE if nothing. */
static uint32_t
read_signal(struct curses_term *c)
{
	if (stopped) {
		stopped = 0;
		stop(c, false);
		return CR_KEY_RESIZE;
	}
	if (continued) {
		/* Stopped by another process: the shell has changed the terminal's modes. */
		continued = 0;
		reset_prog_mode();
		reports_set(c, true);
		curses_redraw(&c->term);
		return CR_KEY_RESIZE;
	}
	return CR_KEY_NONE;
}

/* ---- input */

/* The next event, if there is one. */
static bool
next_event(struct curses_term *c, struct cr_input_event *out)
{
	*out = (struct cr_input_event){.key = read_signal(c)};
	if (out->key == CR_KEY_NONE && !cr_term_keys_next(&c->keys, out))
		return false;
	if (out->key == CR_KEY_RESIZE) /* the terminal has moved or cut what it shows */
		cr_painter_forget(c->painter);
	return true;
}

static void
curses_read(struct cr_term *t, struct cr_input_event *out)
{
	struct curses_term *c = (struct curses_term *)t;

	while (!next_event(c, out))
		if (cr_term_keys_wait(&c->keys, -1, NULL, &c->open_mask) == CR_WAIT_END) {
			out->key = CR_KEY_HANGUP;
			return;
		}
}

static bool
curses_read_until(struct cr_term *t, int fd, int ms, struct cr_input_event *out)
{
	const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
	struct curses_term *c = (struct curses_term *)t;

	while (!next_event(c, out)) {
		if (fd < 0)
			return false;
		switch (cr_term_keys_wait(&c->keys, fd, &time, &c->open_mask)) {
		case CR_WAIT_INPUT: continue;
		case CR_WAIT_OTHER: return false;
		case CR_WAIT_END: out->key = CR_KEY_HANGUP; return true;
		}
	}
	return true;
}

static bool
curses_waits(struct cr_term *t)
{
	return cr_term_keys_waits(&((struct curses_term *)t)->keys);
}

static bool
curses_pending(struct cr_term *t)
{
	const struct curses_term *c = (struct curses_term *)t;

	return cr_term_now_ms() - c->drawn_ms < DRAW_MS && curses_waits(t);
}

/* ---- signals */

static void
signals_take(struct curses_term *c)
{
	static const int taken[] = {SIGTSTP, SIGWINCH, SIGCONT};
	struct sigaction stop_it = {.sa_handler = on_stop}, go_on = {.sa_handler = on_continue};
	sigset_t block;

	stopped = continued = 0;
	sigemptyset(&stop_it.sa_mask);
	sigemptyset(&go_on.sa_mask);
	sigaction(SIGTSTP, &stop_it, &c->saved_stop);
	sigaction(SIGCONT, &go_on, &c->saved_cont);
	sigemptyset(&block);
	for (size_t i = 0; i < CR_LEN(taken); i++)
		sigaddset(&block, taken[i]);
	sigprocmask(SIG_BLOCK, &block, &c->saved_mask);
	c->open_mask = c->saved_mask;
	for (size_t i = 0; i < CR_LEN(taken); i++)
		sigdelset(&c->open_mask, taken[i]);
}

static void
signals_give_back(const struct curses_term *c)
{
	sigprocmask(SIG_SETMASK, &c->saved_mask, NULL);
	sigaction(SIGTSTP, &c->saved_stop, NULL);
	sigaction(SIGCONT, &c->saved_cont, NULL);
}

/* ---- open and close */

static void
curses_close(struct cr_term *t)
{
	struct curses_term *c = (struct curses_term *)t;

	if (c->painter) {
		reports_set(c, false);
		title_set(c, false);
		screen_leave(c);
		leaving_set(c, false);
	} else if (c->screen) {
		endwin();
	}
	cr_term_keys_close(&c->keys);
	if (c->screen)
		delscreen(c->screen);
	free(c->title);
	if (c->in)
		fclose(c->in);
	if (c->out)
		fclose(c->out);
	signals_give_back(c);
	cr_painter_free(c->painter);
	cr_term_caps_fini(&c->caps);
	free(c);
}

/*
 * Read keys from the terminal even if standard input is a pipe, and draw on it even if standard
 * output is.
 */
static int
files_open(struct curses_term *c, struct cr_err *err)
{
	if (!isatty(STDIN_FILENO) && !(c->in = fopen("/dev/tty", "r")))
		return cr_fail_errno(err, CR_EIO, "no terminal");
	if (!isatty(STDOUT_FILENO) && !(c->out = fopen("/dev/tty", "w")))
		return cr_fail_errno(err, CR_EIO, "no terminal");
	return CR_OK;
}

static int
modes_save(struct curses_term *c, struct cr_err *err)
{
	if (tcgetattr(output_fd(c), &c->shell_modes) < 0)
		return cr_fail_errno(err, CR_EIO, "no terminal");
	return CR_OK;
}

static int
screen_open(struct curses_term *c, struct cr_err *err)
{
	const char *type = getenv("TERM");

	if (!type || !*type ||
		!(c->screen = cr_term_caps_screen(
			  type, c->out ? c->out : stdout, c->in ? c->in : stdin)))
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "unknown terminal type '%.40s' (TERM)",
			type ? type : "");
	if (!*cr_term_cap("cup"))
		return cr_fail(err, CR_EIO, CR_NO_OFFSET,
			"terminal type '%.40s' (TERM) cannot move its cursor", type);
	return CR_OK;
}

int
cr_term_curses_open(struct cr_term **out, struct cr_err *err)
{
	struct curses_term *c = cr_alloc(1, sizeof(*c));
	int rc;

	*out = NULL;
	c->term = (struct cr_term){.size = curses_size,
		.draw = curses_draw,
		.read = curses_read,
		.read_until = curses_read_until,
		.pending = curses_pending,
		.waits = curses_waits,
		.redraw = curses_redraw,
		.aside = curses_aside,
		.mouse = curses_mouse,
		.copy = curses_copy,
		.title = curses_title,
		.suspend = curses_suspend,
		.close = curses_close};
	setlocale(LC_CTYPE, "");
	c->term.unicode = cr_utf8_locale();
	/* Before curses, which installs handlers where there are none. */
	signals_take(c);
	if ((rc = files_open(c, err)) < 0 || (rc = modes_save(c, err)) < 0 ||
		(rc = screen_open(c, err)) < 0) {
		curses_close(&c->term);
		return rc;
	}
	cr_term_caps_init(&c->caps, c->term.unicode);
	c->term.colors = c->caps.painter.colors;
	cr_term_keys_open(&c->keys, input_fd(c));
	c->keys.mouse = c->caps.mouse;
	refresh(); /* sends what curses begins with; its window is empty, and stays so */
	c->painter = cr_painter_new(&c->caps.painter);
	reports_set(c, true);
	leaving_set(c, true);
	*out = &c->term;
	return CR_OK;
}
