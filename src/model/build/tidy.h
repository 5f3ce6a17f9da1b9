#ifndef CR_MODEL_BUILD_TIDY_H
#define CR_MODEL_BUILD_TIDY_H

#include "base/text.h"

/*
 * Names of functions as in symbol tables, and what folded stacks make of them. No name is modified:
 * the result is borrowed from it, or written to the buffer given.
 */

/*
 * Return the name without its argument list: cut at the first '(' at bracket depth 0 that neither
 * follows '.' nor begins "(anonymous namespace)". The tokens of operator<, operator-> and similar
 * are not brackets; "operator()(int)" becomes "operator".
 */
struct cr_str cr_tidy_bare(struct cr_str name);

/*
 * Store in *part the next part of a name that lists inlined functions, "caller->callee", outermost
 * first. Returns false if *rest is used up. The "->" of operator->, and one next to a blank, does
 * not separate parts.
 */
bool cr_tidy_part(struct cr_str *rest, struct cr_str *part);

/*
 * Undo the C++ demangling of a Rust name: "_$LT$a..B$GT$::f::h0123456789abcdef" becomes
 * "<a::B>::f". A name that does not end in such a hash is returned unchanged. room: buffer for the
 * result.
 */
struct cr_str cr_tidy_rust(struct cr_str name, struct cr_text *room);

/*
 * Number of bytes at i that look like brackets but are none: the arrow of a return type, and the
 * token after "operator". operator() is not skipped, since cr_tidy_bare() cuts there.
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

/* A byte of a word: letters, digits, '_', and all non-ASCII bytes. */
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
