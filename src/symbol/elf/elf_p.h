#ifndef CR_SYMBOL_ELF_ELF_P_H
#define CR_SYMBOL_ELF_ELF_P_H

#include "base/mem.h"
#include "symtab_p.h"

#include <gelf.h>

/*
 * An ELF file of any class and byte order, opened for its symbols. Files are hostile: no count
 * or index of theirs is believed, what is broken is left out, and what is too broken does not
 * open at all.
 */
struct cr_elf_section {
	GElf_Shdr head;
	const char *name; /* "" when the file has no good one */
};

struct cr_elf {
	Elf *elf;
	struct cr_source *src; /* NULL for memory */
	uint16_t type;         /* ET_EXEC ... */
	uint16_t machine;      /* EM_X86_64 ... */
	uint8_t bits;          /* of an address: 32 or 64 */
	bool big_endian;
	size_t n_sections;
	struct cr_elf_section *sections; /* [0] is the empty one */
	size_t n_loads;
	GElf_Phdr *loads; /* PT_LOAD only */
	bool mini;        /* from another file's .gnu_debugdata */
	bool linked; /* to be set: its symbols start where it was linked to, for it is a kernel */
	struct cr_arena arena;
};

struct cr_build_id {
	uint8_t p[20];
	uint8_t len; /* 0: none */
};

/* NULL when it is not ELF. fd is taken in any case; the memory must outlive the handle. */
struct cr_elf *cr_elf_open(int fd); /* packed with gzip, xz or zstd too, up to 2 GiB */
struct cr_elf *cr_elf_memory(const void *p, size_t len);
void cr_elf_close(struct cr_elf *e);

void cr_elf_build_id(struct cr_elf *e, struct cr_build_id *out);

/* The build-id among notes as a section or /sys/kernel/notes has them; align is 4, for some 8. */
bool cr_elf_note_build_id(
	const void *notes, size_t len, size_t align, bool swap, struct cr_build_id *out);

/* .gnu_debuglink: name (the caller's to free) and CRC-32 of the file that has the symbols. */
bool cr_elf_debuglink(struct cr_elf *e, char **name, uint32_t *crc);

/*
 * MiniDebugInfo: a dso with symbols, packed with xz in a section of the stripped one that it
 * was made of. NULL when e has none. Up to 256 MiB.
 */
struct cr_elf *cr_elf_mini(const struct cr_elf *e);

/* The first section of that type (SHT_SYMTAB ...), or of that name; NULL when there is none. */
const struct cr_elf_section *cr_elf_section_type(const struct cr_elf *e, uint32_t type);
const struct cr_elf_section *cr_elf_section_named(const struct cr_elf *e, const char *name);

/* The contents in this machine's byte order, borrowed; NULL when there are none or too many. */
Elf_Data *cr_elf_data(const struct cr_elf *e, const struct cr_elf_section *s);

/* A table of symbols and its strings; false when either is broken. */
struct cr_elf_symbols {
	Elf_Data *data;
	int n;
	const char *strings; /* ended by a NUL */
	size_t strings_len;  /* with it */
};
bool cr_elf_symbols_open(
	struct cr_elf *e, const struct cr_elf_section *s, struct cr_elf_symbols *out);
/* "" when the file has no good one. */
const char *cr_elf_symbol_name(const struct cr_elf_symbols *s, const GElf_Sym *sym);

/* True of the files that strip(1) --only-keep-debug makes: headers as before, no code. */
bool cr_elf_hollow(const struct cr_elf *e);

/*
 * Place the sections of a kernel module as the kernel does when it loads one: sh_offset of those
 * with code becomes the distance from where the module starts, that of all others something far
 * away.
 */
void cr_elf_place(struct cr_elf *e);

/* Does it have debug info, that is .debug_info? */
bool cr_elf_has_debug(const struct cr_elf *e);

/* The file offset of an address of the dso; false when no segment holds it. */
bool cr_elf_offset(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset);

/* The address of a file offset, where the file is loaded; false when no segment has it. */
bool cr_elf_address(const struct cr_elf *e, uint64_t offset, uint64_t *vaddr);

/* The len bytes of the file from offset on, borrowed; nothing when it does not have them all. */
struct cr_str cr_elf_bytes(const struct cr_elf *e, uint64_t offset, uint64_t len);

/*
 * The same of what cr_elf_place() has placed: sections with code, as the file has them, nothing
 * relocated.
 */
struct cr_str cr_elf_placed_bytes(const struct cr_elf *e, uint64_t place, uint64_t len);

/* The file offset of what is loaded at an address; false where nothing of the file is. */
bool cr_elf_loaded(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset);

/*
 * Put the symbols of `syms` into t, fixed, starts as file offsets of the dso as it runs: by
 * the segments of `runtime`, which is the same file or the one that the debug file was made of.
 * With t->asked only those are put in that can have a say in an answer; t->partial tells.
 */
void cr_elf_symbols(struct cr_elf *syms, struct cr_elf *runtime, struct cr_symtab *t);

/*
 * Add the names of the stubs through which functions of other dsos are called; with t->asked
 * only if an asked address is among them. After cr_elf_symbols().
 */
void cr_elf_plt(struct cr_elf *runtime, struct cr_symtab *t);

#endif
