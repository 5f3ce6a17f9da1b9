#ifndef CR_SYMBOL_JIT_JIT_P_H
#define CR_SYMBOL_JIT_JIT_P_H

#include "symbol/names_p.h"
#include "symbol/opts.h"

/*
 * Name the addresses of a dso of kind CR_KIND_JIT. Its name tells where the names come from:
 *
 *	jit-PID.dump         the jitdump; addresses are offsets in it
 *	perf-PID.map         the perf map of the process; addresses are absolute
 *	/memfd:x, [anon:x]   the same, if one process has all its mappings; addresses are those of
 *	                     the memory dso
 *
 * The perf map is searched in opts->map_dir, or in /tmp below opts->symfs, or in /tmp; or in the
 * directory PID there, if that has a single perf map, whatever pid its name contains. Without these
 * options a running process comes first: its file is opened where the process sees it.
 */
void cr_jit_name(const struct cr_symbol_opts *opts, struct cr_names *n);

#endif
