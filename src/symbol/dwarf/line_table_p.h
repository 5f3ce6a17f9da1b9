#ifndef CR_SYMBOL_DWARF_LINE_TABLE_P_H
#define CR_SYMBOL_DWARF_LINE_TABLE_P_H

#include "base/text.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "symbol/addrkey_p.h"

#include <stdbool.h>

/*
 * The line number program of a unit: its files, and the line of each asked address. libdw makes a
 * record of each row and sorts them, and does so even to tell a file's name; here rows pass by once
 * and none is kept, which is some thirty times faster.
 *
 * Hostile bytes cost files and lines. Time grows with the length of the table plus the addresses.
 */
struct cr_line_sections {
	struct cr_cursor line, line_str,
		str; /* at their starts; swap says the byte order. Empty when missing */
};

struct cr_line_table {
	struct cr_cursor program;
	const unsigned char *lengths; /* of the operands of standard opcodes, from opcode 1 on */
	uint8_t min_bytes, max_ops, line_range, opcode_base;
	int8_t line_base;
	CR_VEC(struct cr_str) dirs; /* [0] is where the compiler ran */
	CR_VEC(struct cr_line_file {
		struct cr_str name;
		uint64_t dir;
	})
	files; /* as the program numbers them */
};

struct cr_line_place {
	uint32_t file; /* of files; may be out of range */
	uint32_t line; /* 0 when not known */
};

/*
 * Read what is before the program, at offset of .debug_line. dir is the unit's DW_AT_comp_dir, may
 * be NULL. false, and t is empty, when it is broken. Borrows the sections' bytes and dir. Source:
 * DWARF 5, 6.2.4; 2 to 4 differ where it says so.
 */
bool cr_line_table_open(struct cr_line_table *t, const struct cr_line_sections *s, uint64_t offset,
	const char *dir);

/*
 * Run the program: places[i] becomes that of keys[i], which are sorted, if it has none and the
 * table covers it. Sequences that start below `lowest` are of code that the linker threw away.
 */
void cr_line_table_run(const struct cr_line_table *t, uint64_t lowest,
	const struct cr_addrkey *keys, size_t n, struct cr_line_place *places);

/* Append the path of a file, "." and ".." taken out as text; nothing when it has none. */
void cr_line_table_path(const struct cr_line_table *t, uint64_t file, struct cr_text *out);

void cr_line_table_fini(struct cr_line_table *t);

#endif
