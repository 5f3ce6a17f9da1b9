#ifndef CR_TUI_ESCAPE_P_H
#define CR_TUI_ESCAPE_P_H

#include "tui/term.h"

/*
 * Decodes keys sent as escape sequences, even if terminfo does not list them: both forms of the
 * cursor keys (ESC [ A and ESC O A), numbered keys of the VT220 and rxvt, function keys of the
 * Linux console, and reports of the mouse in both encodings (X10 and SGR). Modifiers are ignored:
 * Ctrl-Up is Up. Feed it what follows an ESC, one character at a time.
 */
struct cr_escape {
	uint32_t text[32]; /* characters so far */
	size_t n;
	uint32_t key; /* of a complete sequence: CR_KEY_OTHER if it is unknown */
	/* With CR_KEY_MOUSE. A click is reported as CR_MOUSE_CLICK, the second of two as well. */
	enum cr_mouse mouse;
	int32_t x, y; /* the cell, from 0; -1 if the report has 0 or nothing */
};

enum cr_escape_step {
	CR_ESCAPE_NONE, /* no sequence: ESC is the key Esc, followed by the characters as keys */
	CR_ESCAPE_MORE, /* the start of a sequence */
	CR_ESCAPE_DONE, /* a complete sequence */
};

/* All zero bytes is the state after an ESC. */
enum cr_escape_step cr_escape_feed(struct cr_escape *e, uint32_t ch);

/*
 * True if the next characters are bytes, not characters in the encoding of the terminal: they are
 * in mouse reports in the X10 encoding.
 */
bool cr_escape_wants_bytes(const struct cr_escape *e);

#endif
