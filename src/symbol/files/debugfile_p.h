#ifndef CR_SYMBOL_FILES_DEBUGFILE_P_H
#define CR_SYMBOL_FILES_DEBUGFILE_P_H

#include "model/profile.h"
#include "symbol/elf/elf_p.h"
#include "symbol/opts.h"

/* The files with the symbols and debug info of a dso. All zero bytes is a valid empty one. */
struct cr_debugfile {
	struct cr_elf *syms; /* has .symtab, otherwise .dynsym; NULL if there is none */
	/*
	 * Has the segments, .plt and .dynsym; may equal syms. Not NULL if syms or debug is not:
	 * then it is one of those, whatever it contains.
	 */
	struct cr_elf *runtime;
	/*
	 * Has .debug_info, readable by libdw; NULL if there is none, or with opts->no_inline. May
	 * equal one of the above.
	 */
	struct cr_elf *debug;
	/* The file that dwz moved common parts of debug to, see cr_altfile_open(); NULL if none. */
	struct cr_elf *alt;
	/* path of the dso's own file, even if missing; NULL if the dso's name is no path. */
	char *path;
	/* Path of debug, the base of its relative references; NULL if it is in memory. */
	char *debug_path;
	struct cr_build_id build_id; /* of the dso: as recorded, otherwise that of its file */
	bool checked;                /* the recorded build-id was compared and matches */
	bool absolute; /* a kernel: addresses of the dso are in memory, `bias` above the file's */
	uint64_t bias; /* of a module: distance from file offsets */
	char *why;     /* why syms is NULL */
	char *refused; /* a file with more information that has another build-id; NULL if none */
};

/* A file that was skipped because it has another build-id, as a message of limited length. */
struct cr_refused {
	struct cr_text why; /* "refused /usr/bin/x: build-id 1234567890ab is not 001122334455" */
	bool has_debug;
};

/*
 * Find the files of a dso, in perf's order: the file that .gnu_debuglink names, perf's build-id
 * cache, /usr/lib/debug, the dso's own file, and some rarer places. The first file with symbols is
 * used, and the first with debug info. Files with another build-id than the recorded one are
 * skipped. .gnu_debugdata is used if no file has symbols.
 *
 * Files are opened according to gate_p.h.
 */
void cr_debugfile_find(
	const struct cr_symbol_opts *opts, const struct cr_dso *o, struct cr_debugfile *out);
/*
 * The same for a dso whose file has another name than the dso. first: path to try before all
 * others; may be NULL.
 */
void cr_debugfile_find_named(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	struct cr_str name, const char *first, struct cr_debugfile *out);
void cr_debugfile_close(struct cr_debugfile *d);

/*
 * For callers that set syms, runtime and debug themselves: makes debug readable by libdw, copying
 * it to memory if needed, and finds alt.
 */
void cr_debugfile_ready(const struct cr_symbol_opts *opts, struct cr_debugfile *d);

/* Convert an address of the dso to one of the debug file; false if nothing is loaded there. */
bool cr_debugfile_address(const struct cr_debugfile *d, uint64_t addr, uint64_t *out);

/*
 * Open a file with this build-id (any if want has none). NULL on failure; *refused then has a
 * message if the build-id differs.
 */
struct cr_elf *cr_debugfile_open(const struct cr_symbol_opts *opts, const char *path,
	const struct cr_build_id *want, struct cr_refused *refused);

/* A name without ".xz", ".gz" or ".zst". */
struct cr_str cr_debugfile_unpacked_name(struct cr_str name);

/*
 * The path of a file in perf's cache, HOME/.debug/.build-id/xx/yyyy…/NAME. False if there is no
 * home.
 */
bool cr_debugfile_cached(const struct cr_symbol_opts *opts, const struct cr_build_id *id,
	const char *name, struct cr_text *path);

/*
 * The path by build-id below --debug-dir for i = 0, below /usr/lib/debug for i = 1; false for
 * larger i.
 */
bool cr_debugfile_by_id(const struct cr_symbol_opts *opts, const struct cr_build_id *id, int i,
	struct cr_text *path);

/*
 * Open the file to which dwz moved the common parts of several debug files. .gnu_debugaltlink of
 * d's debug file contains its name, relative to that file, and its build-id. It is searched by
 * build-id, by that name, and below --debug-dir. NULL if d needs none or it is missing. The caller
 * closes it.
 */
struct cr_elf *cr_altfile_open(const struct cr_symbol_opts *opts, const struct cr_debugfile *d,
	struct cr_refused *refused);

#endif
