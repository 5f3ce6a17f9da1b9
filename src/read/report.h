#ifndef CR_READ_REPORT_H
#define CR_READ_REPORT_H

#include "cresset/base/log.h"
#include "cresset/base/str.h"
#include "cresset/profile/builder.h"

#include <stdint.h>

/* Why lines of a text were not read as part of a sample, or were read as less than they should be. */
enum cr_reason {
	CR_REASON_NO_COUNT,      /* a line that should end in a count and does not */
	CR_REASON_BAD_COUNT,     /* a count that is no number, or not of the form the format has */
	CR_REASON_NEGATIVE,
	CR_REASON_OVERFLOW,      /* past 2^64 - 1, which it is taken for */
	CR_REASON_STACK_WITHOUT_COUNT,
	CR_REASON_FRAME_OUTSIDE_SAMPLE,
	CR_REASON_BAD_FRAME,
	CR_REASON_BAD_HEADER,
	CR_REASON_SKIPPED_DEPTH, /* a row that lies deeper than one below the row before */
	CR_REASON_ODD_INDENT,
	CR_REASON_UNCLOSED,      /* ends in the middle of something */
	CR_REASON_NOT_A_NUMBER,  /* a value that is a histogram, an average, a tuple */
	CR_REASON_NOISE,         /* messages of the tool that wrote it: nothing is lost */
	CR_REASON_TRUNCATED_FRAME,
	CR_REASON_MIXED_COLUMNS, /* some lines have two counts, some have one */
	CR_REASON_DUP_ID,
	CR_REASON_MISSING_REF,
	CR_REASON_ENCODING,
	CR_REASON_UNCOUNTED,     /* a text without any count: nothing is lost but how often */
	CR_REASON_LONG_LINE,     /* past CR_SCAN_LINE_MOST: read without the rest */
	CR_REASON_NO_FRAMES,     /* a thread without a stack: left out */
	CR_REASON_OTHER_STATE,   /* a thread in a state that is not looked at: left out, nothing is lost */
	CR_REASONS
};

/* What a reader, or one piece of its work, has to say about its lines. All zero is nothing. */
#define CR_REPORT_PLACES 20u
#define CR_REPORT_TEXT 80u

struct cr_report {
	uint64_t lines;              /* passed so far */
	uint64_t count[CR_REASONS];
	uint64_t first[CR_REASONS];  /* line of the first */
	uint32_t n_places;
	struct cr_report_place {
		uint64_t line;
		enum cr_reason why;
		uint32_t len;
		char text[CR_REPORT_TEXT]; /* how the line begins */
	} places[CR_REPORT_PLACES];  /* the first of all */
};

/* line counts from 1. */
void cr_report(struct cr_report *r, enum cr_reason why, uint64_t line, struct cr_str text);

/* A sum of counts, to see when it is past 2^64 - 1: true for the count that it happens with, once. All zero is none. */
struct cr_report_sum {
	uint64_t sum;
	bool over;
};

bool cr_report_sum(struct cr_report_sum *s, uint64_t count);

/* What `next` says of the lines that follow those of r, whose lines count on from r->lines. */
void cr_report_append(struct cr_report *r, const struct cr_report *next);

/* All of it to the log; b is marked as read in part where something is lost. */
void cr_report_end(const struct cr_report *r, struct cr_builder *b, struct cr_log *log);

#endif
