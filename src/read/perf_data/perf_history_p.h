#ifndef CR_READ_PERF_DATA_PERF_HISTORY_P_H
#define CR_READ_PERF_DATA_PERF_HISTORY_P_H

#include "bytes/cursor.h"

struct perf_awaited;

/*
 * Add the recorded branches to the sample's callchain, between the sampled address and its callers:
 *
 *	address, target of the newest branch, its source, target of the one before, ..., callers
 *
 * Repeated sequences of branches are left out by the rule of perf report --branch-history. Does
 * nothing if the sample has no branches, or was taken in neither kernel nor user mode.
 */
void cr_perf_history_join(struct perf_awaited *w, struct cr_cursor branches);

#endif
