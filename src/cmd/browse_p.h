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

/* What the browser shows. Arguments are those of the options. */
struct cr_browse_in {
	struct cr_profile *p[CR_SIDES]; /* before and after; p[1] is NULL for one profile */
	struct cr_diff_opts diff;
	char *title[CR_SIDES];            /* borrowed */
	int first[CR_SIDES], n[CR_SIDES]; /* the arguments of a side */
};

/* Run the browser. Takes ownership of the profiles. Returns an exit code. */
int cr_browse(const struct cr_options *o, const struct cr_browse_in *in);

#endif
