#ifndef CR_READ_KIT_LINE_PATTERN_P_H
#define CR_READ_KIT_LINE_PATTERN_P_H

#include "base/str.h"

#include <stdbool.h>

/*
 * True if all of s matches the pattern. A character matches itself, except
 *
 *	%d  decimal digits, at least one, as many as there are
 *	%x  hexadecimal digits, the same
 *	%_  blanks (space, TAB), the same
 *	%*  anything, even nothing, as little as possible
 *	%%  a percent sign
 *
 * found[i] is set to the match of the pattern's i-th %; it has room for CR_LINE_PATTERN_FOUND
 * items, or is NULL. Time grows with the length of s times the length of what follows a %* up to
 * the next %*.
 */
#define CR_LINE_PATTERN_FOUND 8u
bool cr_line_pattern(struct cr_str s, const char *pattern, struct cr_str *found);

#endif
