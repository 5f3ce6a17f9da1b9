#ifndef CR_CMD_FUNCTION_NAMES_P_H
#define CR_CMD_FUNCTION_NAMES_P_H

#include "query/table/annotate.h"

/* Print the functions that a word may mean on stderr, one per line; of very many only the first. */
void cr_function_names_list(const struct cr_annotate_found *found);

#endif
