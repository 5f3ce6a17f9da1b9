#ifndef CR_MODEL_BUILD_TIDY_H
#define CR_MODEL_BUILD_TIDY_H

#include "base/text.h"

/*
 * Names of functions as symbol tables have them, and what folded stacks make of them. Nothing
 * is written into a name: what comes out is borrowed from it, or stands in the room that was given.
 */

/*
 * The name without its argument list: cut at the first '(' at bracket depth 0 that does not
 * follow '.' and is not "(anonymous namespace)". The tokens of operator<, operator-> and their
 * like are no brackets; "operator()(int)" becomes "operator".
 */
struct cr_str cr_tidy_bare(struct cr_str name);

/*
 * The next part of a name that says what was inlined into what, "caller->callee", the outermost
 * first. False when *rest has no more. The "->" of operator->, and one beside a blank, parts
 * nothing.
 */
bool cr_tidy_part(struct cr_str *rest, struct cr_str *part);

/*
 * A Rust name that was demangled as if it were C++: "_$LT$a..B$GT$::f::h0123456789abcdef" is
 * "<a::B>::f". A name that does not end in such a hash comes back as it is.
 */
struct cr_str cr_tidy_rust(struct cr_str name, struct cr_text *room);

/*
 * How many bytes at i look like brackets and are none: the arrow of a return type, and what
 * stands behind "operator". operator() is not passed over: cr_tidy_bare() cuts there, too.
 */
uint32_t cr_tidy_no_bracket(struct cr_str s, uint32_t i);

static inline bool
cr_tidy_opens(char c)
{
	return c == '<' || c == '[' || c == '{' || c == '(';
}

static inline bool
cr_tidy_closes(char c)
{
	return c == '>' || c == ']' || c == '}' || c == ')';
}

/* A byte of a word: letters, digits, '_', and all of what is not ASCII. */
static inline bool
cr_tidy_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

static inline bool
cr_tidy_at(struct cr_str s, uint32_t i, const char *text)
{
	const size_t n = strlen(text);

	return s.len - i >= n && memcmp(s.p + i, text, n) == 0;
}

static inline struct cr_str
cr_tidy_trimmed(struct cr_str s)
{
	while (s.len > 0 && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

#endif
