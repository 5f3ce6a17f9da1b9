#ifndef CR_MODEL_TREE_DEFAULT_TREE_PROOF_H
#define CR_MODEL_TREE_DEFAULT_TREE_PROOF_H

#include "model/profile.h"

#include <stdbool.h>

/*
 * Checks a default tree against the samples without folding them. Each pair of stack and comm gets
 * a random number, and each event another one. Weights are multiplied by these numbers and added
 * up, and so are sample counts. Both sums must be the same for the default tree and the samples.
 * The numbers differ in each process, so nobody can construct a wrong default tree with the right
 * sums. The check does not detect nodes without cost, or one node that is stored as two.
 */
struct cr_default_tree_proof;

/* A sum of weights and one of sample counts, modulo 2^61 - 1. */
struct cr_default_tree_sum {
	uint64_t weight, samples;
};

/* n consecutive sample rows. The caller has checked that every id is in range. */
struct cr_default_tree_rows {
	const uint32_t *node, *task;
	const uint64_t *weight;
	const uint16_t *event;
	uint32_t n;
};

/*
 * Prepare the check of p->default_tree; p's location tree must have been read. Returns NULL if the
 * weights of an event exceed 64 bits, since the sums would be wrong then. Reads p only in this
 * call.
 */
struct cr_default_tree_proof *cr_default_tree_proof_new(const struct cr_profile *p);
void cr_default_tree_proof_free(struct cr_default_tree_proof *proof);

/*
 * Add the rows to sum, which starts as zeros. Several threads may do this at once, each with its
 * own sum.
 */
void cr_default_tree_proof_add(const struct cr_default_tree_proof *proof,
	const struct cr_default_tree_rows *rows, struct cr_default_tree_sum *sum);

/* Add `more` to `sum`. */
void cr_default_tree_proof_join(
	struct cr_default_tree_sum *sum, const struct cr_default_tree_sum *more);

/* True if `sum`, the sum over all samples, equals that of the default tree. */
bool cr_default_tree_proof_holds(
	const struct cr_default_tree_proof *proof, const struct cr_default_tree_sum *sum);

#endif
