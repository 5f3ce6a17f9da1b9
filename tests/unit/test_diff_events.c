#include "testing.h"

#include "query/diff/diff.h"
#include "query/fold/select.h"
#include "testing_tree.h"

static bool
are_alike(const char *a, const char *a_unit, const char *b, const char *b_unit)
{
	const struct cr_measure before = {.event = cr_str_of(a), .unit = cr_str_of(a_unit)};
	const struct cr_measure after = {.event = cr_str_of(b), .unit = cr_str_of(b_unit)};
	struct cr_err err = CR_ERR_INIT;
	const int rc = cr_diff_alike(&before, &after, &err);

	assert_true(rc == CR_OK || rc == CR_EUSAGE);
	assert_int_equal(rc == CR_OK, err.text[0] == '\0');
	return rc == CR_OK;
}

static void
test_events_are_alike_that_count_the_same(void **state)
{
	static const struct {
		const char *a, *b;
		bool alike;
	} cases[] = {
		{"cycles", "cycles", true},
		{"cycles", "cycles:ppp", true},
		{"cycles:P", "cycles:pp", true},
		{"cycles:u", "cycles:upp", true},
		{"cycles:ku", "cycles:uk", true},
		{"cpu/cycles/p", "cpu/cycles/", true},
		{"cycles:", "cycles", true},
		{"", "", true},
		{"cycles", "cycles:u", false},
		{"cycles:k", "cycles:u", false},
		{"cycles", "instructions", false},
		{"cycles", "", false},
		{"cpu/cycles/", "cpu/cycles/u", false},
		{"cpu/cycles/", "cpu_core/cycles/", false},
		{"p", "pp", false}, /* names, without a colon */
		{"syscalls:sys_enter_dup", "syscalls:sys_enter_du", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_int_equal(are_alike(cases[i].a, "x", cases[i].b, "x"), cases[i].alike);
		assert_int_equal(are_alike(cases[i].b, "x", cases[i].a, "x"), cases[i].alike);
	}
}

static void
test_units_are_alike_that_are_equal_or_of_time(void **state)
{
	(void)state;
	assert_true(are_alike("e", "ns", "e", "us"));
	assert_true(are_alike("e", "s", "e", "ms"));
	assert_true(are_alike("e", "", "e", ""));
	assert_false(are_alike("e", "ns", "e", "bytes"));
	assert_false(are_alike("e", "ns", "e", "samples"));
	assert_false(are_alike("e", "", "e", "samples"));
}

/* "cycles 3;page-faults 0": a profile with these events, with so many samples each. */
static struct cr_profile *
with_events(const char *text, const char *attributes)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	if (*attributes)
		cr_builder_fact(b, "event attributes", cr_str_of(attributes));
	cr_builder_fact(b, "sampling", CR_STR("77 Hz"));
	while (*text) {
		const size_t len = strcspn(text, " ");
		const cr_event_id e =
			cr_builder_event(b, (struct cr_str){text, (uint32_t)len}, CR_STR("count"));
		char *end;

		for (unsigned long n = strtoul(text + len, &end, 10); n; n--)
			cr_builder_sample(b,
				&(struct cr_sample){.weight = 1, .event = e, .cpu = CR_CPU_NONE});
		text = end + (*end == ';');
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

/* want: "cycles cycles:ppp", or "- 1" where side 1 has none. */
static void
assert_events(const char *before, const char *after, const char *asked, const char *want)
{
	struct cr_profile *p[CR_SIDES] = {with_events(before, ""), with_events(after, "")};
	struct cr_err err = CR_ERR_INIT;
	struct cr_text got = {0};
	cr_event_id event[CR_SIDES];
	uint32_t side = 7;

	if (cr_diff_events((const struct cr_profile *const *)p, &(struct cr_filter){.event = asked},
		    event, &side, &err) < 0) {
		cr_text_printf(&got, "- %u", side);
	} else {
		cr_text_str(&got, p[0]->events[event[0].i].name);
		cr_text_char(&got, ' ');
		cr_text_str(&got, p[1]->events[event[1].i].name);
	}
	assert_string_equal(got.p, want);
	cr_text_fini(&got);
	cr_profile_free(p[0]);
	cr_profile_free(p[1]);
}

static void
test_the_event_is_one_that_both_sides_have(void **state)
{
	(void)state;
	assert_events("cycles 3", "cycles 5", NULL, "cycles cycles");
	assert_events("cycles 3;faults 1", "faults 9;cycles 2", NULL, "cycles cycles");
	assert_events("cycles 3;faults 1", "faults 9", NULL, "faults faults");
	assert_events("cycles 3;faults 1", "cycles:u 9;faults 2", NULL,
		"cycles cycles:u"); /* for cr_diff() to refuse */
	assert_events("cycles 3", "cycles:p 5;faults 9", NULL, "cycles cycles:p");
	assert_events("cycles 3", "cycles:p 5;cycles 1", NULL, "cycles cycles");
	assert_events("cycles 3", "cycles 0;cycles:p 1", NULL, "cycles cycles:p");
	assert_events("cycles 3", "faults 5", NULL, "cycles faults");
	assert_events("cycles 3;faults 1", "faults:p 2;cycles 1", "faults", "faults faults:p");
	assert_events("cycles 3;faults 1", "cycles 1", "faults", "- 1");
	assert_events("cycles 3", "faults 1", "faults", "- 0");
}

static void
test_an_event_has_a_partner_if_one_is_like_it_or_by_force(void **state)
{
	struct cr_profile *p = with_events("cycles 3;faults:p 1", "");
	const struct cr_event faults = {.name = CR_STR("faults"), .unit = CR_STR("count")};
	const struct cr_event bytes = {.name = CR_STR("faults"), .unit = CR_STR("bytes")};
	const struct cr_event other = {.name = CR_STR("other"), .unit = CR_STR("count")};
	struct cr_err err = CR_ERR_INIT;
	cr_event_id got;

	(void)state;
	assert_int_equal(cr_diff_partner(p, &faults, false, &got, &err), CR_OK);
	assert_int_equal(got.i, 1);
	assert_int_equal(cr_diff_partner(p, &bytes, false, &got, &err), CR_EUSAGE);
	assert_int_equal(cr_diff_partner(p, &bytes, true, &got, &err), CR_OK);
	assert_int_equal(got.i, 1);
	assert_int_equal(cr_diff_partner(p, &other, false, &got, &err), CR_EUSAGE);
	assert_int_equal(cr_diff_partner(p, &other, true, &got, &err), CR_OK);
	assert_int_equal(got.i, 0);
	cr_profile_free(p);
}

static void
test_rates_are_those_of_the_events_compared(void **state)
{
	struct cr_profile *p[CR_SIDES] = {
		with_events("cycles 1", "cycles:u: { sample_period, sample_freq } = 1, freq = 1\n"
					"cycles: type = 1, { sample_period, sample_freq } = 4000, "
					"a = 1, freq = 1\n"),
		with_events("cycles 1", "cycles: { sample_period, sample_freq } = 100000, a = 1"),
	};
	struct cr_tree *t = testing_tree(1, "f 1\n");
	struct cr_text rate[CR_SIDES] = {{0}, {0}};

	(void)state;
	assert_true(cr_diff_rates((const struct cr_profile *const *)p, t, rate));
	assert_string_equal(rate[0].p, "4000 Hz");
	assert_string_equal(rate[1].p, "every 100000");
	cr_profile_free(p[1]);
	for (int s = 0; s < CR_SIDES; s++)
		cr_text_fini(&rate[s]);
	p[1] = p[0];
	assert_false(cr_diff_rates((const struct cr_profile *const *)p, t, rate));
	for (int s = 0; s < CR_SIDES; s++)
		cr_text_fini(&rate[s]);
	cr_profile_free(p[0]);
	p[0] = p[1] = with_events("cycles 1", "");
	assert_false(cr_diff_rates((const struct cr_profile *const *)p, t, rate));
	assert_string_equal(rate[0].p, "77 Hz"); /* the recording's */
	for (int s = 0; s < CR_SIDES; s++)
		cr_text_fini(&rate[s]);
	cr_profile_free(p[0]);
	cr_tree_free(t);
}

static void
test_trees_of_unlike_events_are_compared_by_force_alone(void **state)
{
	struct cr_tree *a = testing_tree(1, "f 1\n"), *b = testing_tree(1, "f 2\n"), *d;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	b->event = CR_STR("faults");
	b->unit = CR_STR("bytes");
	b->summed = true;
	assert_int_equal(cr_diff(a, b, NULL, &d, &err), CR_EUSAGE);
	assert_null(d);
	assert_non_null(strstr(err.text, "cycles (samples) and faults (bytes)"));
	assert_int_equal(cr_diff(a, b, &(struct cr_diff_opts){.force = true}, &d, &err), CR_OK);
	assert_str(cr_tree_measure(d, 0).event, "cycles");
	assert_str(cr_tree_measure(d, 0).unit, "samples");
	assert_false(cr_tree_measure(d, 0).summed);
	assert_str(cr_tree_measure(d, 1).event, "faults");
	assert_str(cr_tree_measure(d, 1).unit, "bytes");
	assert_true(cr_tree_measure(d, 1).summed);
	cr_tree_free(a);
	cr_tree_free(b);
	cr_tree_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_are_alike_that_count_the_same),
		cmocka_unit_test(test_units_are_alike_that_are_equal_or_of_time),
		cmocka_unit_test(test_the_event_is_one_that_both_sides_have),
		cmocka_unit_test(test_an_event_has_a_partner_if_one_is_like_it_or_by_force),
		cmocka_unit_test(test_rates_are_those_of_the_events_compared),
		cmocka_unit_test(test_trees_of_unlike_events_are_compared_by_force_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
