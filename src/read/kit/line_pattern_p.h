#ifndef CR_READ_KIT_LINE_PATTERN_P_H
#define CR_READ_KIT_LINE_PATTERN_P_H

#include "base/str.h"

#include <stdbool.h>

/*
 * Is all of s like the pattern? A character stands for itself, but for
 *
 *	%d  decimal digits, at least one, as many as there are
 *	%x  hexadecimal digits, the same
 *	%_  blanks (space, TAB), the same
 *	%*  anything, nothing too, as little as will do
 *	%%  a percent sign
 *
 * found[i] gets what stood for the pattern's i-th %; it has room for CR_LINE_PATTERN_FOUND, or is
 * NULL. Time grows with the length of s times that of what follows a %* up to the next.
 */
#define CR_LINE_PATTERN_FOUND 8u
bool cr_line_pattern(struct cr_str s, const char *pattern, struct cr_str *found);

#endif
