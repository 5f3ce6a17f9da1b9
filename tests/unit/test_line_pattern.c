#include "testing.h"

#include "read/kit/line_pattern_p.h"

static void
test_patterns_fit_all_of_a_text_or_nothing(void **state)
{
	/* found: what stood for each %, between bars; NULL when the pattern does not fit */
	static const struct {
		const char *text, *pattern, *found;
	} cases[] = {
		{"TID 12:", "TID %d:", "12|"},
		{"TID 12: ", "TID %d:", NULL},
		{"TID :", "TID %d:", NULL},
		{"", "", ""},
		{"", "%*", "|"},
		{"a", "", NULL},
		{"0x1fG", "0x%xG", "1f|"},
		{"0x", "0x%x", NULL},
		{"a \t b", "a%_b", " \t |"},
		{"ab", "a%_b", NULL},
		{"5% x", "%d%% x", "5|"},
		{"a:b:12", "%*:%d", "a:b|12|"},
		{"a:12:13", "%*:%d:%d", "a|12|13|"},
		{"a at b at c", "%* at %*", "a|b at c|"},
		{"a (b) (c)", "%* (%*)", "a|b) (c|"},
		{"x    (at y", "%*%_(at %*", "x|    |y|"},
		{"x1234y1234z", "%*%dz", "x1234y|1234|"},
		{"x    y    z", "%*%_q", NULL},
		{"%", "%%", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *text = testing_exact(cases[i].text, strlen(cases[i].text));
		const struct cr_str s = {text, (uint32_t)strlen(cases[i].text)};
		struct cr_str found[CR_LINE_PATTERN_FOUND];
		const bool fits = cr_line_pattern(s, cases[i].pattern, found);
		struct cr_text have = {0};

		assert_int_equal(fits, cases[i].found != NULL);
		assert_int_equal(cr_line_pattern(s, cases[i].pattern, NULL), fits);
		for (size_t k = 0, n = 0; fits && cases[i].found[n]; n++)
			if (cases[i].found[n] == '|') {
				cr_text_str(&have, found[k++]);
				cr_text_char(&have, '|');
			}
		if (fits)
			assert_string_equal(have.p ? have.p : "", cases[i].found);
		cr_text_fini(&have);
		free(text);
	}
}

static void
test_long_runs_take_no_long_time(void **state)
{
	const uint32_t n = 1 << 20;
	struct cr_text t = {0};

	(void)state;
	cr_text_pad(&t, ' ', n);
	cr_text_pad(&t, '1', n);
	cr_text_char(&t, 'x');
	assert_false(cr_line_pattern(cr_text_view(&t), "%*%_(%*", NULL));
	assert_false(cr_line_pattern(cr_text_view(&t), "%*%d:%*", NULL));
	assert_true(cr_line_pattern(cr_text_view(&t), "%*%_%dx", NULL));
	cr_text_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns_fit_all_of_a_text_or_nothing),
		cmocka_unit_test(test_long_runs_take_no_long_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
