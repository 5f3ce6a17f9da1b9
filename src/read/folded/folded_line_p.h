#ifndef CR_READ_FOLDED_FOLDED_LINE_P_H
#define CR_READ_FOLDED_FOLDED_LINE_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A line of folded stacks: "frame;frame;frame COUNT", root first. In a differential file it has two
 * counts: "frame;frame BEFORE AFTER". Counts are digits, optionally with a decimal point.
 * Everything before the blank before the counts is the stack, including blanks and digits.
 */
#define FOLDED_FRACTION 1000000u /* fractions are stored in this unit */

struct folded_count {
	uint64_t whole; /* UINT64_MAX on overflow */
	uint32_t millionths;
	bool over;
};

struct folded_line {
	struct cr_str stack; /* without leading blanks; may be empty */
	struct folded_count count[2];
	unsigned counts; /* 1 or 2 */
};

/* A count in units of one, or in millionths. UINT64_MAX on overflow. */
uint64_t cr_folded_count(const struct folded_count *c, bool millionths);

enum folded_verdict {
	FOLDED_OK,
	FOLDED_SKIP, /* blank, or a comment: "#" alone or followed by a blank */
	FOLDED_NO_COUNT,
	/* A number in a form that is not accepted: "1e3", "+3", ".5", "1,000", "inf". */
	FOLDED_BAD_COUNT,
	FOLDED_NEGATIVE,
};

/* two: read two counts if the line has them; otherwise the first belongs to the stack. */
enum folded_verdict cr_folded_line_parse(struct cr_str text, bool two, struct folded_line *out);

/*
 * Fast path for most lines: one count of up to 19 digits after a single blank, no blanks around the
 * line and no comment. Returns false if cr_folded_line_parse() is needed.
 */
bool cr_folded_line_plain(struct cr_str text, struct cr_str *stack, uint64_t *count);

#endif
