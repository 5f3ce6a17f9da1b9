#ifndef CR_SYMBOL_KERNEL_H
#define CR_SYMBOL_KERNEL_H

#include "cresset/symbol/symbolize.h"
#include "mapfile.h"
#include "names.h"

/* The symbols of the recording's kernel and its modules. Used by one thread. */
struct cr_kernel {
	const struct cr_symbol_opts *opts;
	struct cr_kallsyms kallsyms;
	bool unchecked;  /* they are of the same release, and no build-id says more */
	const char *why; /* a literal: why there are no kallsyms; NULL when there are */
};

/* Look for kallsyms of the recording's kernel and move them to where it was loaded. */
void cr_kernel_open(struct cr_kernel *k, const struct cr_profile *p,
	const struct cr_symbol_opts *opts);

/* Name the addresses of an object of kind CR_KIND_KERNEL or CR_KIND_MODULE; they are absolute. */
void cr_kernel_name(struct cr_kernel *k, struct cr_names *n);

void cr_kernel_close(struct cr_kernel *k);

#endif
