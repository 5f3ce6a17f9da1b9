#ifndef CR_STORE_DEFAULT_TREE_CHECK_P_H
#define CR_STORE_DEFAULT_TREE_CHECK_P_H

#include "opening_p.h"

/*
 * The comparison of the default tree with the samples of the file, some blocks at a time; it goes
 * on where it was. Samples are read a block at a time and not kept.
 */
struct cr_default_tree_check;

/*
 * The tree of stacks must have been read. Fails where the file has no such columns; *out is NULL
 * where sums alone cannot tell, see cr_default_tree_proof_new().
 */
int cr_default_tree_check_new(
	struct cr_opening *o, struct cr_default_tree_check **out, struct cr_err *err);
void cr_default_tree_check_free(struct cr_default_tree_check *check);

/* At most so many blocks more; fails with what is wrong with one of them. *more: there are others.
 */
int cr_default_tree_check_run(
	struct cr_default_tree_check *check, uint32_t blocks, bool *more, struct cr_err *err);

/* When there are no more: do they agree? */
bool cr_default_tree_check_holds(const struct cr_default_tree_check *check);

#endif
