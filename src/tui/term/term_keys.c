#include "term_keys_p.h"

#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>

/*
 * How long after an ESC byte the rest of a key may come, in ms: enough for what was sent as one
 * key.
 */
#define ESCAPE_MS 25
#define DOUBLE_CLICK_MS 400

int64_t
cr_term_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void
cr_term_keys_open(struct cr_term_keys *k, int fd)
{
	*k = (struct cr_term_keys){.fd = fd, .pad = newpad(1, 1)};
	raw();
	noecho();
	nonl();
	intrflush(k->pad, FALSE);
	keypad(k->pad, TRUE);
	nodelay(k->pad, TRUE);
	set_escdelay(ESCAPE_MS);
	keyok(KEY_MOUSE, FALSE); /* see the modes in term_curses.c */
}

void
cr_term_keys_close(struct cr_term_keys *k)
{
	if (k->pad)
		delwin(k->pad);
}

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
click_count(struct cr_term_keys *k, int32_t x, int32_t y)
{
	const int64_t now = cr_term_now_ms();
	const bool twice =
		x == k->clicked_x && y == k->clicked_y && now - k->clicked_ms <= DOUBLE_CLICK_MS;

	k->clicked_ms = twice ? now - DOUBLE_CLICK_MS - 1 : now; /* a third click starts again */
	k->clicked_x = x;
	k->clicked_y = y;
	return twice ? CR_MOUSE_DOUBLE : CR_MOUSE_CLICK;
}

/* Ignore reports while the mouse is off, and those outside the screen. */
static void
read_mouse(struct cr_term_keys *k, struct cr_input_event *out)
{
	if (!k->mouse || k->escape.x < 0 || k->escape.x >= COLS || k->escape.y < 0 ||
		k->escape.y >= LINES) {
		out->key = CR_KEY_NONE;
		return;
	}
	out->x = k->escape.x;
	out->y = k->escape.y;
	out->mouse = k->escape.mouse == CR_MOUSE_CLICK ? click_count(k, out->x, out->y)
						       : k->escape.mouse;
}

/* Keys that curses has no code for, such as those with modifiers: decode what they send. */
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
decode_key(const struct cr_term_keys *k, int rc, wint_t ch, struct cr_input_event *out)
{
	if (rc != KEY_CODE_YES) {
		out->key = k->pasting ? (uint32_t)ch : character_key(ch);
		out->pasted = k->pasting;
	} else {
		out->key = function_key((int)ch);
		if (k->pasting && ch != KEY_RESIZE) /* a sequence in pasted text is not a key */
			out->key = CR_KEY_NONE;
	}
}

/* Read a character; in a mouse report, a byte. */
static int
get_character(const struct cr_term_keys *k, wint_t *ch)
{
	int byte;

	if (!cr_escape_wants_bytes(&k->escape))
		return wget_wch(k->pad, ch);
	byte = wgetch(k->pad);
	*ch = (wint_t)byte;
	return byte == ERR ? ERR : byte > UINT8_MAX ? KEY_CODE_YES : OK;
}

/* The next character of an escape sequence; false if none comes. */
static bool
escape_next(const struct cr_term_keys *k, wint_t *ch)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};
	int rc = get_character(k, ch);

	if (rc == ERR && poll(&p, 1, ESCAPE_MS) > 0)
		rc = get_character(k, ch);
	if (rc == KEY_CODE_YES)
		ungetch((int)*ch);
	return rc == OK;
}

/*
 * Decode what follows an ESC that curses could not turn into a key: a sequence missing in terminfo.
 * If it is none, its characters are keys.
 */
static void
read_escape(struct cr_term_keys *k, struct cr_input_event *out)
{
	enum cr_escape_step step = CR_ESCAPE_MORE;
	wint_t ch;

	k->escape = (struct cr_escape){0};
	while (step == CR_ESCAPE_MORE && escape_next(k, &ch))
		step = cr_escape_feed(&k->escape, (uint32_t)ch);
	out->key = k->pasting ? CR_KEY_NONE : CR_KEY_ESC;
	k->escape_at = 0;
	if (step != CR_ESCAPE_DONE)
		return;
	k->escape_at = k->escape.n;
	out->key = k->escape.key;
	if (out->key == CR_KEY_PASTE || out->key == CR_KEY_PASTE_END) {
		k->pasting = out->key == CR_KEY_PASTE;
		out->key = CR_KEY_NONE;
	} else if (k->pasting) {
		out->key = CR_KEY_NONE;
	} else if (out->key == CR_KEY_MOUSE) {
		read_mouse(k, out);
	}
}

/* First the characters of an invalid sequence; only the last of them can be an ESC. */
static int
next_character(struct cr_term_keys *k, wint_t *ch)
{
	if (k->escape_at >= k->escape.n)
		return wget_wch(k->pad, ch);
	*ch = (wint_t)k->escape.text[k->escape_at++];
	return OK;
}

bool
cr_term_keys_next(struct cr_term_keys *k, struct cr_input_event *out)
{
	wint_t ch;
	const int rc = next_character(k, &ch);

	*out = (struct cr_input_event){.key = CR_KEY_NONE};
	if (rc == OK && ch == 27)
		read_escape(k, out);
	else if (rc != ERR)
		decode_key(k, rc, ch, out);
	return rc != ERR;
}

bool
cr_term_keys_waits(const struct cr_term_keys *k)
{
	struct pollfd p = {.fd = k->fd, .events = POLLIN};

	return k->escape_at < k->escape.n || poll(&p, 1, 0) > 0;
}

enum cr_term_wait
cr_term_keys_wait(
	const struct cr_term_keys *k, int other, const struct timespec *time, const sigset_t *mask)
{
	const int fd = k->fd;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int bytes = 0, n;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	if (other >= 0)
		FD_SET(other, &set);
	n = pselect(CR_MAX(fd, other) + 1, &set, NULL, NULL, time, mask);
	if (n < 0)
		return errno == EINTR ? CR_WAIT_INPUT : CR_WAIT_END;
	if (n == 0 || !FD_ISSET(fd, &set))
		return CR_WAIT_OTHER;
	/* Readable without data means that the terminal was closed. */
	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))
		return CR_WAIT_END;
	return ioctl(fd, FIONREAD, &bytes) < 0 || bytes > 0 ? CR_WAIT_INPUT : CR_WAIT_END;
}
