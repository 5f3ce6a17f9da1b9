#include "testing.h"

#include "model/field.h"

/* A builder with the events "a", "never" and "b", and a task. */
static struct cr_builder *
started(const struct cr_limits *lim)
{
	struct cr_builder *b = cr_builder_new(lim);

	cr_builder_event(b, CR_STR("a"), CR_STR(""));
	cr_builder_event(b, CR_STR("never"), CR_STR(""));
	cr_builder_event(b, CR_STR("b"), CR_STR(""));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	return b;
}

static const cr_event_id event_a = {0}, event_never = {1}, event_b = {2};

static void
sample_of(struct cr_builder *b, cr_event_id event)
{
	cr_builder_sample(b, &(struct cr_sample){.weight = 1, .event = event, .cpu = UINT16_MAX});
}

static struct cr_profile *
finished(struct cr_builder *b)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_values_belong_to_the_last_sample_of_their_event(void **state)
{
	static const uint64_t want_a[] = {UINT64_MAX, 7, UINT64_MAX, 9, UINT64_MAX},
			      want_b[] = {1, 2};
	struct cr_builder *b = started(NULL);
	const cr_field_id of_b = cr_builder_field(b, event_b, CR_STR("addr"), CR_FORM_HEX);
	const cr_field_id of_a = cr_builder_field(b, event_a, CR_STR("addr"), CR_FORM_NUMBER);
	struct cr_profile *p;

	(void)state;
	sample_of(b, event_a);
	sample_of(b, event_b);
	sample_of(b, event_a);
	cr_builder_value(b, of_a, 6);
	cr_builder_value(b, of_a, 7); /* the last call wins */
	cr_builder_value(b, of_b, 1); /* of the sample before */
	sample_of(b, event_a);
	sample_of(b, event_a);
	cr_builder_value(b, of_a, 9);
	sample_of(b, event_b);
	cr_builder_value(b, of_b, 2);
	sample_of(b, event_a);
	p = finished(b);
	assert_int_equal(p->n_fields, 2);
	assert_int_equal(p->n_quality, 0);
	assert_str(p->fields[0].name, "addr");
	assert_int_equal(p->fields[0].form, CR_FORM_NUMBER);
	assert_int_equal(p->fields[0].event.i, 0);
	assert_int_equal(p->fields[0].n, CR_LEN(want_a));
	assert_memory_equal(p->fields[0].value, want_a, sizeof(want_a));
	assert_int_equal(p->fields[1].form, CR_FORM_HEX);
	assert_int_equal(p->fields[1].event.i, 1); /* "never" has no row */
	assert_str(p->events[1].name, "b");
	assert_int_equal(p->fields[1].n, CR_LEN(want_b));
	assert_memory_equal(p->fields[1].value, want_b, sizeof(want_b));
	cr_profile_free(p);
}

static void
test_a_detail_of_an_event_is_made_once(void **state)
{
	struct cr_builder *b = started(NULL);
	const cr_field_id addr = cr_builder_field(b, event_a, CR_STR("addr"), CR_FORM_HEX);

	(void)state;
	assert_int_equal(cr_builder_field(b, event_a, CR_STR("addr"), CR_FORM_HEX).i, addr.i);
	assert_int_not_equal(cr_builder_field(b, event_a, CR_STR("addr"), CR_FORM_TEXT).i, addr.i);
	assert_int_not_equal(cr_builder_field(b, event_b, CR_STR("addr"), CR_FORM_HEX).i, addr.i);
	assert_int_not_equal(cr_builder_field(b, event_a, CR_STR("add"), CR_FORM_HEX).i, addr.i);
	assert_int_not_equal(cr_builder_field(b, event_a, CR_STR("addr\0"), CR_FORM_HEX).i, addr.i);
	assert_int_equal(cr_builder_text(b, CR_STR("x\0y")), cr_builder_text(b, CR_STR("x\0y")));
	assert_int_not_equal(
		cr_builder_text(b, CR_STR("x\0y")), cr_builder_text(b, CR_STR("x\0z")));
	cr_builder_free(b);
}

static void
test_a_detail_without_a_value_is_dropped(void **state)
{
	static const enum cr_form forms[] = {
		CR_FORM_NUMBER, CR_FORM_SIGNED, CR_FORM_HEX, CR_FORM_TEXT};
	struct cr_builder *b = started(NULL);
	const cr_field_id taken_back =
		cr_builder_field(b, event_a, CR_STR("taken back"), CR_FORM_HEX);
	struct cr_profile *p;

	(void)state;
	cr_builder_field(b, event_never, CR_STR("no sample"), CR_FORM_HEX);
	cr_builder_field(b, event_a, CR_STR("no call"), CR_FORM_HEX);
	sample_of(b, event_a);
	for (uint32_t i = 0; i < CR_LEN(forms); i++)
		cr_builder_value(b,
			cr_builder_field(b, event_a, (struct cr_str){&"nstt"[i], 1}, forms[i]),
			cr_form_none(forms[i]));
	cr_builder_value(b, taken_back, 4);
	cr_builder_value(b, taken_back, UINT64_MAX);
	p = finished(b);
	assert_int_equal(p->n_fields, 0);
	cr_profile_free(p);
}

static void
test_details_past_the_limit_take_no_values_and_are_counted(void **state)
{
	struct cr_builder *b = started(NULL);
	cr_field_id last = {0};
	struct cr_profile *p;
	char name[16];

	(void)state;
	sample_of(b, event_a);
	for (uint32_t i = 0; i < 4098; i++) {
		snprintf(name, sizeof(name), "%u", i);
		last = cr_builder_field(b, event_a, cr_str_of(name), CR_FORM_NUMBER);
		cr_builder_value(b, last, i);
	}
	p = finished(b);
	assert_int_equal(p->n_fields, 4096);
	assert_int_equal(p->fields[4095].value[0], 4095);
	assert_int_equal(p->n_quality, 1);
	assert_str(p->quality[0].what, "fields beyond the limit of 4096, dropped");
	assert_int_equal(p->quality[0].count, 2);
	cr_profile_free(p);
}

/* Rows without a value before the one that has it count too, and so do those behind it. */
static void
test_values_past_the_limit_are_dropped_and_counted(void **state)
{
	static const struct {
		uint64_t limit;
		uint32_t fields;
		uint64_t dropped;
	} cases[] = {
		{8, 2, 0},
		{7, 1, 1},
		{6, 1, 1},
		{4, 1, 1},
		{3, 0, 2},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = started(&(struct cr_limits){.values = cases[i].limit});
		const cr_field_id x = cr_builder_field(b, event_a, CR_STR("x"), CR_FORM_NUMBER);
		const cr_field_id y = cr_builder_field(b, event_a, CR_STR("y"), CR_FORM_NUMBER);
		struct cr_profile *p;

		for (uint32_t k = 0; k < 4; k++) {
			sample_of(b, event_a);
			if (k == 3)
				cr_builder_value(b, x, 1);
			if (k == 0)
				cr_builder_value(b, y, 1);
		}
		p = finished(b);
		assert_int_equal(p->n_fields, cases[i].fields);
		assert_int_equal(p->n_quality, cases[i].dropped > 0);
		if (p->n_quality)
			assert_int_equal(p->quality[0].count, cases[i].dropped);
		cr_profile_free(p);
	}
}

static void
test_texts_past_the_limit_are_none(void **state)
{
	struct cr_builder *b = started(&(struct cr_limits){.text_bytes = 8});
	struct cr_profile *p;

	(void)state;
	assert_int_equal(cr_builder_text(b, CR_STR("1234")), 0);
	assert_int_equal(cr_builder_text(b, CR_STR("1234")), 0); /* costs nothing */
	assert_int_equal(cr_builder_text(b, CR_STR("12345")), UINT64_MAX);
	assert_int_equal(cr_builder_text(b, CR_STR("5678")), 1);
	assert_int_equal(cr_builder_text(b, CR_STR("9")), UINT64_MAX);
	sample_of(b, event_a);
	p = finished(b);
	assert_str(p->quality[0].what, "texts of fields beyond the limit, dropped");
	assert_int_equal(p->quality[0].count, 2);
	cr_profile_free(p);
}

static void
test_details_know_what_they_hold(void **state)
{
	static const struct {
		enum cr_form form;
		uint64_t value[4];
		uint64_t have, least, most;
		uint32_t distinct;
	} cases[] = {
		{CR_FORM_NUMBER, {5, UINT64_MAX, 0, UINT64_MAX - 1}, 3, 0, UINT64_MAX - 1, 0},
		{CR_FORM_SIGNED, {5, (uint64_t)-3, (uint64_t)INT64_MIN, UINT64_MAX}, 3,
			(uint64_t)-3, 5, 0},
		{CR_FORM_HEX, {7, 7, 7, 7}, 4, 7, 7, 0},
		{CR_FORM_TEXT, {1, 2, UINT64_MAX, 1}, 3, 0, 0, 2},
	};
	struct cr_builder *b = started(NULL);
	struct cr_profile *p;

	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		cr_builder_text(b, (struct cr_str){&"xyz"[i], 1});
	for (uint32_t k = 0; k < 4; k++) {
		sample_of(b, event_b);
		for (uint32_t i = 0; i < CR_LEN(cases); i++)
			cr_builder_value(b,
				cr_builder_field(
					b, event_b, (struct cr_str){&"nsht"[i], 1}, cases[i].form),
				cases[i].value[k]);
	}
	p = finished(b);
	assert_int_equal(p->n_fields, CR_LEN(cases));
	for (uint32_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_field *d = &p->fields[i];

		assert_true(d->have == cases[i].have);
		assert_true(d->least == cases[i].least && d->most == cases[i].most);
		assert_int_equal(d->distinct, cases[i].distinct);
		assert_ptr_equal(cr_field_find(p, d->event, d->name), d);
	}
	assert_null(cr_field_find(p, p->fields[0].event, CR_STR("ns")));
	assert_null(cr_field_find(p, (cr_event_id){1}, CR_STR("n")));
	cr_profile_free(p);
}

static void
test_values_are_put_as_their_form_says(void **state)
{
	static const struct cr_str texts[] = {{"", 0}, {"a\x1b[2J\n\xff\0", 8}};
	static const struct {
		enum cr_form form;
		uint64_t value;
		const char *want;
	} cases[] = {
		{CR_FORM_NUMBER, 0, "0"},
		{CR_FORM_NUMBER, UINT64_MAX - 1, "18446744073709551614"},
		{CR_FORM_NUMBER, 18446744071584590613u, "0xffffffff8157ab15"},
		{CR_FORM_NUMBER, 0xfffeffffffffffff, "18446462598732840959"},
		{CR_FORM_NUMBER, UINT64_MAX, ""},
		{CR_FORM_SIGNED, UINT64_MAX, "-1"},
		{CR_FORM_SIGNED, (uint64_t)INT64_MIN + 1, "-9223372036854775807"},
		{CR_FORM_SIGNED, (uint64_t)INT64_MIN, ""},
		{CR_FORM_SIGNED, 12, "12"},
		{CR_FORM_HEX, 0, "0x0"},
		{CR_FORM_HEX, 0xffff800000000000, "0xffff800000000000"},
		{CR_FORM_TEXT, 0, ""},
		{CR_FORM_TEXT, 1, "a\\x1b[2J\\x0a\\xff\\x00"},
		{CR_FORM_TEXT, UINT64_MAX, ""},
	};
	const struct cr_profile p = {.texts = texts, .n_texts = 2};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_field d = {.form = (uint8_t)cases[i].form};
		struct cr_text t = {0};

		cr_text_puts(&t, "");
		cr_field_put(&p, &d, cases[i].value, &t);
		assert_string_equal(t.p, cases[i].want);
		cr_text_fini(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_belong_to_the_last_sample_of_their_event),
		cmocka_unit_test(test_a_detail_of_an_event_is_made_once),
		cmocka_unit_test(test_a_detail_without_a_value_is_dropped),
		cmocka_unit_test(test_details_past_the_limit_take_no_values_and_are_counted),
		cmocka_unit_test(test_values_past_the_limit_are_dropped_and_counted),
		cmocka_unit_test(test_texts_past_the_limit_are_none),
		cmocka_unit_test(test_details_know_what_they_hold),
		cmocka_unit_test(test_values_are_put_as_their_form_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
