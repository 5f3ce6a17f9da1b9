#ifndef CR_SYMBOL_DWARF_DWARF_FILE_P_H
#define CR_SYMBOL_DWARF_DWARF_FILE_P_H

#include "die_skim_p.h"
#include "line_table_p.h"
#include "split_p.h"
#include "symbol/files/debugfile_p.h"

/*
 * A file with debug info, opened for one thread, since libdw's handles must not be shared. Several
 * handles of one file read the same memory. libdw itself never opens a file named in debug info.
 */
struct cr_dwarf {
	Elf *elf;
	Dwarf *dbg;
	struct cr_split *split; /* units in other files */
	CR_VEC(struct cr_dwarf_sections {
		Dwarf *dbg;
		struct cr_line_sections lines;
		struct cr_cursor abbrev; /* .debug_abbrev */
		struct cr_cursor info;   /* .debug_info */
		struct cr_cursor types;  /* .debug_types */
	})
	sections;                 /* of this file and the files it refers to, in order of use */
	struct cr_die_table dies; /* of the unit that is walked */
};

/* What was checked, or is needed: see cr_dwarf_is_costly(). */
enum cr_dwarf_use {
	CR_DWARF_LINES,     /* functions and lines */
	CR_DWARF_VARIABLES, /* location lists, too */
	CR_DWARF_AGAIN      /* another handle of f was opened for the same use */
};

/*
 * Open f's debug info. Returns false, with d empty, if libdw cannot read it, or should not. opts
 * and f must outlive d.
 */
bool cr_dwarf_open(struct cr_dwarf *d, const struct cr_symbol_opts *opts,
	const struct cr_debugfile *f, enum cr_dwarf_use use);
void cr_dwarf_close(struct cr_dwarf *d);

/* The line table sections that the units of dbg refer to; borrowed until the next call. */
const struct cr_line_sections *cr_dwarf_lines(struct cr_dwarf *d, Dwarf *dbg);

/* .debug_abbrev of dbg: this file, or one made of a split unit. */
struct cr_cursor cr_dwarf_abbrev(struct cr_dwarf *d, Dwarf *dbg);

/*
 * The bytes from `at`, in a section of units of dbg, to the end of that section; 0 if no section
 * contains it. A unit's header may claim more, and dwarf_next_unit() reports what it claims.
 */
size_t cr_dwarf_left(struct cr_dwarf *d, Dwarf *dbg, const unsigned char *at);

/* The value of an attribute; false if it has another form or is in a missing file. */
bool cr_dwarf_number(Dwarf_Attribute *a, uint64_t *out);
const char *cr_dwarf_text(const struct cr_dwarf *d, Dwarf_Attribute *a); /* NULL instead of false */
bool cr_dwarf_refer(const struct cr_dwarf *d, Dwarf_Attribute *a, Dwarf_Die *out);

/* The number in the attribute `name` of a DIE; false if there is none. */
bool cr_dwarf_die_number(Dwarf_Die *die, unsigned name, uint64_t *out);

#endif
