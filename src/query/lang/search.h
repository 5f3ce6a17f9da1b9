#ifndef CR_QUERY_LANG_SEARCH_H
#define CR_QUERY_LANG_SEARCH_H

#include "base/err.h"
#include "model/tree/tree.h"

/*
 * A regular expression (PCRE2, smart case: case matters only if the pattern has an upper-case
 * letter) applied to the names of a tree, once per distinct frame.
 */
struct cr_search {
	uint8_t *hit;    /* by frame: 1 if its name matches */
	uint32_t *nodes; /* matching nodes, in preorder */
	uint32_t n_nodes;
	uint32_t *function;        /* by matching frame: a frame that stands for its function */
	uint32_t n_functions;      /* of all matches: cr_search_functions() of the root */
	uint64_t weight[CR_SIDES]; /* without overlap: a match below another match adds nothing */
	uint64_t samples[CR_SIDES];
};

/*
 * literal: the pattern is a plain name that must match completely. CR_EUSAGE with PCRE2's message
 * for an invalid pattern.
 */
int cr_search_make(const struct cr_tree *t, const char *pattern, bool literal,
	struct cr_search *out, struct cr_err *err);
void cr_search_fini(struct cr_search *s);

/*
 * Number of functions among the matches in the subtree of `root`, as the table by function has
 * them: inlined or not, a function is one; groups are none. Time grows with the matches.
 */
uint32_t cr_search_functions(const struct cr_search *s, const struct cr_tree *t, uint32_t root);

/* Weight of the matches below `root`. */
uint64_t cr_search_under(
	const struct cr_search *s, const struct cr_tree *t, uint32_t root, uint32_t side);

#endif
