#ifndef CR_QUERY_TIME_RANKED_P_H
#define CR_QUERY_TIME_RANKED_P_H

#include "query/fold/lanes.h"

/* Lanes sorted by cost: the first ones separately, the rest combined in one more place. */
struct cr_ranked {
	uint32_t *place; /* by lane: its place; undefined for a lane without samples */
	uint32_t *lane;  /* by place: its lane, for the separate ones */
	uint32_t used;   /* number of lanes with samples */
	uint32_t apart;  /* number of separate ones */
	uint32_t places; /* apart, plus 1 if there is a rest */
};

/*
 * weight and samples are by lane. Sorted by falling weight, then samples, then name. top: maximum
 * number of separate lanes; 0: all with samples.
 */
void cr_ranked_make(const struct cr_lanes *l, const uint64_t *weight, const uint64_t *samples,
	uint32_t top, struct cr_ranked *out);
void cr_ranked_fini(struct cr_ranked *r);

#endif
