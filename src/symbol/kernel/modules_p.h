#ifndef CR_SYMBOL_KERNEL_MODULES_P_H
#define CR_SYMBOL_KERNEL_MODULES_P_H

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

/* The module files of a kernel release: all below /lib/modules/RELEASE, found by module name. */
struct cr_modules {
	CR_VEC(struct cr_module_file) files; /* sorted by name, then path */
	struct cr_arena arena;
};

struct cr_module_file {
	const char *name; /* "[nfs_x]", as made by cr_modules_name() */
	const char *path; /* "/lib/modules/6.1/kernel/fs/nfs-x.ko.xz", without root */
};

/*
 * Write the module name to out, truncated to size: "/lib/modules/R/kernel/fs/nfs-x.ko.xz",
 * "[nfs_x]" and "nfs-x" all become "[nfs_x]".
 */
void cr_modules_name(struct cr_str dso, char *out, size_t size);

/* The kernel release of the recording, if it is a valid directory name; else "". */
struct cr_str cr_modules_release(struct cr_str release);

/*
 * Search the directory below root ("" for this machine). Links are not followed; at most 65536
 * files are visited.
 */
void cr_modules_open(struct cr_modules *m, const char *root, struct cr_str release);

/*
 * The first file with this name, NULL if none. Others with the same name follow, up to m->files.p +
 * m->files.n.
 */
const struct cr_module_file *cr_modules_find(const struct cr_modules *m, const char *name);

void cr_modules_close(struct cr_modules *m);

#endif
