#ifndef CR_SYMBOL_SYMBOLIZE_H
#define CR_SYMBOL_SYMBOLIZE_H

#include "base/err.h"
#include "base/progress.h"
#include "model/profile.h"

struct cr_opener;

/* Where names may come from. All zero is the default: this machine, everything demangled. */
struct cr_symbol_opts {
	const char *symfs;     /* objects are looked for under this folder, and nowhere else */
	const char *debug_dir; /* searched before /usr/lib/debug; NULL for none */
	const char *kallsyms;  /* this file, not /proc/kallsyms; believed without a build-id */
	const int *recorded_kallsyms; /* descriptor of the recorded kernel's, kept with the
					 recording; NULL without */
	const char *source_dir; /* source files are looked for below it, whoever names them; NULL
				   for none */
	const char *map_dir;    /* folder of perf-PID.map files; NULL is /tmp below symfs */
	const char *home;       /* holds .debug; NULL is $HOME */
	const char *vmlinux;    /* the recorded kernel's, if its build-id agrees; NULL looks in the
				   usual places */
	uint32_t owner;         /* user id of the recording's owner, where has_owner: see gate.h */
	bool has_owner;
	struct cr_opener *opener; /* opens what this process, being confined, may not; NULL for
				     none: see opener.h */
	bool no_demangle;
	bool no_inline;     /* neither inlined functions nor lines: debug info is not opened */
	bool no_stitch;     /* for unwinding, see cr_builder_stitch() */
	bool guess_callers; /* for unwinding: follow frame pointers where nothing says that there
			       are any */
	bool debuginfod;    /* ask the servers of $DEBUGINFOD_URLS for what is not here */
	const struct cr_progress *progress;
};

/* Was the program built so that debuginfod can be asked? */
bool cr_symbolize_has_debuginfod(void);

/*
 * Give every location of p that has an address its function: symbol tables of the objects whose
 * build-id agrees, kallsyms of the recording's kernel, perf maps of JIT code. opts NULL is all
 * zero.
 *
 * p is taken, also on failure. What could not be named becomes quality, counted in locations:
 *
 *	no symbols: /usr/bin/x (no such file)                  the whole object, and why
 *	no symbols: /usr/bin/x (refused /usr/bin/x: build-id 12.. is not 34..)
 *	another build: /usr/bin/x (refused ...)              named, but a debug file was not its own
 *	addresses in no symbol: /usr/bin/x                     a few of an object that has names
 *	addresses in no mapping
 *
 * Never fails for a missing or broken object; CR_ECANCEL when progress says stop. Objects are
 * worked on by several threads; progress is called by the caller's own.
 */
int cr_symbolize(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_profile **out,
	struct cr_err *err);

#endif
