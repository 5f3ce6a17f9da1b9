#ifndef CR_MODEL_MERGE_FLEET_P_H
#define CR_MODEL_MERGE_FLEET_P_H

#include "merge_p.h"
#include "model/merge/fleet.h"

/* State of a merge that folds, see fleet.h. Groups become the leaves of the merge. */

/* A row of the result: the weight of one stack. */
struct cr_fleet_sum {
	uint64_t time_ns, weight;
	uint32_t group, comm, node, event;
};

struct cr_merged_group {
	/* Its name, digest and texts; date and duration are the largest of its recordings. */
	struct cr_merge_input in;
	uint32_t batch;
	uint64_t recordings;
	struct cr_str values[CR_FLEET_KEYS_MOST];
};

struct cr_merged_count {
	uint32_t group, event;
	struct cr_fleet_count count;
};

struct cr_merge_fleet {
	struct cr_fleet_by by;
	struct cr_strings keys, comms; /* keys: the identities of groups, in their order */
	CR_VEC(struct cr_merged_group) groups;
	CR_VEC(struct cr_merged_count) counts;
	CR_VEC(struct cr_fleet_sum) sums;
	struct cr_index count_index, sum_index;
};

#endif
