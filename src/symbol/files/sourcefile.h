#ifndef CR_SYMBOL_FILES_SOURCEFILE_H
#define CR_SYMBOL_FILES_SOURCEFILE_H

#include "base/vec.h"
#include "model/profile.h"
#include "symbol/opts.h"

struct cr_source;

/*
 * A source file as lines. It is searched below opts->source_dir, by its path and by its file name.
 * If the path is trusted, it is also searched at the path (below opts->symfs if that is set) and
 * below opts->debug_dir. A path is trusted if it comes from debug info of a dso whose build-id the
 * recording contains: the author of a text or profile could name any file. Files are opened
 * according to gate_p.h, up to 64 MiB; the first 64 KiB of each line are kept.
 */
struct cr_sourcefile {
	char *path;    /* where it was found */
	int64_t mtime; /* seconds since 1970 */
	struct cr_source *src;
	CR_VEC(struct cr_str) lines; /* without line ends; the first is line 1 */
};

/* False, with s empty, if it is not found. file: as in lines and functions of the profile. */
bool cr_sourcefile_open(struct cr_sourcefile *s, const struct cr_symbol_opts *opts,
	struct cr_str file, bool trusted);
/*
 * The absolute path of the file that cr_sourcefile_open() would open if the path is trusted,
 * without reading it: for a user who is shown the path first. NULL if there is none; free() it.
 */
char *cr_sourcefile_find(const struct cr_symbol_opts *opts, struct cr_str file);

void cr_sourcefile_close(struct cr_sourcefile *s);

/*
 * Store in a named profile the source of its hot functions (hot as for cr_code_gather()):
 * p->source_lines. Of each function the lines from its start to the last line with a sample; of
 * functions inlined there the lines around those with samples; at most 1 MiB of text. Missing files
 * are skipped. is_recording: the paths come from debug info read for this profile, not from its
 * input.
 */
void cr_sourcefile_gather(
	struct cr_profile *p, const struct cr_symbol_opts *opts, bool is_recording);

#endif
