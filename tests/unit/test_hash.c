#include "testing.h"

#include "cresset/base/hash.h"

static uint32_t
find(const struct cr_index *ix, const uint64_t *keys, uint64_t h, uint64_t key)
{
	uint32_t at = cr_index_first(ix, h), row;

	for (; (row = cr_index_row(ix, &at, h)) != CR_NO_ROW; at = cr_index_next(ix, at))
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
	case 1: return h << 32;             /* equal low bits */
	case 2: return h & 0xffffffff;      /* equal tags: every look-up walks them all */
	case 3: return key << 40;           /* slots side by side */
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
			assert_int_equal(find(&ix, keys, hash_of(kind, keys[i]), keys[i]), CR_NO_ROW);
			cr_index_add(&ix, hash_of(kind, keys[i]), i);
		}
		for (uint32_t i = 0; i < CR_LEN(keys); i++) {
			assert_int_equal(find(&ix, keys, hash_of(kind, keys[i]), keys[i]), i);
			assert_int_equal(find(&ix, keys, hash_of(kind, keys[i] + 1), keys[i] + 1), CR_NO_ROW);
		}
		assert_true(ix.used < ix.mask + 1); /* a free slot ends every search */
		cr_index_fini(&ix);
	}
}

static void
test_hashing_is_for_ever_the_same(void **state)
{
	(void)state;
	/* Stored profiles carry these sums; numbers are those of XXH3's reference. */
	assert_int_equal(cr_hash("", 0), UINT64_C(0x2d06800538d394c2));
	assert_int_equal(cr_hash(NULL, 0), UINT64_C(0x2d06800538d394c2));
	assert_int_not_equal(cr_hash("a", 1), cr_hash("b", 1));
	assert_int_not_equal(cr_hash_mix(1, 2), cr_hash_mix(2, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_index_has_nothing),
		cmocka_unit_test(test_every_row_is_found_however_the_hashes_lie),
		cmocka_unit_test(test_hashing_is_for_ever_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
