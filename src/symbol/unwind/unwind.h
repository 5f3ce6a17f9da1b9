#ifndef CR_SYMBOL_UNWIND_UNWIND_H
#define CR_SYMBOL_UNWIND_UNWIND_H

#include "base/vec.h"
#include "bytes/cursor.h"
#include "model/profile.h"

struct cr_symbol_opts;

/*
 * From registers and a piece of the stack to the callers, by what the dsos' files say of their
 * code (call frame information). What holds for an address is read once and kept, so that a frame
 * seen before costs a look-up and a few loads from the stack.
 *
 *	u = cr_unwind_new(opts, CR_STR("x86_64"));         for a whole recording
 *	cr_unwind_walk(u, &dump, &space, &stack);          once a sample
 *	stack.ips ... stack.end ...
 */
struct cr_unwind;

/*
 * Registers and stack of a thread as the recorder copied them. Both are in the recorder's byte
 * order.
 */
struct cr_unwind_dump {
	uint64_t abi;           /* 1: 32 bits, 2: 64 bits */
	uint64_t mask;          /* perf's numbers of the registers that are here */
	struct cr_cursor regs;  /* u64 each, by rising number */
	struct cr_cursor stack; /* from the stack pointer up */
	bool full;              /* as much as was asked for: there may be more above */
};

/* What is mapped at an address. */
struct cr_unwind_map {
	uint64_t start, end, pgoff; /* as in struct cr_map */
	cr_dso_id dso;
	bool code; /* it may be executed */
	bool file; /* dso addresses are file offsets */
};

/*
 * The address space of a sample. Spaces with the same id and version are the same: answers are
 * kept. dso() is asked once for each dso, and the name that it gives lives as long as the
 * unwinder.
 */
struct cr_unwind_space {
	uint32_t id, version;
	bool (*map)(void *ctx, uint64_t addr,
		struct cr_unwind_map *out); /* false: nothing is mapped there */
	const struct cr_dso *(*dso)(void *ctx, cr_dso_id dso);
	void *ctx;
};

enum cr_unwind_end {
	CR_UNWIND_WHOLE,    /* at the function that the thread began with */
	CR_UNWIND_CUT,      /* where the piece of the stack ends */
	CR_UNWIND_NO_INFO,  /* in a dso of which nothing is known, and no frame pointer helps or
			       may be followed */
	CR_UNWIND_NONSENSE, /* what was found cannot be */
};

struct cr_unwind_stack {
	/*
	 * Addresses, innermost first: that of the thread itself, then for each caller the byte
	 * before the return address, so that all of them lie in the function that they are of. What
	 * a signal has interrupted is at its own address.
	 */
	CR_VEC(uint64_t) ips;
	CR_VEC(uint64_t) sps; /* the stack pointer in each of these frames, as many */
	uint32_t guessed; /* so many of the outermost frames were found by a guess, or beyond one */
	bool could_guess; /* guessing is off, and a guess would find a caller of the outermost frame
			   */
	enum cr_unwind_end end;
	cr_dso_id dso;   /* of CR_UNWIND_NO_INFO: which; row 0 where nothing is mapped */
	const char *why; /* why nothing is known of it, borrowed from the unwinder; else NULL */
};

/*
 * opts: where files are, and guess_callers: whether to take the frame pointer for one where nothing
 * is known of the code. In code that keeps frame pointers the caller found is right, in other code
 * it often is not. NULL opens no file and does not guess. Borrowed until free. machine: as uname -m
 * calls it; "" is this one.
 */
struct cr_unwind *cr_unwind_new(const struct cr_symbol_opts *opts, struct cr_str machine);
void cr_unwind_free(struct cr_unwind *u);

/*
 * Follow the stack as far as it goes. *out is the caller's, cleared first, its memory used again.
 * No frames where the registers lack program counter or stack pointer, or the machine is not known.
 * There are not more frames than words in the dump, and 256; no address is above the last page but
 * one, and none is 0. Not for two threads at once.
 */
void cr_unwind_walk(struct cr_unwind *u, const struct cr_unwind_dump *dump,
	const struct cr_unwind_space *space, struct cr_unwind_stack *out);

#endif
