#ifndef CR_SYMBOL_DWARF_LINE_TABLE_P_H
#define CR_SYMBOL_DWARF_LINE_TABLE_P_H

#include "base/text.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "symbol/addrkey_p.h"

#include <stdbool.h>

/*
 * The line number program of a unit: its files, and the line of each asked address. libdw stores
 * and sorts a record for each row, even to return a file name. Here rows are processed once and
 * none is stored, which is about thirty times faster.
 *
 * Hostile bytes can only cost files and lines. Time is linear in the length of the table plus the
 * addresses.
 */
struct cr_line_sections {
	/* From the start of each section; `swap` gives the byte order. Empty if missing. */
	struct cr_cursor line, line_str, str;
};

struct cr_line_table {
	struct cr_cursor program;
	/* Numbers of operands of the standard opcodes, from opcode 1. */
	const unsigned char *lengths;
	uint8_t min_bytes, max_ops, line_range, opcode_base;
	int8_t line_base;
	CR_VEC(struct cr_str) dirs; /* [0] is the compilation directory */
	CR_VEC(struct cr_line_file {
		struct cr_str name;
		uint64_t dir;
	})
	files; /* numbered as in the program */
};

struct cr_line_place {
	uint32_t file; /* index in files; may be out of range */
	uint32_t line; /* 0 if unknown */
};

/* The bytes of the table at `offset` of .debug_line; 0 if there is none. */
uint64_t cr_line_table_bytes(struct cr_cursor line, uint64_t offset);

/*
 * Parse the header of the program at `offset` of .debug_line. dir: DW_AT_comp_dir of the unit; may
 * be NULL. Returns false, with t empty, if it is invalid. Borrows the sections' bytes and dir.
 * Source: DWARF 5, 6.2.4; versions 2 to 4 differ as stated there.
 */
bool cr_line_table_open(struct cr_line_table *t, const struct cr_line_sections *s, uint64_t offset,
	const char *dir);

/*
 * Run the program. places[i] becomes the place of keys[i] (which are sorted), if it has none yet
 * and the table covers it. Sequences that start below `lowest` are ignored: the linker dropped
 * their code.
 */
void cr_line_table_run(const struct cr_line_table *t, uint64_t lowest,
	const struct cr_addrkey *keys, size_t n, struct cr_line_place *places);

/*
 * Append the path of a file, with "." and ".." resolved textually; nothing if the file has no name.
 */
void cr_line_table_path(const struct cr_line_table *t, uint64_t file, struct cr_text *out);

void cr_line_table_fini(struct cr_line_table *t);

#endif
