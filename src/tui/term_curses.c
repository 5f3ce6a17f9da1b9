#include "tui/term.h"

#include "escape_p.h"
#include "osc52_p.h"
#include "terminfo_p.h"

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"
#include "view/style/color.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

/*
 * The terminal, using ncurses, which sends only the difference between two screens. No other file
 * includes it.
 */

/*
 * How long after an ESC byte the rest of a key may come, in ms: enough for what was sent as one
 * key.
 */
#define ESCAPE_MS 25
#define DOUBLE_CLICK_MS 400
#define TITLE_ASIDE "\033[22;2t" /* xterm keeps titles on a stack */
#define TITLE_BACK "\033[23;2t"
#define DRAW_MS 100 /* while input waits, draw at least this often */

struct color_pair {
	int fg, bg; /* numbers of curses; -1 is the terminal's default */
};

struct curses_term {
	struct cr_term term; /* must be first: callers get its address */
	SCREEN *screen;
	FILE *in, *out;                  /* NULL for the standard ones */
	struct cr_grid shown;            /* what was drawn last */
	bool all;                        /* it is unreliable: draw everything */
	int64_t drawn_ms;                /* time of the last drawing */
	CR_VEC(struct color_pair) pairs; /* row i is curses' pair i + 1 */
	struct cr_index pair_index;
	struct termios shell_modes; /* of the terminal, before we changed them */
	sigset_t open_mask;         /* original signal mask, used while waiting */
	sigset_t saved_mask;
	struct sigaction saved_cont, saved_stop;
	bool own_colors;    /* the terminal's default colours can be part of a pair */
	int64_t clicked_ms; /* time and place of the last click */
	int32_t clicked_x, clicked_y;
	/* An invalid sequence: its characters from escape_at on are keys. */
	struct cr_escape escape;
	size_t escape_at;
	bool no_mouse; /* the mouse is left to the terminal */
	bool pastes;   /* the terminal marks pasted text */
	bool mouse;    /* the terminal can report the mouse */
	bool pasting;  /* pasted text is arriving */
	char *title;   /* of the window; NULL if it has none of ours */
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

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- colours */

static int
color_number(const struct curses_term *c, uint32_t rgb)
{
	if (rgb == CR_COLOR_DEFAULT)
		return -1;
	switch (c->term.colors) {
	case CR_COLORS_NONE: return -1;
	case CR_COLORS_8: return cr_color_8(rgb);
	case CR_COLORS_16: return cr_color_16(rgb);
	case CR_COLORS_256: return cr_color_256(rgb);
	case CR_COLORS_DIRECT:
		/* Direct-colour terminals use 0 to 7 for the basic colours. */
		return rgb < 8 ? 0 : (int)rgb;
	}
	return -1;
}

/* All pairs are used: drop them and redraw everything with new ones. */
static void
pairs_recycle(struct curses_term *c)
{
	reset_color_pairs();
	cr_vec_fini(&c->pairs);
	cr_index_fini(&c->pair_index);
	memset(&c->pair_index, 0, sizeof(c->pair_index));
	c->all = true;
}

static int
pair_find(const struct curses_term *c, int fg, int bg)
{
	const uint64_t h = cr_hash_mix((uint64_t)fg, (uint64_t)bg);
	uint32_t row;

	cr_index_each(&c->pair_index, h, row)
		if (c->pairs.p[row].fg == fg && c->pairs.p[row].bg == bg)
			return (int)row + 1;
	return 0;
}

/* The pair of two colours, created if needed; -1 if there are too many. */
static int
pair_of(struct curses_term *c, uint32_t fg_rgb, uint32_t bg_rgb)
{
	int fg = color_number(c, fg_rgb), bg = color_number(c, bg_rgb), pair;
	struct color_pair made;

	if (fg == -1 && bg == -1)
		return 0;
	if (!c->own_colors) {
		fg = fg == -1 ? COLOR_WHITE : fg;
		bg = bg == -1 ? COLOR_BLACK : bg;
	}
	made = (struct color_pair){fg, bg};
	pair = pair_find(c, fg, bg);
	if (pair)
		return pair;
	pair = (int)c->pairs.n + 1;
	if (pair >= COLOR_PAIRS || init_extended_pair(pair, fg, bg) == ERR)
		return -1;
	cr_vec_push(&c->pairs, made);
	cr_index_add(&c->pair_index, cr_hash_mix((uint64_t)fg, (uint64_t)bg), (uint32_t)pair - 1);
	return pair;
}

static enum cr_color_depth
colors_detect(struct curses_term *c)
{
	const char *no_color = getenv("NO_COLOR");
	const char *rgb;

	if ((no_color && *no_color) || !has_colors() || start_color() == ERR)
		return CR_COLORS_NONE;
	c->own_colors = use_default_colors() == OK;
	rgb = tigetstr("RGB");
	if (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (rgb && rgb != (char *)-1))
		return CR_COLORS_DIRECT;
	if (COLORS >= 256)
		return CR_COLORS_256;
	if (COLORS >= 16)
		return CR_COLORS_16;
	return COLORS >= 8 ? CR_COLORS_8 : CR_COLORS_NONE;
}

/* ---- drawing */

static bool
cell_same(const struct cr_cell *a, const struct cr_cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg && a->attr == b->attr &&
	       memcmp(a->marks, b->marks, sizeof(a->marks)) == 0;
}

static attr_t
attr_of(uint8_t attr)
{
	static const attr_t attrs[] = {A_BOLD, A_REVERSE, A_UNDERLINE, A_DIM};
	attr_t a = A_NORMAL;

	for (unsigned i = 0; i < CR_LEN(attrs); i++)
		if (attr & 1u << i)
			a |= attrs[i];
	return a;
}

/* Returns false if no colour pair is left. */
static bool
draw_cell(struct curses_term *c, const struct cr_cell *cell, int x, int y)
{
	wchar_t text[1 + CR_CELL_MARKS + 1] = {(wchar_t)cell->ch};
	int pair = pair_of(c, cell->fg, cell->bg);
	cchar_t wide;

	if (pair < 0)
		return false;
	if (cell->ch < 32 || (cell->ch >= 127 && !c->term.unicode))
		text[0] = L'?';
	for (size_t i = 0; i < CR_CELL_MARKS; i++)
		text[1 + i] = (wchar_t)cell->marks[i];
	setcchar(&wide, text, attr_of(cell->attr), 0, &pair);
	mvadd_wch(y, x, &wide);
	return true;
}

/* Attributes that are seen on a blank, too. */
#define ATTRS_OF_BLANKS (CR_ATTR_UNDERLINE | CR_ATTR_REVERSE)

/*
 * Of a blank only the background is seen. On a coloured one it gets the rest of its look from the
 * cell before it, so that the terminal need not be told of a change that nobody sees.
 */
static void
blank_continue(struct cr_cell *cell, const struct cr_cell *before)
{
	if (cell->ch == ' ' && cell->bg != CR_COLOR_DEFAULT && before->bg == cell->bg &&
		!((cell->attr | before->attr) & ATTRS_OF_BLANKS)) {
		cell->fg = before->fg;
		cell->attr = before->attr;
	}
}

static bool
draw_row(struct curses_term *c, const struct cr_grid *g, int32_t y)
{
	const size_t row = (size_t)y * (size_t)g->width;
	struct cr_cell before = {.bg = CR_COLOR_DEFAULT};

	for (int32_t x = 0; x < g->width; x++) {
		struct cr_cell cell = g->cells[row + (size_t)x];

		blank_continue(&cell, &before);
		before = cell;
		if (!c->all &&
			cell_same(&g->cells[row + (size_t)x], &c->shown.cells[row + (size_t)x]))
			continue;
		/* The right half of a wide character is drawn with the left one. */
		if (cell.ch != 0 && !draw_cell(c, &cell, x, y))
			return false;
	}
	return true;
}

static bool
draw_cells(struct curses_term *c, const struct cr_grid *g)
{
	for (int32_t y = 0; y < g->height; y++)
		if (!draw_row(c, g, y))
			return false;
	return true;
}

static void
curses_draw(struct cr_term *t, const struct cr_grid *g)
{
	struct curses_term *c = (struct curses_term *)t;

	if (c->shown.width != g->width || c->shown.height != g->height)
		c->all = true;
	if (!draw_cells(c, g)) {
		pairs_recycle(c);
		draw_cells(c, g);
	}
	cr_grid_resize(&c->shown, g->width, g->height);
	memcpy(c->shown.cells, g->cells, (size_t)g->width * (size_t)g->height * sizeof(*g->cells));
	c->all = false;
	if (g->cursor_x >= 0 && g->cursor_y >= 0) {
		curs_set(1);
		move(g->cursor_y, g->cursor_x);
	} else {
		curs_set(0);
		/* Where a cursor that cannot be hidden disturbs least. */
		move(g->height - 1, g->width - 1);
	}
	refresh();
	c->drawn_ms = now_ms();
}

static void
curses_redraw(struct cr_term *t)
{
	struct curses_term *c = (struct curses_term *)t;

	c->all = true;
	clearok(curscr, TRUE);
}

static void
curses_size(struct cr_term *t, int32_t *width, int32_t *height)
{
	(void)t;
	getmaxyx(stdscr, *height, *width);
}

/* ---- modes */

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

/* A capability as text; "" if the terminal lacks it. */
static const char *
capability(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (char *)-1 ? s : "";
}

/* Append a capability without the delays that old terminals needed: "$<5>". */
static void
put_capability(struct cr_text *out, const char *s)
{
	while (*s) {
		const char *pause = strstr(s, "$<"), *end = pause ? strchr(pause, '>') : NULL;

		cr_text_put(out, s, end ? (size_t)(pause - s) : strlen(s));
		s = end ? end + 1 : s + strlen(s);
	}
}

/* Terminals with ANSI sequences ignore unknown modes; few terminfo entries list this one. */
static bool
may_paste(void)
{
	return strncmp(capability("cup"), "\033[", 2) == 0;
}

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
	const char *s = !c->mouse || (c->no_mouse && on) ? (on ? PASTES_ON : PASTES_OFF)
			: on                             ? PASTES_ON MOUSE_ON
							 : PASTES_OFF MOUSE_OFF;

	/* if the terminal was closed, reading reports it. */
	if (c->pastes && write(output_fd(c), s, strlen(s)) < 0)
		errno = 0;
}

/*
 * The title of the window. Terminals that have one for certain; of others, such as the console,
 * some print it. The title before is put aside, and comes back.
 */
static bool
may_title(void)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "rxvt", "alacritty", "foot",
		"wezterm", "konsole", "gnome", "putty", "st-"};
	const char *type = getenv("TERM");

	for (size_t i = 0; type && i < CR_LEN(types); i++)
		if (strncmp(type, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

static void
title_set(const struct curses_term *c, bool on)
{
	struct cr_text t = {0};
	struct cr_err unused = CR_ERR_INIT;

	cr_text_puts(&t, on ? TITLE_ASIDE : TITLE_BACK);
	if (on)
		cr_text_printf(&t, "\033]2;%s\007", c->title);
	if (c->title)
		cr_write_whole(output_fd(c), t.p, t.len, &unused);
	cr_text_fini(&t);
}

/* What endwin() would send, for a signal that ends the program. */
static void
leaving_set(const struct curses_term *c, bool on)
{
	struct cr_text t = {0};

	if (on) {
		cr_text_puts(&t, c->pastes ? PASTES_OFF : "");
		cr_text_puts(&t, c->mouse ? MOUSE_OFF : "");
		cr_text_puts(&t, c->title ? TITLE_BACK : "");
		put_capability(&t, capability("sgr0"));
		put_capability(&t, capability("op"));
		put_capability(&t, capability("cnorm"));
		put_capability(&t, capability("rmkx"));
		put_capability(&t, tiparm(capability("cup"), LINES - 1, 0));
		put_capability(&t, capability("rmcup"));
		if (!*capability("rmcup"))
			put_capability(&t, capability("el"));
	}
	cr_cleanup_terminal(output_fd(c), t.p, t.len, &c->shell_modes);
	cr_text_fini(&t);
}

/* ---- input */

static const struct {
	int code;
	uint32_t key;
} function_keys[] = {
	{KEY_UP, CR_KEY_UP}, {KEY_DOWN, CR_KEY_DOWN}, {KEY_LEFT, CR_KEY_LEFT},
	{KEY_RIGHT, CR_KEY_RIGHT}, {KEY_HOME, CR_KEY_HOME}, {KEY_END, CR_KEY_END},
	{KEY_PPAGE, CR_KEY_PGUP}, {KEY_NPAGE, CR_KEY_PGDN}, {KEY_ENTER, CR_KEY_ENTER},
	{KEY_BACKSPACE, CR_KEY_BACKSPACE}, {KEY_DC, CR_KEY_DELETE}, {KEY_IC, CR_KEY_INSERT},
	{KEY_BTAB, CR_KEY_BACKTAB}, {KEY_RESIZE, CR_KEY_RESIZE}, {KEY_FIND, CR_KEY_HOME},
	{KEY_SELECT, CR_KEY_END}, {KEY_A1, CR_KEY_HOME}, {KEY_C1, CR_KEY_END},
	{KEY_A3, CR_KEY_PGUP}, {KEY_C3, CR_KEY_PGDN},
	{KEY_SUSPEND, CR_CTRL('Z')}, /* terminfo of the Linux console names ^Z */
};

static const struct {
	wint_t ch;
	uint32_t key;
} control_keys[] = {
	{3, CR_KEY_INTERRUPT},
	{8, CR_KEY_BACKSPACE},
	{9, CR_KEY_TAB},
	{10, CR_KEY_ENTER},
	{13, CR_KEY_ENTER},
	{27, CR_KEY_ESC},
	{127, CR_KEY_BACKSPACE},
};

/* A click counts at once; another one on the same cell soon after makes a double click. */
static enum cr_mouse
click_count(struct curses_term *c, int32_t x, int32_t y)
{
	const int64_t now = now_ms();
	const bool twice =
		x == c->clicked_x && y == c->clicked_y && now - c->clicked_ms <= DOUBLE_CLICK_MS;

	c->clicked_ms = twice ? now - DOUBLE_CLICK_MS - 1 : now; /* a third click starts again */
	c->clicked_x = x;
	c->clicked_y = y;
	return twice ? CR_MOUSE_DOUBLE : CR_MOUSE_CLICK;
}

/* Drop what nobody asked for, and what is not on the screen. */
static void
read_mouse(struct curses_term *c, struct cr_input_event *out)
{
	if (!c->mouse || c->no_mouse || c->escape.x < 0 || c->escape.x >= COLS || c->escape.y < 0 ||
		c->escape.y >= LINES) {
		out->key = CR_KEY_NONE;
		return;
	}
	out->x = c->escape.x;
	out->y = c->escape.y;
	out->mouse = c->escape.mouse == CR_MOUSE_CLICK ? click_count(c, out->x, out->y)
						       : c->escape.mouse;
}

/* Keys with modifiers, and others that terminfo only names: decode what they send. */
static uint32_t
sequence_key(int code)
{
	char *text = keybound(code, 0);
	enum cr_escape_step step = CR_ESCAPE_MORE;
	struct cr_escape e = {0};

	if (!text || text[0] != '\033')
		step = CR_ESCAPE_NONE;
	for (size_t i = 1; step == CR_ESCAPE_MORE && text[i]; i++)
		step = cr_escape_feed(&e, (unsigned char)text[i]);
	free(text);
	return step == CR_ESCAPE_DONE ? e.key : CR_KEY_OTHER;
}

static uint32_t
function_key(int code)
{
	for (size_t i = 0; i < CR_LEN(function_keys); i++)
		if (function_keys[i].code == code)
			return function_keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return CR_KEY_F1 + (uint32_t)(code - KEY_F(1));
	return sequence_key(code);
}

static uint32_t
character_key(wint_t ch)
{
	for (size_t i = 0; i < CR_LEN(control_keys); i++)
		if (control_keys[i].ch == ch)
			return control_keys[i].key;
	return ch < CR_KEY_NONE ? (uint32_t)ch : CR_KEY_NONE;
}

static void
decode_key(struct curses_term *c, int rc, wint_t ch, struct cr_input_event *out)
{
	if (rc != KEY_CODE_YES) {
		out->key = c->pasting ? (uint32_t)ch : character_key(ch);
		out->pasted = c->pasting;
	} else {
		out->key = function_key((int)ch);
		/* The stored screen has the old size. */
		if (ch == KEY_RESIZE)
			c->all = true;
		/* A sequence in pasted text is no key. */
		else if (c->pasting)
			out->key = CR_KEY_NONE;
	}
}

/* As get_wch(), but of the bytes in a report of the mouse each is a character. */
static int
get_character(const struct cr_escape *e, wint_t *ch)
{
	int byte;

	if (!cr_escape_wants_bytes(e))
		return get_wch(ch);
	byte = getch();
	*ch = (wint_t)byte;
	return byte == ERR ? ERR : byte > UINT8_MAX ? KEY_CODE_YES : OK;
}

/* The next character of an escape sequence; false if none comes. */
static bool
escape_next(const struct curses_term *c, wint_t *ch)
{
	struct pollfd p = {.fd = input_fd(c), .events = POLLIN};
	int rc = get_character(&c->escape, ch);

	if (rc == ERR && poll(&p, 1, ESCAPE_MS) > 0)
		rc = get_character(&c->escape, ch);
	if (rc == KEY_CODE_YES)
		ungetch((int)*ch);
	return rc == OK;
}

/*
 * Decode what follows an ESC that curses could not turn into a key: a sequence missing in terminfo.
 * If it is none, its characters are keys.
 */
static void
read_escape(struct curses_term *c, struct cr_input_event *out)
{
	enum cr_escape_step step = CR_ESCAPE_MORE;
	wint_t ch;

	c->escape = (struct cr_escape){0};
	while (step == CR_ESCAPE_MORE && escape_next(c, &ch))
		step = cr_escape_feed(&c->escape, (uint32_t)ch);
	out->key = c->pasting ? CR_KEY_NONE : CR_KEY_ESC;
	c->escape_at = 0;
	if (step != CR_ESCAPE_DONE)
		return;
	c->escape_at = c->escape.n;
	out->key = c->escape.key;
	if (out->key == CR_KEY_PASTE || out->key == CR_KEY_PASTE_END) {
		c->pasting = out->key == CR_KEY_PASTE;
		out->key = CR_KEY_NONE;
	} else if (c->pasting) {
		out->key = CR_KEY_NONE;
	} else if (out->key == CR_KEY_MOUSE) {
		read_mouse(c, out);
	}
}

enum wait { WAIT_INPUT, WAIT_OTHER, WAIT_END };

/*
 * Sleep until there is input or a signal (WAIT_INPUT), no more input is possible (WAIT_END), or
 * `other` is readable or the time has passed (WAIT_OTHER). other -1, time NULL: not used. Signals
 * are unblocked only here, so none is missed.
 */
static enum wait
input_wait(const struct curses_term *c, int other, const struct timespec *time)
{
	const int fd = input_fd(c);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int bytes = 0, n;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	if (other >= 0)
		FD_SET(other, &set);
	n = pselect(CR_MAX(fd, other) + 1, &set, NULL, NULL, time, &c->open_mask);
	if (n < 0)
		return errno == EINTR ? WAIT_INPUT : WAIT_END;
	if (n == 0 || !FD_ISSET(fd, &set))
		return WAIT_OTHER;
	/* Readable without data means that the terminal was closed. */
	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))
		return WAIT_END;
	return ioctl(fd, FIONREAD, &bytes) < 0 || bytes > 0 ? WAIT_INPUT : WAIT_END;
}

/* On a terminal without a second screen the shell continues in the last line, which is cleared. */
static void
screen_leave(void)
{
	if (!*capability("rmcup")) {
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
}

/* The terminal as it was found, and taken again. */
static void
give_back(struct curses_term *c)
{
	reports_set(c, false);
	title_set(c, false);
	def_prog_mode();
	screen_leave();
	leaving_set(c, false);
}

static void
take_again(struct curses_term *c)
{
	leaving_set(c, true);
	reset_prog_mode();
	reports_set(c, true);
	title_set(c, true);
	curses_redraw(&c->term);
	/* The window may have changed size while no thread waited for SIGWINCH. */
	kill(getpid(), SIGWINCH); /* to whichever thread reads next */
}

/* Stopped, and here again; by whom is to be stopped: all of the job, or this process alone. */
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
	reports_set(c, true);
}

/* Between two pictures: nothing that the sequence does is seen on the screen. */
static void
curses_copy(struct cr_term *t, struct cr_str text)
{
	struct cr_text sequence = {0};
	struct cr_err unused = CR_ERR_INIT;

	cr_osc52_put(text, cr_osc52_through(), &sequence);
	cr_write_whole(output_fd((struct curses_term *)t), sequence.p, sequence.len, &unused);
	cr_text_fini(&sequence);
}

static void
curses_title(struct cr_term *t, const char *title)
{
	struct curses_term *c = (struct curses_term *)t;

	if (!may_title())
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

/* First the characters of an invalid sequence; only the last of them can be an ESC. */
static int
next_character(struct curses_term *c, wint_t *ch)
{
	if (c->escape_at >= c->escape.n)
		return get_wch(ch);
	*ch = (wint_t)c->escape.text[c->escape_at++];
	return OK;
}

/* The next event, if there is one. */
static bool
next_event(struct curses_term *c, struct cr_input_event *out)
{
	wint_t ch;
	int rc;

	*out = (struct cr_input_event){.key = read_signal(c)};
	if (out->key != CR_KEY_NONE)
		return true;
	rc = next_character(c, &ch);
	if (rc == OK && ch == 27)
		read_escape(c, out);
	else if (rc != ERR)
		decode_key(c, rc, ch, out);
	return rc != ERR;
}

static void
curses_read(struct cr_term *t, struct cr_input_event *out)
{
	struct curses_term *c = (struct curses_term *)t;

	while (!next_event(c, out))
		if (input_wait(c, -1, NULL) == WAIT_END) {
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
		switch (input_wait(c, fd, &time)) {
		case WAIT_INPUT: continue;
		case WAIT_OTHER: return false;
		case WAIT_END: out->key = CR_KEY_HANGUP; return true;
		}
	}
	return true;
}

static bool
curses_waits(struct cr_term *t)
{
	const struct curses_term *c = (struct curses_term *)t;
	struct pollfd p = {.fd = input_fd(c), .events = POLLIN};

	return c->escape_at < c->escape.n || poll(&p, 1, 0) > 0;
}

static bool
curses_pending(struct cr_term *t)
{
	const struct curses_term *c = (struct curses_term *)t;

	return now_ms() - c->drawn_ms < DRAW_MS && curses_waits(t);
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

	if (c->screen) {
		reports_set(c, false);
		title_set(c, false);
		curs_set(1);
		screen_leave();
		leaving_set(c, false);
		delscreen(c->screen);
	}
	free(c->title);
	if (c->in)
		fclose(c->in);
	if (c->out)
		fclose(c->out);
	signals_give_back(c);
	cr_grid_fini(&c->shown);
	cr_vec_fini(&c->pairs);
	cr_index_fini(&c->pair_index);
	free(c);
}

/*
 * True if the terminal shows 24-bit colours although its description has fewer: COLORTERM says so,
 * or the capability Tc, which tmux reads too. screen does not pass them on.
 */
static bool
has_direct_colors(void)
{
	const char *says = getenv("COLORTERM");

	if (getenv("STY") || tigetnum("colors") < 256 || tigetflag("RGB") > 0)
		return false;
	return (says && (strcmp(says, "truecolor") == 0 || strcmp(says, "24bit") == 0)) ||
	       tigetflag("Tc") > 0;
}

/* newterm() with a description; the environment stays as it was. */
static SCREEN *
screen_of(const struct curses_term *c, const char *type, const char *terminfo)
{
	const char *value = getenv("TERMINFO");
	char *was = value ? cr_strdup(value) : NULL;
	SCREEN *screen;

	setenv("TERMINFO", terminfo, 1);
	screen = newterm(type, c->out ? c->out : stdout, c->in ? c->in : stdin);
	if (was)
		setenv("TERMINFO", was, 1);
	else
		unsetenv("TERMINFO");
	free(was);
	return screen;
}

/* The database is asked first; what it lacks is built in. */
static SCREEN *
screen_new(const struct curses_term *c, const char *type)
{
	struct cr_text terminfo = {0};
	SCREEN *screen = NULL;
	int found;

	if (setupterm(type, output_fd(c), &found) == OK) {
		if (has_direct_colors())
			cr_terminfo_direct(type, &terminfo);
		del_curterm(cur_term);
		if (terminfo.len)
			screen = screen_of(c, type, terminfo.p);
		if (!screen)
			screen = newterm(type, c->out ? c->out : stdout, c->in ? c->in : stdin);
	} else if (cr_terminfo_builtin(type, &terminfo)) {
		screen = screen_of(c, type, terminfo.p);
	}
	cr_text_fini(&terminfo);
	return screen;
}

static void
modes_set(void)
{
	raw();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	idlok(stdscr, TRUE); /* scrolling a table sends one line instead of the screen */
	set_escdelay(ESCAPE_MS);
	keyok(KEY_MOUSE, FALSE); /* see reports_set() */
	typeahead(-1);           /* curses must not skip drawing; pending() decides that */
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

	if (!type || !*type || !(c->screen = screen_new(c, type)))
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "unknown terminal type '%.40s' (TERM)",
			type ? type : "");
	if (!*capability("cup"))
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
	c->all = true;
	setlocale(LC_CTYPE, "");
	c->term.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* Before curses, which installs handlers where there are none. */
	signals_take(c);
	if ((rc = files_open(c, err)) < 0 || (rc = modes_save(c, err)) < 0 ||
		(rc = screen_open(c, err)) < 0) {
		curses_close(&c->term);
		return rc;
	}
	modes_set();
	c->pastes = may_paste();
	c->mouse = c->pastes && *capability("kmous");
	reports_set(c, true);
	leaving_set(c, true);
	c->term.colors = colors_detect(c);
	*out = &c->term;
	return CR_OK;
}
