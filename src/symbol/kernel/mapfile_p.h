#ifndef CR_SYMBOL_KERNEL_MAPFILE_P_H
#define CR_SYMBOL_KERNEL_MAPFILE_P_H

#include "symbol/elf/symtab_p.h"

#include "base/err.h"

/*
 * The two text formats of symbol tables: kallsyms, written by the kernel, and perf-PID.map, written
 * by JIT compilers. Invalid lines are skipped.
 *
 * The _text functions take ownership of a heap block of len bytes plus at least one more; names in
 * the table point into it.
 */

/*
 * The addresses of the kernel itself that will be looked up, and no others. Then most lines of
 * kallsyms need not become symbols: the answers are the same. All zero bytes: any address.
 */
struct cr_kallsyms_wanted {
	const struct cr_addrkey *asked; /* sorted by address, borrowed; at the recorded places */
	size_t n;
	/*
	 * The symbol that tells how far the kernel was moved, as for cr_symtab_shift(), and its
	 * recorded address; empty if it was not moved.
	 */
	struct cr_str ref;
	uint64_t ref_addr;
};

/* The content of kallsyms. */
struct cr_kallsyms {
	struct cr_kallsyms_wanted wanted; /* set it before reading */
	struct cr_symtab t;
	CR_VEC(const char *) modules; /* "[ext4]"; symbol.module is 1 + row */
	bool hidden;                  /* all addresses are 0, because of kptr_restrict */
};

/* Parse a text, or read the file at `path`; lines that cannot be parsed are skipped. */
void cr_kallsyms_text(struct cr_kallsyms *k, char *text, size_t len);
int cr_kallsyms_read(struct cr_kallsyms *k, const char *path, struct cr_err *err);
/* Read an open file from its start; it stays open. path: for messages. */
int cr_kallsyms_read_fd(struct cr_kallsyms *k, int fd, const char *path, struct cr_err *err);
/* The number of a module, as in symbol.module; 0 if it has no symbols. */
uint16_t cr_kallsyms_module(const struct cr_kallsyms *k, const char *name);
void cr_kallsyms_fini(struct cr_kallsyms *k);

/* The same for a perf map: lines "START SIZE NAME", in hexadecimal. */
void cr_perfmap_text(struct cr_symtab *t, char *text, size_t len);
/* Read an open file, which stays open. path: for messages. */
int cr_perfmap_read(struct cr_symtab *t, int fd, const char *path, struct cr_err *err);

#endif
