#ifndef CR_SYMBOL_KERNEL_KERNEL_P_H
#define CR_SYMBOL_KERNEL_KERNEL_P_H

#include "mapfile_p.h"
#include "model/profile.h"
#include "modules_p.h"
#include "symbol/files/debugfile_p.h"
#include "symbol/names_p.h"
#include "symbol/opts.h"

/* The symbols of the recorded kernel and its modules. Used by one thread. */
struct cr_kernel {
	const struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	struct cr_build_id id;       /* build-id of the kernel, as recorded */
	struct cr_debugfile vmlinux; /* syms is NULL if there is none */
	struct cr_symtab symbols;    /* of vmlinux, moved to the load address; empty without one */
	struct cr_kallsyms kallsyms; /* the same from kallsyms; read when first needed */
	struct cr_modules modules;   /* likewise */
	struct cr_refused refused;   /* a vmlinux with another build-id */
	struct cr_kallsyms_wanted wanted; /* addresses of the last dso of a kernel, see _expect() */
	uint32_t kernels_asked;           /* number of dsos of a kernel that are named */
	bool modules_asked;               /* a module is named, too */
	bool looked, walked;              /* kallsyms and modules were searched */
	bool running, other_boot; /* kallsyms belong to this machine; which has rebooted since */
	bool unchecked;           /* no build-id proves that it is the recorded kernel */
	const char *why; /* a string literal: why there are no kallsyms; NULL if there are */
};

/*
 * Find a vmlinux of the recorded kernel and move its symbols to the load address: opts->vmlinux, or
 * one with the recorded build-id in perf's cache, in the usual places, or by build-id. Without one,
 * kallsyms give the names, and there are no lines.
 */
void cr_kernel_open(
	struct cr_kernel *k, const struct cr_profile *p, const struct cr_symbol_opts *opts);

/*
 * Announce each dso that cr_kernel_name() will be called for, before the first call. Its asked
 * addresses must be sorted; they are borrowed until cr_kernel_close().
 */
void cr_kernel_expect(struct cr_kernel *k, const struct cr_names *n);

/* Name the addresses of a dso of kind CR_KIND_KERNEL or CR_KIND_MODULE; they are absolute. */
void cr_kernel_name(struct cr_kernel *k, struct cr_names *n);

void cr_kernel_close(struct cr_kernel *k);

#endif
