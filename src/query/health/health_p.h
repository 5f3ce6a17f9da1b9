#ifndef CR_QUERY_HEALTH_HEALTH_P_H
#define CR_QUERY_HEALTH_HEALTH_P_H

#include "query/health/health.h"

/* Fill in h's findings from its numbers. */
void cr_verdict_make(const struct cr_profile *p, struct cr_health *h);

#endif
