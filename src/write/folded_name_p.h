#ifndef CR_WRITE_FOLDED_NAME_P_H
#define CR_WRITE_FOLDED_NAME_P_H

#include "model/tree/tree.h"

/*
 * The name of a frame as folded stacks have it: without blanks at its ends, ';' as ':', line ends
 * and tabs as blanks, blanks of a comm as '_', "-" for an empty one. Names that were read from
 * folded stacks are unchanged. Borrows from f or from `made`.
 */
struct cr_str cr_folded_name(const struct cr_frame *f, struct cr_arena *made);

#endif
