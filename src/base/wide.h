#ifndef CR_BASE_WIDE_H
#define CR_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Products of 64-bit numbers, which need 128 bits, with and without 128-bit integers of the
 * compiler. No other file may use those (tests/lint/layers checks it), so that the program builds
 * for 32 bits.
 */
struct cr_wide {
	uint64_t hi, lo;
};

/* cr_wide_mul() with 64-bit arithmetic only. */
static inline struct cr_wide
cr_wide_mul_portable(uint64_t a, uint64_t b)
{
	const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	const uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;

	return (struct cr_wide){a1 * b1 + (mid >> 32) + (mid2 >> 32), mid2 << 32 | (uint32_t)low};
}

/* a * b, exactly. */
static inline struct cr_wide
cr_wide_mul(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (struct cr_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
	return cr_wide_mul_portable(a, b);
#endif
}

static inline bool
cr_wide_less(struct cr_wide a, struct cr_wide b)
{
	return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

/*
 * w / d, rounded down; *rest becomes the remainder. Requires w.hi < d, so that the quotient fits in
 * 64 bits. One bit at a time.
 */
static inline uint64_t
cr_wide_div_portable(struct cr_wide w, uint64_t d, uint64_t *rest)
{
	uint64_t quotient = 0, r = w.hi;

	for (int bit = 63; bit >= 0; bit--) {
		const bool carry = r >> 63;

		r = r << 1 | (w.lo >> bit & 1);
		if (carry || r >= d) {
			r -= d;
			quotient |= (uint64_t)1 << bit;
		}
	}
	*rest = r;
	return quotient;
}

static inline uint64_t
cr_wide_div(struct cr_wide w, uint64_t d, uint64_t *rest)
{
	if (w.hi == 0) {
		*rest = w.lo % d;
		return w.lo / d;
	}
#ifdef __SIZEOF_INT128__
	const unsigned __int128 whole = (unsigned __int128)w.hi << 64 | w.lo;

	*rest = (uint64_t)(whole % d);
	return (uint64_t)(whole / d);
#else
	return cr_wide_div_portable(w, d, rest);
#endif
}

enum cr_round {
	CR_ROUND_DOWN,
	CR_ROUND_NEAREST, /* halves are rounded up */
	CR_ROUND_UP,
};

/*
 * a * b / c with an exact product. Returns false and leaves *out unchanged if c is 0 or the result
 * exceeds 64 bits.
 */
static inline bool
cr_mul_div_ok(uint64_t a, uint64_t b, uint64_t c, enum cr_round round, uint64_t *out)
{
	const struct cr_wide product = cr_wide_mul(a, b);
	uint64_t quotient, rest;
	bool up;

	if (product.hi >= c)
		return false;
	quotient = cr_wide_div(product, c, &rest);
	up = (round == CR_ROUND_UP && rest > 0) || (round == CR_ROUND_NEAREST && rest >= c - rest);
	if (up && quotient == UINT64_MAX)
		return false;
	*out = quotient + up;
	return true;
}

/* The same, but UINT64_MAX if it does not fit: for values computed from capped sums. */
static inline uint64_t
cr_mul_div_sat(uint64_t a, uint64_t b, uint64_t c, enum cr_round round)
{
	uint64_t out;

	return cr_mul_div_ok(a, b, c, round, &out) ? out : UINT64_MAX;
}

#endif
