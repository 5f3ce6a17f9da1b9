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
	static const struct { const char *text; bool is_number; uint64_t number; } cases[] = {
		{"0", true, 0},
		{"12", true, 12},
		{"00012", true, 12},
		{"fF", false, 0},
		{"", false, 0},
		{"-1", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"0x1", false, 0},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		uint64_t number = 0;

		assert_int_equal(cr_scan_u64(cr_str_of(cases[i].text), &number), cases[i].is_number);
		assert_int_equal(number, cases[i].number);
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
