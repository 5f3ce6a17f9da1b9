#include "testing.h"

#include "query/health/record_line.h"

/* The words and the command, a line each; "?" for a line that is not understood. free() it. */
static char *
taken_apart(const char *cmdline)
{
	struct cr_record_line line;
	struct cr_text out = {0};

	cr_record_line_parse(cr_str_of(cmdline), &line);
	cr_text_puts(&out, line.understood ? "" : "?");
	for (size_t i = 0; line.understood && i < line.words.n; i++) {
		cr_record_word_put(&line.words.p[i], &out);
		cr_text_char(&out, '\n');
	}
	if (line.understood)
		cr_text_str(&out, line.command);
	cr_record_line_fini(&line);
	return out.p;
}

static void
test_a_line_is_taken_apart_and_comes_back(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"/usr/bin/perf record -F 199 -g ./x 0.1", "-F 199\n-g\n./x 0.1"},
		{"perf record -agF99 -- sleep 1", "-a\n-g\n-F 99\n-- sleep 1"},
		{"perf_5.10 record", ""},
		{"perf --no-pager record -a sleep 1", "-a\nsleep 1"},
		{"perf record --call-graph dwarf,8192 --freq=99 x -g",
			"--call-graph dwarf,8192\n--freq=99\nx -g"},
		{"perf record --call lbr -z3 -z x", "--call lbr\n-z3\n-z\nx"},
		{"perf record -e '{cycles,instructions}:S' x", "-e '{cycles,instructions}:S'\nx"},
		{"perf record '-e{a,b}' -m1 x", "-e '{a,b}'\n-m 1\nx"},
		{"perf record --threads --no-inherit -i x", "--threads\n--no-inherit\n-i\nx"},
		{"perf record --new-thing=3 x", "--new-thing=3\nx"},
		{"perf record -o 'two words' sh -c 'it'\\''s -g'",
			"-o 'two words'\nsh -c 'it'\\''s -g'"},
		{"perf record -F", "-F\n"},
		{"perf record --new-thing x", "?"},
		{"perf record -X x", "?"},
		{"perf mem record x", "?"},
		{"perf stat x", "?"},
		{"/data/simpleperf record -g x", "?"},
		{"perf", "?"},
		{"", "?"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *have = taken_apart(cases[i].line);

		assert_string_equal(have, cases[i].want);
		free(have);
	}
}

static void
test_the_last_of_an_option_counts(void **state)
{
	struct cr_record_line line;

	(void)state;
	cr_record_line_parse(
		CR_STR("perf record -F 99 -g --freq 199 --call-graph=dwarf x -F 7"), &line);
	assert_true(line.understood);
	assert_str(cr_record_line_find(&line, CR_RECORD_FREQ)->value, "199");
	assert_str(cr_record_line_find(&line, CR_RECORD_CALL_GRAPH)->value, "dwarf");
	assert_null(cr_record_line_find(&line, CR_RECORD_MMAP));
	cr_record_line_fini(&line);
}

static void
test_lines_are_the_same_but_for_their_output(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} cases[] = {
		{"perf record -o a -- ./x", "perf record -o b -- ./x", true},
		{"perf record -g -oa -F 9 ./x", "/usr/bin/perf record -g -F 9 --output=b ./x",
			true},
		{"perf record --output a ./x", "perf record ./x", true},
		{"perf record ./x -o a", "perf record ./x -o b", false},
		{"perf record -o a -F 9 ./x", "perf record -o a -F 8 ./x", false},
		{"perf record -o a -g ./x", "perf record -o a ./x", false},
		{"perf record -o a ./x", "perf record -o a ./y", false},
		{"other -o a", "other -o a", true},
		{"other -o a", "other -o b", false},
		{"perf record --new-in-8 -o a ./x", "perf record --new-in-8 -o b ./x", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_str a = cr_str_of(cases[i].a), b = cr_str_of(cases[i].b);

		assert_int_equal(cr_record_line_same(a, b), cases[i].same);
		assert_int_equal(cr_record_line_same(b, a), cases[i].same);
	}
}

/* Any beginning of a line, in a block of its exact size: nothing is read behind it. */
static void
test_a_line_may_end_anywhere(void **state)
{
	static const char whole[] =
		"perf record -agF99 '-e{a,b}' --call-graph=dwarf -z3 -o 'a b' -- sh -c 'x'\\''y'";

	(void)state;
	for (uint32_t len = 0; len < sizeof(whole); len++) {
		char *text = testing_exact(whole, len);
		struct cr_record_line line;
		struct cr_text out = {0};

		cr_record_line_parse((struct cr_str){text, len}, &line);
		for (size_t i = 0; i < line.words.n; i++)
			cr_record_word_put(&line.words.p[i], &out);
		assert_true(out.len <= len + 8);
		cr_record_line_fini(&line);
		cr_text_fini(&out);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_is_taken_apart_and_comes_back),
		cmocka_unit_test(test_the_last_of_an_option_counts),
		cmocka_unit_test(test_lines_are_the_same_but_for_their_output),
		cmocka_unit_test(test_a_line_may_end_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
