#ifndef CR_READ_PERF_DATA_PERF_UNWIND_P_H
#define CR_READ_PERF_DATA_PERF_UNWIND_P_H

#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "symbol/unwind/unwind.h"

/*
 * Unwinds the user part of callchains from the registers and the copied part of the stack in
 * samples (perf record --call-graph dwarf).
 */
struct perf_unwinds {
	struct cr_unwind *unwinder; /* created for the first sample */
	uint32_t stack_bytes;       /* size of the copied stack in the last sample; 0 if none */
	struct cr_unwind_stack stack;
	CR_VEC(struct perf_unwind_gap) gaps; /* by dso */
	uint64_t nonsense;                   /* number of samples whose stack is impossible, */
	uint64_t guessed;                    /* with guessed callers, */
	uint64_t could_guess;                /* and whose callers could have been guessed */
};

/* Samples whose stack ends in a dso without information. */
struct perf_unwind_gap {
	uint64_t samples;
	const char *why; /* for the first sample */
};

/* Result for one sample. sps: stack pointers in the frames of the user part, innermost first. */
struct perf_unwound {
	CR_VEC(uint64_t) chain;
	CR_VEC(uint64_t) sps;
	bool whole;       /* it reaches the start of the thread, without guesses */
	uint32_t guessed; /* number of outermost user frames, see struct cr_unwind_stack */
};

/* True if the attr leaves the user part to be unwound. */
bool cr_perf_unwind_wanted(const struct perf_attr *a);

/*
 * Unwind the user part of s and append it to the kernel part, in out->chain, which s then borrows.
 * Kernel threads have no user part. machine: of the recording, as in its header; that of the first
 * call is used.
 */
void cr_perf_unwind_sample(struct perf_unwinds *u, struct perf_spaces *spaces,
	struct perf_space *space, const struct cr_symbol_opts *opts, struct cr_str machine,
	const struct perf_attr *a, struct perf_sample *s, struct perf_unwound *out);

/*
 * Prefetch from the record at p, which is unwound some records later: the last bytes, which tell
 * how much of the stack is valid, and the start of the stack. Nothing else reads them before, and
 * each is in a page of its own.
 */
static inline void
cr_perf_unwind_prefetch(const struct perf_unwinds *u, const unsigned char *p, bool swap)
{
	struct cr_cursor c;
	uint16_t size;

	cr_cursor_init(&c, p + 6, 2); /* in struct perf_event_header */
	c.swap = swap;
	size = u->stack_bytes ? cr_cursor_u16(&c) : 0;
	if (size <= u->stack_bytes + 8)
		return;
	__builtin_prefetch(p + size - 8);
	__builtin_prefetch(p + size - 8 - u->stack_bytes);
	__builtin_prefetch(p + size - 8 - u->stack_bytes + 64);
}

/* Add what could not be unwound to the builder's quality. */
void cr_perf_unwinds_quality(const struct perf_unwinds *u, struct cr_builder *b);
void cr_perf_unwinds_fini(struct perf_unwinds *u);

#endif
