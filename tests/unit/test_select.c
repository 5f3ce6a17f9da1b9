#include "testing.h"

#include "cresset/query/select.h"

/* Six samples: time 1000, 1010 ... of two events, three tasks and two cpus. */
static struct cr_profile *
samples(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id events[] = {
		cr_builder_event(b, CR_STR("cycles"), CR_STR("")), cr_builder_event(b, CR_STR("misses"), CR_STR("")),
		cr_builder_event(b, CR_STR("never"), CR_STR("")),
	};
	const cr_space_id space = cr_builder_space(b);
	const cr_task_id tasks[] = {
		cr_builder_task(b, 1, 1, CR_STR("x"), space), cr_builder_task(b, 1, 2, CR_STR("y"), space),
		cr_builder_task(b, 3, 3, CR_STR("x"), space),
	};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	for (uint32_t i = 0; i < 6; i++) {
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000 + 10 * i, .weight = 1, .task = tasks[i % 3],
			.event = events[i == 5], .cpu = (uint16_t)(i % 2)});
		if (i == 1)
			continue; /* a sample without fields */
		cr_builder_value(b, cr_builder_detail(b, events[i == 5], CR_STR("addr"), CR_FORM_HEX), 0x10 + i / 3);
		if (i == 5)
			continue;
		cr_builder_value(b, cr_builder_detail(b, events[0], CR_STR("prio"), CR_FORM_SIGNED), (uint64_t)i - 2);
		cr_builder_value(b, cr_builder_detail(b, events[0], CR_STR("name"), CR_FORM_TEXT),
			cr_builder_text(b, i % 2 ? CR_STR("a=b") : CR_STR("")));
	}
	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_the_main_event_is_the_one_that_the_recording_names(void **state)
{
	static const struct { const char *said, *event; } cases[] = {
		{NULL, "many"}, {"few", "few"}, {"never", "many"}, {"", "many"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = cr_builder_new(NULL);
		const cr_event_id few = cr_builder_event(b, CR_STR("few"), CR_STR("")),
			many = cr_builder_event(b, CR_STR("many"), CR_STR(""));
		const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_space(b));
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;
		cr_event_id event;

		for (int k = 0; k < 3; k++)
			cr_builder_sample(b, &(struct cr_sample){.weight = 1, .task = task, .event = k ? many : few});
		if (cases[i].said)
			cr_builder_fact(b, "main event", cr_str_of(cases[i].said));
		assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
		assert_int_equal(cr_filter_event(p, &(struct cr_filter){0}, &event, &err), CR_OK);
		assert_str(p->events[event.i].name, cases[i].event);
		cr_builder_free(b);
		cr_profile_free(p);
	}
}

static void
test_samples_are_chosen_by_every_condition(void **state)
{
	static const struct { struct cr_filter filter; const char *chosen; bool needs_samples; } cases[] = {
		{{0}, "\1\1\1\1\1\0", false},
		{{.event = "cycles"}, "\1\1\1\1\1\0", false},
		{{.event = "misses"}, "\0\0\0\0\0\1", false},
		{{.comm = "x"}, "\1\0\1\1\0\0", true},
		{{.comm = "xx"}, "\0\0\0\0\0\0", true},
		{{.has_pid = true, .pid = 1}, "\1\1\0\1\1\0", true},
		{{.has_tid = true, .tid = 2}, "\0\1\0\0\1\0", true},
		{{.has_cpu = true, .cpu = 1}, "\0\1\0\1\0\0", true},
		{{.from_ns = 20}, "\0\0\1\1\1\0", true},
		{{.to_ns = 20}, "\1\1\0\0\0\0", true},
		{{.from_ns = 10, .to_ns = 30}, "\0\1\1\0\0\0", true},
		{{.comm = "x", .has_pid = true, .pid = 3, .has_cpu = true}, "\0\0\1\0\0\0", true},
		{{.where = "addr=0x10"}, "\1\0\1\0\0\0", true},
		{{.where = "addr=17"}, "\0\0\0\1\1\0", true},
		{{.where = "addr=17", .event = "misses"}, "\0\0\0\0\0\1", true},
		{{.where = "addr=18"}, "\0\0\0\0\0\0", true},
		{{.where = "addr=0xffffffffffffffff"}, "\0\0\0\0\0\0", true}, /* not the one without */
		{{.where = "prio=-2"}, "\1\0\0\0\0\0", true},
		{{.where = "prio=0"}, "\0\0\1\0\0\0", true},
		{{.where = "name=a=b"}, "\0\0\0\1\0\0", true},
		{{.where = "name="}, "\1\0\1\0\1\0", true},
		{{.where = "name=c"}, "\0\0\0\0\0\0", true},
		{{.where = "name=a=b", .has_cpu = true}, "\0\0\0\0\0\0", true},
	};
	struct cr_profile *p = samples();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_filter_needs_samples(&cases[i].filter), cases[i].needs_samples);
		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_OK);
		assert_memory_equal(chosen, cases[i].chosen, 6);
		free(chosen);
	}
	cr_profile_free(p);
}

static void
test_an_event_that_is_not_there_is_told_with_those_that_are(void **state)
{
	const struct cr_filter f = {.event = "cycle"};
	struct cr_profile *p = samples();
	struct cr_err err = CR_ERR_INIT;
	uint8_t *chosen;

	(void)state;
	assert_int_equal(cr_select(p, &f, &chosen, &err), CR_ENOTFOUND);
	assert_null(chosen);
	assert_string_equal(err.text, "no event cycle; there are: cycles, misses");
	cr_profile_free(p);
}

static void
test_what_was_not_recorded_cannot_be_filtered_by(void **state)
{
	static const struct { struct cr_filter filter; uint32_t missing; } cases[] = {
		{{.from_ns = 1}, CR_PROFILE_HAS_TIME}, {{.to_ns = 1}, CR_PROFILE_HAS_TIME},
		{{.has_cpu = true}, CR_PROFILE_HAS_CPU}, {{.comm = "x"}, CR_PROFILE_HAS_TASK},
		{{.has_pid = true}, CR_PROFILE_HAS_TASK}, {{.has_tid = true}, CR_PROFILE_HAS_TASK},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = samples();
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_OK);
		free(chosen);
		p->flags &= ~cases[i].missing;
		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_EUSAGE);
		assert_null(chosen);
		cr_profile_free(p);
	}
}

static void
test_fields_and_values_that_cannot_be_are_told(void **state)
{
	static const struct { const char *where, *event; int code; } cases[] = {
		{"none=1", NULL, CR_ENOTFOUND}, {"add=1", NULL, CR_ENOTFOUND}, {"prio=1", "misses", CR_ENOTFOUND},
		{"addr=", NULL, CR_EUSAGE}, {"addr=-1", NULL, CR_EUSAGE}, {"addr=1x", NULL, CR_EUSAGE},
		{"addr= 1", NULL, CR_EUSAGE}, {"addr=18446744073709551616", NULL, CR_EUSAGE},
		{"prio=--1", NULL, CR_EUSAGE}, {"prio=9223372036854775808", NULL, CR_EUSAGE},
	};
	struct cr_profile *p = samples();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_select(p, &(struct cr_filter){.where = cases[i].where, .event = cases[i].event}, &chosen,
			&err), cases[i].code);
		assert_null(chosen);
	}
	cr_profile_free(p);
}

static void
test_without_its_samples_a_profile_cannot_be_filtered(void **state)
{
	struct cr_profile *p = samples();
	struct cr_err err = CR_ERR_INIT;
	uint8_t *chosen;

	(void)state;
	p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	assert_int_equal(cr_select(p, &(struct cr_filter){.comm = "x"}, &chosen, &err), CR_ENOTFOUND);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_are_chosen_by_every_condition),
		cmocka_unit_test(test_the_main_event_is_the_one_that_the_recording_names),
		cmocka_unit_test(test_an_event_that_is_not_there_is_told_with_those_that_are),
		cmocka_unit_test(test_what_was_not_recorded_cannot_be_filtered_by),
		cmocka_unit_test(test_fields_and_values_that_cannot_be_are_told),
		cmocka_unit_test(test_without_its_samples_a_profile_cannot_be_filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
