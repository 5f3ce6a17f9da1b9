#ifndef CR_CMD_TABLE_OUT_P_H
#define CR_CMD_TABLE_OUT_P_H

#include "options_p.h"

/*
 * The flat table of a tree of one or two sides on standard output, as --sort, --order and --limit
 * say.
 */
void cr_table_out(const struct cr_options *o, const struct cr_tree *t);

/* Above that of a difference: what was asked for, and what the shares are of. */
void cr_table_out_shares(const struct cr_options *o);

#endif
