#ifndef CR_SYMBOL_DWARF_ALTFILE_P_H
#define CR_SYMBOL_DWARF_ALTFILE_P_H

#include "symbol/files/debugfile_p.h"

/*
 * The file into which dwz has moved what several debug files have in common: .gnu_debugaltlink of
 * d's debug file has its name, relative to that file, and its build-id. It is looked for by
 * build-id, by that name, and under --debug-dir. NULL when d needs none, or none is there; the
 * caller's.
 */
struct cr_elf *cr_altfile_open(const struct cr_symbol_opts *opts, const struct cr_debugfile *d,
	struct cr_refused *refused);

#endif
