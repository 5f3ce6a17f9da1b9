#ifndef CR_CMD_REPORT_HEAD_P_H
#define CR_CMD_REPORT_HEAD_P_H

#include "model/profile.h"

/* Print what is known of a recording and its machine, each line behind "# ". */
void cr_report_header(const struct cr_profile *p);

/* Print how many records of each kind a recording has, and how many samples each event. */
void cr_report_stats(const struct cr_profile *p);

/*
 * Print the threads that the recording names as a tree, as perf report --tasks does; with maps also
 * the mappings of each process that are stored, which must have been read. False if none are named.
 */
bool cr_report_tasks(const struct cr_profile *p, bool maps);

#endif
