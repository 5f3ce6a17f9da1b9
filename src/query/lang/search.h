#ifndef CR_QUERY_LANG_SEARCH_H
#define CR_QUERY_LANG_SEARCH_H

#include "base/err.h"
#include "model/tree/tree.h"

/*
 * A regular expression (PCRE2, smart case: case counts only if the pattern has an upper-case
 * letter) over the names of a tree, matched once a distinct frame.
 */
struct cr_search {
	uint8_t *hit;    /* by frame: 1 if its name matches */
	uint32_t *nodes; /* matching nodes, in preorder */
	uint32_t n_nodes;
	uint32_t n_frames;         /* distinct frames among them */
	uint64_t weight[CR_SIDES]; /* without overlap: a match inside a match adds nothing */
	uint64_t samples[CR_SIDES];
};

/*
 * literal: the pattern is a plain name, matched whole. CR_EUSAGE with PCRE2's message for a bad
 * pattern.
 */
int cr_search_make(const struct cr_tree *t, const char *pattern, bool literal,
	struct cr_search *out, struct cr_err *err);
void cr_search_fini(struct cr_search *s);

/* Weight of the matches under `root` alone. */
uint64_t cr_search_under(
	const struct cr_search *s, const struct cr_tree *t, uint32_t root, uint32_t side);

#endif
