#ifndef CR_SYMBOL_ASKED_P_H
#define CR_SYMBOL_ASKED_P_H

#include "addrkey_p.h"

#include <stdbool.h>

/*
 * The addresses of a dso that need names, and which of its symbols can affect the answers. A
 * program may have a hundred thousand symbols, and a recording uses a hundred of them. The symbols
 * are visited twice: first to find what is around the addresses, then to select them.
 *
 *	cr_asked_init(&a, keys, n, also)
 *	cr_asked_scan(&a, start, end, first_table) ...    for every symbol
 *	cr_asked_scan_done(&a)
 *	if (cr_asked_needs(&a, start)) ...                for every symbol
 *	cr_asked_fini(&a)
 */
struct cr_asked {
	struct cr_asked_spot {
		uint64_t addr;
		/* Symbols in [low, addr] affect the answer; UINT64_MAX if there are none. */
		uint64_t low;
		/* During the scan: largest end of symbols that start before addr ... */
		uint64_t reach;
		uint64_t last; /* ... and the last start, in the first table */
	} * spots;             /* n, sorted by address */
	size_t n;
	uint64_t after;       /* first start above all addresses; UINT64_MAX if none */
	uint64_t after_first; /* the same, in the first table */
	uint64_t base;        /* lowest address */
	unsigned shift;       /* an address is in slice (addr - base) >> shift */
	size_t n_slices;
	uint32_t *slices; /* by slice: its first spot; n at the end */
};

/* keys must be sorted; `also` is one more address. */
void cr_asked_init(struct cr_asked *a, const struct cr_addrkey *keys, size_t n, uint64_t also);
/*
 * Visit a symbol [start, end). first_table: it is in the first of the dso's tables. Returns false
 * if cr_asked_needs() will return false for it, unless cr_asked_scan_done() returns true.
 */
bool cr_asked_scan(struct cr_asked *a, uint64_t start, uint64_t end, bool first_table);
/*
 * End the scan; cr_asked_needs() may be called now. Returns true if symbols overlap at an asked
 * address. Then the answer probably needs perf's tree, and so all symbols.
 */
bool cr_asked_scan_done(struct cr_asked *a);

/*
 * False if all answers are the same with and without the symbols that start there. Needed are:
 * - symbols that contain an asked address, and those that start inside such a symbol, at or before
 *   the address: they can end perf's search too early;
 * - the last symbol that starts at or before an asked address: without a size it extends to the
 *   next symbol, and its predecessor in the first table may end at its start;
 * - the first symbol above all addresses; otherwise a symbol without a size would be the last one,
 *   whose end is computed differently.
 */
bool cr_asked_needs(const struct cr_asked *a, uint64_t start);

void cr_asked_fini(struct cr_asked *a);

#endif
