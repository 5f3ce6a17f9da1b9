#ifndef CR_SYMBOL_DEMANGLE_DEMANGLE_D_P_H
#define CR_SYMBOL_DEMANGLE_DEMANGLE_D_P_H

#include "base/text.h"

#include <stdbool.h>

/*
 * Demangle a D name: "_D3std5stdio4File5closeMFNeZv" becomes std.stdio.File.close(). Parameters are
 * shown, attributes and return types are not. A compiler suffix is kept, "[clone .part.0]".
 *
 * Returns false, with out empty, if it is not completely a D name, or its demangled form exceeds 64
 * KiB. The time is bounded for every name: nested back references let a short name expand without
 * end, and some names can be parsed in too many ways to try.
 */
bool cr_demangle_d(const char *name, struct cr_text *out);

#endif
