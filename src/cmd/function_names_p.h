#ifndef CR_CMD_FUNCTION_NAMES_P_H
#define CR_CMD_FUNCTION_NAMES_P_H

#include "query/table/annotate.h"

/* Functions that a word may mean, a line each on stderr; of very many the first. */
void cr_function_names_list(const struct cr_annotate_found *found);

#endif
