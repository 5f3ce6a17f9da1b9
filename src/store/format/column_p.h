#ifndef CR_STORE_FORMAT_COLUMN_P_H
#define CR_STORE_FORMAT_COLUMN_P_H

#include "bytes/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a block being written. All zero bytes is an empty buffer; free(p) frees it. */
struct cr_buf {
	unsigned char *p;
	size_t n, cap;
};

/* Extend b by len bytes and return them; the caller fills them. */
unsigned char *cr_buf_grow(struct cr_buf *b, size_t len);
void cr_buf_put(struct cr_buf *b, const void *p, size_t len);
void cr_buf_int(struct cr_buf *b, uint64_t v, unsigned bytes); /* little-endian */
void cr_buf_leb(struct cr_buf *b, uint64_t v); /* LEB128, read with cr_cursor_uleb() */

/*
 * How the values of a column are reduced to small numbers before zstd compresses them. A column is
 * stored as
 *
 *	u8 coding, u8 width, u64 base, then width planes of n bytes
 *
 * base is the smallest value (plain), the first value (deltas), or the common divisor (scaled).
 * width is the number of bytes that the largest reduced value needs: 0 if all are 0, as in a
 * constant column. The first plane holds the lowest byte of each reduced value, the second the next
 * byte, and so on. Storing whole values one after the other, or with variable length, took 5 to 8 %
 * more space and was no faster.
 *
 *	300 301 301 300, plain: coding 0, width 1, base 300, then the plane 00 01 01 00
 *
 * The differences 0, -1, 1, -2 are stored as 0, 1, 2, 3 (zigzag). All arithmetic is modulo 2^64.
 */
enum cr_coding {
	CR_CODING_PLAIN = 0,  /* value - base */
	CR_CODING_DELTA = 1,  /* zigzag(value - previous value) */
	CR_CODING_DELTA2 = 2, /* zigzag(difference - previous difference) */
	CR_CODING_SCALED = 3, /* value / base: for weights that are multiples of a period */
	CR_CODINGS
};

/*
 * Times as ticks of a clock, see ticks_p.h: only in a section of version 4, which is read with
 * cr_column_read_ticks(). After the head, whose base is the first time, follow the size of a tick
 * and the fewest ticks between two times, a u64 each; the planes of the ticks less those; and a
 * plane of bytes, zigzag(what the time is wrong by).
 */
#define CR_CODING_TICKS 4
#define CR_COLUMN_TICKS ((size_t)16) /* bytes between the head and the planes */

#define CR_COLUMN_HEAD ((size_t)10) /* bytes before the planes */

/* The common divisor of all values; 1 if there is none. */
uint64_t cr_common_divisor(const uint64_t *v, uint32_t n);

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

/* The coding, plain or delta, that needs fewer planes for these values; plain if equal. */
enum cr_coding cr_column_best(const uint64_t *v, uint32_t n);

/*
 * Append n values as a column to out. Overwrites v. CR_CODING_SCALED is replaced by plain if it
 * does not save space.
 */
void cr_column_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_coding coding);

/*
 * The same with CR_CODING_TICKS; v stays as it is. Returns false, and appends nothing, if the times
 * are not those of such a clock.
 */
bool cr_column_write_ticks(struct cr_buf *out, const uint64_t *v, uint32_t n, uint64_t size);

/* True if the next column has CR_CODING_TICKS. */
bool cr_column_is_ticks(const struct cr_cursor *in);
bool cr_column_read_ticks(struct cr_cursor *in, uint64_t *v, uint32_t n);

/*
 * Read the next column of a block, n values. Returns false if it is truncated or has an unknown
 * coding.
 */
bool cr_column_read(struct cr_cursor *in, uint64_t *v, uint32_t n);

/*
 * If the head of the next column alone proves that all values are equal, store the value and return
 * true.
 */
bool cr_column_is_constant(const struct cr_cursor *in, uint64_t *value);

/* Minimum and maximum of some values. */
struct cr_column_span {
	uint64_t least, most;
};

/* The span of n aligned items of `size` bytes: 2, 4 or 8. least > most if n is 0. */
struct cr_column_span cr_column_span_of(const void *items, size_t size, uint32_t n);

/*
 * Read a column directly into an array of items of `size` bytes: 2, 4 or 8. CR_COLUMN_OUT if a
 * value exceeds `most`, which must fit an item; CR_COLUMN_BAD if the column is damaged. room:
 * buffer for n values.
 */
enum cr_column_result { CR_COLUMN_GOOD, CR_COLUMN_BAD, CR_COLUMN_OUT };

enum cr_column_result cr_column_read_array(
	struct cr_cursor *in, void *items, size_t size, uint32_t n, uint64_t most, uint64_t *room);

/*
 * Store values that were read in an array of items of `size` bytes. Returns false if one exceeds
 * `most`. Items of 8 bytes may be the values themselves.
 */
bool cr_column_narrow(void *items, size_t size, const uint64_t *v, uint32_t n, uint64_t most);

#endif
