#ifndef CR_SYMBOL_SYMBOLIZE_H
#define CR_SYMBOL_SYMBOLIZE_H

#include "base/err.h"
#include "model/profile.h"
#include "symbol/opts.h"

/*
 * Name every location of p that has an address: from symbol tables of dsos with the recorded
 * build-id, kallsyms of the recorded kernel, and perf maps of JIT code. opts NULL means all zero.
 *
 * Takes ownership of p, also on failure; the caller owns *out. Failures become quality, counted in
 * locations:
 *
 *	no symbols: /usr/bin/x (no such file)                  the whole dso, and why
 *	no symbols: /usr/bin/x (refused /usr/bin/x: build-id 12.. is not 34..)
 *	another build: /usr/bin/x (refused ...)                named, but a debug file did not match
 *	addresses in no symbol: /usr/bin/x                     some of a dso that has names
 *	addresses in no mapping
 *
 * Never fails because of a missing or damaged dso; CR_ECANCEL if progress cancels it. Several
 * threads work on dsos; progress is called by the calling thread.
 */
int cr_symbolize(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_profile **out,
	struct cr_err *err);

#endif
