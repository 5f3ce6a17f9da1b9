#ifndef CR_SYMBOL_CODE_CODE_H
#define CR_SYMBOL_CODE_CODE_H

#include "model/profile.h"
#include "symbol/opts.h"

/*
 * Machine code of functions, read from the files that name them: the dso's own file, if it has the
 * recorded build-id; a jitdump; the kernel's vmlinux and its modules. The symbol tells where a
 * function ends. If nothing does, or the function is too large, only pieces are read. Each begins
 * at an address of a sample and so at an instruction.
 */

/*
 * Store in a named profile the code of its hot functions: p->codes. Hot functions have at least
 * 1/1000 of the self cost of some event; the hottest come first. Inlined functions count for the
 * function that contains them. No function uses more than a quarter of what is left of the budget:
 *
 *	one byte for each sample, at least 2 KiB and at most 1 MiB
 *
 * So the code stays a small part of a stored profile: it compresses to two thirds, and a sample
 * with a frame-pointer stack takes 6 to 10 bytes, stack and names included. Code that cannot be
 * read is omitted silently.
 */
void cr_code_gather(struct cr_profile *p, const struct cr_symbol_opts *opts);

/*
 * Read the code of n functions (rows of p's functions), as far as it is available, at most 1 MiB of
 * each.
 */
struct cr_code_found {
	struct cr_machine_code *codes; /* sorted by function, then address */
	uint32_t n;
	char *why;             /* why a function has no code; NULL if all have some */
	struct cr_arena arena; /* owns what codes point at */
};

/* Never fails: see `why`. Free *out with cr_code_found_fini(). */
void cr_code_find(const struct cr_profile *p, const struct cr_symbol_opts *opts,
	const cr_function_id *functions, uint32_t n, struct cr_code_found *out);
void cr_code_found_fini(struct cr_code_found *f);

/*
 * Resolve n sorted, distinct addresses of a dso with its debug info. Returns a profile whose
 * location i is addrs[i]; the caller frees it. NULL if there is no debug info, and for the kernel.
 */
struct cr_profile *cr_code_places(const struct cr_profile *p, const struct cr_symbol_opts *opts,
	cr_dso_id dso, const uint64_t *addrs, size_t n);

#endif
