#ifndef CR_SYMBOL_KERNEL_MODULES_P_H
#define CR_SYMBOL_KERNEL_MODULES_P_H

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/*
 * The files of a kernel release's modules: all below /lib/modules/RELEASE, found by the module's
 * name.
 */
struct cr_modules {
	CR_VEC(struct cr_module_file) files; /* by name, then by path */
	struct cr_arena arena;
};

struct cr_module_file {
	const char *name; /* "[nfs_x]", as cr_modules_name() makes it */
	const char *path; /* "/lib/modules/6.1/kernel/fs/nfs-x.ko.xz", without root */
};

/* "/lib/modules/R/kernel/fs/nfs-x.ko.xz", "[nfs_x]" and "nfs-x" are all [nfs_x], cut to size. */
void cr_modules_name(struct cr_str dso, char *out, size_t size);

/* The release of the kernel by the recording, if it can be the name of a directory; else "". */
struct cr_str cr_modules_release(struct cr_str release);

/*
 * Look through the directory below root ("" for this machine). Links are not followed; 65536 files
 * are looked at, at most.
 */
void cr_modules_open(struct cr_modules *m, const char *root, struct cr_str release);

/*
 * The first file of that name, NULL without one; its equals follow, until m->files.p + m->files.n.
 */
const struct cr_module_file *cr_modules_find(const struct cr_modules *m, const char *name);

void cr_modules_close(struct cr_modules *m);

#endif
