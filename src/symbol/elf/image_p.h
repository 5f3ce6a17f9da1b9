#ifndef CR_SYMBOL_ELF_IMAGE_P_H
#define CR_SYMBOL_ELF_IMAGE_P_H

#include "elf_p.h"

/*
 * A debug file as libdw can read it, where it could not: a copy in memory in which packed sections
 * are unpacked, and debug info that is not linked yet, a kernel module's, has its relocations
 * applied, so that its addresses are the file offsets of runtime. Of packed sections only those are
 * in it that lines, functions and unwinding need. libdw would unpack too, but not zstd, and it
 * writes in place, where a file is mapped to be read.
 *
 * Needs as much memory as the file and what is in it unpacked, 4 GiB at most, and at most 64 MiB
 * and 64 times as much as the file. What is damaged is left out. NULL when libdw can read e as it
 * is, or when there is no memory. It holds nothing of e.
 */
struct cr_elf *cr_image_new(struct cr_elf *e, const struct cr_elf *runtime);

#endif
