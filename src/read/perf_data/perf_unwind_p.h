#ifndef CR_READ_PERF_DATA_PERF_UNWIND_P_H
#define CR_READ_PERF_DATA_PERF_UNWIND_P_H

#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "symbol/unwind/unwind.h"

/*
 * Samples whose user part of the callchain is still to be found, from the registers and the piece
 * of the stack that they carry (perf record --call-graph dwarf).
 */
struct perf_unwinds {
	struct cr_unwind *unwinder; /* made for the first of them */
	struct cr_unwind_stack stack;
	CR_VEC(struct perf_unwind_gap) gaps; /* by dso */
	uint64_t nonsense;                   /* samples whose stack makes no sense, */
	uint64_t guessed;                    /* with callers that were guessed, */
	uint64_t could_guess;                /* and where they might have been */
};

/* Samples whose stack ends in a dso that nothing is known of. */
struct perf_unwind_gap {
	uint64_t samples;
	const char *why; /* of the first */
};

/*
 * What was found for one sample. Stack pointers are those in the frames of the user's part,
 * innermost first.
 */
struct perf_unwound {
	CR_VEC(uint64_t) chain;
	CR_VEC(uint64_t) sps;
	bool whole;       /* it reaches the thread's start, and nothing is guessed */
	uint32_t guessed; /* of the user's frames the outermost, see struct cr_unwind_stack */
};

/* Does the attr ask the kernel for no user part, since there is something to make it of? */
bool cr_perf_unwind_wanted(const struct perf_attr *a);

/*
 * Give s the chain that it has with the user's part behind the kernel's, in out->chain, which it
 * borrows from then on. Kernel threads have no user part. machine: of the recording, as in its
 * header; the first call's counts.
 */
void cr_perf_unwind_take(struct perf_unwinds *u, struct perf_spaces *spaces,
	struct perf_space *space, const struct cr_symbol_opts *opts, struct cr_str machine,
	const struct perf_attr *a, struct perf_sample *s, struct perf_unwound *out);

/* Tell the builder's quality what could not be found. */
void cr_perf_unwinds_quality(const struct perf_unwinds *u, struct cr_builder *b);
void cr_perf_unwinds_fini(struct perf_unwinds *u);

#endif
