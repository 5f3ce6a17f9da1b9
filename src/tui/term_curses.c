#include "cresset/tui/term.h"

#include "cresset/base/hash.h"
#include "cresset/base/mem.h"
#include "cresset/base/text.h"
#include "cresset/base/vec.h"
#include "cresset/view/palette.h"

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
 * The terminal through ncurses, which knows how to say little: it sends what differs between two
 * screens. This file alone includes it.
 */

/* How long after an escape byte the rest of a key may come: enough for what was sent as one. */
#define ESCAPE_MS 25
#define DOUBLE_CLICK_MS 400

struct color_pair {
	int fg, bg; /* as curses numbers colours; -1 is the terminal's own */
};

struct curses_term {
	struct cr_term term; /* first: what is handed out */
	SCREEN *screen;
	FILE *in, *out;                  /* NULL for the standard ones */
	struct cr_grid shown;            /* what was drawn last */
	bool all;                        /* it is not to be trusted: draw everything */
	CR_VEC(struct color_pair) pairs; /* row i is curses' pair i + 1 */
	struct cr_index pair_index;
	sigset_t open_mask; /* signals as they were, for while waiting */
	sigset_t saved_mask;
	struct sigaction saved_term, saved_hup, saved_int, saved_cont;
	bool own_colors;    /* the terminal's own colours can be part of a pair */
	int64_t clicked_ms; /* last click, and where */
	int32_t clicked_x, clicked_y;
};

/*
 * What signal handlers leave behind. A handler is given no pointer of ours, so this is the one
 * thing in the program that stands outside of a struct.
 */
static volatile sig_atomic_t asked_to_leave, interrupted, continued;

static void
on_leave(int sig)
{
	(void)sig;
	asked_to_leave = 1;
}

static void
on_interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

static void
on_continue(int sig)
{
	(void)sig;
	continued = 1;
}

/* exit() from deep below, when memory is gone, must not leave the terminal in raw mode. */
static void
restore_at_exit(void)
{
	if (!isendwin())
		endwin();
}

/* ---- colours */

static int
color_number(const struct curses_term *c, uint32_t rgb)
{
	if (rgb == CR_COLOR_DEFAULT)
		return -1;
	switch (c->term.colors) {
	case CR_COLORS_NONE:
		return -1;
	case CR_COLORS_8:
		return cr_palette_8(rgb);
	case CR_COLORS_256:
		return cr_palette_256(rgb);
	case CR_COLORS_DIRECT:
		/* Direct-colour terminals take 0 to 7 for the basic colours. */
		return rgb < 8 ? 0 : (int)rgb;
	}
	return -1;
}

/* All pairs used: forget them, and draw all afresh with new ones. */
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
	uint32_t at = cr_index_first(&c->pair_index, h), row;

	for (; (row = cr_index_row(&c->pair_index, &at, h)) != CR_NO_ROW;
		at = cr_index_next(&c->pair_index, at))
		if (c->pairs.p[row].fg == fg && c->pairs.p[row].bg == bg)
			return (int)row + 1;
	return 0;
}

/* The pair of two colours, made if need be; -1 when there is no room for another. */
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
	return COLORS >= 8 ? CR_COLORS_8 : CR_COLORS_NONE;
}

/* ---- drawing */

static bool
cell_same(const struct cr_cell *a, const struct cr_cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
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

/* False when there are no more colour pairs. */
static bool
draw_cell(struct curses_term *c, const struct cr_cell *cell, int x, int y)
{
	wchar_t text[2] = {(wchar_t)cell->ch, L'\0'};
	int pair = pair_of(c, cell->fg, cell->bg);
	cchar_t wide;

	if (pair < 0)
		return false;
	if (cell->ch < 32 || (cell->ch >= 127 && !c->term.unicode))
		text[0] = L'?';
	setcchar(&wide, text, attr_of(cell->attr), 0, &pair);
	mvadd_wch(y, x, &wide);
	return true;
}

static bool
draw_cells(struct curses_term *c, const struct cr_grid *g)
{
	for (int32_t y = 0; y < g->height; y++)
		for (int32_t x = 0; x < g->width; x++) {
			const size_t i = (size_t)y * (size_t)g->width + (size_t)x;
			const struct cr_cell *cell = &g->cells[i];

			if (!c->all && cell_same(cell, &c->shown.cells[i]))
				continue;
			/* The right half of a wide character comes with the left one. */
			if (cell->ch != 0 && !draw_cell(c, cell, x, y))
				return false;
		}
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
		/* Where a cursor that cannot be hidden is least in the way. */
		move(g->height - 1, g->width - 1);
	}
	refresh();
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

/* ---- input */

static const struct {
	int code;
	uint32_t key;
} function_keys[] = {
	{KEY_UP, CR_KEY_UP},
	{KEY_DOWN, CR_KEY_DOWN},
	{KEY_LEFT, CR_KEY_LEFT},
	{KEY_RIGHT, CR_KEY_RIGHT},
	{KEY_HOME, CR_KEY_HOME},
	{KEY_END, CR_KEY_END},
	{KEY_PPAGE, CR_KEY_PGUP},
	{KEY_NPAGE, CR_KEY_PGDN},
	{KEY_ENTER, CR_KEY_ENTER},
	{KEY_BACKSPACE, CR_KEY_BACKSPACE},
	{KEY_DC, CR_KEY_DELETE},
	{KEY_BTAB, CR_KEY_BACKTAB},
	{KEY_F(1), CR_KEY_F1},
	{KEY_RESIZE, CR_KEY_RESIZE},
	{KEY_FIND, CR_KEY_HOME},
	{KEY_SELECT, CR_KEY_END},
	{KEY_A1, CR_KEY_HOME},
	{KEY_C1, CR_KEY_END},
	{KEY_A3, CR_KEY_PGUP},
	{KEY_C3, CR_KEY_PGDN},
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

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/*
 * A click counts at once; one that follows it on the same cell is the second half of a double one.
 */
static enum cr_mouse
click_count(struct curses_term *c, int32_t x, int32_t y)
{
	const int64_t now = now_ms();
	const bool twice =
		x == c->clicked_x && y == c->clicked_y && now - c->clicked_ms <= DOUBLE_CLICK_MS;

	c->clicked_ms = twice ? now - DOUBLE_CLICK_MS - 1 : now; /* a third one starts anew */
	c->clicked_x = x;
	c->clicked_y = y;
	return twice ? CR_MOUSE_DOUBLE : CR_MOUSE_CLICK;
}

static void
read_mouse(struct curses_term *c, struct cr_input_event *out)
{
	MEVENT e;

	if (getmouse(&e) == ERR)
		return;
	out->key = CR_KEY_MOUSE;
	out->x = e.x;
	out->y = e.y;
	if (e.bstate & BUTTON1_PRESSED)
		out->mouse = click_count(c, e.x, e.y);
	else if (e.bstate & BUTTON3_PRESSED)
		out->mouse = CR_MOUSE_RIGHT;
	else if (e.bstate & BUTTON4_PRESSED)
		out->mouse = CR_MOUSE_WHEEL_UP;
	else if (e.bstate & BUTTON5_PRESSED)
		out->mouse = CR_MOUSE_WHEEL_DOWN;
	else
		out->key = CR_KEY_NONE;
}

static void
decode_key(struct curses_term *c, int rc, wint_t ch, struct cr_input_event *out)
{
	if (rc == KEY_CODE_YES) {
		if (ch == KEY_MOUSE) {
			read_mouse(c, out);
			return;
		}
		for (size_t i = 0; i < CR_LEN(function_keys); i++)
			if (function_keys[i].code == (int)ch)
				out->key = function_keys[i].key;
		/* The memory of what is shown is of the size before. */
		if (ch == KEY_RESIZE)
			c->all = true;
		return;
	}
	out->key = ch < CR_KEY_NONE ? (uint32_t)ch : CR_KEY_NONE;
	for (size_t i = 0; i < CR_LEN(control_keys); i++)
		if (control_keys[i].ch == ch)
			out->key = control_keys[i].key;
}

static int
input_fd(const struct curses_term *c)
{
	return c->in ? fileno(c->in) : STDIN_FILENO;
}

/*
 * Sleep until there is input or a signal; false when there will be no more input. Signals come in
 * only here, so none is missed.
 */
static bool
input_wait(const struct curses_term *c)
{
	const int fd = input_fd(c);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int bytes = 0;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	if (pselect(fd + 1, &set, NULL, NULL, NULL, &c->open_mask) <= 0)
		return errno == EINTR;
	/* Readable with nothing to read is how the end looks. */
	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))
		return false;
	return ioctl(fd, FIONREAD, &bytes) < 0 || bytes > 0;
}

/* What signals have left to be told; CR_KEY_NONE for nothing. */
static uint32_t
read_signal(struct curses_term *c)
{
	if (asked_to_leave)
		return CR_KEY_HANGUP;
	if (interrupted) {
		interrupted = 0;
		return CR_KEY_INTERRUPT;
	}
	if (continued) {
		/* Stopped from outside: the shell has put the terminal into its own mode. */
		continued = 0;
		reset_prog_mode();
		curses_redraw(&c->term);
		return CR_KEY_RESIZE;
	}
	return CR_KEY_NONE;
}

static void
curses_read(struct cr_term *t, struct cr_input_event *out)
{
	struct curses_term *c = (struct curses_term *)t;
	wint_t ch;
	int rc;

	do {
		*out = (struct cr_input_event){.key = read_signal(c)};
		if (out->key != CR_KEY_NONE)
			return;
		rc = get_wch(&ch);
		if (rc != ERR) {
			decode_key(c, rc, ch, out);
			return;
		}
	} while (input_wait(c));
	out->key = CR_KEY_HANGUP;
}

/* ---- signals */

static void
signals_take(struct curses_term *c)
{
	static const int taken[] = {SIGTERM, SIGHUP, SIGINT, SIGWINCH, SIGCONT};
	struct sigaction leave = {.sa_handler = on_leave}, interrupt = {.sa_handler = on_interrupt};
	struct sigaction go_on = {.sa_handler = on_continue};
	sigset_t block;

	asked_to_leave = interrupted = continued = 0;
	sigemptyset(&leave.sa_mask);
	sigemptyset(&interrupt.sa_mask);
	sigemptyset(&go_on.sa_mask);
	sigaction(SIGTERM, &leave, &c->saved_term);
	sigaction(SIGHUP, &leave, &c->saved_hup);
	sigaction(SIGINT, &interrupt, &c->saved_int);
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
	sigaction(SIGTERM, &c->saved_term, NULL);
	sigaction(SIGHUP, &c->saved_hup, NULL);
	sigaction(SIGINT, &c->saved_int, NULL);
	sigaction(SIGCONT, &c->saved_cont, NULL);
}

/* The whole job stops, as the terminal itself would do it: what pipes into us too. */
static void
curses_suspend(struct cr_term *t)
{
	struct sigaction by_default = {.sa_handler = SIG_DFL}, saved;

	def_prog_mode();
	endwin();
	sigemptyset(&by_default.sa_mask);
	sigaction(SIGTSTP, &by_default, &saved);
	kill(0, SIGTSTP);
	/* Here again after SIGCONT. */
	sigaction(SIGTSTP, &saved, NULL);
	reset_prog_mode();
	curses_redraw(t);
	/* The window may have changed meanwhile, and the signal that says so gone to nobody. */
	raise(SIGWINCH);
}

/* ---- open and close */

static void
curses_close(struct cr_term *t)
{
	struct curses_term *c = (struct curses_term *)t;

	if (c->screen) {
		curs_set(1);
		endwin();
		delscreen(c->screen);
	}
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

/* "xterm-256color" to "xterm-direct": the same terminal with all colours, if it is known here. */
static char *
direct_type(const char *type)
{
	static const char ending[] = "-256color";
	const char *says = getenv("COLORTERM");
	const size_t len = strlen(type), cut = sizeof(ending) - 1;
	struct cr_text name = {0};
	int found;

	if (!says || (strcmp(says, "truecolor") != 0 && strcmp(says, "24bit") != 0))
		return NULL;
	if (len <= cut || strcmp(type + len - cut, ending) != 0)
		return NULL;
	cr_text_put(&name, type, len - cut);
	cr_text_puts(&name, "-direct");
	if (setupterm(name.p, STDOUT_FILENO, &found) == OK)
		return name.p;
	cr_text_fini(&name);
	return NULL;
}

static bool
has_cursor_addressing(void)
{
	const char *cup = tigetstr("cup");

	return cup && cup != (char *)-1;
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
	idlok(stdscr, TRUE); /* scrolling a table is a line, not a screen, over a slow link */
	set_escdelay(ESCAPE_MS);
	mousemask(BUTTON1_PRESSED | BUTTON3_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
}

/*
 * Keys from the terminal even when standard input is a pipe, and pictures when standard output is.
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
screen_open(struct curses_term *c, struct cr_err *err)
{
	const char *type = getenv("TERM");
	char *direct = type ? direct_type(type) : NULL;

	c->screen = newterm(direct, c->out ? c->out : stdout, c->in ? c->in : stdin);
	free(direct);
	if (!c->screen)
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "unknown terminal type '%.40s' (TERM)",
			type ? type : "");
	if (!has_cursor_addressing())
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
		.redraw = curses_redraw,
		.suspend = curses_suspend,
		.close = curses_close};
	c->all = true;
	setlocale(LC_CTYPE, "");
	c->term.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* Before curses, which sets handlers of its own where there are none. */
	signals_take(c);
	if ((rc = files_open(c, err)) < 0 || (rc = screen_open(c, err)) < 0) {
		curses_close(&c->term);
		return rc;
	}
	atexit(restore_at_exit);
	modes_set();
	c->term.colors = colors_detect(c);
	*out = &c->term;
	return CR_OK;
}
