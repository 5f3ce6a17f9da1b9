#include "testing.h"

#include "base/wide.h"

/* Numbers at which carries and limits are. */
static const uint64_t numbers[] = {
	0,
	1,
	2,
	3,
	7,
	10,
	999,
	1000,
	1000000,
	0x7fffffff,
	0x80000000,
	0xffffffff,
	0x100000000,
	0x100000001,
	0x123456789abcdef0,
	0x7fffffffffffffff,
	0x8000000000000000,
	0x8000000000000001,
	0xfffffffffffffffe,
	UINT64_MAX,
};

static void
assert_wide(struct cr_wide have, uint64_t hi, uint64_t lo)
{
	assert_int_equal(have.hi, hi);
	assert_int_equal(have.lo, lo);
}

static void
test_products_have_128_bits(void **state)
{
	static struct cr_wide (*const multiply[])(uint64_t, uint64_t) = {
		cr_wide_mul, cr_wide_mul_portable};

	(void)state;
	for (size_t i = 0; i < CR_LEN(multiply); i++) {
		assert_wide(multiply[i](0, UINT64_MAX), 0, 0);
		assert_wide(multiply[i](3, 5), 0, 15);
		assert_wide(multiply[i](UINT64_MAX, 2), 1, UINT64_MAX - 1);
		assert_wide(multiply[i](UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
		assert_wide(multiply[i](0x100000000, 0x100000000), 1, 0);
		assert_wide(multiply[i](0xffffffff, 0x100000001), 0, UINT64_MAX);
		assert_wide(multiply[i](0x123456789abcdef0, 0xfedcba9876543210), 0x121fa00ad77d7422,
			0x236d88fe5618cf00);
	}
}

static void
test_products_compare_as_numbers(void **state)
{
	(void)state;
	assert_true(cr_wide_less((struct cr_wide){0, UINT64_MAX}, (struct cr_wide){1, 0}));
	assert_true(cr_wide_less((struct cr_wide){1, 2}, (struct cr_wide){1, 3}));
	assert_false(cr_wide_less((struct cr_wide){1, 3}, (struct cr_wide){1, 3}));
	assert_false(cr_wide_less((struct cr_wide){2, 0}, (struct cr_wide){1, 9}));
}

/* What the machine does and what is done without its help agree, and undo each other. */
static void
test_portable_arithmetic_agrees(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(numbers); i++)
		for (size_t k = 0; k < CR_LEN(numbers); k++) {
			const struct cr_wide w = cr_wide_mul(numbers[i], numbers[k]);
			const struct cr_wide portable =
				cr_wide_mul_portable(numbers[i], numbers[k]);

			assert_wide(portable, w.hi, w.lo);
			for (size_t d = 0; d < CR_LEN(numbers); d++) {
				uint64_t rest, rest_portable, quotient;
				struct cr_wide back;

				if (w.hi >= numbers[d])
					continue;
				quotient = cr_wide_div(w, numbers[d], &rest);
				assert_int_equal(
					cr_wide_div_portable(w, numbers[d], &rest_portable),
					quotient);
				assert_int_equal(rest_portable, rest);
				assert_true(rest < numbers[d]);
				back = cr_wide_mul_portable(quotient, numbers[d]);
				back.lo += rest;
				back.hi += back.lo < rest;
				assert_wide(back, w.hi, w.lo);
			}
		}
}

static void
test_quotients_are_rounded_as_asked(void **state)
{
	static const struct {
		uint64_t a, b, c, down, nearest, up;
	} cases[] = {
		{0, 5, 7, 0, 0, 0},
		{6, 5, 10, 3, 3, 3},
		{7, 1, 3, 2, 2, 3},
		{8, 1, 3, 2, 3, 3},
		{5, 1, 2, 2, 3, 3}, /* a half goes up */
		{1, 1, UINT64_MAX, 0, 0, 1},
		{0x8000000000000000, 1, UINT64_MAX, 0, 1, 1},
		{UINT64_MAX, 1000000, UINT64_MAX, 1000000, 1000000, 1000000},
		{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
		{12345678901234567890u, 1000000, 18000000000000000000u, 685871, 685871, 685872},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_int_equal(cr_mul_div_sat(cases[i].a, cases[i].b, cases[i].c, CR_ROUND_DOWN),
			cases[i].down);
		assert_int_equal(
			cr_mul_div_sat(cases[i].a, cases[i].b, cases[i].c, CR_ROUND_NEAREST),
			cases[i].nearest);
		assert_int_equal(cr_mul_div_sat(cases[i].a, cases[i].b, cases[i].c, CR_ROUND_UP),
			cases[i].up);
	}
}

static void
test_what_does_not_fit_is_refused_or_capped(void **state)
{
	uint64_t out = 77;

	(void)state;
	assert_false(cr_mul_div_ok(1, 1, 0, CR_ROUND_DOWN, &out));
	assert_false(cr_mul_div_ok(UINT64_MAX, 2, 1, CR_ROUND_DOWN, &out));
	assert_false(cr_mul_div_ok(UINT64_MAX, 3, 2, CR_ROUND_DOWN, &out));
	/* 2^64 - 1 and something: only rounded down it has 64 bits. */
	assert_false(cr_mul_div_ok(
		0x8000000000000000, UINT64_MAX, 0x8000000000000000 - 1, CR_ROUND_DOWN, &out));
	assert_true(cr_mul_div_ok(
		0xfffffffffffffffd, 0xfffffffffffffffe, 0xfffffffffffffffc, CR_ROUND_DOWN, &out));
	assert_int_equal(out, UINT64_MAX);
	out = 77;
	assert_false(cr_mul_div_ok(
		0xfffffffffffffffd, 0xfffffffffffffffe, 0xfffffffffffffffc, CR_ROUND_UP, &out));
	assert_int_equal(out, 77);
	assert_int_equal(cr_mul_div_sat(UINT64_MAX, 3, 2, CR_ROUND_NEAREST), UINT64_MAX);
	assert_int_equal(cr_mul_div_sat(0, 0, 0, CR_ROUND_NEAREST), UINT64_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_products_have_128_bits),
		cmocka_unit_test(test_products_compare_as_numbers),
		cmocka_unit_test(test_portable_arithmetic_agrees),
		cmocka_unit_test(test_quotients_are_rounded_as_asked),
		cmocka_unit_test(test_what_does_not_fit_is_refused_or_capped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
