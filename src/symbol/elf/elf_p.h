#ifndef CR_SYMBOL_ELF_ELF_P_H
#define CR_SYMBOL_ELF_ELF_P_H

#include "base/mem.h"
#include "symtab_p.h"

#include <gelf.h>

/*
 * An ELF file of any class and byte order, opened for its symbols. Files are hostile: every count
 * and index is checked, invalid parts are ignored, and a file that is too damaged is not opened.
 */
struct cr_elf_section {
	GElf_Shdr head;
	const char *name; /* "" if it is invalid */
};

struct cr_elf {
	Elf *elf;
	struct cr_source *src; /* NULL if it is in memory */
	uint16_t type;         /* ET_EXEC ... */
	uint16_t machine;      /* EM_X86_64 ... */
	uint8_t bits;          /* size of an address: 32 or 64 */
	bool big_endian;
	size_t n_sections;
	struct cr_elf_section *sections; /* [0] is the empty section */
	size_t n_loads;
	GElf_Phdr *loads; /* only PT_LOAD */
	bool mini;        /* unpacked from another file's .gnu_debugdata */
	bool linked;      /* set by the caller: symbols are at link addresses, for a kernel */
	struct cr_arena arena;
};

struct cr_build_id {
	uint8_t p[20];
	uint8_t len; /* 0 if none */
};

/* Open an ELF file; NULL if it is none. The memory must outlive the handle. */
/* Takes ownership of fd; may be packed with gzip, xz or zstd, up to 2 GiB unpacked. */
struct cr_elf *cr_elf_open(int fd);
struct cr_elf *cr_elf_memory(const void *p, size_t len);
void cr_elf_close(struct cr_elf *e);

/* The build-id of the file; len 0 if it has none. */
void cr_elf_build_id(struct cr_elf *e, struct cr_build_id *out);

/*
 * Find the build-id in notes, as in a section or /sys/kernel/notes. align: 4, or 8 for some files.
 * swap: other byte order. False if there is none.
 */
bool cr_elf_note_build_id(
	const void *notes, size_t len, size_t align, bool swap, struct cr_build_id *out);

/*
 * .gnu_debuglink: name of the file with symbols (the caller frees it) and its CRC-32. False if
 * there is none.
 */
bool cr_elf_debuglink(struct cr_elf *e, char **name, uint32_t *crc);

/*
 * MiniDebugInfo: an ELF file with symbols, packed with xz in a section of the stripped file it was
 * made from. NULL if e has none. Up to 256 MiB.
 */
struct cr_elf *cr_elf_mini(const struct cr_elf *e);

/* The first section with that type (SHT_SYMTAB ...), or that name; NULL if there is none. */
const struct cr_elf_section *cr_elf_section_type(const struct cr_elf *e, uint32_t type);
const struct cr_elf_section *cr_elf_section_named(const struct cr_elf *e, const char *name);

/*
 * The content of a section in this machine's byte order, borrowed; NULL if it is empty or too
 * large.
 */
Elf_Data *cr_elf_data(const struct cr_elf *e, const struct cr_elf_section *s);

struct cr_cursor;

/*
 * Read the section of that name in the file's byte order. Without such a section, or one without
 * content, false and nothing to read.
 */
bool cr_elf_cursor(const struct cr_elf *e, const char *name, struct cr_cursor *out);

/* Drop the pages of a large section from memory; they are read back on access. */
void cr_elf_section_done(const struct cr_elf *e, const struct cr_elf_section *s);

/* A symbol table and its strings. _open() returns false if either is invalid. */
struct cr_elf_symbols {
	Elf_Data *data;
	int n;
	const char *strings; /* ends with a NUL */
	size_t strings_len;  /* including the NUL */
};
bool cr_elf_symbols_open(
	struct cr_elf *e, const struct cr_elf_section *s, struct cr_elf_symbols *out);
/* Name of a symbol; "" if it is invalid. */
const char *cr_elf_symbol_name(const struct cr_elf_symbols *s, const GElf_Sym *sym);

/* True for files made by strip(1) --only-keep-debug: the same headers, without code. */
bool cr_elf_hollow(const struct cr_elf *e);

/*
 * Lay out the sections of a kernel module like the kernel does when it loads the module. sh_offset
 * of sections with code becomes the distance from the start of the module; that of others becomes a
 * far distance.
 */
void cr_elf_place(struct cr_elf *e);

/* True if it has .debug_info. */
bool cr_elf_has_debug(const struct cr_elf *e);

/* Convert a virtual address of the dso to a file offset; false if no segment contains it. */
bool cr_elf_offset(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset);

/* Convert a file offset to a virtual address; false if no segment contains it. */
bool cr_elf_address(const struct cr_elf *e, uint64_t offset, uint64_t *vaddr);

/* The len bytes of the file at offset, borrowed; empty if the file does not contain them all. */
struct cr_str cr_elf_bytes(const struct cr_elf *e, uint64_t offset, uint64_t len);

/*
 * The same for a file laid out by cr_elf_place(): sections with code, as in the file, without
 * relocation.
 */
struct cr_str cr_elf_placed_bytes(const struct cr_elf *e, uint64_t place, uint64_t len);

/*
 * The file offset of the byte loaded at a virtual address; false if it does not come from the file.
 */
bool cr_elf_loaded(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset);

/*
 * Add the symbols of `syms` to t and apply cr_symtab_fix(). Starts are file offsets of the dso as
 * it runs, computed with the segments of `runtime`: the same file, or the file that the debug file
 * was made from. If t->asked is set, symbols that cannot affect an answer are left out, and
 * t->partial is set; or all are added, and t->asked becomes NULL, if symbols overlap there.
 */
void cr_elf_symbols(struct cr_elf *syms, struct cr_elf *runtime, struct cr_symtab *t);

/*
 * Add names for the PLT stubs that call functions of other dsos. If t->asked is set, only if an
 * asked address is among them. Call it after cr_elf_symbols().
 */
void cr_elf_plt(struct cr_elf *runtime, struct cr_symtab *t);

#endif
