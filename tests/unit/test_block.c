#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/format/block_p.h"
#include "store/format/phrases_p.h"

#define BYTES 5000

static void
fill(unsigned char *p, bool compressible)
{
	for (uint32_t i = 0; i < BYTES; i++)
		p[i] = (unsigned char)(compressible ? i / 100 : cr_digest_mix(i, 7));
}

static void
test_a_block_comes_back_packed_or_not(void **state)
{
	static const struct {
		bool compressible;
		int level;
		bool packed;
	} cases[] = {
		{true, 3, true},
		{true, 1, true},
		{true, 0, false},
		{false, 3, false},
	};
	unsigned char raw[BYTES], back[BYTES];

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_packer *pk = cr_packer_new(cases[i].level);
		struct cr_unpacker *up = cr_unpacker_new();
		struct cr_block b = {.raw_bytes = BYTES};
		struct cr_err err = CR_ERR_INIT;
		const void *stored;
		size_t n;

		fill(raw, cases[i].compressible);
		stored = cr_packer_pack(pk, raw, BYTES, &n);
		assert_int_equal(n < BYTES, cases[i].packed);
		b.stored_bytes = (uint32_t)n;
		assert_int_equal(cr_unpacker_unpack(up, stored, &b, back, &err), CR_OK);
		assert_memory_equal(raw, back, BYTES);
		cr_packer_free(pk);
		cr_unpacker_free(up);
	}
}

/* Stored profiles cannot be read with others; cresset-store(5) gives both numbers. */
static void
test_the_phrases_never_change(void **state)
{
	size_t n;
	const char *phrases = cr_phrases(&n);

	(void)state;
	assert_int_equal(n, 13890);
	assert_true(cr_digest(phrases, n) == UINT64_C(0xb748b6d468e13de6));
}

static void
test_texts_come_back_packed_or_not(void **state)
{
	static const int levels[] = {0, 3};
	static const char hostname[] = "hostname\011\0\0\0localhost\011\0\0\0osrelease";

	(void)state;
	for (size_t i = 0; i < CR_LEN(levels); i++) {
		struct cr_packer *pk = cr_packer_new(3);
		struct cr_unpacker *up = cr_unpacker_new();
		struct cr_block b = {.offset = 77, .raw_bytes = sizeof(hostname) - 1};
		struct cr_err err = CR_ERR_INIT;
		char back[sizeof(hostname)] = "";
		const void *stored;
		size_t n;

		stored = cr_packer_pack_texts(pk, levels[i], hostname, b.raw_bytes, &n);
		assert_true(levels[i] ? n < b.raw_bytes * 3 / 4 : n == b.raw_bytes);
		b.stored_bytes = (uint32_t)n;
		assert_int_equal(cr_unpacker_unpack_texts(up, stored, &b, back, &err), CR_OK);
		assert_memory_equal(back, hostname, b.raw_bytes);
		if (levels[i]) { /* the phrases are needed */
			assert_int_equal(
				cr_unpacker_unpack(up, stored, &b, back, &err), CR_EFORMAT);
			assert_int_equal(err.offset, 77);
		}
		cr_packer_free(pk);
		cr_unpacker_free(up);
	}
}

static void
test_an_empty_block_comes_back(void **state)
{
	struct cr_packer *pk = cr_packer_new(3);
	struct cr_unpacker *up = cr_unpacker_new();
	struct cr_block b = {0};
	struct cr_err err = CR_ERR_INIT;
	size_t n;

	(void)state;
	cr_packer_pack(pk, "", 0, &n);
	assert_int_equal(n, 0);
	assert_int_equal(cr_unpacker_unpack(up, "", &b, NULL, &err), CR_OK);
	cr_packer_free(pk);
	cr_unpacker_free(up);
}

static void
test_a_block_of_another_size_than_it_says_is_refused(void **state)
{
	static const int off[] = {-1, +1, -4000, +4000};
	unsigned char raw[BYTES], back[2 * BYTES];
	struct cr_packer *pk = cr_packer_new(3);
	struct cr_unpacker *up = cr_unpacker_new();
	const void *stored;
	size_t n;

	(void)state;
	fill(raw, true);
	stored = cr_packer_pack(pk, raw, BYTES, &n);
	for (size_t i = 0; i < CR_LEN(off); i++) {
		const struct cr_block b = {
			.offset = 24,
			.stored_bytes = (uint32_t)n,
			.raw_bytes = (uint32_t)(BYTES + off[i]),
		};
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_unpacker_unpack(up, stored, &b, back, &err), CR_EFORMAT);
		assert_int_equal(err.offset, 24);
	}
	cr_packer_free(pk);
	cr_unpacker_free(up);
}

static void
test_damaged_packed_bytes_are_refused_or_harmless(void **state)
{
	unsigned char raw[BYTES], back[BYTES], bent[BYTES];
	struct cr_packer *pk = cr_packer_new(3);
	struct cr_unpacker *up = cr_unpacker_new();
	struct cr_block b = {.raw_bytes = BYTES};
	const void *stored;
	size_t n, refused = 0;
	uint64_t sum;

	(void)state;
	fill(raw, true);
	stored = cr_packer_pack(pk, raw, BYTES, &n);
	b.stored_bytes = (uint32_t)n;
	sum = cr_block_sum(stored, &b, 1, 2);
	for (size_t i = 0; i < 8 * n; i++) {
		struct cr_err err = CR_ERR_INIT;
		int rc;

		memcpy(bent, stored, n);
		bent[i / 8] ^= (unsigned char)(1u << i % 8);
		assert_int_not_equal(cr_block_sum(bent, &b, 1, 2), sum);
		/* What is unpacked may be other bytes, as many: the sum tells. */
		rc = cr_unpacker_unpack(up, bent, &b, back, &err);
		assert_int_equal(err.code, rc);
		assert_true(rc == CR_OK ? !err.text[0] : rc == CR_EFORMAT && err.text[0]);
		refused += rc < 0;
	}
	assert_in_range(refused, 8, 8 * n); /* the magic number at least */
	memset(back, 0, BYTES);
	assert_int_equal(
		cr_unpacker_unpack(up, stored, &b, back, &(struct cr_err)CR_ERR_INIT), CR_OK);
	assert_memory_equal(raw, back, BYTES);
	cr_packer_free(pk);
	cr_unpacker_free(up);
}

static void
test_an_unpacker_after_another_that_failed_unpacks(void **state)
{
	unsigned char raw[BYTES], back[BYTES];
	struct cr_packer *pk = cr_packer_new(3);
	struct cr_unpacker *up = cr_unpacker_new();
	struct cr_block b = {.raw_bytes = BYTES}, cut;
	struct cr_err err = CR_ERR_INIT;
	const void *stored;
	size_t n;

	(void)state;
	fill(raw, true);
	stored = cr_packer_pack(pk, raw, BYTES, &n);
	b.stored_bytes = (uint32_t)n;
	cut = b;
	cut.stored_bytes /= 2;
	assert_int_equal(cr_unpacker_unpack(up, stored, &cut, back, &err), CR_EFORMAT);
	cr_unpacker_free(up);
	for (int i = 0; i < 3; i++) {
		err = (struct cr_err)CR_ERR_INIT;
		memset(back, 0, BYTES);
		up = cr_unpacker_new();
		assert_int_equal(cr_unpacker_unpack(up, stored, &b, back, &err), CR_OK);
		assert_memory_equal(raw, back, BYTES);
		cr_unpacker_free(up);
	}
	cr_packer_free(pk);
}

static void
test_the_sum_tells_what_is_stored_and_what_it_is(void **state)
{
	static const struct {
		struct cr_block b;
		uint32_t section, number;
		const char *bytes;
	} blocks[] = {
		{{24, 0, 4, 9, 3}, 1, 0, "abcd"},
		{{25, 0, 4, 9, 3}, 1, 0, "abcd"},
		{{24, 0, 3, 9, 3}, 1, 0, "abcd"},
		{{24, 0, 4, 8, 3}, 1, 0, "abcd"},
		{{24, 0, 4, 9, 2}, 1, 0, "abcd"},
		{{24, 0, 4, 9, 3}, 2, 0, "abcd"},
		{{24, 0, 4, 9, 3}, 1, 1, "abcd"},
		{{24, 0, 4, 9, 3}, 1, 0, "abcc"},
	};
	uint64_t sums[CR_LEN(blocks)];

	(void)state;
	for (size_t i = 0; i < CR_LEN(blocks); i++) {
		sums[i] = cr_block_sum(
			blocks[i].bytes, &blocks[i].b, blocks[i].section, blocks[i].number);
		for (size_t k = 0; k < i; k++)
			assert_true(sums[i] != sums[k]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_block_comes_back_packed_or_not),
		cmocka_unit_test(test_the_phrases_never_change),
		cmocka_unit_test(test_texts_come_back_packed_or_not),
		cmocka_unit_test(test_an_empty_block_comes_back),
		cmocka_unit_test(test_a_block_of_another_size_than_it_says_is_refused),
		cmocka_unit_test(test_damaged_packed_bytes_are_refused_or_harmless),
		cmocka_unit_test(test_an_unpacker_after_another_that_failed_unpacks),
		cmocka_unit_test(test_the_sum_tells_what_is_stored_and_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
