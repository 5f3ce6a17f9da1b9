#ifndef CR_SYMBOL_DWARF_DWARF_COST_P_H
#define CR_SYMBOL_DWARF_DWARF_COST_P_H

#include "symbol/elf/elf_p.h"

/*
 * True for debug info that costs far more to read than its size suggests, as no compiler writes it.
 * libdw has no limits of its own, so it must not be asked about such a file:
 *
 *	- Units share big tables of abbreviations. Each unit decodes and stores its table anew.
 *	- An abbreviation has many attributes. Without content, they make a DIE of one byte slow.
 *	- A text in a DIE is long. It is skipped anew for each attribute that is asked for.
 *	- Lists of ranges or locations have many bases in a row. One call of libdw reads them all.
 *
 * It takes time in proportion to the size of these sections. locations: look at location lists,
 * too, which are large, and needed only for variables.
 */
bool cr_dwarf_is_costly(const struct cr_elf *e, bool locations);

#endif
