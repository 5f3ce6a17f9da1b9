#ifndef CR_READ_KIT_DIAGNOSTICS_P_H
#define CR_READ_KIT_DIAGNOSTICS_P_H

#include "base/log.h"
#include "base/str.h"
#include "model/build/builder.h"

#include <stdint.h>

/* Why lines of a text were not used, or only partly, as a part of a sample. */
enum cr_reason {
	CR_REASON_NO_COUNT, /* the line should end in a count */
	/* A count that is no number, or has a form that the format does not use. */
	CR_REASON_BAD_COUNT,
	CR_REASON_NEGATIVE,
	CR_REASON_OVERFLOW, /* larger than 2^64 - 1, which is used instead */
	CR_REASON_STACK_WITHOUT_COUNT,
	CR_REASON_FRAME_OUTSIDE_SAMPLE,
	CR_REASON_BAD_FRAME,
	CR_REASON_BAD_HEADER,
	CR_REASON_SKIPPED_DEPTH, /* a row is more than one level deeper than the row before */
	CR_REASON_ODD_INDENT,
	CR_REASON_UNCLOSED,     /* ends in the middle of something */
	CR_REASON_NOT_A_NUMBER, /* the value is a histogram, an average or a tuple */
	CR_REASON_NOISE,        /* messages of the tool that wrote the text: nothing is lost */
	CR_REASON_TRUNCATED_FRAME,
	CR_REASON_MIXED_COLUMNS, /* some lines have two counts, some one */
	CR_REASON_DUP_ID,
	CR_REASON_MISSING_REF,
	CR_REASON_ENCODING,
	/* A text without counts: nothing is lost but the number of occurrences. */
	CR_REASON_UNCOUNTED,
	CR_REASON_LONG_LINE, /* longer than CR_SCAN_LINE_MOST: the rest was dropped */
	CR_REASON_NO_FRAMES, /* a thread without a stack: omitted */
	/* A thread in a state that is not selected: omitted, nothing is lost. */
	CR_REASON_OTHER_STATE,
	CR_REASON_OTHER_EVENT,  /* a header names another event than the one before */
	CR_REASON_BAD_ADDRESS,  /* a frame with a word instead of an address */
	CR_REASON_UNKNOWN_LINE, /* the reader did not account for the line */
	CR_REASONS
};

/*
 * What happened to a line. Each line has exactly one of these, and the three that are counted add
 * up to the number of lines. A line begins as unknown, or as used if it is blank; the reader then
 * sets its fate. If it is still unknown when the next line begins, it is reported: so no reader can
 * drop a line silently.
 */
enum cr_line_fate {
	CR_LINE_NONE, /* no line has begun */
	CR_LINE_UNKNOWN,
	CR_LINE_USED, /* understood: it is in the profile, or contains nothing that belongs there */
	CR_LINE_REPORTED, /* not in the profile, for a reason that was reported */
	CR_LINE_PASSED,   /* foreign text around the format */
	CR_LINE_FATES
};

/* Diagnostics about the lines of a text, or of one piece of it. All zero bytes is empty. */
#define CR_DIAGNOSTICS_PLACES 20u
#define CR_DIAGNOSTICS_TEXT 80u

struct cr_diagnostics {
	uint64_t lines; /* number of lines begun */
	/* Number of lines used, reported and passed, except the last line. */
	uint64_t fate[CR_LINE_FATES];
	enum cr_line_fate last;  /* fate of the last line */
	uint64_t last_number;    /* number of the last line, in the text or in the piece */
	struct cr_str last_text; /* text of the last line, borrowed from the input */
	uint64_t count[CR_REASONS];
	uint64_t first[CR_REASONS]; /* number of the first line with this reason */
	uint32_t n_places;
	struct cr_diagnostics_place {
		uint64_t line;
		enum cr_reason why;
		uint32_t len;
		char text[CR_DIAGNOSTICS_TEXT]; /* start of the line */
	} places[CR_DIAGNOSTICS_PLACES];        /* the first lines with any reason */
};

/*
 * Report a reason with its line; line numbers begin at 1. If it is the last line, its fate becomes
 * CR_LINE_REPORTED or, if the line was partly used, CR_LINE_USED.
 */
void cr_diagnostics_add(
	struct cr_diagnostics *r, enum cr_reason why, uint64_t line, struct cr_str text);

/*
 * Count the fate of the last line; if it is unknown, report it. Called at the end, and before each
 * line.
 */
void cr_diagnostics_finish(struct cr_diagnostics *r);

/* True for only spaces and TABs. */
bool cr_diagnostics_is_blank(struct cr_str text);

/* Begin the next line. */
static inline void
cr_diagnostics_line(struct cr_diagnostics *r, struct cr_str text)
{
	if (r->last == CR_LINE_UNKNOWN)
		cr_diagnostics_finish(r);
	else
		r->fate[r->last]++;
	r->last_number = ++r->lines;
	r->last_text = text;
	r->last = text.len && ((unsigned char)text.p[0] > ' ' || !cr_diagnostics_is_blank(text))
			  ? CR_LINE_UNKNOWN
			  : CR_LINE_USED;
}

/* Set the fate of the last line, if there is one. */
static inline void
cr_diagnostics_fate(struct cr_diagnostics *r, enum cr_line_fate fate)
{
	if (r->last != CR_LINE_NONE)
		r->last = fate;
}

/* Begin n lines that are all used. */
void cr_diagnostics_used(struct cr_diagnostics *r, uint64_t n);

/*
 * cr_diagnostics_lose() changes the fate of lines from used to reported: those counted since the
 * mark, which cr_diagnostics_mark() returned at the first line of a stack that cannot be used. The
 * last line is unchanged, unless cr_diagnostics_finish() was called.
 */
static inline uint64_t
cr_diagnostics_mark(const struct cr_diagnostics *r)
{
	return r->fate[CR_LINE_USED];
}

void cr_diagnostics_lose(struct cr_diagnostics *r, uint64_t mark);

/* Do not count the last line: it will be begun again in another pass over the text. */
void cr_diagnostics_later(struct cr_diagnostics *r);

/*
 * A sum of counts that detects overflow: cr_diagnostics_sum() returns true once, for the count at
 * which it exceeds 2^64 - 1. All zero bytes is an empty sum.
 */
struct cr_diagnostics_sum {
	uint64_t sum;
	bool over;
};

bool cr_diagnostics_sum(struct cr_diagnostics_sum *s, uint64_t count);

/*
 * Append `next`, the diagnostics of the lines that follow those of r. Call cr_diagnostics_finish()
 * on both first.
 */
void cr_diagnostics_append(struct cr_diagnostics *r, const struct cr_diagnostics *next);

/* Finish r and append it to the log. If something was lost, b is marked with CR_PROFILE_IN_PART. */
void cr_diagnostics_end(struct cr_diagnostics *r, struct cr_builder *b, struct cr_log *log);

#endif
