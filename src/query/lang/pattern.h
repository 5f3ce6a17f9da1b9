#ifndef CR_QUERY_LANG_PATTERN_H
#define CR_QUERY_LANG_PATTERN_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"

/*
 * A regular expression (PCRE2, smart case: case matters only if the pattern has an upper-case
 * letter).
 */
struct cr_pattern;

/* CR_EUSAGE with PCRE2's message for an invalid pattern. */
int cr_pattern_new(const char *text, struct cr_pattern **out, struct cr_err *err);
bool cr_pattern_match(const struct cr_pattern *p, struct cr_str name);
void cr_pattern_free(struct cr_pattern *p);

/*
 * Find the frames of t that a text means: hit[] becomes 1 for each that matches, except the root's.
 *
 *	RE           its name matches
 *	dso:RE       its dso matches; for a path the whole
 *	file:RE      its source file matches
 *	group:RE     it is a comm or another group above the stacks, and its name matches
 *	=NAME        its name is NAME; likewise dso:=NAME and so on
 *
 * dso::f is a pattern for (C++) names. For consecutive frames with one name the pattern is matched
 * once.
 */
int cr_frames_match(const struct cr_tree *t, const char *text, uint8_t *hit, struct cr_err *err);

/* True if it begins with group:. */
bool cr_frames_are_groups(const char *text);

/*
 * _named(): the same for a plain name. _check(): check a text without a tree; CR_EUSAGE if it is
 * invalid.
 */
void cr_frames_named(const struct cr_tree *t, struct cr_str name, uint8_t *hit);
int cr_frames_check(const char *text, struct cr_err *err);

/* If text is "/RE/", set *inside to the RE and return true. */
bool cr_pattern_in_slashes(struct cr_str text, struct cr_str *inside);

/*
 * A function, for callers, merge and so on: NAME, or /RE/, where RE is any of the texts above.
 * _match() fails like cr_frames_match(), _check() like cr_frames_check().
 * _put_name(): append the text that means exactly this name.
 */
int cr_function_match(
	const struct cr_tree *t, struct cr_str text, uint8_t *hit, struct cr_err *err);
int cr_function_check(struct cr_str text, struct cr_err *err);
void cr_function_put_name(struct cr_str name, struct cr_text *out);

#endif
