#ifndef CR_READ_FOLDED_FOLDED_HEADER_P_H
#define CR_READ_FOLDED_FOLDED_HEADER_P_H

#include "base/text.h"

/*
 * The comment that may precede folded stacks and names the event and unit of their counts (written
 * by write_folded.c):
 *
 *	# event "cpu-clock", unit ns, 1173 samples
 *	# event "cycles", unit cycles, 10 and 12 samples      two counts per stack
 *	# event "live \"heap\"", unit "blocks of 4"           number of samples unknown
 *
 * In quotes a backslash precedes each quote and backslash. The unit is quoted unless it consists of
 * letters, '_' and '-'. The line must end in a letter or a quote, since flamegraph.pl reads a line
 * that ends in a number as a stack.
 */
struct folded_header {
	struct cr_text event;
	struct cr_text unit;
	uint64_t samples[2];
	unsigned n_samples; /* 0 if not stated; otherwise one number for each count of a line */
};

/*
 * Parse a line. On true *out is the header, which the caller frees with cr_folded_header_fini(). On
 * false the line is something else, and *out is empty.
 */
bool cr_folded_header_parse(struct cr_str line, struct folded_header *out);
void cr_folded_header_fini(struct folded_header *h);

/* True if the line is a header. */
bool cr_folded_header_is(struct cr_str line);

/* True if the line is a header with another event or unit than h, which may be empty. */
bool cr_folded_header_differs(const struct folded_header *h, struct cr_str line);

#endif
