#ifndef CR_SYMBOL_FILES_DEBUGFILE_P_H
#define CR_SYMBOL_FILES_DEBUGFILE_P_H

#include "model/profile.h"
#include "symbol/elf/elf_p.h"
#include "symbol/opts.h"

/* The files that a dso's symbols come from. All zero bytes is a valid empty one. */
struct cr_debugfile {
	struct cr_elf *syms;    /* has .symtab, else .dynsym; NULL when there is none */
	struct cr_elf *runtime; /* has the segments, .plt and .dynsym; may be the same. Never NULL
				   where syms or debug is not: it is then whichever there is,
				   whatever that has */
	struct cr_elf *debug; /* has .debug_info, as libdw can read it; NULL when there is none, or
				 with opts->no_inline; may be the same as either */
	struct cr_elf *alt;   /* what dwz has moved out of debug, see altfile.h; NULL for none */
	char *path;       /* where the dso's own file is, or would be; NULL for no file's name */
	char *debug_path; /* of debug, for what it refers to by relative paths; NULL for memory */
	struct cr_build_id build_id; /* the dso's: as recorded, else that of its file */
	bool checked;                /* the recording knew the build-id, and the files have it */
	bool absolute; /* a kernel: its dsos' addresses are those in memory, bias above the
			  file's */
	uint64_t bias; /* of a module: how far they are above file offsets */
	char *why;     /* why syms is NULL */
	char *refused; /* a file that could have told more but is of another build; NULL for none */
};

/* A file that was passed over since it is of another build: words for people, bounded. */
struct cr_refused {
	struct cr_text why; /* "refused /usr/bin/x: build-id 1234567890ab is not 001122334455" */
	bool has_debug;
};

/*
 * Find them, in the order perf looks: the file that .gnu_debuglink names, the cache of
 * build-ids, /usr/lib/debug, the dso's own file, and a few rarer places. Of several files
 * with symbols the first is taken, and so of those with debug info. A file whose build-id is not
 * the recorded one is passed over. What is packed in .gnu_debugdata counts where no file has
 * symbols.
 *
 * Files are opened by the rules of gate.h.
 */
void cr_debugfile_find(
	const struct cr_symbol_opts *opts, const struct cr_dso *o, struct cr_debugfile *out);
/*
 * The same of a dso whose file has another name than the dso, and maybe with a file that is
 * to be looked at before all others (else NULL).
 */
void cr_debugfile_find_named(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	struct cr_str name, const char *first, struct cr_debugfile *out);
void cr_debugfile_close(struct cr_debugfile *d);

/*
 * To be called by who filled in syms, runtime and debug by other means: makes debug one that libdw
 * can read, in memory where need be, and finds alt.
 */
void cr_debugfile_ready(const struct cr_symbol_opts *opts, struct cr_debugfile *d);

/* What the debug file calls an address of the dso; false when no part of it is loaded there. */
bool cr_debugfile_address(const struct cr_debugfile *d, uint64_t addr, uint64_t *out);

/* A file that has this build-id, any where want has none; NULL and maybe a word in refused. */
struct cr_elf *cr_debugfile_open(const struct cr_symbol_opts *opts, const char *path,
	const struct cr_build_id *want, struct cr_refused *refused);

/* A name without ".xz", ".gz" or ".zst". */
struct cr_str cr_debugfile_unpacked_name(struct cr_str name);

/* The path of a file of perf's cache, HOME/.debug/.build-id/xx/yyyy…/NAME; false without a home. */
bool cr_debugfile_cached(const struct cr_symbol_opts *opts, const struct cr_build_id *id,
	const char *name, struct cr_text *path);

/*
 * The path by build-id under --debug-dir for i 0, under /usr/lib/debug for 1; false when there are
 * no more.
 */
bool cr_debugfile_by_id(const struct cr_symbol_opts *opts, const struct cr_build_id *id, int i,
	struct cr_text *path);

/*
 * The file into which dwz has moved what several debug files have in common: .gnu_debugaltlink of
 * d's debug file has its name, relative to that file, and its build-id. It is looked for by
 * build-id, by that name, and under --debug-dir. NULL when d needs none, or none is there; the
 * caller's.
 */
struct cr_elf *cr_altfile_open(const struct cr_symbol_opts *opts, const struct cr_debugfile *d,
	struct cr_refused *refused);

#endif
