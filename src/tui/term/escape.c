#include "escape_p.h"

#include "base/mem.h"

struct code {
	uint32_t code, key;
};

/* ESC [ ... letter, and ESC O letter */
static const struct code letters[] = {
	{'A', CR_KEY_UP},
	{'B', CR_KEY_DOWN},
	{'C', CR_KEY_RIGHT},
	{'D', CR_KEY_LEFT},
	{'F', CR_KEY_END},
	{'H', CR_KEY_HOME},
	{'P', CR_KEY_F1},
	{'Q', CR_KEY_F1 + 1},
	{'R', CR_KEY_F1 + 2},
	{'S', CR_KEY_F1 + 3},
	{'Z', CR_KEY_BACKTAB},
	/* rxvt: with Shift, or after ESC O with Ctrl */
	{'a', CR_KEY_UP},
	{'b', CR_KEY_DOWN},
	{'c', CR_KEY_RIGHT},
	{'d', CR_KEY_LEFT},
};

/* ESC [ number ~ */
static const struct code numbers[] = {
	{1, CR_KEY_HOME},
	{2, CR_KEY_INSERT},
	{3, CR_KEY_DELETE},
	{4, CR_KEY_END},
	{5, CR_KEY_PGUP},
	{6, CR_KEY_PGDN},
	{7, CR_KEY_HOME},
	{8, CR_KEY_END},
	{11, CR_KEY_F1},
	{12, CR_KEY_F1 + 1},
	{13, CR_KEY_F1 + 2},
	{14, CR_KEY_F1 + 3},
	{15, CR_KEY_F1 + 4},
	{17, CR_KEY_F1 + 5},
	{18, CR_KEY_F1 + 6},
	{19, CR_KEY_F1 + 7},
	{20, CR_KEY_F1 + 8},
	{21, CR_KEY_F1 + 9},
	{23, CR_KEY_F1 + 10},
	{24, CR_KEY_F12},
	{200, CR_KEY_PASTE},
	{201, CR_KEY_PASTE_END},
};

/* ESC O character: the keypad in application mode */
static const struct code keypad[] = {
	{'M', CR_KEY_ENTER},
	{'I', CR_KEY_TAB},
	{' ', ' '},
	{'X', '='},
	{'j', '*'},
	{'k', '+'},
	{'l', ','},
	{'m', '-'},
	{'n', '.'},
	{'o', '/'},
	{'p', '0'},
	{'q', '1'},
	{'r', '2'},
	{'s', '3'},
	{'t', '4'},
	{'u', '5'},
	{'v', '6'},
	{'w', '7'},
	{'x', '8'},
	{'y', '9'},
};

static uint32_t
find(const struct code *table, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].code == code)
			return table[i].key;
	return CR_KEY_OTHER;
}

/* Parse the number at text[*at]; *at advances past it. */
static uint32_t
number_at(const struct cr_escape *e, size_t *at)
{
	uint32_t v = 0;

	for (; *at < e->n && e->text[*at] >= '0' && e->text[*at] <= '9' && v < 10000; ++*at)
		v = v * 10 + (e->text[*at] - '0');
	return v;
}

/* The first number of a sequence; the following ones are modifiers. */
static uint32_t
first_number(const struct cr_escape *e)
{
	size_t at = 1;

	return number_at(e, &at);
}

static enum cr_escape_step
done(struct cr_escape *e, uint32_t key)
{
	e->key = key;
	return CR_ESCAPE_DONE;
}

/* ---- reports of the mouse */

/* Bits of the first number of a report; the others are modifiers. */
enum {
	MOUSE_BUTTON = 3, /* 0 the first one, 2 the right one; 3 in X10: any was released */
	MOUSE_MOVED = 32,
	MOUSE_WHEEL = 64, /* then the button is 0 for up, 1 for down */
};

static bool
mouse_event(uint32_t what, bool released, enum cr_mouse *out)
{
	const uint32_t button = what & MOUSE_BUTTON;

	if (what & MOUSE_WHEEL)
		*out = button ? CR_MOUSE_WHEEL_DOWN : CR_MOUSE_WHEEL_UP;
	else if (what & MOUSE_MOVED)
		*out = CR_MOUSE_DRAG;
	else if (released || button == 3)
		*out = CR_MOUSE_RELEASE;
	else
		*out = button ? CR_MOUSE_RIGHT : CR_MOUSE_CLICK;
	if (what & MOUSE_WHEEL)
		return button < 2 && !released;
	return what & MOUSE_MOVED || released ? button == 0 : button != 1;
}

/* column and row: from 1 */
static enum cr_escape_step
mouse_done(struct cr_escape *e, uint32_t what, bool released, uint32_t column, uint32_t row)
{
	e->x = (int32_t)column - 1;
	e->y = (int32_t)row - 1;
	return done(e, mouse_event(what, released, &e->mouse) ? CR_KEY_MOUSE : CR_KEY_NONE);
}

/* ESC [ M, and three characters: what happened, column and row, each with 32 added */
static enum cr_escape_step
feed_x10(struct cr_escape *e)
{
	if (e->n < 5)
		return CR_ESCAPE_MORE;
	for (size_t i = 2; i < 5; i++)
		if (e->text[i] < ' ' || e->text[i] > UINT8_MAX)
			return done(e, CR_KEY_NONE);
	return mouse_done(e, e->text[2] - ' ', false, e->text[3] - ' ', e->text[4] - ' ');
}

/* ESC [ < what ; column ; row M, or m where a button was released */
static enum cr_escape_step
finish_sgr(struct cr_escape *e, uint32_t ch)
{
	uint32_t number[3];
	size_t at = 2;

	for (size_t i = 0; i < CR_LEN(number); i++, at++)
		number[i] = number_at(e, &at);
	if (ch != 'M' && ch != 'm')
		return done(e, CR_KEY_NONE);
	return mouse_done(e, number[0], ch == 'm', number[1], number[2]);
}

/* ---- keys */

/* ESC O, modifiers as digits in front of it, character */
static enum cr_escape_step
feed_keypad(struct cr_escape *e, uint32_t ch)
{
	uint32_t key;

	if (ch >= '0' && ch <= '9')
		return CR_ESCAPE_MORE;
	key = find(letters, CR_LEN(letters), ch);
	return done(e, key != CR_KEY_OTHER ? key : find(keypad, CR_LEN(keypad), ch));
}

static bool
is_bare(const struct cr_escape *e)
{
	return e->n == 2;
}

/* ESC [ parameters, final: between '@' and '~', but rxvt ends keys with Shift by '$' */
static enum cr_escape_step
feed_control(struct cr_escape *e, uint32_t ch)
{
	if (e->n > 2 && e->text[1] == '[') /* the Linux console: ESC [ [ A is F1, to E */
		return done(e, ch >= 'A' && ch <= 'E' ? CR_KEY_F1 + ch - 'A' : CR_KEY_OTHER);
	if (cr_escape_wants_bytes(e))
		return feed_x10(e);
	if (is_bare(e) && ch == '[')
		return CR_ESCAPE_MORE;
	if (is_bare(e) && (ch == 'I' || ch == 'O')) /* the window got or lost the focus */
		return done(e, CR_KEY_NONE);
	if (ch == '~' || ch == '^' || ch == '@' || (ch == '$' && !is_bare(e)))
		return done(e, find(numbers, CR_LEN(numbers), first_number(e)));
	if (ch >= '@' && ch <= '~' && e->text[1] == '<')
		return finish_sgr(e, ch);
	/* The terminal's reply to a query, which cresset never sends. */
	if (ch >= '@' && ch <= '~' && e->text[1] > '<' && e->text[1] <= '?')
		return done(e, CR_KEY_NONE);
	if (ch >= '@' && ch <= '~')
		return done(e,
			ch < 'a' || is_bare(e) ? find(letters, CR_LEN(letters), ch) : CR_KEY_OTHER);
	return ch >= ' ' && ch < '@' && e->n < CR_LEN(e->text) ? CR_ESCAPE_MORE : CR_ESCAPE_NONE;
}

bool
cr_escape_wants_bytes(const struct cr_escape *e)
{
	return e->n >= 2 && e->text[0] == '[' && e->text[1] == 'M';
}

enum cr_escape_step
cr_escape_feed(struct cr_escape *e, uint32_t ch)
{
	if (e->n == CR_LEN(e->text))
		return CR_ESCAPE_NONE;
	e->text[e->n++] = ch;
	if (e->n == 1)
		return ch == '[' || ch == 'O' ? CR_ESCAPE_MORE : CR_ESCAPE_NONE;
	return e->text[0] == 'O' ? feed_keypad(e, ch) : feed_control(e, ch);
}
