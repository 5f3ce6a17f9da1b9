#include "testing.h"

#include "cresset/bytes/scan.h"

static void
test_text_comes_in_lines(void **state)
{
	static const struct { const char *text; size_t len; const char *lines[4]; } cases[] = {
		{"", 0, {NULL}},
		{"a", 1, {"a"}},
		{"a\n", 2, {"a"}},
		{"a\r\nb", 4, {"a", "b"}},
		{"\n\n", 2, {"", ""}},
		{"\r\n\r", 3, {"", ""}},
		{"a\rb\r\r\n", 6, {"a\rb\r"}},
		{"\xef\xbb\xbfx\n\xef\xbb\xbfy", 9, {"x", "\xef\xbb\xbfy"}},
		{"\xef\xbb\xbf", 3, {NULL}},
		{"\xef\xbb", 2, {"\xef\xbb"}},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *block = testing_exact(cases[i].text, cases[i].len);
		struct cr_scan s;
		struct cr_str line;
		size_t n = 0;

		cr_scan_init(&s, block, cases[i].len);
		while (cr_scan_line(&s, &line)) {
			assert_non_null(cases[i].lines[n]);
			assert_str(line, cases[i].lines[n++]);
			assert_int_equal(s.line, n);
		}
		assert_null(cases[i].lines[n]);
		assert_int_equal(cr_scan_at(&s), cases[i].len);
		free(block);
	}
}

static void
test_trimming_takes_blanks_and_tabs_alone(void **state)
{
	(void)state;
	assert_str(cr_scan_trim(CR_STR(" \ta b\t ")), "a b");
	assert_str(cr_scan_trim(CR_STR(" \t ")), "");
	assert_str(cr_scan_trim(CR_STR("\va\n")), "\va\n");
	assert_int_equal(cr_scan_trim((struct cr_str){NULL, 0}).len, 0);
}

static void
test_numbers_are_digits_alone_and_fit(void **state)
{
	static const struct { const char *text; bool is_decimal, is_hex; uint64_t decimal, hex; } cases[] = {
		{"0", true, true, 0, 0},
		{"12", true, true, 12, 0x12},
		{"00012", true, true, 12, 0x12},
		{"fF", false, true, 0, 0xff},
		{"g", false, false, 0, 0},
		{"", false, false, 0, 0},
		{"-1", false, false, 0, 0},
		{"+1", false, false, 0, 0},
		{" 1", false, false, 0, 0},
		{"1 ", false, false, 0, 0},
		{"0x1", false, false, 0, 0},
		{"18446744073709551615", true, false, UINT64_MAX, 0},
		{"18446744073709551616", false, false, 0, 0},
		{"ffffffffffffffff", false, true, 0, UINT64_MAX},
		{"10000000000000000", true, false, UINT64_C(10000000000000000), 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		uint64_t decimal = 0, hex = 0;

		assert_int_equal(cr_scan_u64(cr_str_of(cases[i].text), &decimal), cases[i].is_decimal);
		assert_int_equal(cr_scan_hex(cr_str_of(cases[i].text), &hex), cases[i].is_hex);
		assert_int_equal(decimal, cases[i].decimal);
		assert_int_equal(hex, cases[i].hex);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_comes_in_lines),
		cmocka_unit_test(test_trimming_takes_blanks_and_tabs_alone),
		cmocka_unit_test(test_numbers_are_digits_alone_and_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
