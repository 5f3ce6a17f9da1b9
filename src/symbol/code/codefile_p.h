#ifndef CR_SYMBOL_CODE_CODEFILE_P_H
#define CR_SYMBOL_CODE_CODEFILE_P_H

#include "symbol/files/debugfile_p.h"
#include "symbol/jit/jitdump.h"
#include "symbol/kernel/kernel_p.h"

/*
 * The file that contains the machine code of a dso: the one that its symbols come from, a jitdump,
 * or the kernel's. It is opened a second time, without debug info, when it is known which functions
 * are needed. All zero bytes is a valid empty one.
 */
struct cr_codefile {
	enum cr_codefile_kind {
		CR_CODEFILE_NONE,
		CR_CODEFILE_ELF, /* addresses are file offsets */
		/* Addresses are in the kernel's memory, `bias` above those of cr_elf_place(). */
		CR_CODEFILE_MODULE,
		CR_CODEFILE_KERNEL, /* addresses are in the kernel's memory */
		CR_CODEFILE_DUMP,   /* offsets in a jitdump */
	} kind;
	struct cr_debugfile files; /* for ELF and MODULE */
	struct cr_kernel kernel;   /* for KERNEL */
	struct cr_jitdump dump;    /* for DUMP */
	uint16_t machine;
	uint8_t bits;
	bool big_endian;
	uint64_t bias;
	char *why; /* for NONE: why there is no code; otherwise NULL */
};

/*
 * Open the file of a dso. opts is borrowed until cr_codefile_close(). If there is no build-id to
 * compare, the file is accepted, as for names.
 */
void cr_codefile_open(struct cr_codefile *c, const struct cr_profile *p,
	const struct cr_symbol_opts *opts, cr_dso_id dso);

/*
 * Find the ends of n functions, given by their sorted start addresses: ends[i].end is `addr` if
 * unknown.
 */
struct cr_code_end {
	uint64_t end;
	bool thumb;
};

void cr_codefile_ends(
	struct cr_codefile *c, const struct cr_addrkey *starts, size_t n, struct cr_code_end *ends);

/*
 * Return the len bytes at addr, borrowed, in *bytes, and the address that a disassembler shows for
 * them in *base. False if the file does not contain them all.
 */
bool cr_codefile_bytes(const struct cr_codefile *c, uint64_t addr, uint64_t len,
	struct cr_str *bytes, uint64_t *base);

void cr_codefile_close(struct cr_codefile *c);

#endif
