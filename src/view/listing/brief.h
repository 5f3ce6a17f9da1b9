#ifndef CRESSET_VIEW_LISTING_BRIEF_H
#define CRESSET_VIEW_LISTING_BRIEF_H

#include "base/text.h"
#include "query/health/health.h"

/*
 * What `cresset doctor` says at length, in a line or two for a summary. All append to `out`, in
 * words that are safe for a terminal.
 */

/* What is wrong: "4.25 % of the stacks break off". h is of p, and f is one of its findings. */
void cr_brief_finding(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_finding *f, struct cr_text *out);

/* What to do about it: "record with --call-graph dwarf". */
void cr_brief_remedy(const struct cr_health *h, const struct cr_finding *f, struct cr_text *out);

/* What is well, a line each: "99.92 % of the cost has a name". */
void cr_brief_well(const struct cr_profile *p, const struct cr_health *h, struct cr_text *out);

#endif
