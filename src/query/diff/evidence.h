#ifndef CR_QUERY_DIFF_EVIDENCE_H
#define CR_QUERY_DIFF_EVIDENCE_H

#include "query/diff/diff.h"
#include "query/diff/norm.h"
#include "query/diff/significance.h"
#include "query/lang/query.h"
#include "query/table/table.h"

/*
 * The evidence for a difference: what each function costs in each recording of a side, and in each
 * stretch of time of a recording. A merged profile has several recordings, see model/merge/merge.h.
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

/* Why rows are not tested, or are tested with less than there could be. */
enum cr_evidence_lack {
	CR_LACK_COUNTS = 1,  /* weights only, from which no number of samples follows */
	CR_LACK_TIMES = 2,   /* recorded without times: phases of the program cannot be seen */
	CR_LACK_SAMPLES = 4, /* fewer than 500 samples on a side */
};

struct cr_judged {
	struct cr_verdict *self, *total; /* by row of the table */
	struct cr_verdict_summary of_self, of_total;
	uint32_t recordings[CR_SIDES];
	double samples[CR_SIDES]; /* as many equal ones as carry the same information */
	/*
	 * What a share of 1 in the verdicts stands for, see cr_norm_amounts(): 1, or the mean of
	 * all recordings.
	 */
	struct cr_norm norm;
	double amount;
	unsigned lacks; /* bits of enum cr_evidence_lack */
};

/*
 * Judge each row of a table of the difference `t`, made by cr_diff() with the options o from both
 * sides and then transformed by the query of the sides. noise is that of struct cr_verdict_input.
 * norm: what costs are compared as. The caller ends out with cr_judged_fini(), and borrows norm to
 * it. Fails as cr_fold(), cr_transform() and cr_norm_amounts() do.
 *
 * A side of which nothing but sums is known, and a profile that is a difference itself (side[1].p
 * is NULL), are judged from the numbers of samples alone, where these are known.
 */
int cr_evidence_judge(const struct cr_evidence_side side[CR_SIDES], const struct cr_diff_opts *o,
	const struct cr_tree *t, const struct cr_table *table, const struct cr_norm *norm,
	double noise, struct cr_judged *out, struct cr_err *err);
void cr_judged_fini(struct cr_judged *j);

#endif
