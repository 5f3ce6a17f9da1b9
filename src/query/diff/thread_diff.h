#ifndef CR_QUERY_DIFF_THREAD_DIFF_H
#define CR_QUERY_DIFF_THREAD_DIFF_H

#include "query/diff/significance.h"
#include "query/table/thread_rows.h"

/*
 * The threads, processes or comms of both sides of a difference, with what changed. Numbers of
 * threads differ from one recording to the next, so rows are matched by name: of several with the
 * same name the costliest with the costliest, and so on. If each side has but one name, that is the
 * same program, whatever it is called. Rows of one profile are matched by number.
 */
struct cr_thread_pair {
	uint32_t row[CR_SIDES]; /* of the side; CR_NO_ROW if it has none */
};

struct cr_thread_diff {
	struct cr_thread_rows side[CR_SIDES];
	/*
	 * A row for each pair, as it is after; as it was before if it is gone. Rows that are called
	 * changed come first, then the others, each by falling change. Names and bins are those of
	 * the sides.
	 */
	struct cr_thread_rows both;
	struct cr_thread_pair *pairs; /* by row of both */
	struct cr_verdict *verdicts;  /* likewise; NULL if nothing could be tested */
	struct cr_verdict_summary summary;
};

struct cr_thread_diff_side {
	const struct cr_profile *p;
	const struct cr_query *query; /* with the event that is compared */
};

/*
 * judged: test the changes, which needs CR_EVIDENCE_NEEDS of both profiles. Fails as
 * cr_thread_rows_make() does. out borrows names of the profiles; end it with
 * cr_thread_diff_fini().
 */
int cr_thread_diff_make(const struct cr_thread_diff_side side[CR_SIDES], enum cr_thread_by by,
	bool judged, struct cr_thread_diff *out, struct cr_err *err);
void cr_thread_diff_fini(struct cr_thread_diff *d);

/* Share of the side after minus that before, in millionths. */
int32_t cr_thread_diff_ppm(const struct cr_thread_diff *d, uint32_t row);

/* The weight of a row on a side; 0 if it is not there. */
uint64_t cr_thread_diff_weight(const struct cr_thread_diff *d, uint32_t row, uint32_t side);

#endif
