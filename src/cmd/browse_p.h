#ifndef CR_CMD_BROWSE_P_H
#define CR_CMD_BROWSE_P_H

#include "options_p.h"

/* True if standard output is a terminal that can show the browser. */
bool cr_browse_possible(void);

/*
 * Bits of enum cr_store_parts to read first. The browser compares the default tree with the samples
 * after its first screen; commands that print do it before.
 */
unsigned cr_browse_parts(const struct cr_options *o);

/*
 * Run the browser on one profile, or on two as a difference (`before` is NULL for one). Takes
 * ownership of the profiles. Returns an exit code.
 */
int cr_browse(const struct cr_options *o, struct cr_profile *before, struct cr_profile *after);

#endif
