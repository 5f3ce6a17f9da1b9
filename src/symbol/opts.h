#ifndef CR_SYMBOL_OPTS_H
#define CR_SYMBOL_OPTS_H

#include "base/progress.h"

#include <stdbool.h>
#include <stdint.h>

struct cr_opener;

/* Where names may come from. All zero is the default: this machine, everything demangled. */
struct cr_symbol_opts {
	const char *symfs;     /* dsos are looked for under this directory, and nowhere else */
	const char *debug_dir; /* searched before /usr/lib/debug; NULL for none */
	const char *kallsyms;  /* this file, not /proc/kallsyms; believed without a build-id */
	const int *recorded_kallsyms; /* descriptor of the recorded kernel's, kept with the
					 recording; NULL without */
	const char *source_dir; /* source files are looked for below it, whoever names them; NULL
				   for none */
	const char *map_dir;    /* directory of perf-PID.map files; NULL is /tmp below symfs */
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
bool cr_symbol_has_debuginfod(void);

#endif
