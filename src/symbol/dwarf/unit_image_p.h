#ifndef CR_SYMBOL_DWARF_UNIT_IMAGE_P_H
#define CR_SYMBOL_DWARF_UNIT_IMAGE_P_H

#include "bytes/cursor.h"
#include "symbol/elf/elf_p.h"

/*
 * A split unit, given as the parts of files it consists of. All are borrowed; missing parts are
 * empty.
 */
struct cr_unit_parts {
	struct cr_cursor info;   /* of the unit, including its header */
	struct cr_cursor abbrev; /* from the table that its header refers to with base 0 */
	struct cr_cursor str_offsets;
	struct cr_cursor str;      /* of all units of the file */
	struct cr_cursor rnglists; /* DWARF 5 */
	struct cr_cursor addr;     /* of the program, from the skeleton's base */
	struct cr_cursor ranges;   /* likewise; DWARF 4 */
	uint64_t low_pc;           /* of the skeleton */
	bool big_endian;
};

/*
 * Parse the header of the unit at c and advance c past the unit. False if it is invalid or 64-bit
 * DWARF.
 */
struct cr_unit_head {
	struct cr_cursor unit; /* the complete unit */
	uint64_t id;           /* of a split unit; otherwise 0 */
	uint16_t version;
	uint8_t addr_bytes;
	uint32_t abbrev; /* offset of its abbreviation table */
	uint32_t die;    /* offset of its first DIE in the unit */
};
bool cr_unit_head_read(
	struct cr_cursor *c, const struct cr_cursor *abbrev, struct cr_unit_head *out);

/*
 * Make an ELF file in memory in which the unit is the only one, and not split: everything it refers
 * to is at offset 0, and its first address is that of its skeleton. DIEs keep their offsets in the
 * unit. NULL if the unit is damaged or larger than 1 GiB.
 *
 * It fits because the address replaces the id, which DWARF 5 has in the header and DWARF 4 as an
 * attribute. Only the strings that the unit uses are copied, not all of a package.
 */
struct cr_elf *cr_unit_image_new(const struct cr_unit_parts *parts);

#endif
