#ifndef CR_SYMBOL_DWARF_DWARF_UNITS_P_H
#define CR_SYMBOL_DWARF_DWARF_UNITS_P_H

#include "dwarf_file_p.h"
#include "symbol/addrkey_p.h"

/*
 * Finds the compilation units that contain the asked addresses: one pass over the headers of all
 * units, looking up each of their ranges among the addresses. .debug_aranges would be faster, but
 * nothing tells whether it is complete.
 */
struct cr_dwarf_hit {
	uint64_t offset; /* of the unit's first DIE */
	uint64_t bytes;  /* size of the unit: an estimate of the work */
	struct cr_addrkey *keys;
	size_t n;
	bool no_lines; /* the line tables of the units before it are too long, as they are shared */
	uint64_t spare; /* bytes that it may read of the line tables of other units, and more */
};

struct cr_dwarf_hits {
	CR_VEC(struct cr_dwarf_hit) units; /* in file order */
	struct cr_addrkey *keys;           /* the keys of all units */
};

/*
 * keys must be sorted; lowest: start of the code. Ranges below it belong to code that was not
 * linked. An address belongs to the unit with the smallest range around it. Addresses in no range
 * belong to all units that state no range.
 */
void cr_dwarf_units(struct cr_dwarf *d, const struct cr_addrkey *keys, size_t n, uint64_t lowest,
	struct cr_dwarf_hits *out);
/*
 * The same without libdw, which takes four times as long. Returns false, with out unset, if the
 * units of e, a file with debug info, have something that only libdw understands.
 */
bool cr_dwarf_units_scan(const struct cr_elf *e, const struct cr_addrkey *keys, size_t n,
	uint64_t lowest, struct cr_dwarf_hits *out);
void cr_dwarf_hits_fini(struct cr_dwarf_hits *h);

#endif
