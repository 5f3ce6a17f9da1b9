#ifndef CR_STORE_FORMAT_MODELLED_P_H
#define CR_STORE_FORMAT_MODELLED_P_H

#include "weight_model_p.h"

/*
 * Codings that model what a column holds, and store what the model does not predict. They take a
 * tenth to a half less space than planes compressed with zstd, but reading takes some 100 ns a
 * value instead of one. So only small tables use them: see CR_MODELLED_ROWS.
 *
 *	u8 coding | u8 form | number, LEB128 | bytes, LEB128 | bytes of a bit coder
 */
enum cr_modelled {
	/*
	 * Numbers, reduced as the other codings do. form: how they are reduced in bits 0 and 1; bit
	 * 2: small numbers; bits 3 to 5: bits of a class. number: the base.
	 */
	CR_MODELLED_NUMBERS = 16,
	/*
	 * Rows of another table, many of them for the first time. form: 1 if repetitions are
	 * frequent. number: all are less.
	 */
	CR_MODELLED_ROWS_OF = 17,
	/*
	 * The ends of edges sorted by the column before, from which they lead. form: 0. number: all
	 * are less.
	 */
	CR_MODELLED_ENDS = 18,
	/*
	 * Weights of samples, see weight_model_p.h; stored as numbers if that is as good. form: the
	 * key in bits 0 and 1, then the bits of a class. number: the rate.
	 */
	CR_MODELLED_WEIGHTS = 19,
	/*
	 * Numbers whose differences have a common divisor, as times of a clock that counts
	 * microseconds; stored as numbers if they have none. form: as that of numbers that are
	 * reduced to deltas. number: the divisor.
	 */
	CR_MODELLED_STEPS = 20,
	/*
	 * Numbers that a clock of longer ticks counted, see ticks_p.h; stored as steps if they have
	 * a common divisor, or as numbers if that is as good. form: as that of steps. number: the
	 * size of a tick.
	 */
	CR_MODELLED_TICKS = 21,
};

/* Other columns of the same rows, to which a coding refers. */
struct cr_modelled_sides {
	const uint32_t *before;                /* the column before, for ends; else NULL */
	const struct cr_weight_sides *samples; /* for weights; else NULL */
};

/* A section with such columns has at most this many rows and blocks: reading it is quick. */
#define CR_MODELLED_ROWS ((uint32_t)1 << 16)
#define CR_MODELLED_BLOCKS 1024u

/*
 * Append n values as a column, which stay as they are. Returns false, and appends nothing, if all
 * values are equal: then each coding needs its head only. Rows that are too large for their model
 * are stored as numbers.
 */
bool cr_modelled_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_modelled coding,
	const struct cr_modelled_sides *sides);

/* True if the next column has one of these codings. */
bool cr_modelled_is_next(const struct cr_cursor *in);

/* The version of a section, from 2 on, that may have the next column. */
uint32_t cr_modelled_version(const struct cr_cursor *in);

/* True if the next column is one of weights, which needs the columns of the samples. */
bool cr_modelled_needs_samples(const struct cr_cursor *in);

/*
 * Read the next column of a block, n values. Returns false if it is damaged, or refers to a column
 * that is not there.
 */
bool cr_modelled_read(
	struct cr_cursor *in, uint64_t *v, uint32_t n, const struct cr_modelled_sides *sides);

#endif
