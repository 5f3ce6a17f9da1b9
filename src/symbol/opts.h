#ifndef CR_SYMBOL_OPTS_H
#define CR_SYMBOL_OPTS_H

#include "base/progress.h"

#include <stdbool.h>
#include <stdint.h>

struct cr_opener;

/*
 * Where names may come from. All zero bytes is the default: files of this machine, everything
 * demangled.
 */
struct cr_symbol_opts {
	const char *symfs;     /* search dsos below this directory only */
	const char *debug_dir; /* searched before /usr/lib/debug; NULL if none */
	/* Use this file instead of /proc/kallsyms; accepted without a build-id. */
	const char *kallsyms;
	/* Descriptor of the recorded kernel's kallsyms, stored with the recording; NULL if none. */
	const int *recorded_kallsyms;
	/* Directory to search for source files, whatever names them; NULL if none. */
	const char *source_dir;
	const char *map_dir; /* directory of perf-PID.map files; NULL means /tmp below symfs */
	const char *home;    /* contains .debug; NULL means $HOME */
	/* File of the recorded kernel, if its build-id matches; NULL searches the usual places. */
	const char *vmlinux;
	uint32_t owner; /* user id of the recording's owner, if has_owner: see gate_p.h */
	bool has_owner;
	/* Opens what this process may not if it is confined; NULL if none: see opener.h. */
	struct cr_opener *opener;
	bool no_demangle;
	bool no_inline; /* no inlined functions and no lines: debug info is not opened */
	bool no_stitch; /* for unwinding, see cr_builder_stitch() */
	/* For unwinding: follow frame pointers where the code may not have them. */
	bool guess_callers;
	bool debuginfod; /* request missing debug info from the servers of $DEBUGINFOD_URLS */
	const struct cr_progress *progress;
};

/* True if the program was built with support for debuginfod. */
bool cr_symbol_has_debuginfod(void);

#endif
