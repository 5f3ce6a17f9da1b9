#ifndef CR_TUI_ESCAPE_P_H
#define CR_TUI_ESCAPE_P_H

#include "tui/term.h"

/*
 * Keys that a terminal sends as an escape sequence, whatever its terminfo entry lists: both forms
 * of the cursor keys (ESC [ A and ESC O A), the numbered ones of the VT220 and of rxvt, the
 * function keys of the Linux console. Modifiers are left out: Ctrl-Up is Up. Feed it what comes
 * after an ESC, one character at a time.
 */
struct cr_escape {
	uint32_t text[32]; /* what was fed */
	size_t n;
	uint32_t key; /* of a sequence that is complete: CR_KEY_OTHER if nothing is known of it */
};

enum cr_escape_step {
	CR_ESCAPE_NONE, /* no sequence: ESC is the key Esc, and what was fed are keys after it */
	CR_ESCAPE_MORE, /* the start of one */
	CR_ESCAPE_DONE, /* it is complete */
};

/* All zero bytes is the state after an ESC. */
enum cr_escape_step cr_escape_feed(struct cr_escape *e, uint32_t ch);

#endif
