#ifndef CR_QUERY_DIFF_EVIDENCE_H
#define CR_QUERY_DIFF_EVIDENCE_H

#include "query/diff/diff.h"
#include "query/diff/norm.h"
#include "query/diff/significance.h"
#include "query/lang/query.h"
#include "query/table/table.h"

/*
 * The evidence for a difference: the cost of each function in each recording of a side or, with one
 * recording a side, in each of its blocks. A block is a stretch of time. A merged profile has
 * several recordings, see model/merge/merge.h.
 */

/* A side of a difference. All of it is borrowed. */
struct cr_evidence_side {
	const struct cr_profile *p;
	const struct cr_query *query; /* with the event that is compared */
	const struct cr_tree *tree;   /* its fold, without the transforms of the query */
};

/* The tables and columns of a profile, bits of enum cr_needs, that cr_evidence_judge() reads. */
#define CR_EVIDENCE_NEEDS                                                                   \
	(CR_NEEDS_TIME | CR_NEEDS_WEIGHT | CR_NEEDS_TASK | CR_NEEDS_NODE | CR_NEEDS_EVENT | \
		CR_NEEDS_TREE)

/* What is missing: rows are not tested, or the tests are weaker. */
enum cr_evidence_lack {
	CR_LACK_COUNTS = 1,  /* the number of samples does not follow from the weights */
	CR_LACK_TIMES = 2,   /* recorded without times: phases of the program cannot be seen */
	CR_LACK_SAMPLES = 4, /* fewer than 500 samples on a side */
};

struct cr_judged {
	struct cr_verdict *self, *total; /* by row of the table */
	struct cr_verdict_summary of_self, of_total;
	uint32_t recordings[CR_SIDES];
	double samples[CR_SIDES]; /* effective number, see struct cr_verdict_recording */
	/*
	 * What a share of 1 in the verdicts stands for, see cr_norm_amounts(): 1, or the mean of
	 * all recordings.
	 */
	struct cr_norm norm;
	double amount;
	/* What all recordings of a side together stand for, as a multiple of `amount`. */
	double scale[CR_SIDES];
	unsigned lacks; /* bits of enum cr_evidence_lack */
};

/*
 * Judge each row of a table of the difference `t`, which cr_diff() made of both sides with the
 * options o, and which the query of the sides then transformed.
 *
 * - norm: what costs are compared as. *out borrows it.
 * - noise: as in struct cr_verdict_input.
 *
 * The caller ends *out with cr_judged_fini(). Fails as cr_fold(), cr_transform() and
 * cr_norm_amounts() do.
 *
 * If side[1].p is NULL, the profile of side 0 is a difference itself. Then rows are judged by their
 * sums alone, if these count samples.
 */
int cr_evidence_judge(const struct cr_evidence_side side[CR_SIDES], const struct cr_diff_opts *o,
	const struct cr_tree *t, const struct cr_table *table, const struct cr_norm *norm,
	double noise, struct cr_judged *out, struct cr_err *err);
void cr_judged_fini(struct cr_judged *j);

/* Let shares of the tree refer to what the verdicts do: set the weight of 100 % of each side. */
void cr_judged_set_whole(const struct cr_judged *j, struct cr_tree *t);

#endif
