#include "testing.h"

#include "model/cost.h"
#include "model/parallelism.h"

struct row {
	uint64_t time_ns, weight;
	int32_t pid, tid;
	uint64_t parallelism; /* as recorded; 0: none */
};

static struct cr_profile *
profile_of(const struct row *rows, size_t n, const char *unit)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("clock"), cr_str_of(unit));
	const cr_address_space_id space = cr_builder_address_space(b);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_TASK);
	for (size_t i = 0; i < n; i++) {
		cr_builder_sample(b, &(struct cr_sample){.time_ns = rows[i].time_ns,
					     .weight = rows[i].weight,
					     .event = event,
					     .task = cr_builder_task(b, rows[i].pid, rows[i].tid,
						     CR_STR("x"), space)});
		if (rows[i].parallelism)
			cr_builder_value(b,
				cr_builder_field(b, event, CR_STR("parallelism"), CR_FORM_NUMBER),
				rows[i].parallelism);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_latency_is_weight_by_parallelism(void **state)
{
	static const struct row rows[] = {{1, 100, 1, 1, 1}, {2, 100, 1, 1, 3}, {3, 100, 1, 2, 128},
		{4, 100, 1, 2, 0}, {5, UINT64_MAX, 1, 2, 1}};
	static const uint64_t want[] = {100, 33, 1, 100, UINT64_MAX};
	struct cr_profile *p = profile_of(rows, CR_LEN(rows), "ns");
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	cr_parallelism_estimate(p); /* it has the field */
	assert_int_equal(p->n_fields, 1);
	assert_false(cr_parallelism_is_estimate(p, (cr_event_id){0}));
	assert_int_equal(cr_cost_weigh(p, CR_COST_LATENCY, &err), CR_OK);
	for (size_t i = 0; i < CR_LEN(rows); i++)
		assert_int_equal(p->samples.weight[i], want[i]);
	assert_int_equal(p->events[0].weight, UINT64_MAX); /* of a sum too large */
	assert_str(p->events[0].name, "clock (latency)");
	assert_true(cr_event_is_named(p, (cr_event_id){0}, CR_STR("clock")));
	assert_true(cr_event_is_named(p, (cr_event_id){0}, CR_STR("clock (latency)")));
	assert_false(cr_event_is_named(p, (cr_event_id){0}, CR_STR("cloc")));
	assert_str(p->events[0].unit, "ns");
	cr_profile_free(p);
}

static void
test_small_weights_are_counted_in_thousandths(void **state)
{
	static const struct row rows[] = {{1, 1, 1, 1, 1}, {2, 1, 1, 1, 3}, {3, 1, 1, 1, 2}};
	struct cr_profile *p = profile_of(rows, CR_LEN(rows), "events");
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_cost_weigh(p, CR_COST_LATENCY, &err), CR_OK);
	assert_int_equal(p->samples.weight[0], 1000);
	assert_int_equal(p->samples.weight[1], 333);
	assert_int_equal(p->samples.weight[2], 500);
	assert_int_equal(p->events[0].weight, 1833);
	assert_str(p->events[0].unit, "events/1000");
	cr_profile_free(p);
}

/* Two threads, each sampled every 10 ns; then one of them alone; another process all the time. */
static void
test_without_switches_threads_sampled_nearby_are_counted(void **state)
{
	struct row rows[60];
	struct cr_profile *p;
	struct cr_err err = CR_ERR_INIT;
	size_t n = 0;

	(void)state;
	for (uint64_t t = 0; t < 20; t++) {
		rows[n++] = (struct row){100 + 10 * t, 10, 5, 5, 0};
		if (t < 10)
			rows[n++] = (struct row){103 + 10 * t, 10, 5, 6, 0};
		rows[n++] = (struct row){104 + 10 * t, 10, 4, 4, 0};
	}
	p = profile_of(rows, n, "ns");
	cr_parallelism_estimate(p);
	assert_int_equal(p->n_fields, 1);
	assert_true(cr_parallelism_is_estimate(p, (cr_event_id){0}));
	for (size_t i = 0; i < n; i++) {
		const uint64_t after = rows[i].time_ns - 193; /* the last sample of thread 6 */
		const bool alone = rows[i].pid == 4 || (rows[i].time_ns > 193 && after > 10);

		assert_int_equal(p->fields[0].value[i], alone ? 1 : 2);
	}
	assert_int_equal(cr_cost_weigh(p, CR_COST_LATENCY, &err), CR_OK);
	assert_str(p->events[0].name, "clock (≈latency)");
	assert_true(cr_parallelism_is_estimate(p, (cr_event_id){0}));
	cr_profile_free(p);
}

static void
test_samples_without_time_or_process_have_no_estimate(void **state)
{
	static const struct row rows[] = {{0, 7, 1, 1, 0}, {9, 7, -1, -1, 0}, {9, 7, 1, 1, 0}};
	static const struct row untimed[] = {{0, 7, 1, 1, 0}};
	struct cr_profile *p = profile_of(rows, CR_LEN(rows), "ns");
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	cr_parallelism_estimate(p);
	assert_true(p->fields[0].value[0] == cr_form_none(CR_FORM_NUMBER));
	assert_true(p->fields[0].value[1] == cr_form_none(CR_FORM_NUMBER));
	assert_int_equal(p->fields[0].value[2], 1);
	cr_profile_free(p);

	p = profile_of(untimed, 1, "ns");
	cr_parallelism_estimate(p);
	assert_int_equal(p->n_fields, 0);
	assert_int_equal(cr_cost_weigh(p, CR_COST_LATENCY, &err), CR_EUSAGE);
	assert_int_equal(p->samples.weight[0], 7);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latency_is_weight_by_parallelism),
		cmocka_unit_test(test_small_weights_are_counted_in_thousandths),
		cmocka_unit_test(test_without_switches_threads_sampled_nearby_are_counted),
		cmocka_unit_test(test_samples_without_time_or_process_have_no_estimate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
