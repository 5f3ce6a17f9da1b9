#ifndef CR_SYMBOL_DWARF_DIE_SKIM_P_H
#define CR_SYMBOL_DWARF_DIE_SKIM_P_H

#include "base/vec.h"
#include "bytes/cursor.h"

#include <stdbool.h>

/*
 * Steps over the DIEs of a unit, reading what a walk needs of each: its kind, its address range and
 * where the next one is. libdw decodes the abbreviation and all attributes of a DIE anew for each
 * question. Here the abbreviations of the unit are decoded once, to steps over the bytes of a DIE.
 *
 * Source: DWARF 5, 7.5; earlier versions as stated there.
 */
struct cr_die_table {
	CR_VEC(struct cr_die_kind {
		uint32_t first; /* of its steps */
		uint32_t n;     /* number of steps */
		uint16_t tag;
		uint8_t ranges; /* enum cr_die_ranges */
		bool relative;  /* the high address is stored as a length */
		bool children;
	})
	kinds; /* by code, from 1 */
	CR_VEC(struct cr_die_step {
		uint8_t skip; /* bytes to skip before the value */
		uint8_t what; /* what to do with the value */
		uint8_t form; /* how it is stored */
	})
	steps;
};

enum cr_die_ranges {
	CR_DIE_NO_RANGE,   /* it has no code */
	CR_DIE_PLAIN,      /* one range, from low to high */
	CR_DIE_OTHER_RANGE /* a list, or addresses in another section: libdw knows */
};

struct cr_skimmed_die {
	uint64_t code; /* 0 ends a list of siblings */
	uint16_t tag;
	bool children;
	uint8_t ranges;         /* enum cr_die_ranges */
	uint64_t low, high;     /* for CR_DIE_PLAIN */
	uint64_t sibling;       /* offset of the sibling in the unit; 0 if it is not stored */
	struct cr_cursor after; /* after the attributes */
};

/* The header of a unit, as far as it is needed here. */
struct cr_die_unit {
	uint64_t abbrev; /* offset of the table */
	uint16_t version;
	uint8_t addr_bytes;
};

/* unit: from the unit's header on. False for 64-bit DWARF, and versions other than 2 to 5. */
bool cr_die_unit_read(struct cr_cursor unit, struct cr_die_unit *out);

/*
 * Decode the table of a unit. All zero bytes is a valid empty table; its memory is reused. abbrev:
 * the whole section. most: bytes of it that may be read. Returns false for what compilers do not
 * write: unknown forms, or codes that are not 1, 2, 3 ...
 */
bool cr_die_table_read(struct cr_die_table *t, const struct cr_die_unit *unit,
	struct cr_cursor abbrev, uint64_t most);
void cr_die_table_fini(struct cr_die_table *t);

/* Read the DIE at c. False if it is damaged. */
bool cr_die_skim(const struct cr_die_table *t, struct cr_cursor c, struct cr_skimmed_die *out);

/*
 * Move to what follows a DIE and its children, on the same level: a DIE, or the 0 that ends the
 * list. unit: from the unit's header on. False if the unit is damaged; at its end *out is empty.
 */
bool cr_die_next(const struct cr_die_table *t, struct cr_cursor unit,
	const struct cr_skimmed_die *die, struct cr_cursor *out);

#endif
