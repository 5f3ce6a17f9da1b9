#ifndef CR_SYMBOL_DWARF_DWP_P_H
#define CR_SYMBOL_DWARF_DWP_P_H

#include "unit_image_p.h"

/*
 * The pieces of the split unit of that id in a .dwo file, or in a package, which is many of them
 * put together with an index. Only what such files have is filled in. False when it is not there.
 * The pieces are borrowed from e.
 *
 * Source: DWARF 5, 7.3.5, and for DWARF 4 the GNU wiki's DebugFissionDWP (version 2 of the index).
 */
bool cr_dwp_find(struct cr_elf *e, uint64_t id, struct cr_unit_parts *out);

#endif
