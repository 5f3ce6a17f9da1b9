#ifndef CR_QUERY_DIFF_EVIDENCE_PARTS_P_H
#define CR_QUERY_DIFF_EVIDENCE_PARTS_P_H

#include "query/diff/significance.h"
#include "query/lang/query.h"

/*
 * The selected samples of a side, cut in parts: its recordings or, if both sides have only one, the
 * blocks of that. A block is a stretch of time; all blocks of a recording have the same cost.
 */
struct cr_parts {
	const struct cr_profile *p;   /* borrowed */
	const struct cr_query *query; /* borrowed; selects the samples */
	const uint64_t *weights; /* by row of p's samples; NULL: all have the weight `weight` */
	uint64_t weight;
	uint64_t *rows; /* of the selected samples; in the order of time if parts are blocks */
	uint64_t n_rows;
	uint16_t *part_of; /* by row of p's samples; set for the selected ones */
	uint32_t n;        /* number of parts */
	uint32_t recordings;
	struct cr_verdict_recording *recording; /* by number */
	double *recording_weights; /* by number, see struct cr_verdict_side; NULL: not set yet */
};

/*
 * Cut both sides, whose p and query are set and all else is zero. Fails as cr_select() does; the
 * caller calls cr_parts_fini() in any case.
 */
int cr_parts_cut(struct cr_parts side[CR_SIDES], struct cr_err *err);
void cr_parts_fini(struct cr_parts *s);

/*
 * Weigh the recordings of a side, so that the weighted mean of their shares is the share that the
 * side has as a whole, which is what its tree shows.
 *
 * - whole: by part, its cost.
 * - amount: by recording, what its cost stands for, see cr_norm_amounts(). A recording weighs as
 *   much as its cost was divided by: 1, its seconds, or the cost of a function. NULL: the amount
 *   is 1, and a recording weighs as much as it costs.
 *
 * Returns what the cost of all recordings of the side together stands for.
 */
double cr_parts_weigh(struct cr_parts *s, const double *whole, const double *amount);

/* The weight of a row of p's samples. */
static inline uint64_t
cr_parts_weight(const struct cr_parts *s, uint64_t row)
{
	return s->weights ? s->weights[row] : s->weight;
}

#endif
