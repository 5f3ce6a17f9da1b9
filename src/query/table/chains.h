#ifndef CR_QUERY_TABLE_CHAINS_H
#define CR_QUERY_TABLE_CHAINS_H

#include "query/table/table.h"

/*
 * The call chains of a row of a table, like perf report -g: of samples taken in the row, and of
 * samples with the row further out in their stack.
 *
 * Callers first: for the former the whole stacks from the outermost frame, for the latter from the
 * row's outermost frame inwards. Callees first: from the row's innermost frame outwards.
 */
enum cr_chain_mode {
	CR_CHAIN_NONE,
	CR_CHAIN_GRAPH,   /* a tree; shares are of the whole */
	CR_CHAIN_FRACTAL, /* a tree; shares are of the caller */
	CR_CHAIN_FLAT,    /* chain by chain, one line per frame */
	CR_CHAIN_FOLDED,  /* chain by chain, one line each */
};

enum cr_chain_value { CR_CHAIN_PERCENT, CR_CHAIN_PERIOD, CR_CHAIN_COUNT };
enum cr_chain_key { CR_CHAIN_FUNCTION, CR_CHAIN_SRCLINE, CR_CHAIN_ADDRESS };

struct cr_chain_opts {
	uint8_t mode, value, key; /* enum cr_chain_... */
	bool callees_first;
	bool self_only; /* only samples taken in the row */
	/* Smaller shares are omitted: of the whole, for FRACTAL of the caller's callees. */
	double min_percent;
	/* Maximum number of chains of a row, and of branches of each; 0 for all. */
	uint32_t print_limit;
};

/* A frame of a chain, with the cost of all chains through it. */
struct cr_chain {
	uint32_t frame; /* frame of the tree; 0 for the first, which stands for the row */
	uint32_t parent;
	uint32_t first, next; /* first child, and next sibling, by falling weight; 0 if none */
	uint64_t weight, samples;
	uint64_t own, own_samples; /* of chains that end here */
};

/* What all rows share. Borrows t and h. */
struct cr_chains;

/* h must have been made of t. The options are copied. Free the result with cr_chains_free(). */
struct cr_chains *cr_chains_new(
	const struct cr_tree *t, const struct cr_table *h, const struct cr_chain_opts *o);
void cr_chains_free(struct cr_chains *c);

/*
 * Return the chains of a row: *out is an array, parents before children, which the caller frees;
 * the result is its length. Time grows with the nodes that are not omitted.
 */
uint32_t cr_chains_of(struct cr_chains *c, uint32_t row, struct cr_chain **out);

#endif
