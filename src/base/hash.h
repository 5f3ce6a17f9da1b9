#ifndef CR_BASE_HASH_H
#define CR_BASE_HASH_H

#include "base/wide.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Hash of some bytes, for tables in memory. The key is random and differs in each process, so an
 * input cannot contain names chosen to collide. Therefore the hash must never reach a result or a
 * file.
 */
uint64_t cr_hash(const void *p, size_t len);

/*
 * Digest of some bytes (xxHash, XXH3): the checksum of the store, and part of identities. It never
 * changes.
 */
uint64_t cr_digest(const void *p, size_t len);

/*
 * A hash of 128 bits with a seed, for uses that treat equal hashes as equal bytes. The seed must
 * not be predictable.
 */
struct cr_hash128 {
	uint64_t lo, hi;
};

struct cr_hash128 cr_hash128(const void *p, size_t len, uint64_t seed);

/* A random seed, different at each call. */
uint64_t cr_hash_seed(void);

/* Random keys of this process, set before main() runs. */
extern uint64_t cr_hash_keys[2];

/* The halves of a 128-bit product, combined by exclusive or. */
static inline uint64_t
cr_hash_fold(uint64_t a, uint64_t b)
{
	const struct cr_wide product = cr_wide_mul(a, b);

	return product.hi ^ product.lo;
}

/* Hash of two words, keyed like cr_hash(). */
static inline uint64_t
cr_hash_mix(uint64_t a, uint64_t b)
{
	const uint64_t x = cr_hash_fold(a ^ cr_hash_keys[0], b ^ cr_hash_keys[1]);

	/* Distinguishes values of a even if b equals the key. */
	return x ^ (a + b) * 0x9e3779b97f4a7c15u;
}

/* Mix two words into one. Always the same, like cr_digest(). */
static inline uint64_t
cr_digest_mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ b;

	x ^= x >> 29;
	x *= 0x94d049bb133111ebu;
	return x ^ (x >> 32);
}

/*
 * An open-addressing index from hash to row number, used by every interner. It stores no keys; the
 * caller compares. All zero bytes is a valid empty index. To find a row or add it:
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
 * Loop over the rows whose hash matches h. If the loop is not left early, row is CR_NO_ROW
 * afterwards. ix and h are evaluated at each step; the body must not add to the index.
 */
#define cr_index_each(ix, h, row)                  \
	for (uint32_t at_ = cr_index_first(ix, h); \
		((row) = cr_index_row(ix, &at_, h)) != CR_NO_ROW; at_ = cr_index_next(ix, at_))

struct cr_index {
	struct cr_index_slot {
		uint32_t tag;  /* upper half of the hash; its low bits choose the slot */
		uint32_t row1; /* row + 1; 0 if free */
	} * slots;
	uint32_t mask; /* number of slots - 1; 0 if there are none */
	uint32_t used;
};

/* Add a row under hash h. Rows with equal hashes are allowed; the caller compares their keys. */
void cr_index_add(struct cr_index *ix, uint64_t h, uint32_t row);
void cr_index_fini(struct cr_index *ix);

static inline uint32_t
cr_index_first(const struct cr_index *ix, uint64_t h)
{
	return (uint32_t)(h >> 32) & ix->mask;
}

/* Prefetch the slot where a lookup of h begins. */
static inline void
cr_index_prefetch(const struct cr_index *ix, uint64_t h)
{
	if (ix->slots)
		__builtin_prefetch(&ix->slots[cr_index_first(ix, h)]);
}

/* The next row whose hash matches h, searching from *at; *at becomes its slot. */
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
