#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/format/column_p.h"

/* Read a column back from a buffer of its exact size. */
static bool
read_exact(const unsigned char *bytes, size_t len, uint64_t *v, uint32_t n, size_t *left)
{
	unsigned char *copy = malloc(len ? len : 1);
	struct cr_cursor c;
	bool ok;

	assert_non_null(copy);
	if (len)
		memcpy(copy, bytes, len);
	cr_cursor_init(&c, copy, len);
	ok = cr_column_read(&c, v, n);
	*left = cr_cursor_left(&c);
	free(copy);
	return ok;
}

static const struct {
	uint32_t n;
	uint64_t v[6];
} columns[] = {
	{0, {0}},
	{1, {0}},
	{1, {UINT64_MAX}},
	{4, {300, 301, 301, 300}},
	{5, {7, 7, 7, 7, 7}},
	{6, {0, UINT64_MAX, 0, UINT64_MAX, 1, (uint64_t)1 << 63}},
	{6, {1000, 900, 2000, 3, 0, 5000000000}},
	{6, {10, 20, 30, 40, 50, 60}},
	{6, {0, 250000, 500000, 250000, 0, 25000000}},
};

static void
test_every_column_comes_back_in_every_coding(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(columns); i++)
		for (unsigned coding = 0; coding < CR_CODINGS; coding++) {
			struct cr_buf b = {0};
			uint64_t v[6];
			size_t left;

			memcpy(v, columns[i].v, sizeof(v));
			cr_column_write(&b, v, columns[i].n, coding);
			memset(v, 0xa5, sizeof(v));
			assert_true(read_exact(b.p, b.n, v, columns[i].n, &left));
			assert_int_equal(left, 0);
			assert_memory_equal(v, columns[i].v, columns[i].n * sizeof(*v));
			free(b.p);
		}
}

static void
test_a_column_takes_no_more_bytes_a_value_than_it_needs(void **state)
{
	static const struct {
		size_t column;
		unsigned coding;
		size_t width;
	} cases[] = {
		{4, CR_CODING_PLAIN, 0}, {3, CR_CODING_PLAIN, 1}, {7, CR_CODING_DELTA, 1},
		{6, CR_CODING_PLAIN, 5}, {8, CR_CODING_SCALED, 1}, {8, CR_CODING_PLAIN, 4},
		{3, CR_CODING_SCALED, 1},
		{4, CR_CODING_SCALED, 0}, /* plain: it would gain nothing */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint32_t n = columns[cases[i].column].n;
		struct cr_buf b = {0};
		uint64_t v[6];

		memcpy(v, columns[cases[i].column].v, sizeof(v));
		cr_column_write(&b, v, n, cases[i].coding);
		assert_int_equal(b.n, CR_COLUMN_HEAD + cases[i].width * n);
		free(b.p);
	}
}

/* Items of all sizes, in runs that do and do not fill a stride, from a buffer of its exact size. */
static void
test_arrays_are_read_as_columns_are(void **state)
{
	static const struct {
		size_t size;
		uint64_t step, most;
	} cases[] = {
		{2, 1, UINT16_MAX},
		{2, 200, 60000},
		{4, 3, UINT32_MAX},
		{4, 70000, 200 * 70000},
		{4, 20000000, 4000000000},
		{8, 5, UINT64_MAX},
		{8, 0x10000000001, UINT64_MAX},
		{8, 9, 200 * 9},
	};
	static const uint32_t counts[] = {0, 1, 63, 64, 65, 200};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases) * CR_LEN(counts) * CR_CODINGS * 2; i++) {
		const size_t size = cases[i % CR_LEN(cases)].size;
		const uint32_t n = counts[i / CR_LEN(cases) % CR_LEN(counts)];
		const enum cr_coding coding = i / CR_LEN(cases) / CR_LEN(counts) % CR_CODINGS;
		const bool past = n && i % 2 &&
				  cases[i % CR_LEN(cases)].most < UINT64_MAX; /* one too large */
		uint64_t v[200] = {0}, room[200], most = cases[i % CR_LEN(cases)].most;
		unsigned char *items = malloc(n * size + 1), *copy;
		struct cr_buf b = {0};
		struct cr_cursor c;

		for (uint32_t k = 0; k < n; k++)
			v[k] = (k * 7 % 200) * cases[i % CR_LEN(cases)].step;
		if (past)
			most = v[n - 1], v[n / 2] = most + 1;
		cr_column_write(&b, memcpy(room, v, sizeof(v)), n, coding);
		copy = malloc(b.n);
		assert_true(items && copy);
		memcpy(copy, b.p, b.n);
		cr_cursor_init(&c, copy, b.n);
		for (uint32_t k = 0; k < n && !past; k++)
			most = CR_MAX(most, v[k]);
		for (uint32_t k = 0; k < n && past; k++)
			v[k] = CR_MIN(v[k], most + 1);
		assert_int_equal(cr_column_read_array(&c, items, size, n, most, room),
			past ? CR_COLUMN_OUT : CR_COLUMN_GOOD);
		for (uint32_t k = 0; k < n && !past; k++)
			assert_memory_equal(items + k * size, &v[k], size);
		free(b.p);
		free(copy);
		free(items);
	}
}

static void
test_every_prefix_of_a_column_is_refused(void **state)
{
	uint64_t v[6];
	struct cr_buf b = {0};
	size_t left;

	(void)state;
	memcpy(v, columns[6].v, sizeof(v));
	cr_column_write(&b, v, 6, CR_CODING_DELTA);
	for (size_t len = 0; len < b.n; len++)
		assert_false(read_exact(b.p, len, v, 6, &left));
	free(b.p);
}

static void
test_an_unknown_coding_or_width_is_refused(void **state)
{
	static const unsigned char bad[][CR_COLUMN_HEAD + 18] = {
		{CR_CODINGS, 1},
		{255, 1},
		{CR_CODING_PLAIN, 9},
		{CR_CODING_DELTA, 255},
	};
	uint64_t v[2];
	size_t left;

	(void)state;
	for (size_t i = 0; i < CR_LEN(bad); i++)
		assert_false(read_exact(bad[i], sizeof(bad[i]), v, 2, &left));
}

static void
test_the_best_coding_is_the_one_with_fewer_planes(void **state)
{
	static const struct {
		uint32_t n;
		uint64_t v[4];
		enum cr_coding want;
	} cases[] = {
		{0, {0}, CR_CODING_PLAIN},
		{1, {UINT64_MAX}, CR_CODING_PLAIN},
		{4, {7, 7, 7, 7}, CR_CODING_PLAIN},
		{4, {0, 255, 0, 255}, CR_CODING_PLAIN},
		{4, {0, 100, 200, 300}, CR_CODING_DELTA},
		{4, {0, UINT64_MAX, 0, UINT64_MAX},
			CR_CODING_DELTA}, /* one step up or down, modulo 2^64 */
		{4, {5000000000, 4999999990, 1, 2}, CR_CODING_PLAIN},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(cr_column_best(cases[i].v, cases[i].n), cases[i].want);
}

/* Several values are compared at once, as signed numbers; the last ones alone. */
static void
test_the_span_of_values_has_the_least_and_the_largest(void **state)
{
	enum { MOST = 67 };
	uint16_t v16[MOST];
	uint32_t v32[MOST];
	uint64_t v64[MOST];

	(void)state;
	for (uint32_t n = 1; n <= MOST; n++)
		for (uint32_t low = 0; low < n; low++)
			for (uint32_t high = 0; high < n; high++) {
				for (uint32_t i = 0; i < n; i++) {
					const int sign = i == high ? 1 : i == low ? -1 : 0;

					v16[i] = (uint16_t)(0x8000 + 0x7fff * sign);
					v32[i] =
						(uint32_t)(0x80000000 + 0x7fffffff * (int64_t)sign);
					v64[i] = v32[i];
				}
				const struct cr_column_span a = cr_column_span_of(v16, 2, n),
							    b = cr_column_span_of(v32, 4, n),
							    c = cr_column_span_of(v64, 8, n);
				const uint64_t least =
					low == high ? n == 1 ? UINT32_MAX : 0x80000000 : 1;

				assert_int_equal(b.least, least);
				assert_int_equal(b.most, UINT32_MAX);
				assert_int_equal(a.most, UINT16_MAX);
				assert_int_equal(a.least, n == 1       ? UINT16_MAX
							  : least == 1 ? 1
								       : 0x8000);
				assert_memory_equal(&b, &c, sizeof(b));
			}
	assert_int_equal(cr_column_span_of(v16, 2, 0).least, UINT64_MAX);
	assert_int_equal(cr_column_span_of(v32, 4, 0).most, 0);
}

/* Times of a clock of 24 MHz; every 100th is wrong by up to 29 ns. */
static void
test_times_of_a_clock_come_back_as_ticks(void **state)
{
	const uint64_t size = (UINT64_C(1000) << 32) / 24;
	uint64_t v[1000], read[1000];
	struct cr_buf b = {0};
	struct cr_cursor c;

	(void)state;
	for (uint64_t i = 0, ticks = 77; i < CR_LEN(v); i++, ticks += 2000 + i * i % 300)
		v[i] = ticks * 1000 / 24 + (i % 100 == 7 ? i % 30 : 0);
	assert_true(cr_column_write_ticks(&b, v, CR_LEN(v), size));
	assert_true(b.n <= 34 + 3 * CR_LEN(v));
	for (size_t len = 0; len < b.n; len += len < 40 ? 1 : 333) {
		cr_cursor_init(&c, b.p, len);
		assert_false(cr_column_read_ticks(&c, read, CR_LEN(v)));
	}
	cr_cursor_init(&c, b.p, b.n);
	assert_true(cr_column_is_ticks(&c));
	assert_true(cr_column_read_ticks(&c, read, CR_LEN(v)));
	assert_int_equal(cr_cursor_left(&c), 0);
	assert_memory_equal(read, v, sizeof(v));
	cr_cursor_init(&c, b.p, b.n);
	assert_false(cr_column_read(&c, read, CR_LEN(v))); /* no coding of other columns */
	b.p[1] = 5;
	cr_cursor_init(&c, b.p, b.n);
	assert_false(cr_column_read_ticks(&c, read, 100));
	b.n = 0;
	v[500] = v[498];
	assert_false(cr_column_write_ticks(&b, v, CR_LEN(v), size));
	assert_int_equal(b.n, 0);
	v[500] = v[499] + (UINT64_C(1) << 60);
	assert_false(cr_column_write_ticks(&b, v, 501, size));
	free(b.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_of_a_clock_come_back_as_ticks),
		cmocka_unit_test(test_every_column_comes_back_in_every_coding),
		cmocka_unit_test(test_the_best_coding_is_the_one_with_fewer_planes),
		cmocka_unit_test(test_a_column_takes_no_more_bytes_a_value_than_it_needs),
		cmocka_unit_test(test_arrays_are_read_as_columns_are),
		cmocka_unit_test(test_every_prefix_of_a_column_is_refused),
		cmocka_unit_test(test_an_unknown_coding_or_width_is_refused),
		cmocka_unit_test(test_the_span_of_values_has_the_least_and_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
