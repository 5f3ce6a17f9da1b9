#ifndef CR_QUERY_LANG_QUERY_P_H
#define CR_QUERY_LANG_QUERY_P_H

#include "base/vec.h"
#include "query/lang/query.h"

typedef CR_VEC(struct cr_range) cr_range_vec;

/*
 * The filter and options made from steps. Strings belong to the steps; arrays of the filter are the
 * vectors here.
 */
struct cr_query_made {
	struct cr_filter filter;
	struct cr_fold_opts opts;
	char *field; /* field of the options */
	CR_VEC(const char *) comms, dsos, wheres;
	cr_range_vec pids, tids, cpus, sockets;
	CR_VEC(struct cr_time) times;
};

/* Add a step that selects or folds. CR_EUSAGE for an invalid argument. */
int cr_query_made_add(struct cr_query_made *m, const struct cr_step *s, struct cr_err *err);

/* Call it after all were added: it sets the filter's arrays. */
void cr_query_made_end(struct cr_query_made *m);
void cr_query_made_free(struct cr_query_made *m);

#endif
