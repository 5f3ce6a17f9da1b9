#ifndef CR_MODEL_ANONYMIZE_H
#define CR_MODEL_ANONYMIZE_H

#include "model/tree/tree.h"

/*
 * Replaces the names of a profile, so that it can be given away: the shape of the stacks, the
 * weights, the times and the numbers of threads remain.
 *
 * - functions become "function_1", "kernel_2", "jit_3"; binaries "binary_1", "[kernel_2]",
 *   "[jit_3]"; threads "thread_1"; source files "file_1.c"; texts of fields "text_1". Equal names
 *   of one class get equal names. Marks such as "[unknown]" and "[truncated]" stay.
 * - Events that count something of the machine or the kernel keep their names; probes, whose names
 *   are those of functions, become "event_1".
 * - Addresses, mappings, build-ids, machine code, source code and fields with addresses are
 *   removed. Of the header fields and of missing data only what contains no names stays.
 */
struct cr_anonymizer;

struct cr_anonymizer *cr_anonymizer_new(void);
/* Free it when nothing uses the new names any more: the profile and the tree borrow them. */
void cr_anonymizer_free(struct cr_anonymizer *a);

/*
 * Replace all names of p. Its tables must have been read; its default tree is removed, which names
 * comms.
 */
void cr_anonymize_profile(struct cr_anonymizer *a, struct cr_profile *p);

/* Replace the names of a tree that was made from the profile before. */
void cr_anonymize_tree(struct cr_anonymizer *a, struct cr_tree *t);

#endif
