#ifndef CR_SYMBOL_DWARF_SPLIT_P_H
#define CR_SYMBOL_DWARF_SPLIT_P_H

#include "symbol/files/debugfile_p.h"

#include <elfutils/libdw.h>

/*
 * Debug info of a program that is in other files: the file of dwz, and split units. Of a split
 * unit only a skeleton is in the program. The rest is in a .dwo file, or together with others in a
 * .dwp package. libdw would open any file that the skeleton names, does not support packages, and
 * derives a path only from a descriptor. So the files are found here, also below --symfs and
 * --debug-dir, and must have the id of the skeleton.
 *
 * Belongs to one Dwarf handle and so to one thread. Units are opened on first use.
 */
struct cr_split;

/*
 * opts, d and dwarf are borrowed and must outlive it. Attaches the file of dwz to dwarf, if d has
 * it.
 */
struct cr_split *cr_split_new(
	const struct cr_symbol_opts *opts, const struct cr_debugfile *d, Dwarf *dwarf);

/* True if dwarf has the file that references out of it (DW_FORM_GNU_ref_alt ...) refer to. */
bool cr_split_has_alt(const struct cr_split *s);

/*
 * Return the DIE of the split unit of a skeleton's DIE; false if it is unavailable. All libdw
 * functions for DIEs and attributes work on it and its children: addresses, strings and ranges are
 * in the same memory. It is a plain compilation unit with the skeleton's first address. File
 * numbers refer to the skeleton's line table.
 */
bool cr_split_unit(struct cr_split *s, Dwarf_Die *skeleton, Dwarf_Die *out);

/*
 * The text of an attribute, like dwarf_formstring(), but NULL if it does not end in the file, or
 * not within 1 MiB: libdw does not check the end of a text that is in the DIE itself.
 */
const char *cr_split_text(Dwarf_Attribute *a);

void cr_split_free(struct cr_split *s);

#endif
