#ifndef CR_TUI_TERMINFO_P_H
#define CR_TUI_TERMINFO_P_H

#include "base/text.h"

#include <stdbool.h>

/*
 * Descriptions of terminals that the terminfo database does not have. Both functions append a
 * value of the variable TERMINFO with which curses opens a terminal of this type: a compiled
 * description in hexadecimal digits, see "terminfo(5)".
 */

/*
 * The built-in description of a type, or of the family that its name begins with: "xterm",
 * "tmux", "screen", "linux", "vt100" and others. Returns false if there is none.
 */
bool cr_terminfo_builtin(const char *type, struct cr_text *out);

/*
 * The description that curses has loaded for this type, but with 24-bit colours: colour 0xRRGGBB
 * from 8 on is that colour, 0 to 7 are the basic ones.
 */
void cr_terminfo_direct(const char *type, struct cr_text *out);

#endif
