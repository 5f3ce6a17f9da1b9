#ifndef CR_CMD_REPORT_BLOCKS_P_H
#define CR_CMD_REPORT_BLOCKS_P_H

#include "model/profile.h"
#include "options_p.h"

/* report --total-cycles: print the table of basic blocks. Returns an exit code. */
int cr_report_blocks(const struct cr_options *o, struct cr_profile *p);

#endif
