#ifndef CR_SYMBOL_DWARF_DWP_P_H
#define CR_SYMBOL_DWARF_DWP_P_H

#include "unit_image_p.h"

/*
 * Find the parts of the split unit with this id in a .dwo file, or in a .dwp package, which
 * contains many units and an index. Only the parts stored in such files are set. Returns false if
 * the id is missing. The parts are borrowed from e. *budget, about the bytes that may be read to
 * find the unit, is charged: the skeletons of a program may ask a file with many units.
 *
 * Source: DWARF 5, 7.3.5; for DWARF 4 the GNU wiki's DebugFissionDWP (version 2 of the index).
 */
bool cr_dwp_find(struct cr_elf *e, uint64_t id, uint64_t *budget, struct cr_unit_parts *out);

#endif
