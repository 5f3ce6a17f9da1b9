#ifndef CR_READ_KIT_REPORT_P_H
#define CR_READ_KIT_REPORT_P_H

#include "base/log.h"
#include "base/str.h"
#include "model/build/builder.h"

#include <stdint.h>

/*
 * Why lines of a text were not read as part of a sample, or were read as less than they should be.
 */
enum cr_reason {
	CR_REASON_NO_COUNT,  /* a line that should end in a count and does not */
	CR_REASON_BAD_COUNT, /* a count that is no number, or not of the form the format has */
	CR_REASON_NEGATIVE,
	CR_REASON_OVERFLOW, /* past 2^64 - 1, which it is taken for */
	CR_REASON_STACK_WITHOUT_COUNT,
	CR_REASON_FRAME_OUTSIDE_SAMPLE,
	CR_REASON_BAD_FRAME,
	CR_REASON_BAD_HEADER,
	CR_REASON_SKIPPED_DEPTH, /* a row that lies deeper than one below the row before */
	CR_REASON_ODD_INDENT,
	CR_REASON_UNCLOSED,     /* ends in the middle of something */
	CR_REASON_NOT_A_NUMBER, /* a value that is a histogram, an average, a tuple */
	CR_REASON_NOISE,        /* messages of the tool that wrote it: nothing is lost */
	CR_REASON_TRUNCATED_FRAME,
	CR_REASON_MIXED_COLUMNS, /* some lines have two counts, some have one */
	CR_REASON_DUP_ID,
	CR_REASON_MISSING_REF,
	CR_REASON_ENCODING,
	CR_REASON_UNCOUNTED,    /* a text without any count: nothing is lost but how often */
	CR_REASON_LONG_LINE,    /* past CR_SCAN_LINE_MOST: read without the rest */
	CR_REASON_NO_FRAMES,    /* a thread without a stack: left out */
	CR_REASON_OTHER_STATE,  /* a thread in a state that is not looked at: left out, nothing is
				   lost */
	CR_REASON_OTHER_EVENT,  /* a header says that what follows counts something else than what
				   came before */
	CR_REASON_BAD_ADDRESS,  /* a frame that has a word where its address should be */
	CR_REASON_UNKNOWN_LINE, /* the reader did not say what became of it */
	CR_REASONS
};

/*
 * What became of a line. Each line of a text has exactly one of these, and the three that count add
 * up to the lines of the text. A line starts as unknown, or as used when it is blank; the reader
 * says which of the others it is. What is still unknown when the next line comes is reported as
 * such: no reader can drop a line by saying nothing.
 */
enum cr_line_fate {
	CR_LINE_NONE, /* there is no line yet */
	CR_LINE_UNKNOWN,
	CR_LINE_USED, /* it was understood: it is in the profile, or says nothing that belongs there
		       */
	CR_LINE_TOLD, /* it is not in the profile, and a reason for that was reported */
	CR_LINE_PASSED, /* it is text of others, around what this format is */
	CR_LINE_FATES
};

/* What a reader, or one piece of its work, has to say about its lines. All zero is nothing. */
#define CR_REPORT_PLACES 20u
#define CR_REPORT_TEXT 80u

struct cr_report {
	uint64_t lines;               /* begun so far */
	uint64_t fate[CR_LINE_FATES]; /* how many of them are used, told and passed, without the
					 last */
	enum cr_line_fate last;       /* of the last */
	uint64_t last_number;         /* it is that line of the text, or of the piece */
	struct cr_str last_text;      /* the last, borrowed from the input */
	uint64_t count[CR_REASONS];
	uint64_t first[CR_REASONS]; /* line of the first */
	uint32_t n_places;
	struct cr_report_place {
		uint64_t line;
		enum cr_reason why;
		uint32_t len;
		char text[CR_REPORT_TEXT]; /* how the line begins */
	} places[CR_REPORT_PLACES];        /* the first of all */
};

/*
 * Report a reason with its line, which counts from 1. If that is the last line, its fate is set:
 * told when the reason says that nothing of it was used, else used.
 */
void cr_report(struct cr_report *r, enum cr_reason why, uint64_t line, struct cr_str text);

/*
 * Count the fate of the last line; if it is unknown, report that. Called at the end, and before
 * each line.
 */
void cr_report_finish(struct cr_report *r);

/* Nothing but spaces and TABs. */
bool cr_report_is_blank(struct cr_str text);

/* Begin the next line. */
static inline void
cr_report_line(struct cr_report *r, struct cr_str text)
{
	if (r->last == CR_LINE_UNKNOWN)
		cr_report_finish(r);
	else
		r->fate[r->last]++;
	r->last_number = ++r->lines;
	r->last_text = text;
	r->last = text.len && ((unsigned char)text.p[0] > ' ' || !cr_report_is_blank(text))
			  ? CR_LINE_UNKNOWN
			  : CR_LINE_USED;
}

/* Say what became of the last line; nothing if there was none yet. */
static inline void
cr_report_fate(struct cr_report *r, enum cr_line_fate fate)
{
	if (r->last != CR_LINE_NONE)
		r->last = fate;
}

/* Begin n lines which are all used. */
void cr_report_used(struct cr_report *r, uint64_t n);

/*
 * A stack that turns out to be lost takes its lines with it: those that were used since the mark,
 * which was made at its first line, become told. The last line is left as it is, unless the report
 * was settled.
 */
static inline uint64_t
cr_report_mark(const struct cr_report *r)
{
	return r->fate[CR_LINE_USED];
}

void cr_report_lose(struct cr_report *r, uint64_t mark);

/*
 * The last line will be begun a second time, in another pass over the text: it does not count yet.
 */
void cr_report_later(struct cr_report *r);

/*
 * A sum of counts, to see when it is past 2^64 - 1: true for the count that it happens with, once.
 * All zero is none.
 */
struct cr_report_sum {
	uint64_t sum;
	bool over;
};

bool cr_report_sum(struct cr_report_sum *s, uint64_t count);

/*
 * What `next` says of the lines that follow those of r, whose lines count on from r->lines. Both
 * are settled.
 */
void cr_report_append(struct cr_report *r, const struct cr_report *next);

/* Settle r and hand it to the log; b is marked as read in part where something is lost. */
void cr_report_end(struct cr_report *r, struct cr_builder *b, struct cr_log *log);

#endif
