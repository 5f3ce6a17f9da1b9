#ifndef CR_TUI_KEYMAP_P_H
#define CR_TUI_KEYMAP_P_H

#include "session/key.h"
#include "session/views/view.h"
#include "tui/term.h"

/*
 * Tables of keys beside those of the views. Each ends with a row whose line is NULL.
 */
enum cr_keymap_table {
	CR_KEYMAP_COMMON,     /* of all views */
	CR_KEYMAP_EVERYWHERE, /* of views and pages of text */
	CR_KEYMAP_PAGES,      /* of pages of text */
	CR_KEYMAP_PANES,      /* after Ctrl-W */
};

#define CR_KEYMAP_AFTER "Panes, after Ctrl-W"
#define CR_KEYMAP_LAST "Do" /* the last group of the common table */

/* A table of keys; static. */
const struct cr_binding *cr_keymap_table(enum cr_keymap_table which);

/* The line that the digit of view i runs, "view flame"; NULL past the last view. */
const char *cr_keymap_view_line(uint32_t view);

/* The row of a table with this key; NULL if none. The table may be NULL. */
const struct cr_binding *cr_keymap_in(const struct cr_binding *table, uint32_t key);

/*
 * The line that a key runs in a view: the view's own table is searched first, then the digits, then
 * the common tables. view NULL: in a page of text. NULL if there is none.
 */
const char *cr_keymap_find(const struct cr_view_ops *view, uint32_t key);

/* Append the name printed on the key: "Up", "Enter", "Ctrl-R", "/". */
void cr_keymap_name(uint32_t key, struct cr_text *out);

/*
 * The i-th word of the browser that a line may be, besides commands of the session. NULL past the
 * last.
 */
const char *cr_tui_word_at(size_t i);
/* The i-th word of a page of text, which only keys can run. NULL past the last. */
const char *cr_tui_page_word_at(size_t i);

/* Mouse actions; CR_MOUSE_CLICK and CR_MOUSE_DOUBLE first select what is under the pointer. */
struct cr_mouse_binding {
	enum cr_mouse mouse;
	const char *name;
	const char *line; /* "" if it only selects */
	const char *about;
};

/* NULL past the last; indexed by enum cr_mouse. */
const struct cr_mouse_binding *cr_keymap_mouse_at(size_t i);

#endif
