#ifndef CR_TUI_TERM_CAPS_P_H
#define CR_TUI_TERM_CAPS_P_H

#include "painter_p.h"

#include "base/text.h"

#include <stdio.h>

/* What the terminal that curses has opened can do, as terminfo describes it. */
struct cr_term_caps {
	struct cr_painter_terminal painter; /* borrows the sequences below */
	struct cr_text sequences[8];
	bool pastes; /* it marks pasted text */
	bool mouse;  /* it can report the mouse */
	bool titles; /* its window has a title */
};

struct screen; /* SCREEN of curses */

/*
 * newterm() for a terminal type. The terminfo database is used first; types that it lacks are built
 * in. NULL if the type is unknown.
 */
struct screen *cr_term_caps_screen(const char *type, FILE *out, FILE *in);

/* Fill *c from the present screen of curses; in UTF-8 or ASCII. The caller calls _fini(). */
void cr_term_caps_init(struct cr_term_caps *c, bool unicode);
void cr_term_caps_fini(struct cr_term_caps *c);

/* A capability as text; "" if the terminal lacks it. */
const char *cr_term_cap(const char *name);

/* Append a capability without the delays that old terminals needed: "$<5>". */
void cr_term_caps_put(struct cr_text *out, const char *s);

/* Append the sequence that moves the cursor to a cell. */
void cr_term_caps_go(int32_t x, int32_t y, struct cr_text *out);

#endif
