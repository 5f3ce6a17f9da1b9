#include "testing.h"

#include "cresset/base/utf8.h"

static void
test_every_code_point_survives_the_way_there_and_back(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
		char bytes[4];
		const unsigned n = cr_utf8_encode(c, bytes);
		unsigned used;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		assert_int_equal(cr_utf8_decode(bytes, n, &used), c);
		assert_int_equal(used, n);
		if (n > 1) {
			assert_int_equal(cr_utf8_decode(bytes, n - 1, &used), CR_UTF8_BAD);
			assert_int_equal(used, 1);
		}
	}
}

static void
test_what_is_not_utf8_is_one_bad_byte(void **state)
{
	static const char *const cases[] = {
		"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3(", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
		"\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
		"\xff", "\xe2\x28\xa1", "\xf0\x9f\x94", "\xf0\x9f\x94(",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const size_t len = strlen(cases[i]);
		char *in = testing_exact(cases[i], len);
		unsigned used = 0;

		assert_int_equal(cr_utf8_decode(in, len, &used), CR_UTF8_BAD);
		assert_int_equal(used, 1);
		free(in);
	}
}

static void
test_widths_are_a_terminals(void **state)
{
	static const struct { uint32_t c; unsigned cells; } cases[] = {
		{'a', 1}, {0xe9, 1}, {0x301, 0}, {0x200b, 0}, {0x65e5, 2}, {0xac00, 2}, {0x1f525, 2}, {0x2588, 1},
		{0xfeff, 0}, {0x10ffff, 1}, {0x20000, 2},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(cr_utf8_width(cases[i].c), cases[i].cells);
}

static void
test_a_fit_never_cuts_a_character(void **state)
{
	const struct cr_str s = CR_STR("a\xe6\x97\xa5" "e\xcc\x81\xff" "z"); /* a, wide, e with accent, bad, z */
	static const uint32_t bytes[] = {0, 1, 1, 4, 7, 8, 9, 9};

	(void)state;
	assert_int_equal(cr_utf8_cells(s), 6);
	for (uint32_t cells = 0; cells < CR_LEN(bytes); cells++)
		assert_int_equal(cr_utf8_fit(s, cells), bytes[cells]);
	assert_int_equal(cr_utf8_cells((struct cr_str){NULL, 0}), 0);
	assert_int_equal(cr_utf8_fit((struct cr_str){NULL, 0}, 5), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_code_point_survives_the_way_there_and_back),
		cmocka_unit_test(test_what_is_not_utf8_is_one_bad_byte),
		cmocka_unit_test(test_widths_are_a_terminals),
		cmocka_unit_test(test_a_fit_never_cuts_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
