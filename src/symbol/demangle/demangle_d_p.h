#ifndef CR_SYMBOL_DEMANGLE_DEMANGLE_D_P_H
#define CR_SYMBOL_DEMANGLE_DEMANGLE_D_P_H

#include "base/text.h"

#include <stdbool.h>

/*
 * "_D3std5stdio4File5closeMFNeZv" is std.stdio.File.close(): a function's parameters are shown,
 * its attributes and what it returns are not. A compiler's suffix stays, "[clone .part.0]".
 *
 * false, and out empty, for what is not, or not wholly, a name of D, and for what stands for more
 * than 64 KiB. The time taken is bounded whatever the name: references to what came before can
 * be nested, so that a short name stands for endless text, and there are names that can be read
 * in more ways than could ever be tried.
 */
bool cr_demangle_d(const char *name, struct cr_text *out);

#endif
