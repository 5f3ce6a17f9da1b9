#ifndef CR_SYMBOL_DWARF_DWARF_FILE_P_H
#define CR_SYMBOL_DWARF_DWARF_FILE_P_H

#include "line_table_p.h"
#include "split_p.h"
#include "symbol/files/debugfile_p.h"

/*
 * A file with debug info, opened for one thread: libdw's handles belong to one. Several of the same
 * file read the same memory. libdw never gets to open a file that this one names.
 */
struct cr_dwarf {
	Elf *elf;
	Dwarf *dbg;
	struct cr_split *split; /* what is in other files */
	CR_VEC(struct cr_dwarf_sections {
		Dwarf *dbg;
		struct cr_line_sections lines;
	})
	sections; /* of it and of the files that it refers to, as they were asked for */
};

/* false, and d is empty, when libdw cannot read it. opts and f outlive d. */
bool cr_dwarf_open(
	struct cr_dwarf *d, const struct cr_symbol_opts *opts, const struct cr_debugfile *f);
void cr_dwarf_close(struct cr_dwarf *d);

/* The line tables that the units of dbg refer to; borrowed until the next call. */
const struct cr_line_sections *cr_dwarf_lines(struct cr_dwarf *d, Dwarf *dbg);

/* The value of an attribute; false when it is of another kind, or in a file that is not there. */
bool cr_dwarf_number(Dwarf_Attribute *a, uint64_t *out);
const char *cr_dwarf_text(const struct cr_dwarf *d, Dwarf_Attribute *a); /* NULL for false */
bool cr_dwarf_refer(const struct cr_dwarf *d, Dwarf_Attribute *a, Dwarf_Die *out);

/* The number of a DIE's attribute of that name. */
bool cr_dwarf_die_number(Dwarf_Die *die, unsigned name, uint64_t *out);

#endif
