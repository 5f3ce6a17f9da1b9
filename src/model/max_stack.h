#ifndef CR_MODEL_MAX_STACK_H
#define CR_MODEL_MAX_STACK_H

#include "model/profile.h"

/*
 * Cut stacks as perf report --max-stack does in caller order: of each stack the `most` outermost
 * addresses remain, and the sampled one. An address with inlined functions counts once. The node of
 * each sample stays the same, since only parents of nodes change. The nodes must have been read.
 * The default tree is dropped, as it has the whole stacks.
 */
void cr_profile_cut_stacks(struct cr_profile *p, uint32_t most);

#endif
