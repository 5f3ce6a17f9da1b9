#include "testing.h"

#include "model/columns.h"
#include "model/cost.h"

enum { ROWS = 70000 };

static struct cr_profile *
profile_of(const int64_t *values, size_t n, enum cr_form form)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("clock"), CR_STR("ns"));
	const cr_event_id other = cr_builder_event(b, CR_STR("other"), CR_STR("ns"));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	for (size_t i = 0; i < n; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 7, .event = event});
		if (values[i] != INT64_MIN)
			cr_builder_value(b, cr_builder_field(b, event, CR_STR("weight"), form),
				(uint64_t)values[i]);
		cr_builder_sample(b, &(struct cr_sample){.weight = 11, .event = other});
		cr_builder_sample(b, &(struct cr_sample){.weight = 11, .event = other});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_values_of_a_field_become_weights(void **state)
{
	static const int64_t values[] = {3, INT64_MIN, 0, 400};
	struct cr_profile *p = profile_of(values, 4, CR_FORM_NUMBER), *copy;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_event_main(p).i, 1);
	assert_int_equal(cr_cost_copy(p, "weight", &copy, &err), CR_OK);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(copy->samples.weight[3 * i], values[i] < 0 ? 0 : values[i]);
	assert_int_equal(copy->samples.weight[1], 11);
	assert_int_equal(copy->events[0].weight, 403);
	assert_int_equal(copy->events[1].weight, 88);
	assert_str(copy->events[0].name, "clock (weight)");
	assert_str(copy->events[0].unit, "cycles");
	assert_str(copy->events[1].name, "other");
	assert_str(cr_event_recorded_name(copy, (cr_event_id){0}), "clock");
	assert_true(cr_event_is_named(copy, (cr_event_id){0}, CR_STR("clock")));
	assert_true(cr_event_is_named(copy, (cr_event_id){0}, CR_STR("clock (weight)")));
	assert_false(cr_event_is_named(copy, (cr_event_id){0}, CR_STR("clock (ret)")));
	assert_int_equal(cr_event_main(copy).i, 0);
	assert_int_equal(cr_cost_missing(copy, (cr_event_id){0}), 1);
	assert_int_equal(copy->n_quality, p->n_quality + 1);
	assert_str(
		copy->quality[p->n_quality].what, "samples of clock without weight, which cost 0");
	assert_int_equal(copy->quality[p->n_quality].count, 1);
	assert_non_null(copy->default_tree);

	/* What was copied is unchanged. */
	assert_int_equal(p->samples.weight[0], 7);
	assert_str(p->events[0].name, "clock");
	assert_null(p->cost);
	cr_profile_free(copy);
	cr_profile_free(p);
}

static void
test_negative_values_cost_nothing_and_are_counted(void **state)
{
	static const int64_t values[] = {-3, INT64_MIN, 5, INT64_MAX, INT64_MAX, INT64_MAX};
	struct cr_profile *p = profile_of(values, 6, CR_FORM_SIGNED);
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_cost_weigh(p, "weight", &err), CR_OK);
	assert_int_equal(p->samples.weight[0], 0);
	assert_int_equal(p->samples.weight[6], 5);
	assert_true(p->events[0].weight == UINT64_MAX); /* a sum too large */
	assert_int_equal(cr_cost_missing(p, (cr_event_id){0}), 2);
	assert_str(p->quality[p->n_quality - 1].what,
		"samples of clock with a negative weight, which cost 0");
	cr_profile_free(p);
}

static void
test_only_one_cost_that_the_event_has(void **state)
{
	static const int64_t values[] = {3};
	struct cr_profile *p = profile_of(values, 1, CR_FORM_HEX);
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_cost_weigh(p, "weight", &err), CR_EUSAGE);
	assert_non_null(strstr(err.text, "addresses"));
	assert_int_equal(cr_cost_weigh(p, "nothing", &err), CR_EUSAGE);
	assert_int_equal(cr_cost_weigh(p, CR_COST_LATENCY, &err), CR_EUSAGE);
	assert_int_equal(cr_cost_check(p, (cr_event_id){0}, NULL, &err), CR_OK);
	assert_int_equal(cr_cost_check(p, (cr_event_id){0}, "weight", &err), CR_EUSAGE);
	cr_profile_free(p);

	p = profile_of(values, 1, CR_FORM_NUMBER);
	assert_int_equal(cr_cost_weigh(p, "weight", &err), CR_OK);
	assert_int_equal(cr_cost_weigh(p, "weight", &err), CR_EUSAGE);
	assert_int_equal(cr_cost_check(p, (cr_event_id){0}, "weight", &err), CR_OK);
	assert_int_equal(cr_cost_check(p, (cr_event_id){1}, "weight", &err), CR_ENOTFOUND);
	assert_true(cr_cost_same(p->cost, "weight"));
	assert_false(cr_cost_same(p->cost, NULL));
	cr_profile_free(p);
}

/* The old column is in a file, whose pages are dropped when they were read; the new one is not. */
static void
test_weights_in_memory_are_not_dropped(void **state)
{
	int64_t *values = cr_alloc(ROWS, sizeof(*values));
	struct cr_profile *p;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	for (size_t i = 0; i < ROWS; i++)
		values[i] = 1;
	p = profile_of(values, ROWS, CR_FORM_NUMBER);
	p->samples.filed |= CR_NEEDS_WEIGHT;
	assert_int_equal(cr_cost_weigh(p, "weight", &err), CR_OK);
	assert_int_equal(p->samples.filed & CR_NEEDS_WEIGHT, 0);
	cr_samples_done(&p->samples, 0, p->samples.n);
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(p->samples.weight[3 * i], 1);
	cr_profile_free(p);
	free(values);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_of_a_field_become_weights),
		cmocka_unit_test(test_negative_values_cost_nothing_and_are_counted),
		cmocka_unit_test(test_only_one_cost_that_the_event_has),
		cmocka_unit_test(test_weights_in_memory_are_not_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
