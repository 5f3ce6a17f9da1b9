#ifndef CR_SYMBOL_FILES_SOURCEFILE_H
#define CR_SYMBOL_FILES_SOURCEFILE_H

#include "base/vec.h"
#include "model/profile.h"
#include "symbol/opts.h"

struct cr_source;

/*
 * A source file by lines. It is looked for below opts->source_dir, by its path and by its name
 * alone. If the path is trusted, also at the path, under opts->symfs if there is one, and below
 * opts->debug_dir. A path is trusted if debug info of a dso says it, and the recording knows the
 * build-id of that dso: whoever wrote a text or a profile may name any file. Files are opened by
 * the rules of gate.h, up to 64 MiB; of a line the first 64 KiB are kept.
 */
struct cr_sourcefile {
	char *path;    /* where it was found */
	int64_t mtime; /* seconds since 1970 */
	struct cr_source *src;
	CR_VEC(struct cr_str) lines; /* without their ends; the first is line 1 */
};

/* False, and s is empty, when there is none. file: as lines and functions have it. */
bool cr_sourcefile_open(struct cr_sourcefile *s, const struct cr_symbol_opts *opts,
	struct cr_str file, bool trusted);
void cr_sourcefile_close(struct cr_sourcefile *s);

/*
 * Give a named profile the source of its hot functions, as hot as for cr_code_gather():
 * p->source_lines. Of each from where it begins to the last line that a sample has, and of what is
 * inlined there around such lines; 1 MiB of text in all. Files that are not here are left out.
 * is_recording: the paths come from debug info that was read for this profile, and not from its
 * input.
 */
void cr_sourcefile_gather(
	struct cr_profile *p, const struct cr_symbol_opts *opts, bool is_recording);

#endif
