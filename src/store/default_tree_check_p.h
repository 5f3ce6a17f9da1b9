#ifndef CR_STORE_DEFAULT_TREE_CHECK_P_H
#define CR_STORE_DEFAULT_TREE_CHECK_P_H

#include "opening_p.h"

/*
 * Compares the default tree with the samples of the file, some blocks per call. Samples are read
 * block by block and not kept.
 */
struct cr_default_tree_check;

/*
 * Begin the comparison; the location tree must have been read. Fails if the file lacks the columns.
 * *out is NULL if sums cannot decide, see cr_default_tree_proof_new().
 */
int cr_default_tree_check_new(
	struct cr_opening *o, struct cr_default_tree_check **out, struct cr_err *err);
void cr_default_tree_check_free(struct cr_default_tree_check *check);

/*
 * Process up to `blocks` more blocks; *more is true if others remain. Fails with the error of a
 * damaged block.
 */
int cr_default_tree_check_run(
	struct cr_default_tree_check *check, uint32_t blocks, bool *more, struct cr_err *err);

/* After the last block: true if tree and samples agree. */
bool cr_default_tree_check_holds(const struct cr_default_tree_check *check);

#endif
