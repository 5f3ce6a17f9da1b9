#include "testing.h"

#include "base/vec.h"
#include "read/folded/folded_header_p.h"

static void
test_a_header_says_event_unit_and_samples(void **state)
{
	static const struct {
		const char *line, *event, *unit;
		unsigned n;
		uint64_t samples[2];
	} cases[] = {
		{"# event \"cpu-clock\", unit ns, 1173 samples", "cpu-clock", "ns", 1, {1173}},
		{"  # event \"cpu-clock\", unit ns, 1 sample\t", "cpu-clock", "ns", 1, {1}},
		{"# event \"cycles\", unit cycles, 10 and 12 samples", "cycles", "cycles", 2,
			{10, 12}},
		{"# event \"weight\", unit weight", "weight", "weight", 0, {0}},
		{"# event \"a \\\"b\\\\\", unit \"blocks of 4\"", "a \"b\\", "blocks of 4", 0, {0}},
		{"# event \"a, unit b\", unit c_d-e, 18446744073709551615 samples", "a, unit b",
			"c_d-e", 1, {UINT64_MAX}},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const size_t len = strlen(cases[i].line);
		char *line = testing_exact(cases[i].line, len);
		const struct cr_str text = {line, (uint32_t)len};
		struct folded_header h;

		assert_true(cr_folded_header_parse(text, &h));
		assert_true(cr_folded_header_is(text));
		assert_false(cr_folded_header_differs(&h, text));
		assert_string_equal(h.event.p, cases[i].event);
		assert_string_equal(h.unit.p, cases[i].unit);
		assert_int_equal(h.n_samples, cases[i].n);
		for (unsigned s = 0; s < h.n_samples; s++)
			assert_true(h.samples[s] == cases[i].samples[s]);
		cr_folded_header_fini(&h);
		free(line);
	}
}

static void
test_other_lines_are_no_headers(void **state)
{
	static const char *const cases[] = {
		"",
		"#",
		"# event",
		"# event ",
		"# event \"",
		"# event \"x",
		"# event \"x\\",
		"# event \"x\\\"",
		"# event \"x\"",
		"# event \"x\", ",
		"# event \"x\", unit ",
		"# event \"x\", unit \"",
		"# event \"x\", unit \"\"",
		"# event \"\", unit ns",
		"# event x, unit ns",
		"#event \"x\", unit ns",
		"# event \"x\", unit ns,",
		"# event \"x\", unit ns, 5",
		"# event \"x\", unit ns, samples",
		"# event \"x\", unit ns, 5 and samples",
		"# event \"x\", unit ns, 5 samples more",
		"# event \"x\", unit ns 5",
		"# event \"x\", unit ns, 18446744073709551616 samples",
		"a;b 3",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *line = testing_exact(cases[i], strlen(cases[i]));
		const struct cr_str text = {line, (uint32_t)strlen(cases[i])};
		struct folded_header h;

		assert_false(cr_folded_header_parse(text, &h));
		assert_null(h.event.p);
		assert_null(h.unit.p);
		assert_false(cr_folded_header_is(text));
		assert_false(cr_folded_header_differs(&h, text));
		free(line);
	}
}

static void
test_headers_differ_in_event_or_unit(void **state)
{
	struct folded_header h, none = {0};

	(void)state;
	assert_true(cr_folded_header_parse(CR_STR("# event \"x\", unit ns, 5 samples"), &h));
	assert_false(cr_folded_header_differs(&h, CR_STR("# event \"x\", unit ns, 7 samples")));
	assert_true(cr_folded_header_differs(&h, CR_STR("# event \"y\", unit ns, 5 samples")));
	assert_true(cr_folded_header_differs(&h, CR_STR("# event \"x\", unit us, 5 samples")));
	assert_true(cr_folded_header_differs(&none, CR_STR("# event \"x\", unit us")));
	cr_folded_header_fini(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_header_says_event_unit_and_samples),
		cmocka_unit_test(test_other_lines_are_no_headers),
		cmocka_unit_test(test_headers_differ_in_event_or_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
