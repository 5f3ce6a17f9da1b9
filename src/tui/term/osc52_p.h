#ifndef CR_TUI_OSC52_P_H
#define CR_TUI_OSC52_P_H

#include "base/text.h"

/* What is between the program and the terminal with the clipboard. */
enum cr_osc52_through {
	CR_OSC52_DIRECT,
	CR_OSC52_TMUX,
	CR_OSC52_SCREEN,
};

/* According to the environment: $TMUX or $STY is set. */
enum cr_osc52_through cr_osc52_through(void);

/*
 * Append the sequence OSC 52, with which a terminal copies a text to the clipboard. It is ended by
 * BEL. tmux gets it twice: for itself, which works with `set-clipboard on`, and passed through to
 * its terminal, which works with `allow-passthrough on`. screen gets it in pieces of at most 256
 * bytes, which it passes through.
 */
void cr_osc52_put(struct cr_str text, enum cr_osc52_through through, struct cr_text *out);

#endif
