#ifndef CR_QUERY_TABLE_CHAINS_H
#define CR_QUERY_TABLE_CHAINS_H

#include "query/table/table.h"

/*
 * The call chains of a row of a table, as perf report -g has them: of samples that were taken in
 * the row, and of those where it stands further out.
 *
 * Callers first: of the former whole stacks from the outermost frame on, of the latter from the
 * row's outermost frame inwards. Callees first: from the row's innermost frame outwards.
 */
enum cr_chain_mode {
	CR_CHAIN_NONE,
	CR_CHAIN_GRAPH,   /* a tree, shares are of the whole */
	CR_CHAIN_FRACTAL, /* a tree, shares are of the caller */
	CR_CHAIN_FLAT,    /* chain by chain, a line a frame */
	CR_CHAIN_FOLDED,  /* chain by chain, a line each */
};

enum cr_chain_value { CR_CHAIN_PERCENT, CR_CHAIN_PERIOD, CR_CHAIN_COUNT };
enum cr_chain_key { CR_CHAIN_FUNCTION, CR_CHAIN_SRCLINE, CR_CHAIN_ADDRESS };

struct cr_chain_opts {
	uint8_t mode, value, key; /* enum cr_chain_... */
	bool callees_first;
	bool self_only;     /* of samples taken in the row alone */
	double min_percent; /* of the whole, in FRACTAL of what the caller calls: what costs less is
			       left out */
	uint32_t print_limit; /* so many chains a row, and branches of each; 0 for all */
};

/* A frame of a chain, with all that goes through it. */
struct cr_chain {
	uint32_t frame; /* of the tree; of the first, which stands for the row, 0 */
	uint32_t parent;
	uint32_t first, next; /* child, and sibling of no larger weight; 0 for none */
	uint64_t weight, samples;
	uint64_t own, own_samples; /* of chains that end here */
};

/* What all rows have in common. Borrows t and h. */
struct cr_chains;

struct cr_chains *cr_chains_new(
	const struct cr_tree *t, const struct cr_table *h, const struct cr_chain_opts *o);
void cr_chains_free(struct cr_chains *c);

/*
 * The chains of a row: *out is an array that is the caller's to free, parents before children;
 * returns how many. Time grows with the nodes that are part of what is not left out.
 */
uint32_t cr_chains_of(struct cr_chains *c, uint32_t row, struct cr_chain **out);

#endif
