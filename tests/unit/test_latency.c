#include "testing.h"

#include "query/health/waits.h"
#include "query/time/latency.h"

/* Times off the CPU of three threads, and an event that is none. */
static struct cr_profile *
profile_at(const uint64_t *weights, size_t n, const char *unit, bool stacks)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_event_id cycles = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles")),
			  off = cr_builder_event(b, CR_STR("off-cpu"), cr_str_of(unit));
	const cr_task_id tasks[] = {cr_builder_task(b, 1, 1, CR_STR("x"), space),
		cr_builder_task(b, 2, 2, CR_STR("y"), space),
		cr_builder_task(b, 3, 3, CR_STR("z"), space)};
	const cr_node_id place =
		stacks ? cr_builder_push(b, CR_ROOT,
				 cr_builder_named(b, CR_STR("schedule"), (cr_dso_id){0}))
		       : CR_ROOT;
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_TASK);
	cr_builder_fact(b, "derived events", CR_STR("off-cpu"));
	for (size_t i = 0; i < n + 2; i++)
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1 + i,
					     .weight = i < n ? weights[i] : 1000000,
					     .task = tasks[i % 3],
					     .event = i < n ? off : cycles,
					     .node = i < n ? place : CR_ROOT,
					     .cpu = CR_CPU_NONE});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static struct cr_profile *
profile_of(const uint64_t *weights, size_t n, const char *unit)
{
	return profile_at(weights, n, unit, false);
}

static void
test_buckets_follow_each_other_and_hold_their_ends(void **state)
{
	(void)state;
	assert_int_equal(cr_latency_least(0), 0);
	for (uint32_t i = 0; i < CR_LATENCY_BUCKETS; i++) {
		assert_int_equal(cr_latency_bucket(cr_latency_least(i)), i);
		assert_int_equal(cr_latency_bucket(cr_latency_most(i)), i);
		if (i)
			assert_true(cr_latency_least(i) == cr_latency_most(i - 1) + 1);
		/* An eighth of the value at most. */
		assert_true((cr_latency_most(i) - cr_latency_least(i)) * CR_LATENCY_STEPS <=
			    cr_latency_least(i));
	}
	assert_true(cr_latency_most(CR_LATENCY_BUCKETS - 1) == UINT64_MAX);
	assert_int_equal(cr_latency_least(cr_latency_bucket(1000)), 960);
	assert_int_equal(cr_latency_most(cr_latency_bucket(1000)), 1023);
}

static void
test_percentiles_are_values_that_occurred(void **state)
{
	/* 1 ... 1000 in an odd order: 617 has no factor in common with 1000 */
	static const uint64_t want[CR_LATENCY_MARKS] = {500, 900, 990, 999, 1000};
	struct cr_err err = CR_ERR_INIT;
	uint64_t weights[1000];
	struct cr_latency l;
	struct cr_profile *p;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		weights[i] = i * 617 % 1000 + 1;
	p = profile_of(weights, 1000, "ns");
	assert_int_equal(
		cr_latency_make(p, &(struct cr_query){0}, &(struct cr_latency_opts){0}, &l, &err),
		CR_OK);
	assert_str(l.event, "off-cpu");
	assert_int_equal(l.all.count, 1000);
	assert_int_equal(l.all.sum, 500500);
	assert_int_equal(l.all.least, 1);
	assert_memory_equal(l.all.at, want, sizeof(want));
	assert_int_equal(l.all.bucket_count[cr_latency_bucket(1000)], 41); /* 960 ... 1000 */
	assert_int_equal(l.all.bucket_sum[cr_latency_bucket(7)], 7);
	assert_int_equal(l.n_lanes, 1);
	assert_memory_equal(l.lanes[0].at, want, sizeof(want));
	cr_latency_fini(&l);
	cr_profile_free(p);
}

static void
test_keys_have_percentiles_of_their_own(void **state)
{
	/* x: 10 40 70, y: 2000 2, z: 30 30 */
	static const uint64_t weights[] = {10, 2000, 30, 40, 2, 30, 70};
	static const struct {
		uint32_t top, lane;
		const char *name;
		uint64_t count, sum, p50, p90;
	} cases[] = {
		{0, 0, "2 y", 2, 2002, 2, 2000},
		{0, 1, "1 x", 3, 120, 40, 70},
		{0, 2, "3 z", 2, 60, 30, 30},
		{1, 0, "2 y", 2, 2002, 2, 2000},
		{1, 1, "", 5, 180, 30, 70},
	};
	struct cr_profile *p = profile_of(weights, CR_LEN(weights), "us");

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_latency_opts o = {.by = cr_lane_by_of("tid"), .top = cases[i].top};
		struct cr_err err = CR_ERR_INIT;
		const struct cr_latency_lane *lane;
		struct cr_latency l;

		assert_int_equal(cr_latency_make(p, &(struct cr_query){0}, &o, &l, &err), CR_OK);
		assert_int_equal(l.n_lanes, cases[i].top ? 2 : 3);
		lane = &l.lanes[cases[i].lane];
		assert_str(lane->name, cases[i].name);
		assert_int_equal(lane->is_rest, cases[i].lane == 1 && cases[i].top == 1);
		assert_int_equal(lane->keys, lane->is_rest ? 2 : 1);
		assert_int_equal(lane->count, cases[i].count);
		assert_int_equal(lane->sum, cases[i].sum);
		assert_int_equal(lane->at[CR_LATENCY_P50], cases[i].p50);
		assert_int_equal(lane->at[CR_LATENCY_P90], cases[i].p90);
		assert_int_equal(l.all.sum, 2182);
		cr_latency_fini(&l);
	}
	cr_profile_free(p);
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Of any size and any values, sorted and counted off. */
static void
test_percentiles_are_those_of_the_sorted_values(void **state)
{
	static const uint64_t thousandths[CR_LATENCY_MARKS] = {500, 900, 990, 999, 1000};
	uint64_t weights[300], random = 3;

	(void)state;
	for (size_t n = 1; n <= CR_LEN(weights); n += 1 + n / 4)
		for (unsigned shift = 0; shift < 64; shift += 9) {
			struct cr_err err = CR_ERR_INIT;
			struct cr_latency l;
			struct cr_profile *p;

			for (size_t i = 0; i < n; i++)
				weights[i] = testing_random(&random) >> shift >> (i % 8);
			p = profile_of(weights, n, "ns");
			assert_int_equal(cr_latency_make(p, &(struct cr_query){0},
						 &(struct cr_latency_opts){0}, &l, &err),
				CR_OK);
			qsort(weights, n, sizeof(*weights), by_value);
			assert_true(l.all.least == weights[0]);
			for (int i = 0; i < CR_LATENCY_MARKS; i++)
				assert_true(l.all.at[i] ==
					    weights[(n * thousandths[i] + 999) / 1000 - 1]);
			cr_latency_fini(&l);
			cr_profile_free(p);
		}
}

static void
test_what_is_no_single_time_is_refused(void **state)
{
	static const uint64_t one = 5;
	static const struct {
		const char *unit, *event;
		enum cr_code code;
	} cases[] = {
		{"ns", NULL, CR_OK},
		{"s", "off-cpu", CR_OK},
		{"ns", "cycles", CR_EUSAGE},
		{"bytes", "off-cpu", CR_EUSAGE},
		{"bytes", NULL, CR_ENOTFOUND},
		{"", NULL, CR_ENOTFOUND},
		{"ns", "other", CR_ENOTFOUND},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = profile_of(&one, 1, cases[i].unit);
		struct cr_err err = CR_ERR_INIT;
		struct cr_query q = {0};
		struct cr_latency l;

		if (cases[i].event)
			assert_int_equal(
				cr_query_add(&q, CR_WORD_EVENT, cases[i].event, &err), CR_OK);
		assert_int_equal(cr_latency_make(p, &q, &(struct cr_latency_opts){0}, &l, &err),
			cases[i].code);
		assert_int_equal(l.all.count, cases[i].code == CR_OK);
		cr_latency_fini(&l);
		cr_query_fini(&q);
		cr_profile_free(p);
	}
}

static void
test_nothing_selected_has_no_percentiles(void **state)
{
	static const uint64_t one = 5;
	struct cr_query nobody = {0};
	struct cr_profile *p = profile_of(&one, 1, "ns");
	struct cr_err err = CR_ERR_INIT;
	struct cr_latency l;

	(void)state;
	assert_int_equal(cr_query_add(&nobody, CR_WORD_TID, "99", &err), CR_OK);
	assert_int_equal(
		cr_latency_make(p, &nobody, &(struct cr_latency_opts){0}, &l, &err), CR_OK);
	assert_int_equal(l.n_lanes, 0);
	assert_int_equal(l.all.count, 0);
	assert_int_equal(l.all.at[CR_LATENCY_P50], 0);
	cr_latency_fini(&l);
	cr_query_fini(&nobody);
	cr_profile_free(p);
}

/* For the advice of doctor: are waits recorded, and the stacks in which threads wait? */
static void
test_what_is_known_of_waits(void **state)
{
	static const uint64_t weights[] = {5, 6};
	static const struct {
		const char *unit;
		bool stacks;
		enum cr_waits waits;
	} cases[] = {{"ns", true, CR_WAITS_PLACES}, {"ns", false, CR_WAITS_TIMES},
		{"bytes", true, CR_WAITS_NONE}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = profile_at(weights, 2, cases[i].unit, cases[i].stacks);

		assert_int_equal(cr_waits_recorded(p), cases[i].waits);
		cr_profile_free(p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets_follow_each_other_and_hold_their_ends),
		cmocka_unit_test(test_percentiles_are_values_that_occurred),
		cmocka_unit_test(test_keys_have_percentiles_of_their_own),
		cmocka_unit_test(test_percentiles_are_those_of_the_sorted_values),
		cmocka_unit_test(test_what_is_no_single_time_is_refused),
		cmocka_unit_test(test_nothing_selected_has_no_percentiles),
		cmocka_unit_test(test_what_is_known_of_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
