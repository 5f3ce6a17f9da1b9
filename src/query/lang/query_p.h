#ifndef CR_QUERY_LANG_QUERY_P_H
#define CR_QUERY_LANG_QUERY_P_H

#include "base/vec.h"
#include "query/lang/query.h"

typedef CR_VEC(struct cr_range) cr_range_vec;

/*
 * What the steps of a query come to. Strings are the steps'; the filter's arrays are the vectors
 * here.
 */
struct cr_query_made {
	struct cr_filter filter;
	struct cr_fold_opts opts;
	char *field; /* of the opts */
	CR_VEC(const char *) comms, dsos, wheres;
	cr_range_vec pids, tids, cpus;
	CR_VEC(struct cr_time) times;
};

/* What a step that selects or folds adds. CR_EUSAGE for an argument that makes no sense. */
int cr_query_made_add(struct cr_query_made *m, const struct cr_step *s, struct cr_err *err);

/* To be called once all are added: the filter's arrays are where they are. */
void cr_query_made_end(struct cr_query_made *m);
void cr_query_made_free(struct cr_query_made *m);

#endif
