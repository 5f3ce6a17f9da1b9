#ifndef CR_QUERY_DIFF_CANONICAL_NAME_H
#define CR_QUERY_DIFF_CANONICAL_NAME_H

#include "base/text.h"

/* The name of a function without parts made up by the compiler. It is the beginning of `name`. */
struct cr_str cr_canonical_name(struct cr_str name);

#endif
