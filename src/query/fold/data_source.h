#ifndef CR_QUERY_FOLD_DATA_SOURCE_H
#define CR_QUERY_FOLD_DATA_SOURCE_H

#include "base/text.h"

/* The parts of a data source: what a sampled load or store did, and where it found its data. */
enum cr_data_source {
	CR_DATA_OP,      /* "load", "store", "load store" */
	CR_DATA_LEVEL,   /* "L1 hit", "LFB hit", "RAM hit" */
	CR_DATA_SNOOP,   /* "None", "Hit", "HitM" */
	CR_DATA_TLB,     /* "L1 or L2 hit", "Walker miss" */
	CR_DATA_LOCKED,  /* "Yes" or "No" */
	CR_DATA_BLOCKED, /* "Data", "Addr" */
	CR_DATA_REMOTE,  /* "Yes" if another socket had the data; otherwise "" */
	/* Kinds, as perf report has them since version 7: */
	CR_DATA_CACHE,  /* "L1", "L2", "L3", "L4", "L1-buf", "L2-buf", "Other" */
	CR_DATA_MEMORY, /* "RAM", "Uncach", "CXL", "PMEM", "MSC", "Other" */
	CR_DATA_DTLB,   /* "L1-Hit", "L2-Hit", "L?-Hit", "Miss", "Other" */
};

/*
 * Append a part of the text of a field "data_src", in the words of perf report. Appends nothing if
 * it is unknown.
 */
void cr_data_source_put(struct cr_str text, enum cr_data_source part, struct cr_text *out);

#endif
