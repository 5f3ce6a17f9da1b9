#ifndef CR_CMD_REPORT_P_H
#define CR_CMD_REPORT_P_H

#include "sheet_out_p.h"
#include "source_link_p.h"

#include "query/fold/fold.h"
#include "query/table/sums/table_sums.h"

/* The trees that a table may need: its own, one with stacks, and one weighed by latency. */
enum cr_report_tree { CR_REPORT_TABLE, CR_REPORT_STACKS, CR_REPORT_LATENCY, CR_REPORT_TREES };

/* What the tables of `cresset report` share. */
struct cr_report {
	const struct cr_options *o;
	struct cr_profile *p;
	struct cr_table_spec spec;
	struct cr_sheets sheets;
	struct cr_source_links links;
	uint64_t samples;                       /* of all tables */
	struct cr_plan *plans[CR_REPORT_TREES]; /* what the folds of all events have in common */
	bool has_latency;                       /* there are columns of latency */
	struct cr_profile latency; /* the profile with other weights; borrows all but its arena */
};

/* The trees of one table. */
struct cr_report_fold {
	struct cr_tree *t, *stacks; /* stacks: for a bare tree, the same with its stacks */
	struct cr_tree *latency;    /* the same samples weighed by latency; NULL if not wanted */
	struct cr_stack_sums sums;  /* used instead of t if it has a root */
	struct cr_nameless nameless;
	bool estimated; /* latency and parallelism are estimated */
};

/* Choose keys and columns as the options say. p: its default tree may decide on some. */
int cr_report_spec_make(const struct cr_options *o, const struct cr_profile *p,
	struct cr_table_spec *spec, struct cr_err *err);

/* Set r->spec, and read the parts of the profile that it needs. */
int cr_report_fold_choose(struct cr_report *r, struct cr_err *err);

/* Fold what a query selects for r->spec. Free it with _fini(), also after a failure. */
int cr_report_fold_make(struct cr_report *r, const struct cr_query *q, struct cr_report_fold *out,
	struct cr_err *err);
void cr_report_fold_fini(struct cr_report_fold *f);

/* The tree that has the totals of all. */
const struct cr_tree *cr_report_fold_tree(const struct cr_report_fold *f);

/* True if the paths of source files are printed, which only the frames of a tree have. */
bool cr_report_needs_paths(const struct cr_report *r);

#endif
