#ifndef CR_SYMBOL_KERNEL_KERNEL_P_H
#define CR_SYMBOL_KERNEL_KERNEL_P_H

#include "mapfile_p.h"
#include "model/profile.h"
#include "modules_p.h"
#include "symbol/files/debugfile_p.h"
#include "symbol/names_p.h"
#include "symbol/opts.h"

/* The symbols of the recording's kernel and its modules. Used by one thread. */
struct cr_kernel {
	const struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	struct cr_build_id id;       /* of the kernel, as recorded */
	struct cr_debugfile vmlinux; /* syms NULL: none */
	struct cr_symtab symbols;    /* of vmlinux, where it was loaded; empty without one */
	struct cr_kallsyms kallsyms; /* the same; read when first needed */
	struct cr_modules modules;   /* likewise */
	struct cr_refused refused;   /* a vmlinux that was not used */
	bool looked, walked;         /* for kallsyms, for modules */
	bool running,
		other_boot; /* kallsyms are those of this machine; which was started anew since */
	bool unchecked;     /* no build-id says that it is the recorded one */
	const char *why;    /* a literal: why there are no kallsyms; NULL when there are */
};

/*
 * Look for a vmlinux of the recording's kernel and move it to where it was loaded: that of
 * opts->vmlinux, else one with its build-id in the cache, in the usual places, or by build-id.
 * Without one names are those of kallsyms, and there are no lines.
 */
void cr_kernel_open(
	struct cr_kernel *k, const struct cr_profile *p, const struct cr_symbol_opts *opts);

/* Name the addresses of a dso of kind CR_KIND_KERNEL or CR_KIND_MODULE; they are absolute. */
void cr_kernel_name(struct cr_kernel *k, struct cr_names *n);

void cr_kernel_close(struct cr_kernel *k);

#endif
