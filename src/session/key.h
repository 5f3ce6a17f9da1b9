#ifndef CR_SESSION_KEY_H
#define CR_SESSION_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* Keys, as a terminal reports them and as tables of keys name them. */
enum cr_key {
	/* code points and ^A to ^_ (1 to 31) stand for themselves; the others lie above them */
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
	CR_KEY_OTHER, /* one without a name here */
	CR_KEY_MOUSE, /* see mouse */
	CR_KEY_RESIZE,
	CR_KEY_INTERRUPT, /* ^C */
	CR_KEY_HANGUP,    /* the terminal is gone: leave */
	CR_KEY_PASTE,
	CR_KEY_PASTE_END, /* what comes between is pasted; a terminal keeps these two to itself */
};

#define CR_CTRL(c) ((uint32_t)(c)&31)

#define CR_BINDING_KEYS 4

/*
 * What keys do: a row of a table. A view has a table of its own keys, which are looked up first;
 * the common ones are in tui/keymap.c. The help and the labels of the bottom line are made from
 * these tables. A table ends with a row of zeros.
 */
struct cr_binding {
	const char *group;              /* heading in the help */
	uint32_t keys[CR_BINDING_KEYS]; /* 0 where there are fewer */
	const char *line;  /* a line for the session, or a word of the browser (tui.c) */
	const char *about; /* for the help */
	const char *label; /* on the bottom line; NULL for none */
	bool at_right;     /* the label is at the right end, where there always is room */
};

#endif
