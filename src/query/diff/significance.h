#ifndef CR_QUERY_DIFF_SIGNIFICANCE_H
#define CR_QUERY_DIFF_SIGNIFICANCE_H

#include "model/tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which differences between two sides of recordings are changes, and which are noise. Pure
 * arithmetic: no profiles, only shares. docs/comparing.md explains the procedure and what was
 * measured with it.
 *
 * A share is a part of the cost of its recording, from 0 to 1, unless it is scaled. All arrays of
 * shares have the rows of the table as their first dimension.
 */

/* A recording, or what a query leaves of it. */
struct cr_verdict_recording {
	/*
	 * The effective number of samples, (sum w)^2 / sum w^2: so many samples of equal weight
	 * would give the same variance. 0 if it is not known, as for folded text without counts.
	 * Then nothing is tested.
	 */
	double samples;
	bool has_times; /* its blocks are stretches of time */
	/*
	 * Shares of this recording are multiplied by this number before they are compared; 0 stands
	 * for 1. The numbers of a comparison are about 1.
	 */
	double scale;
};

#define CR_VERDICT_BLOCKS_LEAST 8
#define CR_VERDICT_BLOCKS_MOST 32

/* The number of blocks that a recording of so many samples is cut in, see cr_verdict_side. */
uint32_t cr_verdict_blocks(double samples);

struct cr_verdict_side {
	uint32_t n; /* recordings, at least 1 */
	const struct cr_verdict_recording *recordings;
	const double *shares; /* [row * n + recording] */
	/*
	 * Of a side with one recording: its samples in the order of time, cut in blocks of equal
	 * cost, and the share that a row has of each block. NULL without times.
	 */
	uint32_t blocks;
	const double *block_shares; /* [row * blocks + block] */
	/*
	 * How much each recording counts in the share of the side: not negative, 1 in sum. NULL:
	 * all count the same.
	 */
	const double *weights;
};

struct cr_verdict_input {
	uint32_t n; /* rows */
	struct cr_verdict_side side[CR_SIDES];
	/*
	 * By row: work of the machine for other programs, such as interrupts. It is not tested.
	 * NULL: none is.
	 */
	const uint8_t *machine;
	bool scaled;  /* recordings have scales: rows that are nearly everything are tested, too */
	bool totals;  /* rows overlap: a sample is in several of them */
	double noise; /* least spread from run to run, as a part of a row's share; 0: the default */
};

enum cr_verdict_word {
	CR_VERDICT_NOT_TESTED, /* too few samples, or their number is not known */
	CR_VERDICT_MACHINE,
	CR_VERDICT_CANNOT_TELL,  /* the interval is too wide */
	CR_VERDICT_WITHIN_NOISE, /* shown to be the same, up to a difference that does not matter */
	CR_VERDICT_LIKELY_CHANGED, /* a side has only one recording */
	CR_VERDICT_CHANGED,
	CR_VERDICT_NEW,
	CR_VERDICT_GONE,
	CR_VERDICT_WORDS
};

/* "not tested", "cannot tell" ... */
const char *cr_verdict_word(enum cr_verdict_word w);

/* Is it one of the words that report a change? */
bool cr_verdict_is_call(enum cr_verdict_word w);

/*
 * All numbers but p and q are rounded to multiples of 1e-12: rounding errors differ from one
 * processor to the next, and equal numbers must be equal on all of them.
 */
struct cr_verdict {
	double share[CR_SIDES];   /* of the side: the weighted mean over its recordings */
	double samples[CR_SIDES]; /* share times samples, summed over the recordings */
	double delta;             /* share[1] - share[0] */
	double low, high;         /* 95 % interval of delta; NAN if not tested */
	double p, q;              /* q is p adjusted for the number of rows; NAN if not tested */
	double smallest; /* the |delta| that would be called 8 times in 10; NAN if not tested */
	enum cr_verdict_word word;
};

struct cr_verdict_summary {
	uint32_t tested, called;
	double noise;      /* spread from run to run that was used, as a part of a row's share */
	double noise_seen; /* as estimated from these recordings */
	/*
	 * The smallest change that these recordings could show of a row with a share of 5 %, and
	 * that three recordings a side would show with the same noise. NAN if nothing was tested.
	 */
	double smallest, smallest_of_three;
	bool single; /* a side has only one recording: changes are called "likely changed" */
};

/* out has in->n rows, which the caller owns. */
void cr_verdicts(const struct cr_verdict_input *in, struct cr_verdict *out,
	struct cr_verdict_summary *summary);

#endif
