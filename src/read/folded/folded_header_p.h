#ifndef CR_READ_FOLDED_FOLDED_HEADER_P_H
#define CR_READ_FOLDED_FOLDED_HEADER_P_H

#include "base/text.h"

/*
 * The comment that may stand before folded stacks and says what their counts are of (write_folded.c
 * writes it):
 *
 *	# event "cpu-clock", unit ns, 1173 samples
 *	# event "cycles", unit cycles, 10 and 12 samples      two counts a stack
 *	# event "live \"heap\"", unit "blocks of 4"           nobody knows how many samples
 *
 * Between quotes a backslash stands before each quote and backslash. The unit has quotes unless it
 * is made of letters, '_' and '-' alone. The line ends in a letter or a quote: flamegraph.pl takes
 * a line that ends in a number for a stack.
 */
struct folded_header {
	struct cr_text event;
	struct cr_text unit;
	uint64_t samples[2];
	unsigned n_samples; /* 0: it does not say; else a number for each count of a line */
};

/*
 * Read a line. On true *out holds the header, and the caller ends it with
 * cr_folded_header_fini(). On false the line is something else, and *out is empty.
 */
bool cr_folded_header_parse(struct cr_str line, struct folded_header *out);
void cr_folded_header_fini(struct folded_header *h);

bool cr_folded_header_is(struct cr_str line);

/* True if the line is a header of another event or unit than h, which may be empty. */
bool cr_folded_header_differs(const struct folded_header *h, struct cr_str line);

#endif
