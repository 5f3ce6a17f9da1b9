#include "testing.h"

#include "base/utf8.h"

#include <locale.h>
#include <wchar.h>

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
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc3(",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xf0\x80\x80\x80",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xe2\x28\xa1",
		"\xf0\x9f\x94",
		"\xf0\x9f\x94(",
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
	static const struct {
		uint32_t c;
		unsigned cells;
	} cases[] = {
		{'a', 1},
		{0xe9, 1},
		{0x301, 0},
		{0x65e5, 2},
		{0xac00, 2},
		{0x1f525, 2},
		{0x2588, 1},
		{0x10ffff, 1},
		{0x20000, 2},
		{0x2fffd, 2},
		{UINT32_MAX, 1},
		/* marks of Arabic, Bengali, Thai, Tibetan, a Hangul vowel; a Bengali one that has a
		   cell of its own */
		{0x64b, 0},
		{0x9bc, 0},
		{0xe34, 0},
		{0xf71, 0},
		{0x1161, 0},
		{0x9be, 1},
		/* emoji between others, and letters of Unicode 15 */
		{0x1f6d7, 2},
		{0x1f6d8, 1},
		{0x1fae8, 2},
		{0x1e08f, 0},
		{0x11f00, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(cr_utf8_width(cases[i].c), cases[i].cells);
}

/*
 * The table of this program and that of the C library agree on letters, or curses would draw names
 * askew.
 */
static void
test_widths_are_those_of_the_c_library(void **state)
{
	static const struct {
		uint32_t first, last;
	} blocks[] = {
		{0x20, 0x7e},
		{0xa1, 0xac},
		{0xae, 0x377},
		{0x400, 0x52f},
		{0x900, 0x983},
		{0xe01, 0xe3a},
		{0x1e00, 0x1f15},
		{0x2500, 0x259f},
		{0x3041, 0x3096},
		{0x4e00, 0x9fff},
		{0xac00, 0xd7a3},
		{0xff01, 0xff60},
		{0x1f600, 0x1f64f},
	};

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		testing_skip("the C library has no locale C.UTF-8");
	for (size_t i = 0; i < CR_LEN(blocks); i++)
		for (uint32_t c = blocks[i].first; c <= blocks[i].last; c++)
			if (wcwidth((wchar_t)c) != (int)cr_utf8_width(c))
				fail_msg("U+%04X: %u, not %d", c, cr_utf8_width(c),
					wcwidth((wchar_t)c));
	setlocale(LC_CTYPE, "C");
}

static void
test_locale_that_is_not_installed_counts_by_its_name(void **state)
{
	static const struct {
		const char *all, *ctype, *lang;
		bool utf8;
	} cases[] = {
		{"", "", "xx_YY.UTF-8", true},
		{"", "", "xx_YY.utf8", true},
		{"", "xx_YY.UTF-8", "C", true},
		{"C", "xx_YY.UTF-8", "xx_YY.UTF-8", false},
		{"", "", "xx_YY.ISO-8859-1", false},
		{"", "", "xx_YY", false},
		{"", "", "", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		setenv("LC_ALL", cases[i].all, 1);
		setenv("LC_CTYPE", cases[i].ctype, 1);
		setenv("LANG", cases[i].lang, 1);
		setlocale(LC_CTYPE, "");
		if (cr_utf8_locale() != cases[i].utf8)
			fail_msg("case %zu", i);
	}
	setlocale(LC_CTYPE, "C");
}

static void
test_plain_ends_at_the_first_byte_that_is_not(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (uint32_t at = 0; at < 19; at++) {
			char bytes[19] = "abc ~!main;work_[1]";
			const bool is_plain = byte >= 0x20 && byte < 0x7f;
			char *in;

			bytes[at] = (char)byte;
			in = testing_exact(bytes, sizeof(bytes));
			assert_int_equal(cr_utf8_plain((struct cr_str){in, sizeof(bytes)}),
				is_plain ? sizeof(bytes) : at);
			assert_int_equal(cr_utf8_plain((struct cr_str){in, at}), at);
			free(in);
		}
}

static void
test_a_fit_never_cuts_a_character(void **state)
{
	const struct cr_str s = CR_STR("a\xe6\x97\xa5"
				       "e\xcc\x81\xff"
				       "z"); /* a, wide, e with accent, bad, z */
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
		cmocka_unit_test(test_widths_are_those_of_the_c_library),
		cmocka_unit_test(test_locale_that_is_not_installed_counts_by_its_name),
		cmocka_unit_test(test_plain_ends_at_the_first_byte_that_is_not),
		cmocka_unit_test(test_a_fit_never_cuts_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
