#ifndef CR_SYMBOL_UNWIND_UNWIND_MODULE_P_H
#define CR_SYMBOL_UNWIND_UNWIND_MODULE_P_H

#include "cfi_p.h"
#include "symbol/files/debugfile_p.h"

/* What an unwinder has of a dso: its file, and what that says of its code. */
struct cr_unwind_module {
	struct cr_debugfile files,
		debug_files; /* those with debug info are looked for when .eh_frame is not enough */
	const struct cr_symbol_opts *opts;
	struct cr_dso dso; /* its name is borrowed */
	const struct cr_unwind_arch *arch;
	const struct cr_elf *runtime; /* NULL when there is none for this machine */
	bool swap;                    /* its byte order is not ours */
	struct cr_cfi eh;             /* .eh_frame */
	struct cr_cfi debug;          /* .debug_frame, of whatever file has one */
	bool debug_sought;
	const char *why; /* why there is nothing; NULL when there is something */
};

/* What a module says of an address of code. */
enum cr_unwind_place {
	CR_UNWIND_ROW,   /* a row */
	CR_UNWIND_BARE,  /* nothing */
	CR_UNWIND_START, /* nothing, and it is where the program starts */
};

/*
 * Never NULL. swap: the recorded machine's byte order is not ours. opts, borrowed, NULL: without a
 * file.
 */
struct cr_unwind_module *cr_unwind_module_new(const struct cr_symbol_opts *opts,
	const struct cr_dso *o, const struct cr_unwind_arch *arch, bool swap);
void cr_unwind_module_free(struct cr_unwind_module *m);

/* The row for the code at an offset in the file. */
enum cr_unwind_place cr_unwind_module_find(
	struct cr_unwind_module *m, uint64_t offset, struct cr_cfi_row *out);

/*
 * The file's bytes at an offset, as they are mapped, if the program cannot write there; else NULL.
 */
const unsigned char *cr_unwind_module_bytes(
	const struct cr_unwind_module *m, uint64_t offset, unsigned bytes);

#endif
