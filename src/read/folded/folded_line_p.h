#ifndef CR_READ_FOLDED_FOLDED_LINE_P_H
#define CR_READ_FOLDED_FOLDED_LINE_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A line of folded stacks: "frame;frame;frame COUNT", root first, with two counts in a differential
 * file: "frame;frame BEFORE AFTER". Counts are digits, maybe with a point among or behind them.
 * What stands before the blank before the counts is the stack, blanks and digits and all.
 */
#define FOLDED_FRACTION 1000000u /* a fraction is counted in so many parts */

struct folded_count {
	uint64_t whole; /* UINT64_MAX when more was said */
	uint32_t millionths;
	bool over;
};

struct folded_line {
	struct cr_str stack; /* without blanks before it; may be empty */
	struct folded_count count[2];
	unsigned counts; /* 1 or 2 */
};

enum folded_verdict {
	FOLDED_OK,
	FOLDED_SKIP, /* blank, or a comment: "#" alone or with a blank behind */
	FOLDED_NO_COUNT,
	FOLDED_BAD_COUNT, /* a number to somebody, only not to us: "1e3", "+3", ".5", "1,000", "inf"
			   */
	FOLDED_NEGATIVE,
};

/* two: a line that has two counts is read as such, else the first belongs to the stack. */
enum folded_verdict cr_folded_line_parse(struct cr_str text, bool two, struct folded_line *out);

/*
 * What most lines are: one count of up to 19 digits behind a single blank, no blanks around the
 * line and no comment. false: cr_folded_line_parse() has to look.
 */
bool cr_folded_line_plain(struct cr_str text, struct cr_str *stack, uint64_t *count);

#endif
