#ifndef CR_SYMBOL_DWARF_SPLIT_P_H
#define CR_SYMBOL_DWARF_SPLIT_P_H

#include "symbol/files/debugfile_p.h"

#include <elfutils/libdw.h>

/*
 * What the debug info of a program says elsewhere: in the file of dwz, and in split units, of which
 * only a template is in the program and the rest in a .dwo file, or, with many others, in a .dwp
 * package. libdw would open whatever the template names, has no way to a package, and knows a path
 * only from a descriptor; so the files are found here, under --symfs and --debug-dir too, and must
 * have the id that the template has.
 *
 * For one Dwarf handle, so for one thread. The units are opened once, when they are first asked
 * for.
 */
struct cr_split;

/* opts, d and dwarf stay the caller's and outlive it. Gives dwarf the file of dwz, if d has it. */
struct cr_split *cr_split_new(
	const struct cr_symbol_opts *opts, const struct cr_debugfile *d, Dwarf *dwarf);

/* Has dwarf got what references out of it (DW_FORM_GNU_ref_alt ...) lead to? */
bool cr_split_has_alt(const struct cr_split *s);

/*
 * The unit's DIE that belongs to a template's; false when it cannot be had. All of libdw's
 * functions for DIEs and attributes work on it and below: addresses, strings and ranges are in the
 * same memory. It is a plain compile unit, its first address that of the template. What numbers of
 * files mean is in the template's line table.
 */
bool cr_split_unit(struct cr_split *s, Dwarf_Die *template, Dwarf_Die *out);

void cr_split_free(struct cr_split *s);

#endif
