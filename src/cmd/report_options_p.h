#ifndef CR_CMD_REPORT_OPTIONS_P_H
#define CR_CMD_REPORT_OPTIONS_P_H

#include "query/table/chains.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The options of cresset report, and of the other tables what they share with it. Strings are
 * argv's.
 */
struct cr_report_opts {
	const char *sort, *fields, *separator;
	bool no_children,
		has_children; /* said so; else children are shown where there are stacks */
	bool hierarchy, samples, period, markdown;
	struct cr_chain_opts chain;
	bool has_limit;
	double percent_limit; /* of rows, and of call chains unless these have one of their own */
	uint16_t widths[CR_TABLE_MOST];
	uint32_t n_widths, depth;
};

/*
 * "graph,0.5,5,caller,function,percent" in any order, as perf report -g has it. False for what it
 * has not.
 */
bool cr_report_call_graph(const char *text, struct cr_report_opts *o);

/* The words that it knows, from 0 on; NULL past the last. */
const char *cr_report_chain_word(size_t i);

/* "20,10": cells by column, 0 for as many as it takes. */
bool cr_report_widths(const char *text, struct cr_report_opts *o);

/* 0 to 100. */
bool cr_report_percent(const char *text, double *out);

#endif
