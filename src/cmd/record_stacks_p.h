#ifndef CR_CMD_RECORD_STACKS_P_H
#define CR_CMD_RECORD_STACKS_P_H

#include "base/text.h"

/* How stacks are recorded: a value of perf record --call-graph, and a sentence that says why. */
struct cr_record_stacks {
	const char *how;
	struct cr_text why;
};

/*
 * Choose it for a program, given by the path of its file: frame pointers if at least half of its
 * functions keep them, otherwise DWARF unwinding of copied stacks, which costs 8 kB a sample.
 * The program is read, never run. NULL stands for the whole machine. The caller frees out->why.
 */
void cr_record_stacks_choose(const char *program, struct cr_record_stacks *out);

#endif
