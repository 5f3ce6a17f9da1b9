#ifndef CR_CMD_BROWSE_P_H
#define CR_CMD_BROWSE_P_H

#include "options_p.h"

/* Standard output is a terminal that a browser can be shown on. */
bool cr_browse_possible(void);

/*
 * What is read of a profile first. The browser compares the default tree with the samples when its
 * first screen is there; commands that print do so before.
 */
unsigned cr_browse_parts(const struct cr_options *o);

/*
 * Browse one profile, or two as a difference (after NULL for one). The profiles are taken. An exit
 * code.
 */
int cr_browse(const struct cr_options *o, struct cr_profile *before, struct cr_profile *after);

#endif
