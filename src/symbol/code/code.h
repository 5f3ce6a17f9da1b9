#ifndef CR_SYMBOL_CODE_CODE_H
#define CR_SYMBOL_CODE_CODE_H

#include "model/profile.h"
#include "symbol/opts.h"

/*
 * The instructions of functions, from the files that their names come from: the dso's own file,
 * if it is of the recorded build; a jitdump; the kernel's vmlinux and its modules. Where the
 * function ends its symbol says. Of one that nothing says it of, or that is too large, there are
 * pieces, each from an address that samples have, so from the start of an instruction on.
 */

/*
 * Give a named profile the code of its hot functions: p->codes. Hot is what has a 1000th of the
 * self cost of any event, hottest first; inlined functions are part of those that they are in. No
 * function takes more than a quarter of what is left of
 *
 *	a byte for each sample, 2 KiB at least and 1 MiB at most,
 *
 * which keeps the code a small part of what is stored: it shrinks to two thirds of its size, and a
 * sample of frame pointers takes 6 to 10 bytes, stack and names included. Code that cannot be had
 * is left out without a word.
 */
void cr_code_gather(struct cr_profile *p, const struct cr_symbol_opts *opts);

/* The code of these n functions, rows of p's, as far as it can be had, 1 MiB of each at most. */
struct cr_code_found {
	struct cr_machine_code *codes; /* by function, then address */
	uint32_t n;
	char *why;             /* of a function that has none: why; NULL when all have */
	struct cr_arena arena; /* what codes point at */
};

void cr_code_find(const struct cr_profile *p, const struct cr_symbol_opts *opts,
	const cr_function_id *functions, uint32_t n, struct cr_code_found *out);
void cr_code_found_fini(struct cr_code_found *f);

/*
 * Where n addresses of a dso are of, sorted and each another one, by its debug info: a profile
 * whose location i is that of addrs[i], to be freed. NULL where nothing can tell; the kernel's are
 * not asked for.
 */
struct cr_profile *cr_code_places(const struct cr_profile *p, const struct cr_symbol_opts *opts,
	cr_dso_id dso, const uint64_t *addrs, size_t n);

#endif
