#ifndef CR_MODEL_TREE_DEFAULT_TREE_PROOF_H
#define CR_MODEL_TREE_DEFAULT_TREE_PROOF_H

#include "model/profile.h"

#include <stdbool.h>

/*
 * Compares a default tree with the samples without folding them. Each stack under each comm has a
 * random number, and each event another one; the default tree and the samples must give the same
 * sum of weights times these numbers, and the same sum of samples times these numbers. The numbers
 * are other ones in each process, so that nobody can make a default tree that is wrong and has the
 * right sums. Nodes that cost nothing, and one node that is written as two, make no difference to
 * the sums.
 */
struct cr_default_tree_proof;

/* A sum, modulo 2^61 - 1. */
struct cr_default_tree_sum {
	uint64_t weight, samples;
};

/* Rows of samples that stand one after the other; every id in range. */
struct cr_default_tree_rows {
	const uint32_t *node, *task;
	const uint64_t *weight;
	const uint16_t *event;
	uint32_t n;
};

/*
 * Prepare the comparison of p->default tree; the tree of p must be there. NULL if the weights of an
 * event do not fit in 64 bits, so that the sums are none. Reads p only here.
 */
struct cr_default_tree_proof *cr_default_tree_proof_new(const struct cr_profile *p);
void cr_default_tree_proof_free(struct cr_default_tree_proof *proof);

/* Add the rows to sum, which begins as zeros. Several threads may do so, each to a sum of its own.
 */
void cr_default_tree_proof_add(const struct cr_default_tree_proof *proof,
	const struct cr_default_tree_rows *rows, struct cr_default_tree_sum *sum);

/* Add one sum to another. */
void cr_default_tree_proof_join(
	struct cr_default_tree_sum *sum, const struct cr_default_tree_sum *more);

/* Is this, the sum of all samples, that of the default tree? */
bool cr_default_tree_proof_holds(
	const struct cr_default_tree_proof *proof, const struct cr_default_tree_sum *sum);

#endif
