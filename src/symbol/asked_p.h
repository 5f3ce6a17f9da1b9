#ifndef CR_SYMBOL_ASKED_P_H
#define CR_SYMBOL_ASKED_P_H

#include "addrkey_p.h"

#include <stdbool.h>

/*
 * The addresses of a dso that are to be named, and which of its symbols can have a say in
 * that: a program may have a hundred thousand, of which a recording meets a hundred. All of them
 * are seen twice: first to learn what lies around the addresses, then to be chosen from.
 *
 *	cr_asked_init(&a, keys, n, also)
 *	cr_asked_see(&a, start, end, first_table) ...
 *	cr_asked_line_cache(&a)
 *	if (cr_asked_needs(&a, start)) ...
 *	cr_asked_fini(&a)
 */
struct cr_asked {
	struct cr_asked_spot {
		uint64_t addr;
		uint64_t low;   /* symbols from here to addr have a say; UINT64_MAX: none seen */
		uint64_t reach; /* while seeing: how far symbols reach that start before addr ... */
		uint64_t last;  /* ... and the last start, in the first table */
	} * spots;              /* n by address */
	size_t n;
	uint64_t after;       /* the first start above all of them; UINT64_MAX: none seen */
	uint64_t after_first; /* the same of the first table */
	uint64_t base;        /* the lowest address */
	unsigned shift;       /* an address is of slice (addr - base) >> shift */
	size_t n_slices;
	uint32_t *slices; /* the first spot of each, and n at the end */
};

/* keys are sorted; `also` is one more address. */
void cr_asked_init(struct cr_asked *a, const struct cr_addrkey *keys, size_t n, uint64_t also);
void cr_asked_see(struct cr_asked *a, uint64_t start, uint64_t end, bool first_table);
void cr_asked_line_cache(struct cr_asked *a);

/*
 * false: with or without the symbols that start there, all answers are the same. These count:
 *
 *	those that hold an asked address, and what starts in them at or before it, since perf's
 *	way to the one may be barred by the other;
 *	the last to start at or before an asked address, since one without a size reaches to the
 *	next, and what is before it in the first table may have got its end there;
 *	the first above all of them, or one without a size would be the last, which has an end of
 *	its own.
 */
bool cr_asked_needs(const struct cr_asked *a, uint64_t start);

void cr_asked_fini(struct cr_asked *a);

#endif
