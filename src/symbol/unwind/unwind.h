#ifndef CR_SYMBOL_UNWIND_UNWIND_H
#define CR_SYMBOL_UNWIND_UNWIND_H

#include "base/vec.h"
#include "bytes/cursor.h"
#include "model/profile.h"

struct cr_symbol_opts;

/*
 * Unwinds stacks: from registers and a copy of part of the stack to the callers, with the call
 * frame information of the dsos' files. Rules for an address are read once and kept, so a frame
 * seen before costs a lookup and a few loads from the stack.
 *
 *	u = cr_unwind_new(opts, CR_STR("x86_64"));         for a whole recording
 *	cr_unwind_walk(u, &dump, &space, &stack);          for each sample
 *	stack.ips ... stack.end ...
 */
struct cr_unwind;

/* Registers and stack of a thread as copied by the recorder, both in the recorder's byte order. */
struct cr_unwind_dump {
	uint64_t abi;           /* 1: 32 bits, 2: 64 bits */
	uint64_t mask;          /* perf's numbers of the registers present */
	struct cr_cursor regs;  /* u64 each, by rising number */
	struct cr_cursor stack; /* from the stack pointer upwards */
	bool full;              /* as much as was requested: the stack may continue */
};

/* The mapping at an address. */
struct cr_unwind_map {
	uint64_t start, end, pgoff; /* like struct cr_map */
	cr_dso_id dso;
	bool code; /* executable */
	bool file; /* addresses of the dso are file offsets */
};

/*
 * The address space of a sample. Spaces with equal id and version must be equal, since answers are
 * cached. dso() is called once for each dso; the name it returns must live as long as the unwinder.
 */
struct cr_unwind_space {
	uint32_t id, version;
	/* False if nothing is mapped there. */
	bool (*map)(void *ctx, uint64_t addr, struct cr_unwind_map *out);
	const struct cr_dso *(*dso)(void *ctx, cr_dso_id dso);
	void *ctx;
};

enum cr_unwind_end {
	CR_UNWIND_WHOLE, /* at the function that the thread began with */
	CR_UNWIND_CUT,   /* where the copied part of the stack ends */
	/* In a dso without information, and no frame pointer helps or may be followed. */
	CR_UNWIND_NO_INFO,
	CR_UNWIND_NONSENSE, /* the result is impossible */
};

struct cr_unwind_stack {
	/*
	 * Addresses, innermost first: that of the thread itself, then for each caller the byte
	 * before the return address, so that each is inside the calling function. A function
	 * interrupted by a signal has its own address.
	 */
	CR_VEC(uint64_t) ips;
	CR_VEC(uint64_t) sps; /* the stack pointer in each of these frames */
	uint32_t guessed; /* number of outermost frames found by guessing, or above a guessed one */
	bool could_guess; /* guessing is disabled, and would find a caller of the outermost frame */
	enum cr_unwind_end end;
	cr_dso_id dso;   /* for CR_UNWIND_NO_INFO: the dso; row 0 if nothing is mapped */
	const char *why; /* why it has no information, borrowed from the unwinder; otherwise NULL */
};

/*
 * opts: where files are, and guess_callers: whether to follow the frame pointer through code
 * without information. In code that keeps frame pointers the caller is right, in other code it is
 * often wrong. NULL opens no file and does not guess. Borrowed until cr_unwind_free(). machine: as
 * printed by uname -m; "" is this one.
 */
struct cr_unwind *cr_unwind_new(const struct cr_symbol_opts *opts, struct cr_str machine);
void cr_unwind_free(struct cr_unwind *u);

/*
 * Follow the stack as far as possible. *out is cleared first, and its memory reused; the caller
 * owns it. No frames if the registers lack program counter or stack pointer, or the machine is
 * unknown. There are at most as many frames as words in the dump plus 256. No address is 0 or above
 * the last page but one. Not thread-safe.
 */
void cr_unwind_walk(struct cr_unwind *u, const struct cr_unwind_dump *dump,
	const struct cr_unwind_space *space, struct cr_unwind_stack *out);

#endif
