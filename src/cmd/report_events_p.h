#ifndef CR_CMD_REPORT_EVENTS_P_H
#define CR_CMD_REPORT_EVENTS_P_H

#include "report_p.h"

/* Number of recorded events with samples: neither sums of others nor derived from them. */
uint32_t cr_report_events_count(const struct cr_report *r);

/*
 * Call fn for each of these events, with a query that selects it. A field belongs to some events,
 * and a query may leave samples of some: *made is for how many fn returned CR_OK, and if that is
 * none, the result says why.
 */
int cr_report_events_each(struct cr_report *r,
	int (*fn)(void *user, const struct cr_query *q, struct cr_err *err), void *user,
	uint32_t *made, struct cr_err *err);

/* Print one table with columns for each event. */
int cr_report_events_put(struct cr_report *r, struct cr_err *err);

#endif
