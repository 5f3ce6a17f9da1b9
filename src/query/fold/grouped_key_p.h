#ifndef CR_QUERY_FOLD_GROUPED_KEY_P_H
#define CR_QUERY_FOLD_GROUPED_KEY_P_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Combines several keys into one: each tuple of lanes that occurs gets a number. Tuples of one key
 * are its lane numbers; two keys are joined pair by pair.
 */
struct cr_tuples {
	uint32_t n_keys;
	uint32_t n;            /* number of tuples */
	CR_VEC(uint32_t) lane; /* [number * n_keys + key] */
};

/* Tuples of one key: the numbers 0 to lanes - 1. */
void cr_tuples_of_lanes(struct cr_tuples *t, uint32_t lanes);
void cr_tuples_fini(struct cr_tuples *t);

/* Tuples of a followed by b, in out, which grows when new pairs occur. */
struct cr_grouped_key {
	const struct cr_tuples *a, *b;
	struct cr_tuples *out;
	/* [a * b->n + b]: number + 1; NULL if that would be too large, or a grows. */
	uint32_t *table;
	struct cr_index index;  /* used instead of the table */
	CR_VEC(uint64_t) pairs; /* by number */
};

/* a and b must not move. grows: a is the output of another grouped key. */
void cr_grouped_key_init(struct cr_grouped_key *j, const struct cr_tuples *a, bool grows,
	const struct cr_tuples *b, struct cr_tuples *out);
/* The number of the pair of tuples a and b. */
uint32_t cr_grouped_key_of(struct cr_grouped_key *j, uint32_t a, uint32_t b);
void cr_grouped_key_fini(struct cr_grouped_key *j);

#endif
