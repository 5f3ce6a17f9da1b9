#ifndef CR_QUERY_DIFF_PART_COSTS_P_H
#define CR_QUERY_DIFF_PART_COSTS_P_H

#include "evidence_parts_p.h"
#include "matched_frames_p.h"
#include "query/table/table.h"

/* What each row of a table costs in each part of a side: [row * parts + part]. */
struct cr_part_costs {
	double *self, *total;
	double *whole; /* by part */
};

/*
 * Add the costs of a side, of which no query changes the stacks. table: of the difference, its rows
 * are functions, dsos or files; frames: those of the difference. One pass over the samples and one
 * over the stacks of the profile; no names are compared but those of its frames, once.
 */
void cr_part_costs_add(const struct cr_parts *parts, const struct cr_matched_frames *frames,
	const struct cr_table *table, struct cr_part_costs *out);

#endif
