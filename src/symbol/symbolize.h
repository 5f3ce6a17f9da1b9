#ifndef CR_SYMBOL_SYMBOLIZE_H
#define CR_SYMBOL_SYMBOLIZE_H

#include "base/err.h"
#include "model/profile.h"
#include "symbol/opts.h"

/*
 * Give every location of p that has an address its function: symbol tables of the dsos whose
 * build-id agrees, kallsyms of the recording's kernel, perf maps of JIT code. opts NULL is all
 * zero.
 *
 * p is taken, also on failure. What could not be named becomes quality, counted in locations:
 *
 *	no symbols: /usr/bin/x (no such file)                  the whole dso, and why
 *	no symbols: /usr/bin/x (refused /usr/bin/x: build-id 12.. is not 34..)
 *	another build: /usr/bin/x (refused ...)              named, but a debug file was not its own
 *	addresses in no symbol: /usr/bin/x                     a few of a dso that has names
 *	addresses in no mapping
 *
 * Never fails for a missing or broken dso; CR_ECANCEL when progress says stop. Dsos are
 * worked on by several threads; progress is called by the caller's own.
 */
int cr_symbolize(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_profile **out,
	struct cr_err *err);

#endif
