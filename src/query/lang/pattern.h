#ifndef CR_QUERY_LANG_PATTERN_H
#define CR_QUERY_LANG_PATTERN_H

#include "base/err.h"
#include "model/tree/tree.h"

/*
 * A regular expression (PCRE2, smart case: case counts only if the pattern has an upper-case
 * letter).
 */
struct cr_pattern;

/* CR_EUSAGE with PCRE2's message for a bad pattern. */
int cr_pattern_new(const char *text, struct cr_pattern **out, struct cr_err *err);
bool cr_pattern_match(const struct cr_pattern *p, struct cr_str name);
void cr_pattern_free(struct cr_pattern *p);

/*
 * Which frames of t does a text mean? hit gets 1 for each that matches, but for the root's.
 *
 *	RE           its name matches
 *	dso:RE    its dso does; of a path the whole
 *	file:RE      its source file does
 *	group:RE     it is a comm or another group that stacks stand under, and its name matches
 *	=NAME        its name is this one; so with dso:=NAME and the others
 *
 * dso::f is a pattern for names, of C++. A pattern is matched once for frames of one name that
 * follow each other.
 */
int cr_frames_match(const struct cr_tree *t, const char *text, uint8_t *hit, struct cr_err *err);

/* Does it begin with group:? */
bool cr_frames_are_groups(const char *text);

/* The same for a name alone, and without a tree: is it such a text? */
void cr_frames_named(const struct cr_tree *t, struct cr_str name, uint8_t *hit);
int cr_frames_check(const char *text, struct cr_err *err);

#endif
