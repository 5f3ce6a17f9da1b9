#ifndef CR_SYMBOL_DEBUGFILE_H
#define CR_SYMBOL_DEBUGFILE_H

#include "cresset/symbol/symbolize.h"
#include "elf.h"

/* The files that an object's symbols come from. All zero bytes is a valid empty one. */
struct cr_debugfile {
	struct cr_elf *syms;         /* has .symtab, else .dynsym; NULL when there is none */
	struct cr_elf *runtime;      /* has the segments, .plt and .dynsym; may be the same */
	struct cr_build_id build_id; /* the object's: as recorded, else that of its file */
	bool checked;                /* the recording knew the build-id, and the files have it */
	const char *why;             /* a literal: why syms is NULL */
};

/*
 * Find them, in the order perf looks: the file that .gnu_debuglink names, the cache of
 * build-ids, /usr/lib/debug, the object's own file, and a few rarer places. Of several files
 * with symbols the first is taken. A file whose build-id is not the recorded one is passed over.
 *
 * Only regular files of true file systems are opened, and never a name of the recording as it
 * stands when it leads anywhere else: device, FIFO, /proc.
 */
void cr_debugfile_find(const struct cr_symbol_opts *opts, const struct cr_object *o,
	struct cr_debugfile *out);
void cr_debugfile_close(struct cr_debugfile *d);

/* The path of a file of perf's cache, HOME/.debug/.build-id/xx/yyyy…/NAME; false without a home. */
bool cr_debugfile_cached(const struct cr_symbol_opts *opts, const struct cr_build_id *id,
	const char *name, struct cr_text *path);

/*
 * A descriptor of the regular file at path, -1 when there is none: of one of /proc or /sys neither,
 * though what a link of theirs leads to may be.
 */
int cr_debugfile_open_regular(const char *path);

#endif
