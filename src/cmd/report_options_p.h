#ifndef CR_CMD_REPORT_OPTIONS_P_H
#define CR_CMD_REPORT_OPTIONS_P_H

#include "query/table/chains.h"

#include <stdbool.h>
#include <stdint.h>

/* What shares are of. The default is absolute if samples were selected with the words of perf. */
enum cr_percentage {
	CR_PERCENTAGE_DEFAULT,
	CR_PERCENTAGE_RELATIVE, /* of what was selected */
	CR_PERCENTAGE_ABSOLUTE, /* of the whole event */
};

/* Options of cresset report, partly shared with other tables. Strings belong to argv. */
struct cr_report_opts {
	const char *sort, *fields, *separator;
	/* Given explicitly; otherwise children are shown if there are stacks. */
	bool no_children, has_children;
	bool hierarchy, samples, period, markdown;
	struct cr_chain_opts chain;
	bool has_limit;
	double percent_limit; /* for rows, and for call chains unless they have their own */
	uint16_t widths[CR_TABLE_MOST];
	uint32_t n_widths, depth;
	/* As in perf report: */
	const char *parent, *quantum; /* NULL if not given */
	struct cr_table_rows only;
	enum cr_percentage percentage;
	bool perf_lists; /* comms, dsos or functions were selected with the words of perf */
	bool input;      /* a profile was given with -i */
	bool header, header_only, stats;
	bool tasks, mmaps;
	bool branches;      /* rows are branches */
	uint32_t max_stack; /* 0: stacks are not cut */
	bool whole_paths;   /* of source files */
	bool modes;         /* columns for kernel and user code */
	bool total_cycles;  /* rows are basic blocks */
	bool event_columns; /* events are columns of one table, sorted by main_event first */
	uint32_t main_event;
};

/*
 * Parse "graph,0.5,5,caller,function,percent" in any order, like perf report -g. False if it is
 * invalid.
 */
bool cr_report_call_graph(const char *text, struct cr_report_opts *o);

/* The i-th word that it knows; NULL past the last. */
const char *cr_report_chain_word(size_t i);

/* Parse "20,10": width of each column in cells, 0 for as wide as needed. */
bool cr_report_widths(const char *text, struct cr_report_opts *o);

/* Parse a number from 0 to 100. */
bool cr_report_percent(const char *text, double *out);

#endif
