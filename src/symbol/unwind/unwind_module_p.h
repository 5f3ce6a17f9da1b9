#ifndef CR_SYMBOL_UNWIND_UNWIND_MODULE_P_H
#define CR_SYMBOL_UNWIND_UNWIND_MODULE_P_H

#include "cfi_p.h"
#include "symbol/files/debugfile_p.h"

/* A dso as the unwinder sees it: its file and the call frame information in it. */
struct cr_unwind_module {
	/* files with debug info are searched only if .eh_frame is not enough. */
	struct cr_debugfile files, debug_files;
	const struct cr_symbol_opts *opts;
	struct cr_dso dso; /* its name is borrowed */
	const struct cr_unwind_arch *arch;
	const struct cr_elf *runtime; /* NULL if there is none for this machine */
	bool swap;                    /* its byte order differs from ours */
	struct cr_cfi eh;             /* .eh_frame */
	struct cr_cfi debug;          /* .debug_frame, of any file that has one */
	bool debug_sought;
	const char *why; /* why there is no information; NULL if there is */
};

/* Result of a search for an address of code. */
enum cr_unwind_place {
	CR_UNWIND_ROW,   /* a row was found */
	CR_UNWIND_BARE,  /* no information */
	CR_UNWIND_START, /* no information, and the program starts there */
};

/*
 * Never NULL. swap: the recorded machine has the other byte order. opts: borrowed; NULL opens no
 * file.
 */
struct cr_unwind_module *cr_unwind_module_new(const struct cr_symbol_opts *opts,
	const struct cr_dso *o, const struct cr_unwind_arch *arch, bool swap);
void cr_unwind_module_free(struct cr_unwind_module *m);

/* Find the row for the code at a file offset. */
enum cr_unwind_place cr_unwind_module_find(
	struct cr_unwind_module *m, uint64_t offset, struct cr_cfi_row *out);

/*
 * The file's bytes at an offset, as mapped in the program, if it cannot write there; otherwise
 * NULL.
 */
const unsigned char *cr_unwind_module_bytes(
	const struct cr_unwind_module *m, uint64_t offset, unsigned bytes);

#endif
