#ifndef CR_READ_SYSTEMTAP_STAP_LINE_P_H
#define CR_READ_SYSTEMTAP_STAP_LINE_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* What a line of SystemTap's output is, as far as it can be told from the line alone. */
enum stap_line {
	STAP_LINE_BLANK,
	STAP_LINE_FRAME, /* or any other text */
	STAP_LINE_COUNT,
	STAP_LINE_CUT_COUNT, /* behind a string that was cut off, so that the line goes on: "frame
				TAB count" */
	STAP_LINE_BAD_COUNT, /* where a count should be */
	STAP_LINE_NOISE,     /* what tools say besides, and histograms */
};

struct stap_count {
	uint64_t value; /* UINT64_MAX when more was said */
	bool negative, over;
	struct cr_str frame; /* of STAP_LINE_CUT_COUNT: what stands before the TAB */
};

/* count is filled in where there is one. */
enum stap_line cr_stap_line_kind(struct cr_str line, struct stap_count *count);

/* "value |------- count": the head of a histogram. */
bool cr_stap_line_is_histogram(struct cr_str line);

#endif
