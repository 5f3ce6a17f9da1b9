#ifndef CR_READ_SYSTEMTAP_STAP_LINE_P_H
#define CR_READ_SYSTEMTAP_STAP_LINE_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Kind of a line of SystemTap's output, as far as the line alone can tell. */
enum stap_line {
	STAP_LINE_BLANK,
	STAP_LINE_FRAME, /* or any other text */
	STAP_LINE_COUNT,
	/* After a truncated string, which the count continues: "frame TAB count". */
	STAP_LINE_CUT_COUNT,
	STAP_LINE_BAD_COUNT, /* in the place of a count */
	STAP_LINE_NOISE,     /* messages of tools, and histograms */
};

struct stap_count {
	uint64_t value; /* UINT64_MAX on overflow */
	bool negative, over;
	struct cr_str frame; /* for STAP_LINE_CUT_COUNT: what precedes the TAB */
};

/* count is set if there is one. */
enum stap_line cr_stap_line_kind(struct cr_str line, struct stap_count *count);

/* True for "value |------- count", the head of a histogram. */
bool cr_stap_line_is_histogram(struct cr_str line);

#endif
