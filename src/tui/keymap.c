#include "keymap_p.h"

#include "base/mem.h"

/* Labels fill the bottom line in this order, as far as they fit; see cr_keymap_view_at(). */
static const struct cr_binding common[] = {
	{"Views", {CR_KEY_TAB}, "pane next",
		"go to the other pane; with one pane: show the next view", NULL, false},
	{"Views", {CR_KEY_BACKTAB}, "view previous", "show the previous view", NULL, false},
	{"Views", {CR_CTRL('W')}, "ask-pane", "split the screen; see the keys after Ctrl-W", NULL,
		false},
	{"Views", {'!'}, "print recording",
		"show all about the recording: what is wrong with it, how to record it better, "
		"what is missing, and what it says about itself",
		NULL, false},
	{"Views", {' '}, "details", "show everything about the selection, with its callers", NULL,
		false},

	{"Search", {'/'}, "ask-search", "search function names by a regular expression", "search",
		false},
	{"Search", {'n'}, "next", "select the next match", NULL, false},
	{"Search", {'N'}, "previous", "select the previous match", NULL, false},
	{"Search", {'L'}, "matches", "list the functions that match, with their costs; again: all",
		NULL, false},
	{"Search", {'*'}, "search-name", "mark the selected function everywhere", NULL, false},

	{"Zoom", {CR_KEY_ENTER}, "open",
		"zoom into the frame; in the table: show the function in the flame graph", "zoom",
		false},
	{"Zoom", {CR_KEY_ESC}, "back", "clear a message, then the search, then zoom out", "back",
		false},
	{"Zoom", {CR_KEY_BACKSPACE}, "out", "zoom out to where the last zoom came from", NULL,
		false},
	{"Zoom", {'0'}, "reset", "zoom out all the way", NULL, false},
	{"Zoom", {'u'}, "undo", "undo the last change of what is shown or selected", NULL, false},
	{"Zoom", {CR_CTRL('R')}, "redo", "redo what was undone", NULL, false},
	{"Zoom", {'m', '"'}, "ask bookmark add a bookmark, named: ",
		"add a bookmark for what is shown; it is stored with the profile", NULL, false},
	{"Zoom", {'\''}, "ask go go to bookmark (Tab lists them): ",
		"go to a bookmark; '' goes back", NULL, false},

	{"Filter", {'f'}, "focus", "show only stacks with the selected function", NULL, false},
	{"Filter", {'H'}, "merge", "merge the selected function into its callers, to hide it", NULL,
		false},
	{"Filter", {'x'}, "drop", "drop stacks with the selected function, to hide idle", NULL,
		false},
	{"Filter", {'v'}, "invert", "turn the stacks over: sampled functions first; again: back",
		NULL, false},
	{"Filter", {'r'}, "recursion", "merge direct recursion; again: all recursion; again: none",
		NULL, false},
	{"Filter", {'&'}, "ask-filter", "add a filter: comm, time, dso, group ..., see below",
		"filter", false},

	{"Difference", {'d'}, "next-change", "select the function with the next smaller change",
		NULL, false},
	{"Difference", {'D'}, "previous-change", "select the one with the next larger change", NULL,
		false},
	{"Difference", {'z'}, "changes next",
		"show noise in grey; show only what changed; colour every difference", NULL, false},
	{"Difference", {'t'}, "change-of next", "changes of self cost, or of total cost", NULL,
		false},
	{"Difference", {'B'}, "widths next",
		"widths of the flame graph: the larger side, before, after", NULL, false},
	{"Difference", {'X'}, "swap", "exchange before and after", NULL, false},

	{"Select", {CR_KEY_UP, 'k'}, "up", "select the frame or line above", NULL, false},
	{"Select", {CR_KEY_DOWN, 'j'}, "down", "select the frame or line below", NULL, false},
	{"Select", {CR_KEY_PGUP}, "page-up", "move one screen up", NULL, false},
	{"Select", {CR_KEY_PGDN}, "page-down", "move one screen down", NULL, false},
	{"Select", {CR_KEY_HOME}, "first", "select the leftmost frame of the row; the first line",
		NULL, false},
	{"Select", {CR_KEY_END}, "last", "select the rightmost frame of the row; the last line",
		NULL, false},
	{"Select", {'g'}, "top", "move to the top", NULL, false},
	{"Select", {'G'}, "bottom", "move to the bottom", NULL, false},

	{"Select", {')'}, "sample next",
		"select the stack and the thread of the next sample in time", NULL, false},
	{"Select", {'('}, "sample previous", "the same of the previous sample", NULL, false},

	{CR_KEYMAP_LAST, {'y'}, "ask-copy",
		"copy to the clipboard: y the name, s the stack, a the address, l the source line, "
		"c a command line for this view",
		NULL, false},
	{CR_KEYMAP_LAST, {'E'}, "edit",
		"edit the source line of the selection with $VISUAL or $EDITOR", NULL, false},
	{CR_KEYMAP_LAST, {'w'}, "ask-write",
		"write what is shown to a file: x.svg, x.folded, x.txt, x.csv, x.json", "write",
		false},
	{CR_KEYMAP_LAST, {'M'}, "mouse toggle",
		"leave the mouse to the terminal, so that it selects text, or take it back", NULL,
		false},
	{CR_KEYMAP_LAST, {']'}, "event next", "show the next event of the recording", "event",
		false},
	{CR_KEYMAP_LAST, {'['}, "event previous", "show the previous event", NULL, false},
	{CR_KEYMAP_LAST, {':'}, "ask-command",
		"run a command, see below; Tab completes, Up goes back", "command", false},
	{CR_KEYMAP_LAST, {'q'}, "close", "quit", "quit", true},
	{0},
};

/* After Ctrl-W. */
static const struct cr_binding panes[] = {
	{CR_KEYMAP_AFTER, {'w', CR_CTRL('W'), CR_KEY_TAB}, "pane next", "go to the other pane",
		"other", false},
	{CR_KEYMAP_AFTER, {'v'}, "split beside", "show two panes side by side", "beside", false},
	{CR_KEYMAP_AFTER, {'s'}, "split below", "show two panes, one above the other", "below",
		false},
	{CR_KEYMAP_AFTER, {'q'}, "split none", "show only the current pane", "one", false},
	{CR_KEYMAP_AFTER, {'a'}, "split auto",
		"show two panes if the screen is wide, otherwise one", "auto", false},
	{CR_KEYMAP_AFTER, {'='}, "pane even", "make both panes the same size", "even", false},
	{CR_KEYMAP_AFTER, {'>', '+'}, "pane wider", "make the pane larger", "larger", false},
	{CR_KEYMAP_AFTER, {'<', '-'}, "pane narrower", "make the pane smaller", "smaller", false},
	{0},
};

/* In views and pages alike. */
static const struct cr_binding everywhere[] = {
	{CR_KEYMAP_LAST, {'?', CR_KEY_F1}, "help", "open or close this help", "help", true},
	{CR_KEYMAP_LAST, {'Q'}, "quit", "quit at once", NULL, false},
	{CR_KEYMAP_LAST, {CR_KEY_INTERRUPT}, "interrupt",
		"stop a long command; else quit and end a shell's loop", NULL, false},
	{CR_KEYMAP_LAST, {CR_CTRL('L')}, "redraw", "redraw the screen", NULL, false},
	{CR_KEYMAP_LAST, {CR_CTRL('Z')}, "suspend", "suspend; fg of the shell resumes", NULL,
		false},
	{0},
};

static const struct cr_binding pages[] = {
	{"Pages", {CR_KEY_UP, 'k'}, "line-up", "scroll one line up", NULL, false},
	{"Pages", {CR_KEY_DOWN, 'j'}, "line-down", "scroll one line down", NULL, false},
	{"Pages", {CR_KEY_PGUP, 'b'}, "screen-up", "scroll one screen up", NULL, false},
	{"Pages", {CR_KEY_PGDN, ' '}, "screen-down", "scroll one screen down", NULL, false},
	{"Pages", {CR_KEY_HOME, 'g'}, "start", "go to the start", NULL, false},
	{"Pages", {CR_KEY_END, 'G'}, "end", "go to the end", NULL, false},
	{"Pages", {CR_KEY_LEFT, 'h'}, "left", "scroll left", NULL, false},
	{"Pages", {CR_KEY_RIGHT, 'l'}, "right",
		"scroll right; long lines are then cut, not wrapped", NULL, false},
	{"Pages", {'w'}, "wrap", "wrap long lines, or cut them", "wrap", false},
	{"Pages", {'/'}, "find", "search the page by a regular expression", "search", false},
	{"Pages", {'n'}, "find-next", "go to the next matching line", "next", false},
	{"Pages", {'N'}, "find-previous", "go to the previous matching line", NULL, false},
	{"Pages", {'c'}, "legend", "show what colours and widths mean", "colours", false},
	{"Pages", {CR_KEY_ESC}, "back", "clear the search, then close the page", NULL, false},
	{"Pages", {'q', CR_KEY_ENTER, CR_KEY_BACKSPACE}, "close", "close the page", "close", true},
	{0},
};

/* What the digits of the views run, in the order of the views. */
#define VIEW(digit, name) "view " #name,
static const char *const view_lines[] = {
#include "session/views/views.def"
};
#undef VIEW

static const struct cr_mouse_binding mice[] = {
	[CR_MOUSE_CLICK] = {CR_MOUSE_CLICK, "Click", "",
		"select; on a label or the heading of a column: run it"},
	[CR_MOUSE_DOUBLE] = {CR_MOUSE_DOUBLE, "Double click", "open", "zoom in"},
	[CR_MOUSE_WHEEL_UP] = {CR_MOUSE_WHEEL_UP, "Wheel up", "scroll -3", "scroll up"},
	[CR_MOUSE_WHEEL_DOWN] = {CR_MOUSE_WHEEL_DOWN, "Wheel down", "scroll 3", "scroll down"},
	[CR_MOUSE_DRAG] = {CR_MOUSE_DRAG, "Drag", "", "move the line between two panes"},
	[CR_MOUSE_RIGHT] = {CR_MOUSE_RIGHT, "Right click", "out",
		"zoom out to where the last zoom came from"},
};

const struct cr_binding *
cr_keymap_table(enum cr_keymap_table which)
{
	switch (which) {
	case CR_KEYMAP_COMMON: return common;
	case CR_KEYMAP_EVERYWHERE: return everywhere;
	case CR_KEYMAP_PAGES: return pages;
	case CR_KEYMAP_PANES: return panes;
	}
	return NULL;
}

const char *
cr_keymap_view_line(uint32_t view)
{
	return view < CR_LEN(view_lines) ? view_lines[view] : NULL;
}

const struct cr_binding *
cr_keymap_in(const struct cr_binding *table, uint32_t key)
{
	for (; table && table->line; table++)
		for (size_t k = 0; key && k < CR_BINDING_KEYS; k++)
			if (table->keys[k] == key)
				return table;
	return NULL;
}

const char *
cr_keymap_find(const struct cr_view_ops *view, uint32_t key)
{
	const struct cr_binding *b = cr_keymap_in(view ? view->keys : pages, key);

	for (uint32_t i = 0; !b && view && cr_view_ops_at(i); i++)
		if (cr_view_key_at(i) == key)
			return cr_keymap_view_line(i);
	if (!b && view)
		b = cr_keymap_in(common, key);
	if (!b)
		b = cr_keymap_in(everywhere, key);
	return b ? b->line : NULL;
}

const struct cr_mouse_binding *
cr_keymap_mouse_at(size_t i)
{
	return i < CR_LEN(mice) ? &mice[i] : NULL;
}

void
cr_keymap_name(uint32_t key, struct cr_text *out)
{
	cr_key_put_name(key, out);
}
