#ifndef CR_CMD_BROWSE_P_H
#define CR_CMD_BROWSE_P_H

#include "options_p.h"

/* Standard output is a terminal that a browser can be shown on. */
bool cr_browse_possible(void);

/*
 * Browse one profile, or two as a difference (after NULL for one). The profiles are taken. An exit
 * code.
 */
int cr_browse(const struct cr_options *o, struct cr_profile *before, struct cr_profile *after);

#endif
