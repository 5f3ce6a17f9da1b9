#ifndef CR_SESSION_KEY_H
#define CR_SESSION_KEY_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Keys as reported by a terminal and used in tables of keys. */
enum cr_key {
	/* code points and ^A to ^_ (1 to 31) are themselves; the others are above them */
	CR_KEY_NONE = 0x110000,
	CR_KEY_UP,
	CR_KEY_DOWN,
	CR_KEY_LEFT,
	CR_KEY_RIGHT,
	CR_KEY_HOME,
	CR_KEY_END,
	CR_KEY_PGUP,
	CR_KEY_PGDN,
	CR_KEY_ENTER,
	CR_KEY_ESC,
	CR_KEY_BACKSPACE,
	CR_KEY_DELETE,
	CR_KEY_INSERT,
	CR_KEY_TAB,
	CR_KEY_BACKTAB,
	CR_KEY_F1,
	CR_KEY_F12 = CR_KEY_F1 + 11,
	CR_KEY_OTHER, /* a key without a name here */
	CR_KEY_MOUSE, /* see mouse */
	CR_KEY_RESIZE,
	CR_KEY_INTERRUPT, /* ^C */
	CR_KEY_HANGUP,    /* the terminal was closed: quit */
	CR_KEY_PASTE,
	CR_KEY_PASTE_END, /* events in between are pasted; a terminal does not pass these two on */
};

/* Append the name of a key: "Up", "Enter", "Ctrl-R", "F5", "Space", "/". */
void cr_key_put_name(uint32_t key, struct cr_text *out);

/* The key of a name; 0 if no key is called so. */
uint32_t cr_key_of_name(const char *name);

#define CR_CTRL(c) ((uint32_t)(c)&31)

#define CR_BINDING_KEYS 4

/*
 * A row of a table of keys. A view has its own table, which is searched first; the common one is in
 * tui/keymap.c. The help and the labels of the bottom line are made from these tables. A table ends
 * with a row of zeros.
 */
struct cr_binding {
	const char *group;              /* heading in the help */
	uint32_t keys[CR_BINDING_KEYS]; /* 0 for unused ones */
	const char *line;  /* a command of the session, or a word of the browser (tui.c) */
	const char *about; /* for the help */
	const char *label; /* on the bottom line; NULL for none */
	bool at_right;     /* the label is at the right end, where there is always space */
};

#endif
