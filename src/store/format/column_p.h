#ifndef CR_STORE_FORMAT_COLUMN_P_H
#define CR_STORE_FORMAT_COLUMN_P_H

#include "bytes/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes on their way to a block. All zero is empty; free(p) ends it. */
struct cr_buf {
	unsigned char *p;
	size_t n, cap;
};

/* Room for len more bytes at the end of b, which the caller fills. */
unsigned char *cr_buf_grow(struct cr_buf *b, size_t len);
void cr_buf_put(struct cr_buf *b, const void *p, size_t len);
void cr_buf_int(struct cr_buf *b, uint64_t v, unsigned bytes); /* little-endian */

/*
 * How the values of a column become small ones before zstd sees them. What is stored is
 *
 *	u8 coding, u8 width, u64 base, then width planes of n bytes
 *
 * with base the smallest value (plain), the first one (deltas) or what they are multiples of
 * (scaled), and width what the largest small value needs: 0 when all of them are 0, as in a column
 * that is the same all over. The first plane has the lowest byte of each small value, the next one
 * the byte above, and so on. Values one after the other, or of variable length, came out 5 to 8 %
 * larger and no faster.
 *
 *	300 301 301 300, plain: 0, 1, 300, then the plane 00 01 01 00
 *
 * A difference of 0, -1, 1, -2 is kept as 0, 1, 2, 3 (zigzag), all of it modulo 2^64.
 */
enum cr_coding {
	CR_CODING_PLAIN = 0,  /* value - base */
	CR_CODING_DELTA = 1,  /* zigzag(value - the one before) */
	CR_CODING_DELTA2 = 2, /* zigzag(difference - the one before) */
	CR_CODING_SCALED = 3, /* value / base: weights that are so many times a period */
	CR_CODINGS
};

#define CR_COLUMN_HEAD ((size_t)10)

static inline uint64_t
cr_zigzag(uint64_t v)
{
	return v << 1 ^ (0 - (v >> 63));
}

static inline uint64_t
cr_unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* Plain or delta, whichever needs fewer planes for these values; plain when both need the same. */
enum cr_coding cr_column_best(const uint64_t *v, uint32_t n);

/*
 * Append n values as a column to out; v is used up. A coding that gains nothing over plain is not
 * taken: scaled.
 */
void cr_column_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_coding coding);

/* The next column of a block, n values. False when it ends early or its coding is not known. */
bool cr_column_read(struct cr_cursor *in, uint64_t *v, uint32_t n);

/*
 * Does the head of the next column alone say that every value is the same? Then *value is that
 * value.
 */
bool cr_column_is_constant(const struct cr_cursor *in, uint64_t *value);

/* The smallest and the largest of some values. */
struct cr_column_span {
	uint64_t least, most;
};

/* Those of n items of 2, 4 or 8 bytes, aligned; UINT64_MAX and 0 for none. */
struct cr_column_span cr_column_span_of(const void *items, size_t size, uint32_t n);

/*
 * Read a column into an array of items of 2, 4 or 8 bytes, without a way round. CR_COLUMN_OUT when
 * a value is larger than `most`, which fits an item; CR_COLUMN_BAD as above. room is for n values,
 * where a coding needs it.
 */
enum cr_column_result { CR_COLUMN_GOOD, CR_COLUMN_BAD, CR_COLUMN_OUT };

enum cr_column_result cr_column_read_array(
	struct cr_cursor *in, void *items, size_t size, uint32_t n, uint64_t most, uint64_t *room);

#endif
