#include "testing.h"

#include <sys/mman.h>

#include "bytes/scan.h"

static void
test_text_comes_in_lines(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *lines[4];
	} cases[] = {
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
test_a_line_past_the_limit_is_given_without_its_end(void **state)
{
	const size_t len = CR_SCAN_LINE_MOST * 2 + 4;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct cr_scan s;
	struct cr_str line;

	(void)state;
	assert_true(p != MAP_FAILED);
	p[CR_SCAN_LINE_MOST] = p[CR_SCAN_LINE_MOST * 2 + 2] =
		'\n'; /* a line as long as it may be, and one byte more */
	p[len - 1] = 'x';
	cr_scan_init(&s, p, len);
	assert_true(cr_scan_line(&s, &line));
	assert_int_equal(line.len, CR_SCAN_LINE_MOST);
	assert_false(s.cut);
	assert_true(cr_scan_line(&s, &line));
	assert_int_equal(line.len, CR_SCAN_LINE_MOST);
	assert_true(s.cut);
	assert_true(cr_scan_line(&s, &line));
	assert_str(line, "x");
	assert_false(s.cut);
	assert_false(cr_scan_line(&s, &line));
	munmap(p, len);
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
	static const struct {
		const char *text;
		bool is_number;
		uint64_t number;
	} cases[] = {
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

		assert_int_equal(
			cr_scan_u64(cr_str_of(cases[i].text), &number), cases[i].is_number);
		assert_int_equal(number, cases[i].number);
	}
}

static void
test_hexadecimal_numbers_may_have_their_prefix(void **state)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t number;
	} cases[] = {
		{"0", true, 0},
		{"fF09", true, 0xff09},
		{"0x1f", true, 0x1f},
		{"0X1f", true, 0x1f},
		{"00000000000000000000001", true, 1},
		{"ffffffffffffffff", true, UINT64_MAX},
		{"10000000000000000", false, 0},
		{"", false, 0},
		{"0x", false, 0},
		{"1g", false, 0},
		{"1@", false, 0},
		{"1`", false, 0},
		{"-1", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		uint64_t number = 0;

		assert_int_equal(
			cr_scan_hex(cr_str_of(cases[i].text), &number), cases[i].is_number);
		assert_int_equal(number, cases[i].number);
	}
}

static void
test_source_lines_stand_behind_the_last_colon(void **state)
{
	static const struct {
		const char *text;
		bool has;
		const char *file;
		uint32_t line;
	} cases[] = {
		{"x.go:12", true, "x.go", 12},
		{"C:\\x.go:7", true, "C:\\x.go", 7},
		{":1", true, "", 1},
		{"x.go", false, "x.go", 0},
		{"x.go:", false, "x.go:", 0},
		{"x:1a", false, "x:1a", 0},
		{"x:2147483648", true, "x", 0},
		{"", false, "", 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_str s = cr_str_of(cases[i].text);
		uint32_t line = 0;

		assert_int_equal(cr_scan_source_line(&s, &line), cases[i].has);
		assert_str(s, cases[i].file);
		assert_int_equal(line, cases[i].line);
	}
}

static void
test_words_are_what_stands_between_blanks(void **state)
{
	struct cr_str rest = CR_STR(" \tone two\t "), none = {NULL, 0};

	(void)state;
	assert_str(cr_scan_word(&rest), "one");
	assert_str(rest, " two\t ");
	assert_str(cr_scan_word(&rest), "two");
	assert_int_equal(cr_scan_word(&rest).len, 0);
	assert_int_equal(rest.len, 0);
	assert_int_equal(cr_scan_word(&none).len, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_comes_in_lines),
		cmocka_unit_test(test_a_line_past_the_limit_is_given_without_its_end),
		cmocka_unit_test(test_trimming_takes_blanks_and_tabs_alone),
		cmocka_unit_test(test_numbers_are_digits_alone_and_fit),
		cmocka_unit_test(test_hexadecimal_numbers_may_have_their_prefix),
		cmocka_unit_test(test_source_lines_stand_behind_the_last_colon),
		cmocka_unit_test(test_words_are_what_stands_between_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
