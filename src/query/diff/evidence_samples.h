#ifndef CR_QUERY_DIFF_EVIDENCE_SAMPLES_H
#define CR_QUERY_DIFF_EVIDENCE_SAMPLES_H

#include "query/diff/significance.h"
#include "query/lang/query.h"

/*
 * The evidence for rows that are no functions, such as threads or lines of source: each selected
 * sample belongs to one row, or to none.
 */
struct cr_evidence_samples {
	const struct cr_profile *p;
	const struct cr_query *query; /* with the event that is compared */
	/* By sample of p, a row of a table of p such as its task; and by row of that, our row. */
	const uint32_t *key;
	const uint32_t *row_of; /* CR_NO_ROW: the samples belong to no row */
};

/*
 * Judge n rows; shares refer to all selected samples. CR_EVIDENCE_NEEDS of both profiles must have
 * been read. out has n elements. Fails as cr_select() and cr_stack_filter() do.
 */
int cr_evidence_samples_judge(const struct cr_evidence_samples side[CR_SIDES], uint32_t n,
	struct cr_verdict *out, struct cr_verdict_summary *summary, struct cr_err *err);

#endif
