#ifndef CR_SYMBOL_SOURCEFILE_H
#define CR_SYMBOL_SOURCEFILE_H

#include "cresset/base/vec.h"
#include "cresset/symbol/symbolize.h"

struct cr_source;

/*
 * A source file by lines. It is looked for at its path under opts->symfs, or on this machine without one; then
 * under opts->debug_dir, by its path and by its name alone. Only regular files of true file systems are read, up to
 * 64 MiB; of a line the first 64 KiB.
 */
struct cr_sourcefile {
	char *path;                  /* where it was found */
	int64_t mtime;               /* seconds since 1970 */
	struct cr_source *src;
	CR_VEC(struct cr_str) lines; /* without their ends; the first is line 1 */
};

/* false, and s is empty, when there is none. file: as lines and functions have it. */
bool cr_sourcefile_open(struct cr_sourcefile *s, const struct cr_symbol_opts *opts, struct cr_str file);
void cr_sourcefile_close(struct cr_sourcefile *s);

/*
 * Give a named profile the source of its hot functions, as hot as for cr_code_gather(): p->source_lines. Of each from
 * where it begins to the last line that a sample has, and of what is inlined there around such lines; 1 MiB
 * of text in all. Files that are not here are left out.
 */
void cr_sourcefile_gather(struct cr_profile *p, const struct cr_symbol_opts *opts);

#endif
