#ifndef CR_SYMBOL_JIT_JIT_P_H
#define CR_SYMBOL_JIT_JIT_P_H

#include "symbol/names_p.h"
#include "symbol/opts.h"

/*
 * Name the addresses of a dso of kind CR_KIND_JIT. Its name says where from:
 *
 *	jit-PID.dump         the dump; addresses are offsets in it
 *	perf-PID.map         the perf map of the process; addresses are absolute
 *	/memfd:x, [anon:x]   the same where one process has all its mappings; addresses are those of
 *	                     the memory dso
 *
 * opts->map_dir, else /tmp below opts->symfs, else /tmp has the perf map, or the directory PID
 * there when it has one alone, whatever pid that is called after. Without these options that of a
 * process that still lives comes first, found where the process sees it.
 */
void cr_jit_name(const struct cr_symbol_opts *opts, struct cr_names *n);

#endif
