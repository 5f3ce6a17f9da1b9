#ifndef CR_QUERY_TIME_RANKED_P_H
#define CR_QUERY_TIME_RANKED_P_H

#include "query/fold/lanes.h"

/* Lanes by what they cost: the first ones apart, the rest together in one more place. */
struct cr_ranked {
	uint32_t *place; /* by lane; of one without samples it means nothing */
	uint32_t *lane;  /* by place, of those apart */
	uint32_t used;   /* lanes with samples */
	uint32_t apart;  /* of them */
	uint32_t places; /* apart, and 1 if there is a rest */
};

/*
 * weight and samples are by lane. By falling weight, then samples, then name. top: so many are
 * apart at most; 0: all that are used.
 */
void cr_ranked_make(const struct cr_lanes *l, const uint64_t *weight, const uint64_t *samples,
	uint32_t top, struct cr_ranked *out);
void cr_ranked_fini(struct cr_ranked *r);

#endif
