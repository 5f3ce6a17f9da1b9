#ifndef CR_TUI_KEYMAP_P_H
#define CR_TUI_KEYMAP_P_H

#include "session/session.h"
#include "tui/term.h"

#define CR_CTRL(c) ((uint32_t)(c)&31)

/*
 * What keys do. The help and the labels of the bottom line are made from this table, so they
 * cannot say anything else.
 */
#define CR_BINDING_KEYS 4
#define CR_KEYMAP_PAGE (1u << 31) /* in a page of text */

struct cr_binding {
	const char *group;              /* heading in the help */
	uint32_t keys[CR_BINDING_KEYS]; /* 0 where there are fewer */
	const char *line;  /* a line for the session, or a word of the browser (tui.c) */
	const char *about; /* for the help */
	const char *label; /* on the bottom line; NULL for none */
	unsigned views; /* where it does something: bits of enum cr_session_view, CR_KEYMAP_PAGE */
	bool at_right;  /* the label stands at the right end, where there always is room */
};

const struct cr_binding *cr_keymap_at(size_t i); /* NULL past the last */
/* The binding of a key in a page of text, or in the views; NULL for none. */
const struct cr_binding *cr_keymap_find(uint32_t key, bool page);

/* What is printed on the key: "Up", "Enter", "Ctrl-R", "/". */
void cr_keymap_name(uint32_t key, struct cr_text *out);

/* Words that a line may be beside the session's commands: the browser's own. NULL past the last. */
const char *cr_tui_word_at(size_t i);
/* The words of a page of text, which only keys can run. NULL past the last. */
const char *cr_tui_page_word_at(size_t i);

/* The mouse; CR_MOUSE_CLICK and CR_MOUSE_DOUBLE select what they hit first. */
struct cr_mouse_binding {
	enum cr_mouse mouse;
	const char *name;
	const char *line; /* "" for nothing but the selection */
	const char *about;
};

const struct cr_mouse_binding *cr_keymap_mouse_at(
	size_t i); /* NULL past the last; by enum cr_mouse */

#endif
