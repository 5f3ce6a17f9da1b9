#ifndef CR_SYMBOL_KERNEL_MAPFILE_P_H
#define CR_SYMBOL_KERNEL_MAPFILE_P_H

#include "symbol/elf/symtab_p.h"

#include "base/err.h"

/*
 * The two text tables of symbols: kallsyms, which the kernel writes, and perf-PID.map, which
 * JIT compilers write. What a line says that makes no sense is skipped, line by line.
 *
 * The _text functions take a heap block of len bytes and at least one more, which t owns from
 * then on; names in t point into it.
 */

/* What kallsyms said beside its symbols. */
struct cr_kallsyms {
	struct cr_symtab t;
	CR_VEC(const char *) modules; /* "[ext4]"; symbol.module is 1 + row */
	bool hidden;                  /* every address is 0: kptr_restrict */
};

void cr_kallsyms_text(struct cr_kallsyms *k, char *text, size_t len);
int cr_kallsyms_read(struct cr_kallsyms *k, const char *path, struct cr_err *err);
/* Read an open file from its start; it stays open, path is for messages. */
int cr_kallsyms_read_fd(struct cr_kallsyms *k, int fd, const char *path, struct cr_err *err);
/* The number that symbols of the module have; 0 when there are none. */
uint16_t cr_kallsyms_module(const struct cr_kallsyms *k, const char *name);
void cr_kallsyms_fini(struct cr_kallsyms *k);

void cr_perfmap_text(struct cr_symtab *t, char *text, size_t len);
/* Read an open file, which stays open; path is for messages. */
int cr_perfmap_read(struct cr_symtab *t, int fd, const char *path, struct cr_err *err);

#endif
