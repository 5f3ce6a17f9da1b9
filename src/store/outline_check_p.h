#ifndef CR_STORE_OUTLINE_CHECK_P_H
#define CR_STORE_OUTLINE_CHECK_P_H

#include "opening_p.h"

/*
 * The comparison of the outline with the samples of the file, some blocks at a time; it goes on
 * where it was. Samples are read a block at a time and not kept.
 */
struct cr_outline_check;

/*
 * The tree of stacks must have been read. Fails where the file has no such columns; *out is NULL
 * where sums alone cannot tell, see cr_outline_proof_new().
 */
int cr_outline_check_new(struct cr_opening *o, struct cr_outline_check **out, struct cr_err *err);
void cr_outline_check_free(struct cr_outline_check *check);

/* At most so many blocks more; fails with what is wrong with one of them. *more: there are others.
 */
int cr_outline_check_run(
	struct cr_outline_check *check, uint32_t blocks, bool *more, struct cr_err *err);

/* When there are no more: do they agree? */
bool cr_outline_check_holds(const struct cr_outline_check *check);

#endif
