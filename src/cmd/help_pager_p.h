#ifndef CR_CMD_HELP_PAGER_P_H
#define CR_CMD_HELP_PAGER_P_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* The program that shows long output page by page, between start and stop. */
struct cr_pager {
	FILE *out; /* where to print: the pager, or stdout if there is none */
	pid_t pid; /* 0 without a pager */
};

/*
 * Start the pager if standard output is a terminal: $CRESSET_PAGER, else $PAGER, else less. There
 * is none if that is "" or "cat", if TERM is dumb, with CRESSETSECURE=1, or if it cannot be
 * started. less gets the options FRX unless $LESS is set. Not in a sandbox.
 */
void cr_pager_start(struct cr_pager *pager);

/* End the output and wait until the user has left the pager. */
void cr_pager_stop(struct cr_pager *pager);

#endif
