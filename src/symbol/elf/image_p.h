#ifndef CR_SYMBOL_ELF_IMAGE_P_H
#define CR_SYMBOL_ELF_IMAGE_P_H

#include "elf_p.h"

/*
 * Copy a debug file that libdw cannot read to memory, in a form that it can. Compressed sections
 * are unpacked. For debug info that is not linked, as in a kernel module, relocations are applied,
 * so that its addresses are file offsets of runtime. Compressed sections that lines, functions and
 * unwinding do not need are omitted. (libdw can unpack too, but not zstd, and it writes in place,
 * while our mapping is read-only.)
 *
 * Uses as much memory as the file plus its unpacked content, at most 4 GiB, and at most 64 MiB plus
 * 64 times the file. Damaged parts are omitted. Returns NULL if libdw can read e as it is, or there
 * is no memory. The copy does not refer to e.
 */
struct cr_elf *cr_image_new(struct cr_elf *e, const struct cr_elf *runtime);

#endif
