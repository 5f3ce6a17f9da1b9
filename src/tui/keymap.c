#include "keymap_p.h"

#include "base/mem.h"
#include "base/utf8.h"

#define FLAME (1u << CR_VIEW_FLAME)
#define TABLE (1u << CR_VIEW_FUNCTIONS)
#define BOTH (FLAME | TABLE)
#define PAGE CR_KEYMAP_PAGE

/* Labels fill the bottom line in this order, as far as there is room. */
static const struct cr_binding bindings[] = {
	{"Views", {'1'}, "view flame", "the flame graph", "Flame", BOTH, false},
	{"Views", {'2'}, "view functions", "the table of functions", "Functions", BOTH, false},
	{"Views", {CR_KEY_TAB}, "view next", "the next view", NULL, BOTH, false},
	{"Views", {CR_KEY_BACKTAB}, "view previous", "the view before", NULL, BOTH, false},
	{"Views", {'!'}, "print recording",
		"the recording: what is known of it, and what is missing", NULL, BOTH, false},
	{"Views", {' '}, "details", "everything about what is selected, with its callers", NULL,
		BOTH, false},

	{"Search", {'/'}, "ask-search", "search function names by a regular expression", "search",
		BOTH, false},
	{"Search", {'n'}, "next", "the next match", NULL, BOTH, false},
	{"Search", {'N'}, "previous", "the match before", NULL, BOTH, false},
	{"Search", {'*'}, "search-name", "where else is the selected function", NULL, BOTH, false},

	{"Zoom", {CR_KEY_ENTER}, "open",
		"zoom into the frame; in the table: show the function in the flame graph", "zoom",
		BOTH, false},
	{"Zoom", {CR_KEY_ESC}, "back", "forget a message, then the search, then zoom out", "back",
		BOTH, false},
	{"Zoom", {CR_KEY_BACKSPACE}, "out", "zoom out to where one was", NULL, BOTH, false},
	{"Zoom", {'0'}, "reset", "zoom out all the way", NULL, BOTH, false},
	{"Zoom", {'u'}, "undo", "undo the last zoom, filter, search, view, event or selection",
		NULL, BOTH, false},
	{"Zoom", {CR_CTRL('R')}, "redo", "take back an undo", NULL, BOTH, false},

	{"Filter", {'f'}, "focus", "only stacks with the selected function", NULL, BOTH, false},
	{"Filter", {'H'}, "merge", "hide the selected function: what it costs is its callers'",
		NULL, BOTH, false},
	{"Filter", {'x'}, "drop", "leave out the stacks with the selected function", NULL, BOTH,
		false},
	{"Filter", {'v'}, "invert", "sampled functions first, their callers on them; again: back",
		NULL, BOTH, false},
	{"Filter", {'r'}, "recursion",
		"a function that calls itself is one frame; again: also over others; again: back",
		NULL, BOTH, false},
	{"Filter", {'&'}, "ask-filter",
		"any other filter: comm, time, object, group ..., see below", "filter", BOTH,
		false},

	{"Select", {CR_KEY_UP, 'k'}, "up", "the frame or line above", NULL, BOTH, false},
	{"Select", {CR_KEY_DOWN, 'j'}, "down", "the one below", NULL, BOTH, false},
	{"Select", {CR_KEY_LEFT, 'h'}, "left", "the frame to the left", NULL, FLAME, false},
	{"Select", {CR_KEY_RIGHT, 'l'}, "right", "the frame to the right", NULL, FLAME, false},
	{"Select", {CR_KEY_PGUP}, "page-up", "a screenful up", NULL, BOTH, false},
	{"Select", {CR_KEY_PGDN}, "page-down", "a screenful down", NULL, BOTH, false},
	{"Select", {CR_KEY_HOME}, "first", "the leftmost frame of the row; the first line", NULL,
		BOTH, false},
	{"Select", {CR_KEY_END}, "last", "the rightmost frame of the row; the last line", NULL,
		BOTH, false},
	{"Select", {'g'}, "top", "all the way up", NULL, BOTH, false},
	{"Select", {'G'}, "bottom", "all the way down", NULL, BOTH, false},
	{"Select", {'>'}, "child",
		"the costliest frame that stands on this one: again and again, the hot path", NULL,
		FLAME, false},
	{"Select", {'<'}, "parent", "the frame that this one stands on", NULL, FLAME, false},

	{"Do", {'w'}, "ask-write", "write what is shown to a file: x.svg, x.folded ...", "write",
		BOTH, false},
	{"Do", {'i'}, "root toggle", "root at the bottom or at the top", "root", FLAME, false},
	{"Do", {'s'}, "sort next", "sort the table by the next column", "sort", TABLE, false},
	{"Do", {'S'}, "sort previous", "sort it by the column before", NULL, TABLE, false},
	{"Do", {'R'}, "reverse", "turn its order round", "reverse", TABLE, false},
	{"Do", {']'}, "event next", "the next event of the recording", "event", BOTH, false},
	{"Do", {'['}, "event previous", "the event before", NULL, BOTH, false},
	{"Do", {'c'}, "palette next", "colour frames by another rule", "colours", FLAME, false},
	{"Do", {':'}, "ask-command", "run a command, see below; Tab completes, Up goes back",
		"command", BOTH, false},
	{"Do", {'?', CR_KEY_F1}, "help", "this help; the same key closes it", "help", BOTH | PAGE,
		true},
	{"Do", {'q'}, "close", "leave", "quit", BOTH, true},
	{"Do", {'Q'}, "quit", "leave at once", NULL, BOTH | PAGE, false},
	{"Do", {CR_KEY_INTERRUPT}, "interrupt", "leave at once; a loop of the shell ends, too",
		NULL, BOTH | PAGE, false},
	{"Do", {CR_CTRL('L')}, "redraw", "draw the screen afresh", NULL, BOTH | PAGE, false},
	{"Do", {CR_CTRL('Z')}, "suspend", "stop; the shell's fg comes back", NULL, BOTH | PAGE,
		false},

	{"Pages", {CR_KEY_UP, 'k'}, "line-up", "a line up", NULL, PAGE, false},
	{"Pages", {CR_KEY_DOWN, 'j'}, "line-down", "a line down", NULL, PAGE, false},
	{"Pages", {CR_KEY_PGUP, 'b'}, "screen-up", "a screenful up", NULL, PAGE, false},
	{"Pages", {CR_KEY_PGDN, ' '}, "screen-down", "a screenful down", NULL, PAGE, false},
	{"Pages", {CR_KEY_HOME, 'g'}, "start", "to the start", NULL, PAGE, false},
	{"Pages", {CR_KEY_END, 'G'}, "end", "to the end", NULL, PAGE, false},
	{"Pages", {CR_KEY_LEFT, 'h'}, "left", "scroll left", NULL, PAGE, false},
	{"Pages", {CR_KEY_RIGHT, 'l'}, "right",
		"scroll right; long lines are then cut, not wrapped", NULL, PAGE, false},
	{"Pages", {'w'}, "wrap", "wrap long lines, or cut them", "wrap", PAGE, false},
	{"Pages", {'/'}, "find", "search the page by a regular expression", "search", PAGE, false},
	{"Pages", {'n'}, "find-next", "the next line that matches", "next", PAGE, false},
	{"Pages", {'N'}, "find-previous", "the line before that matches", NULL, PAGE, false},
	{"Pages", {'c'}, "legend", "what colours and widths mean", "colours", PAGE, false},
	{"Pages", {CR_KEY_ESC}, "back", "forget the search, then close the page", NULL, PAGE,
		false},
	{"Pages", {'q', CR_KEY_ENTER, CR_KEY_BACKSPACE}, "close", "close the page", "close", PAGE,
		true},
};

static const struct cr_mouse_binding mice[] = {
	[CR_MOUSE_CLICK] = {CR_MOUSE_CLICK, "Click", "",
		"select; on a label or the head of a column: do it"},
	[CR_MOUSE_DOUBLE] = {CR_MOUSE_DOUBLE, "Double click", "open", "zoom in"},
	[CR_MOUSE_WHEEL_UP] = {CR_MOUSE_WHEEL_UP, "Wheel up", "scroll -3", "scroll up"},
	[CR_MOUSE_WHEEL_DOWN] = {CR_MOUSE_WHEEL_DOWN, "Wheel down", "scroll 3", "scroll down"},
	[CR_MOUSE_RIGHT] = {CR_MOUSE_RIGHT, "Right click", "out", "zoom out to where one was"},
};

static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{CR_KEY_UP, "Up"},
	{CR_KEY_DOWN, "Down"},
	{CR_KEY_LEFT, "Left"},
	{CR_KEY_RIGHT, "Right"},
	{CR_KEY_HOME, "Home"},
	{CR_KEY_END, "End"},
	{CR_KEY_PGUP, "PgUp"},
	{CR_KEY_PGDN, "PgDn"},
	{CR_KEY_ENTER, "Enter"},
	{CR_KEY_ESC, "Esc"},
	{CR_KEY_BACKSPACE, "Backspace"},
	{CR_KEY_DELETE, "Del"},
	{CR_KEY_TAB, "Tab"},
	{CR_KEY_BACKTAB, "Shift-Tab"},
	{CR_KEY_F1, "F1"},
	{CR_KEY_INTERRUPT, "Ctrl-C"},
	{' ', "Space"},
	{CR_KEY_INSERT, "Insert"},
	{CR_KEY_OTHER, "this key"},
};

const struct cr_binding *
cr_keymap_at(size_t i)
{
	return i < CR_LEN(bindings) ? &bindings[i] : NULL;
}

const struct cr_binding *
cr_keymap_find(uint32_t key, bool page)
{
	if (!key)
		return NULL;
	for (size_t i = 0; i < CR_LEN(bindings); i++)
		for (size_t k = 0; k < CR_BINDING_KEYS; k++)
			if (bindings[i].keys[k] == key && bindings[i].views & (page ? PAGE : BOTH))
				return &bindings[i];
	return NULL;
}

const struct cr_mouse_binding *
cr_keymap_mouse_at(size_t i)
{
	return i < CR_LEN(mice) ? &mice[i] : NULL;
}

void
cr_keymap_name(uint32_t key, struct cr_text *out)
{
	char utf8[4];

	for (size_t i = 0; i < CR_LEN(names); i++) {
		if (names[i].key != key)
			continue;
		cr_text_puts(out, names[i].name);
		return;
	}
	if (key > CR_KEY_F1 && key <= CR_KEY_F12)
		cr_text_printf(out, "F%d", (int)(key - CR_KEY_F1) + 1);
	else if (key < 32)
		cr_text_printf(out, "Ctrl-%c", (int)key + 'A' - 1);
	else
		cr_text_put(out, utf8, cr_utf8_encode(key, utf8));
}
