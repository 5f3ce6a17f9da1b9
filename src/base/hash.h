#ifndef CR_BASE_HASH_H
#define CR_BASE_HASH_H

#include "base/wide.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The hash of some bytes, for tables in memory. It is keyed by random numbers that are another in
 * each process: whoever makes an input cannot choose names that share a slot. So it must never
 * reach a result or a file.
 */
uint64_t cr_hash(const void *p, size_t len);

/*
 * The digest of some bytes (xxHash, XXH3): the checksum of the store, and part of identities. It
 * never changes.
 */
uint64_t cr_digest(const void *p, size_t len);

/*
 * 128 bits, with a seed: where equal hashes are taken for equal bytes, and the seed is nobody's to
 * guess.
 */
struct cr_hash128 {
	uint64_t lo, hi;
};

struct cr_hash128 cr_hash128(const void *p, size_t len, uint64_t seed);

/* Such a seed, another one each time. */
uint64_t cr_hash_seed(void);

/* The keys of this process; set before main() runs. */
extern uint64_t cr_hash_keys[2];

/* The two halves of a product of 128 bits, as one word. */
static inline uint64_t
cr_hash_fold(uint64_t a, uint64_t b)
{
	const struct cr_wide product = cr_wide_mul(a, b);

	return product.hi ^ product.lo;
}

/* The hash of two words, keyed as cr_hash() is. */
static inline uint64_t
cr_hash_mix(uint64_t a, uint64_t b)
{
	const uint64_t x = cr_hash_fold(a ^ cr_hash_keys[0], b ^ cr_hash_keys[1]);

	return x ^ (a + b) * 0x9e3779b97f4a7c15u; /* tells a from another even where b is the key */
}

/* Two words mixed to one, as cr_digest() always the same. */
static inline uint64_t
cr_digest_mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ b;

	x ^= x >> 29;
	x *= 0x94d049bb133111ebu;
	return x ^ (x >> 32);
}

/*
 * An open-addressing index from hash to row number: the one table under every interner. It
 * keeps no keys; the caller compares. All zero bytes is a valid empty one. To find a row or add it:
 *
 *	uint32_t row;
 *
 *	cr_index_each(&ix, h, row)
 *		if (rows[row] is the key)
 *			return row;
 *	cr_index_add(&ix, h, new_row);
 */
#define CR_NO_ROW UINT32_MAX

/*
 * A loop over the rows whose hash agrees with h. Past the last one, where the loop was not left,
 * row is CR_NO_ROW. ix and h are evaluated in each turn; the body adds nothing to the index.
 */
#define cr_index_each(ix, h, row)                  \
	for (uint32_t at_ = cr_index_first(ix, h); \
		((row) = cr_index_row(ix, &at_, h)) != CR_NO_ROW; at_ = cr_index_next(ix, at_))

struct cr_index {
	struct cr_index_slot {
		uint32_t tag;  /* upper half of the hash; its low bits choose the slot */
		uint32_t row1; /* row + 1; 0 is free */
	} * slots;
	uint32_t mask; /* slots - 1; 0 when there are none */
	uint32_t used;
};

void cr_index_add(struct cr_index *ix, uint64_t h, uint32_t row);
void cr_index_fini(struct cr_index *ix);

static inline uint32_t
cr_index_first(const struct cr_index *ix, uint64_t h)
{
	return (uint32_t)(h >> 32) & ix->mask;
}

/* Ask the processor to fetch the slot that a search for h starts at. */
static inline void
cr_index_prefetch(const struct cr_index *ix, uint64_t h)
{
	if (ix->slots)
		__builtin_prefetch(&ix->slots[cr_index_first(ix, h)]);
}

/* The next row whose hash agrees with h, searching from *at; *at is left on its slot. */
static inline uint32_t
cr_index_row(const struct cr_index *ix, uint32_t *at, uint64_t h)
{
	if (!ix->slots)
		return CR_NO_ROW;
	for (;; *at = (*at + 1) & ix->mask) {
		const struct cr_index_slot *s = &ix->slots[*at];

		if (s->row1 == 0)
			return CR_NO_ROW;
		if (s->tag == (uint32_t)(h >> 32))
			return s->row1 - 1;
	}
}

static inline uint32_t
cr_index_next(const struct cr_index *ix, uint32_t at)
{
	return (at + 1) & ix->mask;
}

#endif
