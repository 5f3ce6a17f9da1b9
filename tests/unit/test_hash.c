#include "testing.h"

#include "base/hash.h"

static uint32_t
find(const struct cr_index *ix, const uint64_t *keys, uint64_t h, uint64_t key)
{
	uint32_t row;

	cr_index_each(ix, h, row)
		if (keys[row] == key)
			return row;
	return CR_NO_ROW;
}

static void
test_an_empty_index_has_nothing(void **state)
{
	struct cr_index ix = {0};

	(void)state;
	assert_int_equal(find(&ix, NULL, 0, 0), CR_NO_ROW);
	assert_int_equal(find(&ix, NULL, UINT64_MAX, 0), CR_NO_ROW);
	cr_index_fini(&ix);
}

/* How the hashes of the keys lie: spread, equal in one half, all equal. */
static uint64_t
hash_of(unsigned kind, uint64_t key)
{
	const uint64_t h = cr_hash_mix(key, 0);

	switch (kind) {
	case 0: return h;
	case 1: return h << 32;        /* equal low bits */
	case 2: return h & 0xffffffff; /* equal tags: every look-up walks them all */
	case 3: return key << 40;      /* slots side by side */
	default: return UINT64_MAX;
	}
}

static void
test_every_row_is_found_however_the_hashes_lie(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 5; kind++) {
		struct cr_index ix = {0};
		uint64_t keys[1500];

		for (uint32_t i = 0; i < CR_LEN(keys); i++) {
			keys[i] = UINT64_C(77) * i;
			assert_int_equal(
				find(&ix, keys, hash_of(kind, keys[i]), keys[i]), CR_NO_ROW);
			cr_index_add(&ix, hash_of(kind, keys[i]), i);
		}
		for (uint32_t i = 0; i < CR_LEN(keys); i++) {
			assert_int_equal(find(&ix, keys, hash_of(kind, keys[i]), keys[i]), i);
			assert_int_equal(find(&ix, keys, hash_of(kind, keys[i] + 1), keys[i] + 1),
				CR_NO_ROW);
		}
		assert_true(ix.used < ix.mask + 1); /* a free slot ends every search */
		cr_index_fini(&ix);
	}
}

/* A large table is a mapping of its own, which is replaced when it grows. */
static void
test_a_large_table_keeps_its_rows(void **state)
{
	enum { ROWS = 900000 };
	uint64_t *keys = cr_alloc(ROWS, sizeof(*keys));
	struct cr_index ix = {0};

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++) {
		keys[i] = UINT64_C(77) * i;
		cr_index_add(&ix, cr_hash_mix(keys[i], 0), i);
	}
	for (uint32_t i = 0; i < ROWS; i++)
		assert_int_equal(find(&ix, keys, cr_hash_mix(keys[i], 0), keys[i]), i);
	assert_int_equal(find(&ix, keys, cr_hash_mix(1, 0), 1), CR_NO_ROW);
	cr_index_fini(&ix);
	assert_null(ix.slots);
	free(keys);
}

static void
test_digests_are_for_ever_the_same(void **state)
{
	(void)state;
	/* Stored profiles carry these sums; numbers are those of XXH3's reference. */
	assert_int_equal(cr_digest("", 0), UINT64_C(0x2d06800538d394c2));
	assert_int_equal(cr_digest(NULL, 0), UINT64_C(0x2d06800538d394c2));
	assert_int_equal(cr_digest_mix(1, 2), UINT64_C(0xe743e810f056d354));
}

/*
 * The word that cr_digest_mix() makes h of, with a second word of 0: each of its steps can be
 * undone.
 */
static uint64_t
unmix(uint64_t h)
{
	uint64_t x = h ^ (h >> 32), y;

	x *= UINT64_C(0x319642b2d24d8ec3); /* the inverse of the multiplier, modulo 2^64 */
	for (y = x; (y ^ (y >> 29)) != x; y = x ^ (y >> 29))
		;
	return (y * UINT64_C(0x96de1b173f119089)) ^ UINT64_C(0x9e3779b97f4a7c15);
}

/*
 * Keys that would all share a slot if the hash were not keyed, or if the keys were the same in
 * every process.
 */
static void
test_nobody_can_choose_keys_that_share_a_slot(void **state)
{
	enum { KEYS = 20000 };
	struct cr_index ix = {0};
	uint64_t steps = 0;

	(void)state;
	assert_int_equal(cr_digest_mix(unmix(12345), 0), 12345);
	for (uint32_t i = 0; i < KEYS; i++)
		cr_index_add(&ix, cr_hash_mix(unmix((uint64_t)0xdeadbeef << 32 | i), 0), i);
	for (uint32_t i = 0; i < KEYS; i++) {
		const uint64_t h = cr_hash_mix(unmix((uint64_t)0xdeadbeef << 32 | i), 0);

		for (uint32_t at = cr_index_first(&ix, h);
			ix.slots[at].row1 && ix.slots[at].row1 != i + 1; at = (at + 1) & ix.mask)
			steps++;
	}
	assert_in_range(steps, 0, 20 * KEYS);
	cr_index_fini(&ix);
}

static void
test_hashes_are_keyed_by_the_process(void **state)
{
	const uint64_t keys[2] = {cr_hash_keys[0], cr_hash_keys[1]};
	const uint64_t bytes = cr_hash("main", 4), words = cr_hash_mix(1, 2);

	(void)state;
	assert_true(keys[0] != 0 && keys[1] != 0 && keys[0] != keys[1]);
	assert_true(cr_hash("a", 1) != cr_hash("b", 1));
	assert_true(cr_hash_mix(1, 2) != cr_hash_mix(2, 1));
	for (int k = 0; k < 2; k++) {
		cr_hash_keys[k] ^= 1;
		assert_true(cr_hash_mix(1, 2) != words);
		cr_hash_keys[k] ^= 1;
	}
	cr_hash_keys[0] ^= 1;
	assert_true(cr_hash("main", 4) != bytes);
	cr_hash_keys[0] ^= 1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_index_has_nothing),
		cmocka_unit_test(test_every_row_is_found_however_the_hashes_lie),
		cmocka_unit_test(test_a_large_table_keeps_its_rows),
		cmocka_unit_test(test_digests_are_for_ever_the_same),
		cmocka_unit_test(test_nobody_can_choose_keys_that_share_a_slot),
		cmocka_unit_test(test_hashes_are_keyed_by_the_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
