#ifndef CR_SYMBOL_DWARF_UNIT_SCAN_P_H
#define CR_SYMBOL_DWARF_UNIT_SCAN_P_H

#include "bytes/cursor.h"
#include "symbol/elf/elf_p.h"

/*
 * Lists the units of .debug_info with their ranges, as libdw does, from their headers and first
 * DIEs alone. libdw decodes and stores each abbreviation before the one of the first DIE, which
 * gcc writes after many others, so it takes four times as long.
 *
 * Only what compilers write is understood. CR_UNIT_SCAN_UNSURE says that something else was found,
 * and libdw must be asked. Sources: DWARF 5, 7.5 and 2.17; earlier versions as stated there.
 */
struct cr_unit_scan {
	struct cr_cursor info, abbrev, addr, ranges, rnglists, line; /* whole sections */
	struct cr_cursor at;                                         /* in info, the next unit */
	uint64_t budget; /* remaining bytes of .debug_abbrev to read: units may share a table */
};

enum cr_unit_scan_result { CR_UNIT_SCAN_END, CR_UNIT_SCAN_UNIT, CR_UNIT_SCAN_UNSURE };

struct cr_scanned_unit {
	uint64_t offset; /* of the first DIE */
	bool compiled;   /* it may contain code: no type unit, no partial unit */
	bool silent;     /* it has neither ranges nor an end address */
	bool has_lines;
	uint64_t lines; /* offset of its line table, if it has one */
	/* ---- what cr_scanned_range() needs */
	uint16_t version;
	uint8_t addr_bytes;
	uint64_t low, high; /* the only range, if there is no list */
	uint64_t addr_base;
	struct cr_cursor list; /* the rest of the list of ranges */
	bool has_list, done;
};

/* Returns false if e has sections that only libdw understands. e is borrowed. */
bool cr_unit_scan_init(struct cr_unit_scan *s, const struct cr_elf *e);
enum cr_unit_scan_result cr_unit_scan_next(struct cr_unit_scan *s, struct cr_scanned_unit *out);

/* The next range of a unit, also an empty one; false if there is no more. */
bool cr_scanned_range(
	const struct cr_unit_scan *s, struct cr_scanned_unit *u, uint64_t *lo, uint64_t *hi);

#endif
