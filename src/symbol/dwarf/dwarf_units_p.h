#ifndef CR_SYMBOL_DWARF_DWARF_UNITS_P_H
#define CR_SYMBOL_DWARF_DWARF_UNITS_P_H

#include "dwarf_file_p.h"
#include "symbol/addrkey_p.h"

/*
 * Which units of a file have the addresses that are asked: one pass over the heads of all units,
 * each of their ranges looked up among the addresses. .debug_aranges would say it faster where it
 * is complete, and nothing says whether it is.
 */
struct cr_dwarf_hit {
	uint64_t offset; /* of the unit's first entry */
	uint64_t bytes;  /* of the unit: how much work it may be */
	struct cr_addrkey *keys;
	size_t n;
};

struct cr_dwarf_hits {
	CR_VEC(struct cr_dwarf_hit) units; /* in the file's order */
	struct cr_addrkey *keys;           /* all of theirs */
};

/*
 * keys are sorted, lowest is where code starts: what claims to be below was not linked. An address
 * is of the unit with the smallest range around it; those of none are of all units that do not say
 * what they hold.
 */
void cr_dwarf_units(struct cr_dwarf *d, const struct cr_addrkey *keys, size_t n, uint64_t lowest,
	struct cr_dwarf_hits *out);
void cr_dwarf_hits_fini(struct cr_dwarf_hits *h);

#endif
