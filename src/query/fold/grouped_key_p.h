#ifndef CR_QUERY_FOLD_GROUPED_KEY_P_H
#define CR_QUERY_FOLD_GROUPED_KEY_P_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Several keys as one: each tuple of their lanes that occurs gets a number. Tuples of one key are
 * its lanes, by their numbers; two such are joined pair by pair.
 */
struct cr_tuples {
	uint32_t n_keys;
	uint32_t n;            /* numbers given out */
	CR_VEC(uint32_t) lane; /* [number * n_keys + key] */
};

void cr_tuples_of_lanes(struct cr_tuples *t, uint32_t lanes);
void cr_tuples_fini(struct cr_tuples *t);

/* The tuples of a, then b, in out; which grows as they are met. */
struct cr_grouped_key {
	const struct cr_tuples *a, *b;
	struct cr_tuples *out;
	uint32_t *table; /* [a * b->n + b]: number + 1; NULL where that would be too large, or a
			    grows */
	struct cr_index index;  /* then this */
	CR_VEC(uint64_t) pairs; /* by number */
};

/* a and b stay where they are; a may grow, when it is what another joint makes. */
void cr_grouped_key_init(struct cr_grouped_key *j, const struct cr_tuples *a, bool grows,
	const struct cr_tuples *b, struct cr_tuples *out);
uint32_t cr_grouped_key_of(struct cr_grouped_key *j, uint32_t a, uint32_t b);
void cr_grouped_key_fini(struct cr_grouped_key *j);

#endif
