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

/* The first number of a sequence; the following ones are modifiers. */
static uint32_t
first_number(const struct cr_escape *e)
{
	uint32_t v = 0;

	for (size_t i = 1; i < e->n && e->text[i] >= '0' && e->text[i] <= '9' && v < 10000; i++)
		v = v * 10 + (e->text[i] - '0');
	return v;
}

static enum cr_escape_step
done(struct cr_escape *e, uint32_t key)
{
	e->key = key;
	return CR_ESCAPE_DONE;
}

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
	if (e->n > 2 && e->text[1] == 'M') /* an unrequested mouse click as three characters */
		return e->n == 5 ? done(e, CR_KEY_NONE) : CR_ESCAPE_MORE;
	if (is_bare(e) && (ch == '[' || ch == 'M'))
		return CR_ESCAPE_MORE;
	if (is_bare(e) && (ch == 'I' || ch == 'O')) /* the window got or lost the focus */
		return done(e, CR_KEY_NONE);
	if (ch == '~' || ch == '^' || ch == '@' || (ch == '$' && !is_bare(e)))
		return done(e, find(numbers, CR_LEN(numbers), first_number(e)));
	/* An unrequested answer or click. */
	if (ch >= '@' && ch <= '~' && e->text[1] >= '<' && e->text[1] <= '?')
		return done(e, CR_KEY_NONE);
	if (ch >= '@' && ch <= '~')
		return done(e,
			ch < 'a' || is_bare(e) ? find(letters, CR_LEN(letters), ch) : CR_KEY_OTHER);
	return ch >= ' ' && ch < '@' && e->n < CR_LEN(e->text) ? CR_ESCAPE_MORE : CR_ESCAPE_NONE;
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
