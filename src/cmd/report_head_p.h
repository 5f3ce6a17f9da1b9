#ifndef CR_CMD_REPORT_HEAD_P_H
#define CR_CMD_REPORT_HEAD_P_H

#include "model/profile.h"

/* Print what is known of a recording and its machine, each line behind "# ". */
void cr_report_header(const struct cr_profile *p);

/* Print how many records of each kind a recording has, and how many samples each event. */
void cr_report_stats(const struct cr_profile *p);

#endif
