#ifndef CR_CMD_DIFFERENCE_P_H
#define CR_CMD_DIFFERENCE_P_H

#include "options_p.h"

/* What diff, and report of a profile that is a difference, print on standard output. */

/* The lines above the table: the query, and what the shares are of. */
void cr_difference_shares(const struct cr_options *o);

/* The table of a tree of two sides, by --sort, --order and --limit. */
void cr_difference_table(const struct cr_options *o, const struct cr_tree *t);

#endif
