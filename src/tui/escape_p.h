#ifndef CR_TUI_ESCAPE_P_H
#define CR_TUI_ESCAPE_P_H

#include "tui/term.h"

/*
 * Decodes keys sent as escape sequences, even if terminfo does not list them: both forms of the
 * cursor keys (ESC [ A and ESC O A), numbered keys of the VT220 and rxvt, function keys of the
 * Linux console. Modifiers are ignored: Ctrl-Up is Up. Feed it what follows an ESC, one character
 * at a time.
 */
struct cr_escape {
	uint32_t text[32]; /* characters so far */
	size_t n;
	uint32_t key; /* of a complete sequence: CR_KEY_OTHER if it is unknown */
};

enum cr_escape_step {
	CR_ESCAPE_NONE, /* no sequence: ESC is the key Esc, followed by the characters as keys */
	CR_ESCAPE_MORE, /* the start of a sequence */
	CR_ESCAPE_DONE, /* a complete sequence */
};

/* All zero bytes is the state after an ESC. */
enum cr_escape_step cr_escape_feed(struct cr_escape *e, uint32_t ch);

#endif
