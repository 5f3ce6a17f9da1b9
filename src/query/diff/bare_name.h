#ifndef CR_QUERY_DIFF_BARE_NAME_H
#define CR_QUERY_DIFF_BARE_NAME_H

#include "base/mem.h"
#include "base/text.h"

#include <stdbool.h>

/*
 * Replace *out by the name of a function without its return type, parameters, ABI tags and the
 * version of its symbol: "ns::f<int>" of "void ns::f<int>(int) const". numbers: also without the
 * numbers of lambdas and closures. A name that is not understood stays as it is.
 */
void cr_bare_name(struct cr_str name, bool numbers, struct cr_text *out);

#endif
