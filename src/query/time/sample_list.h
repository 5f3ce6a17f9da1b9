#ifndef CR_QUERY_TIME_SAMPLE_LIST_H
#define CR_QUERY_TIME_SAMPLE_LIST_H

#include "query/lang/query.h"

/*
 * The samples that a query selects, in the order of their times, each with its stack after all
 * steps of the query.
 */
struct cr_sample_list {
	uint64_t *row; /* of the profile's samples, by place in the list */
	uint64_t n;
	uint64_t first_ns; /* the first time of the profile: 0 of --time; 0 if there are no times */
	struct cr_tree *tree; /* the stacks */
	uint32_t *node;       /* by row of the samples: its node of the tree */
	/* By place: number among the samples of its event, which its fields are found by. */
	uint64_t *of_event;
};

/* Bits as in cr_filter_needs(). */
unsigned cr_sample_list_needs(const struct cr_query *q);

/*
 * List them. Samples at one time are in the order of recording; those without a time come first.
 * reverse: the last one first. At most `most` of them, 0 for all; *left_out is the number of the
 * others. Without an event in the query, samples of all recorded events. Fails like
 * cr_query_place().
 */
int cr_sample_list_make(const struct cr_profile *p, const struct cr_query *q, bool reverse,
	uint64_t most, struct cr_sample_list *out, uint64_t *left_out, struct cr_err *err);
void cr_sample_list_fini(struct cr_sample_list *l);

#endif
