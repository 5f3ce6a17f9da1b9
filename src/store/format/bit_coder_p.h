#ifndef CR_STORE_FORMAT_BIT_CODER_P_H
#define CR_STORE_FORMAT_BIT_CODER_P_H

#include "base/mem.h"
#include "column_p.h"

/*
 * An adaptive arithmetic coder of bits: a bit takes less space the better it is predicted. The same
 * functions write and read, so a model of some data is one function for both directions, and the
 * two cannot disagree:
 *
 *	bit = cr_bit_coder_bit(c, &state, bit);
 *
 * writes the bit and returns it, or ignores it and returns the one that was read. Bits that nothing
 * predicts are kept apart, as they are. All arithmetic is on integers, so that a file is the same
 * on every machine. cresset-store(5) describes every step.
 *
 *	length of the predicted bits in bytes, LEB128 | predicted bits | raw bits
 */
struct cr_bit_coder {
	bool reads; /* otherwise it writes */
	bool bad;   /* the bytes read are damaged */
	uint32_t low, high, code;
	const unsigned char *at, *end; /* predicted bits being read */
	uint32_t past;                 /* bytes read behind their end */
	struct cr_buf predicted, raw;  /* being written */
	const unsigned char *raw_at, *raw_end;
	uint64_t held; /* raw bits, the first one lowest */
	unsigned n_held;
	int16_t stretched[4096]; /* by probability of 12 bits: ln(p / (1 - p)), times 256 */
	uint16_t squashed[4096]; /* its inverse, 16 bits: by the result, plus 2048 */
	uint32_t rates[256];     /* how much to learn, of 65536, by how often the bit was seen */
};

/*
 * What is known about a bit in one context: the probability of a 1 in the upper 22 bits, with the
 * highest of them inverted; how often it was seen in the lower 10. 0 is a bit never seen.
 */
typedef uint32_t cr_bit_state;

/* Begin to write; cr_bit_coder_put() ends it. */
struct cr_bit_coder *cr_bit_coder_new(void);
/* Begin to read len bytes, which are borrowed. */
struct cr_bit_coder *cr_bit_coder_open(const unsigned char *bytes, size_t len);
void cr_bit_coder_free(struct cr_bit_coder *c);

/* Append what was written to out. */
void cr_bit_coder_put(struct cr_bit_coder *c, struct cr_buf *out);

/* True if everything was read, and nothing more. */
bool cr_bit_coder_at_end(const struct cr_bit_coder *c);

/* Code a number of n bits, at most 64, that nothing predicts. */
uint64_t cr_bit_coder_raw(struct cr_bit_coder *c, uint64_t v, unsigned n);

/* ---- coding one bit, inline: reading a column spends its time here */

/* The bytes that both ends of the interval begin with are known. */
static inline void
cr_bit_coder_shift(struct cr_bit_coder *c)
{
	while ((c->low ^ c->high) >> 24 == 0) {
		if (!c->reads)
			*cr_buf_grow(&c->predicted, 1) = (unsigned char)(c->low >> 24);
		else if (c->at < c->end)
			c->code = c->code << 8 | *c->at++;
		else
			c->code <<= 8, c->past++;
		c->low <<= 8;
		c->high = c->high << 8 | 0xff;
	}
}

/* Code a bit. p: the probability of a 1, of 65536. */
static inline unsigned
cr_bit_coder_given(struct cr_bit_coder *c, uint32_t p, unsigned bit)
{
	const uint32_t at = CR_MIN(CR_MAX(p, 16u), 65520u);
	const uint32_t mid = c->low + (uint32_t)((uint64_t)(c->high - c->low) * at >> 16);

	uint32_t ones;

	if (c->reads)
		bit = c->code <= mid;
	/* Without a branch, which would be predicted as badly as the bit. */
	ones = 0 - (uint32_t)bit;
	c->high = (mid & ones) | (c->high & ~ones);
	c->low = (c->low & ones) | ((mid + 1) & ~ones);
	cr_bit_coder_shift(c);
	return bit;
}

#define CR_BIT_HALF ((uint32_t)1 << 21) /* probability 1/2 in 22 bits */
#define CR_BIT_SEEN 10u                 /* bits of the count */

static inline uint32_t
cr_bit_probability(cr_bit_state s)
{
	return s >> CR_BIT_SEEN ^ CR_BIT_HALF;
}

/* A new context learns fast: the step is 1 / (n + 1.5) if it was seen n times, at most 255. */
static inline void
cr_bit_learn(const struct cr_bit_coder *c, cr_bit_state *s, unsigned bit)
{
	const uint32_t p = cr_bit_probability(*s), seen = *s & ((1u << CR_BIT_SEEN) - 1);
	const int64_t step = (int64_t)((0 - bit) & (2 * CR_BIT_HALF - 1)) - (int64_t)p;
	const uint32_t to = (uint32_t)(p + (step * c->rates[seen] >> 16));

	*s = (to ^ CR_BIT_HALF) << CR_BIT_SEEN | CR_MIN(seen + 1, 255u);
}

/* Code a bit whose context has been seen in *s, and learn from it. */
static inline unsigned
cr_bit_coder_bit(struct cr_bit_coder *c, cr_bit_state *s, unsigned bit)
{
	bit = cr_bit_coder_given(c, cr_bit_probability(*s) >> 6, bit);
	cr_bit_learn(c, s, bit);
	return bit;
}

#define CR_MIXED 3u
#define CR_MIXED_FIRST 30000 /* a weight, of 65536, minus what is stored of it */
#define CR_MIXED_MOST (1 << 20)

/* Code a bit that is predicted by three contexts. weights: of the three, learnt too; first 0. */
static inline unsigned
cr_bit_coder_mixed(
	struct cr_bit_coder *c, cr_bit_state *const s[CR_MIXED], int32_t *weights, unsigned bit)
{
	int32_t x[CR_MIXED], error;
	int64_t sum = 0;
	uint32_t p;

#pragma GCC unroll 3
	for (unsigned i = 0; i < CR_MIXED; i++) {
		x[i] = c->stretched[cr_bit_probability(*s[i]) >> 10];
		sum += (int64_t)(weights[i] + CR_MIXED_FIRST) * x[i];
	}
	sum >>= 16; /* rounded down, as everywhere: all compilers shift in the sign */
	p = c->squashed[CR_MIN(CR_MAX(sum, -2047), 2047) + 2048];
	bit = cr_bit_coder_given(c, p, bit);
	error = (int32_t)(bit << 16) - (int32_t)p;
#pragma GCC unroll 3
	for (unsigned i = 0; i < CR_MIXED; i++) {
		const int32_t w = weights[i] + (error * x[i] >> 16) * 5;

		weights[i] = CR_MIN(CR_MAX(w, -CR_MIXED_MOST), CR_MIXED_MOST);
		cr_bit_learn(c, s[i], bit);
	}
	return bit;
}

#endif
