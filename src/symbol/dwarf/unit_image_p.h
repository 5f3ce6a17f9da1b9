#ifndef CR_SYMBOL_DWARF_UNIT_IMAGE_P_H
#define CR_SYMBOL_DWARF_UNIT_IMAGE_P_H

#include "bytes/cursor.h"
#include "symbol/elf/elf_p.h"

/*
 * A split unit, in the pieces of files that it consists of, all borrowed; what there is none of is
 * empty.
 */
struct cr_unit_parts {
	struct cr_cursor info; /* of the unit, header and all */
	struct cr_cursor
		abbrev; /* the table that its header refers to with base 0, and what follows */
	struct cr_cursor str_offsets;
	struct cr_cursor str;      /* of all units of the file */
	struct cr_cursor rnglists; /* DWARF 5 */
	struct cr_cursor addr;     /* of the program, from the template's base on */
	struct cr_cursor ranges;   /* likewise; DWARF 4 */
	uint64_t low_pc;           /* the template's */
	bool big_endian;
};

/*
 * The header of the unit at c, which is moved behind the unit; false when it is none, or of 64-bit
 * DWARF.
 */
struct cr_unit_head {
	struct cr_cursor unit; /* all of it */
	uint64_t id;           /* of a split unit; 0 for another one */
	uint16_t version;
	uint8_t addr_bytes;
	uint32_t abbrev; /* offset of its table */
	uint32_t die;    /* offset of its first entry in the unit */
};
bool cr_unit_head_read(
	struct cr_cursor *c, const struct cr_cursor *abbrev, struct cr_unit_head *out);

/*
 * One ELF file in memory in which the unit is the only one, and plain: all it refers to is there at
 * offset 0, and it has the first address of its template. Entries keep their offsets in the unit.
 * NULL when the unit is damaged or past 1 GiB.
 *
 * What makes it fit: where DWARF 5 has the id in the header, DWARF 4 as an attribute, there is room
 * for the address. Strings are those that the unit uses, not all of a package's.
 */
struct cr_elf *cr_unit_image_new(const struct cr_unit_parts *parts);

#endif
