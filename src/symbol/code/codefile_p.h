#ifndef CR_SYMBOL_CODE_CODEFILE_P_H
#define CR_SYMBOL_CODE_CODEFILE_P_H

#include "symbol/files/debugfile_p.h"
#include "symbol/jit/jitdump.h"
#include "symbol/kernel/kernel_p.h"

/*
 * Where the instructions of a dso are: the file that its symbols come from, a jitdump, the
 * kernel's own file. Opened a second time, without debug info, once it is known which functions are
 * looked at. All zero bytes is a valid empty one.
 */
struct cr_codefile {
	enum cr_codefile_kind {
		CR_CODEFILE_NONE,
		CR_CODEFILE_ELF,    /* addresses are file offsets */
		CR_CODEFILE_MODULE, /* those of the kernel's memory, bias above where sections are
				       placed */
		CR_CODEFILE_KERNEL, /* those of the kernel's memory */
		CR_CODEFILE_DUMP,   /* offsets in a jitdump */
	} kind;
	struct cr_debugfile files; /* of ELF and MODULE */
	struct cr_kernel kernel;   /* of KERNEL */
	struct cr_jitdump dump;    /* of DUMP */
	uint16_t machine;
	uint8_t bits;
	bool big_endian;
	uint64_t bias;
	char *why; /* NONE: why there is no code; else NULL */
};

/* opts is borrowed until the end. Without build-ids to compare a file is believed, as for names. */
void cr_codefile_open(struct cr_codefile *c, const struct cr_profile *p,
	const struct cr_symbol_opts *opts, cr_dso_id dso);

/* Functions by their first address, sorted, to where they end: `addr` itself where nothing says. */
struct cr_code_end {
	uint64_t end;
	bool thumb;
};

void cr_codefile_ends(
	struct cr_codefile *c, const struct cr_addrkey *starts, size_t n, struct cr_code_end *ends);

/*
 * The len bytes at addr, borrowed, and where they are shown; false when the file has not got them
 * all.
 */
bool cr_codefile_bytes(const struct cr_codefile *c, uint64_t addr, uint64_t len,
	struct cr_str *bytes, uint64_t *base);

void cr_codefile_close(struct cr_codefile *c);

#endif
