#include "testing.h"

#include "base/json_out.h"
#include "base/safe_stream.h"
#include "base/text.h"

static void
test_text_grows_and_ends_with_a_nul(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_text_puts(&t, "ab");
	cr_text_char(&t, 'c');
	cr_text_pad(&t, '-', 3);
	cr_text_put(&t, NULL, 0);
	cr_text_str(&t, (struct cr_str){NULL, 0});
	cr_text_u64(&t, UINT64_MAX);
	cr_text_char(&t, ' ');
	cr_text_hex(&t, 0);
	cr_text_hex(&t, UINT64_C(0xdeadbeef00));
	assert_string_equal(t.p, "abc---18446744073709551615 0deadbeef00");
	assert_int_equal(t.len, strlen(t.p));
	cr_text_clear(&t);
	assert_string_equal(t.p, "");
	for (int i = 0; i < 1000; i++)
		cr_text_printf(&t, "%*d,", i, i);
	assert_int_equal(t.len, strlen(t.p));
	assert_string_equal(t.p + t.len - 4, "999,");
	cr_text_fini(&t);
	assert_null(t.p);
}

/* len 0: up to the NUL */
struct escaped {
	const char *in;
	uint32_t len;
	const char *out;
};

static void
check(void (*escape)(struct cr_text *, struct cr_str), const struct escaped *c)
{
	const uint32_t len = c->len ? c->len : (uint32_t)strlen(c->in);
	char *in = testing_exact(c->in, len);
	struct cr_text t = {0};

	escape(&t, (struct cr_str){in, len});
	assert_string_equal(t.p, c->out);
	cr_text_fini(&t);
	free(in);
}

static void
test_safe_text_holds_nothing_a_terminal_acts_on(void **state)
{
	static const struct escaped cases[] = {
		{"plain <&\"'> text", 0, "plain <&\"'> text"},
		{"na\xc3\xafve \xe6\x97\xa5 \xf0\x9f\x94\xa5", 0,
			"na\xc3\xafve \xe6\x97\xa5 \xf0\x9f\x94\xa5"},
		{"\x1b[2J", 0, "\\x1b[2J"}, {"a\0b\n\t\x7f", 6, "a\\x00b\\x0a\\x09\\x7f"},
		{"\xc2\x9b"
		 "31m",
			0, "\\xc2\\x9b31m"},                         /* C1: CSI in one character */
		{"\xff\xfe", 0, "\\xff\\xfe"}, {"\xc3", 0, "\\xc3"}, /* cut off */
		{"\xe6\x97", 0, "\\xe6\\x97"},
		{"\xc0\x9b[", 0, "\\xc0\\x9b["},        /* overlong escape */
		{"\xed\xa0\x80", 0, "\\xed\\xa0\\x80"}, /* surrogate */
		{"a\xe2\x80\xae"
		 "b",
			0, "a\\xe2\\x80\\xaeb"}, /* right to left from here on */
		{"a\xe2\x80\x8b"
		 "b",
			0, "a\\xe2\\x80\\x8bb"}, /* a blank without width */
		{"\xef\xbb\xbfx\xc2\xad", 0,
			"\\xef\\xbb\\xbfx\\xc2\\xad"},           /* byte order mark, soft hyphen */
		{"\xf3\xa0\x80\xa1", 0, "\\xf3\\xa0\\x80\\xa1"}, /* a tag: U+E0021 */
		{"e\xcc\x81", 0, "e\xcc\x81"}, /* an accent has a base to stand on */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		check(cr_text_safe, &cases[i]);
}

static void
test_xml_text_is_escaped(void **state)
{
	static const struct escaped cases[] = {
		{"a<b>&\"c'", 0, "a&lt;b&gt;&amp;&quot;c&#39;"},
		{"]]>", 0, "]]&gt;"},
		{"\x01\x1b\r", 0, "\\x01\\x1b\\x0d"},
		{"a\0b", 3, "a\\x00b"},
		{"\xef\xbf\xbe", 0, "\\xef\\xbf\\xbe"}, /* U+FFFE and U+FFFF are no XML */
		{"\xef\xbf\xbf", 0, "\\xef\\xbf\\xbf"},
		{"\xff<", 0, "\\xff&lt;"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		check(cr_text_xml, &cases[i]);
}

struct number {
	uint64_t v;
	const char *text;
};

static void
check_numbers(void (*put)(struct cr_text *, uint64_t), const struct number *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cr_text t = {0};

		put(&t, cases[i].v);
		assert_string_equal(t.p, cases[i].text);
		cr_text_fini(&t);
	}
}

static void
test_numbers_are_grouped_by_three(void **state)
{
	static const struct number cases[] = {
		{0, "0"},
		{7, "7"},
		{999, "999"},
		{1000, "1 000"},
		{198342, "198 342"},
		{1000000, "1 000 000"},
		{UINT64_MAX, "18 446 744 073 709 551 615"},
	};

	(void)state;
	check_numbers(cr_text_grouped, cases, CR_LEN(cases));
}

static void
test_bytes_have_three_digits_and_a_unit(void **state)
{
	static const struct number cases[] = {
		{0, "0 B"},
		{999, "999 B"},
		{1000, "1.0 kB"},
		{12345678, "12.3 MB"},
		{99949, "99.9 kB"},
		{99951, "100 kB"},
		{999949, "1000 kB"},
		{999951, "1.0 MB"},
		{UINT64_MAX, "18.4 EB"},
	};

	(void)state;
	check_numbers(cr_text_bytes, cases, CR_LEN(cases));
}

static void
test_durations_choose_their_unit(void **state)
{
	static const struct number cases[] = {
		{0, "0 ns"},
		{999, "999 ns"},
		{1000, "1.0 us"},
		{999940, "999.9 us"},
		{999960, "1.0 ms"},
		{999960000, "1.0 s"},
		{60000000000, "60.0 s"},
		{119000000000, "119.0 s"},
		{120000000000, "2 min 00 s"},
		{7199000000000, "119 min 59 s"},
		{7200000000000, "2 h 00 min"},
		{7325000000000, "2 h 02 min"},
		{UINT64_MAX, "5124095 h 34 min"},
	};

	(void)state;
	check_numbers(cr_text_duration, cases, CR_LEN(cases));
}

static void
test_shares_are_rounded_and_never_divide_by_nothing(void **state)
{
	static const struct {
		uint64_t part, whole;
		const char *text;
		uint32_t ppm;
	} cases[] = {
		{0, 0, "0.00 %", 0},
		{5, 0, "0.00 %", 0},
		{1, 3, "33.33 %", 333333},
		{2, 3, "66.67 %", 666667},
		{7, 7, "100.00 %", 1000000},
		{1, 20000, "0.01 %", 50},
		{1, 20001, "0.00 %", 50},
		{UINT64_MAX, UINT64_MAX, "100.00 %", 1000000},
		{UINT64_MAX / 2, UINT64_MAX, "50.00 %", 500000},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};

		cr_text_share(&t, cases[i].part, cases[i].whole);
		assert_string_equal(t.p, cases[i].text);
		assert_int_equal(cr_share_ppm(cases[i].part, cases[i].whole), cases[i].ppm);
		cr_text_fini(&t);
	}
}

static void
assert_wrapped(const char *text, uint32_t indent, uint32_t cells, const char *want)
{
	struct cr_text t = {0};

	cr_text_pad(&t, '>', indent);
	cr_text_wrap(&t, cr_str_of(text), indent, cells);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
test_words_are_put_in_lines(void **state)
{
	(void)state;
	assert_wrapped("one two three", 2, 9, ">>one two\n  three\n");
	assert_wrapped("one  two", 0, 80, "one two\n");
	assert_wrapped("", 3, 10, ">>>\n");
	assert_wrapped(
		"a longword b", 0, 4, "a\nlongword\nb\n"); /* too long for a line: alone in one */
	assert_wrapped("has 12 345 and 7 % too", 0, 8, "has\n12 345\nand 7 %\ntoo\n");
	assert_wrapped("\xc3\xa4\xc3\xb6 \xc3\xbc", 0, 4,
		"\xc3\xa4\xc3\xb6 \xc3\xbc\n"); /* cells, not bytes */
	assert_wrapped("end 5 ", 0, 80, "end 5\n");
}

static void
test_weights_are_told_in_their_unit(void **state)
{
	static const struct {
		uint64_t weight;
		const char *unit, *want;
		bool scales;
	} cases[] = {
		{1, "samples", "1 sample", false},
		{1234, "samples", "1 234 samples", false},
		{1500, "ns", "1.5 us", true},
		{1500, "us", "1.5 ms", true},
		{1500, "ms", "1.5 s", true},
		{90, "s", "90.0 s", true},
		{UINT64_MAX, "s", "5124095 h 34 min", true},
		{12345, "bytes", "12.3 kB", true},
		{1500000, "millionths", "1.5 weight", false},
		{1000000, "millionths", "1 weight", false},
		{1, "cycles", "1 cycles", false},
		{1234567, "a\033b", "1 234 567 a\\x1bb", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};

		cr_text_measure(&t, cases[i].weight, cr_str_of(cases[i].unit));
		assert_string_equal(t.p, cases[i].want);
		assert_int_equal(cr_text_measure_scales(cr_str_of(cases[i].unit)), cases[i].scales);
		cr_text_fini(&t);
	}
}

static void
test_names_are_json_strings_and_fields_of_csv(void **state)
{
	static const struct {
		struct cr_str name;
		const char *json, *csv;
	} cases[] = {
		{CR_STR(""), "\"\"", ""},
		{CR_STR("main"), "\"main\"", "main"},
		{CR_STR("a\"b\\c"), "\"a\\\"b\\\\c\"", "\"a\"\"b\\c\""},
		{CR_STR("f(int, char)"), "\"f(int, char)\"", "\"f(int, char)\""},
		{CR_STR("\033[0m\n\0x"), "\"\\u001b[0m\\u000a\\u0000x\"", "\\x1b[0m\\x0a\\x00x"},
		{CR_STR("\303\251\377"), "\"\303\251\\\\xff\"", "\303\251\\xff"},
		{CR_STR("\342\200\213"), "\"\\u200b\"", "\\xe2\\x80\\x8b"},
		{CR_STR("\363\240\200\241"), "\"\\udb40\\udc21\"", "\\xf3\\xa0\\x80\\xa1"},
		{CR_STR("=1+2"), "\"=1+2\"", "'=1+2"},
		{CR_STR("@plt,x"), "\"@plt,x\"", "\"'@plt,x\""},
		{CR_STR("-main"), "\"-main\"", "'-main"},
		{CR_STR("+"), "\"+\"", "'+"},
		{CR_STR("-12.5"), "\"-12.5\"", "-12.5"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text json = {0}, csv = {0};

		cr_json_out_text(&(struct cr_json_out){.text = &json}, cases[i].name);
		cr_text_puts(&csv, "");
		cr_text_csv(&csv, cases[i].name);
		assert_string_equal(json.p, cases[i].json);
		assert_string_equal(csv.p, cases[i].csv);
		cr_text_fini(&json);
		cr_text_fini(&csv);
	}
}

static void
test_a_safe_stream_escapes_all_but_newlines_and_tabs(void **state)
{
	static const char in[] = "a\tb\033]0;x\007\n\342\200\256c\nno end \303\251 \303";
	static const char expected[] =
		"a\tb\\x1b]0;x\\x07\n\\xe2\\x80\\xaec\nno end \303\251 \\xc3";

	(void)state;
	for (size_t piece = 1; piece <= sizeof(in); piece++) { /* however it comes in pieces */
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len), *safe = cr_safe_stream_open(out);

		assert_non_null(safe);
		for (size_t at = 0; at < sizeof(in) - 1; at += piece) {
			const size_t n = CR_MIN(piece, sizeof(in) - 1 - at);

			assert_int_equal(fwrite(in + at, 1, n, safe), n);
			fflush(safe);
		}
		assert_int_equal(fclose(safe), 0);
		fclose(out);
		assert_string_equal(text, expected);
		free(text);
	}
}

/* A line is passed on before it fills the memory, and never in the middle of a character. */
static void
test_a_safe_stream_passes_long_lines_on(void **state)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len), *safe = cr_safe_stream_open(out);

	(void)state;
	putc('x', safe);
	for (int i = 0; i < 300000; i++)
		fputs("\303\251", safe);
	fflush(safe);
	fflush(out);
	assert_true(len > 400000);
	assert_int_equal(fclose(safe), 0);
	fclose(out);
	assert_int_equal(len, 600001);
	assert_null(strchr(text, '\\'));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_grows_and_ends_with_a_nul),
		cmocka_unit_test(test_safe_text_holds_nothing_a_terminal_acts_on),
		cmocka_unit_test(test_xml_text_is_escaped),
		cmocka_unit_test(test_numbers_are_grouped_by_three),
		cmocka_unit_test(test_bytes_have_three_digits_and_a_unit),
		cmocka_unit_test(test_durations_choose_their_unit),
		cmocka_unit_test(test_shares_are_rounded_and_never_divide_by_nothing),
		cmocka_unit_test(test_words_are_put_in_lines),
		cmocka_unit_test(test_weights_are_told_in_their_unit),
		cmocka_unit_test(test_names_are_json_strings_and_fields_of_csv),
		cmocka_unit_test(test_a_safe_stream_escapes_all_but_newlines_and_tabs),
		cmocka_unit_test(test_a_safe_stream_passes_long_lines_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
