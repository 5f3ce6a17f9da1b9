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
};

/*
 * Append a part of the text of a field "data_src", in the words of perf report. Appends nothing if
 * it is unknown.
 */
void cr_data_source_put(struct cr_str text, enum cr_data_source part, struct cr_text *out);

#endif
