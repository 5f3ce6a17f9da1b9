#include "testing.h"

#include "query/fold/slices.h"
#include "query/table/thread_rows.h"
#include "query/time/series.h"

/*
 * Answers from sums are those from rows: series by every key, and threads, of samples in no
 * particular order, some without a time, of three events with different units.
 */

#define ROWS 16000u
#define SLICE 250u

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static cr_task_id
task_of(struct cr_builder *b, cr_address_space_id space, uint32_t i)
{
	static const char *const comms[] = {"a", "b", "c"};

	return cr_builder_task(
		b, (int32_t)(1 + i / 4), (int32_t)(1 + i), cr_str_of(comms[i % 3]), space);
}

/* untimed: one sample of so many has no time; 0: all have one. */
static struct cr_profile *
random_profile(uint32_t seed, uint32_t untimed, uint32_t flags, uint32_t weights)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_event_id events[] = {cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles")),
		cr_builder_event(b, CR_STR("faults"), CR_STR("faults")),
		cr_builder_event(b, CR_STR("rare"), CR_STR("cycles"))};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, flags);
	for (uint32_t i = 0; i < ROWS; i++) {
		const bool none = untimed && next(&seed, untimed) == 0;
		const uint32_t late = next(&seed, 50) ? 0 : next(&seed, 4000);

		cr_builder_sample(b,
			&(struct cr_sample){
				.time_ns = none ? 0 : UINT64_C(1000000) + i * 1000 - late * 10,
				.weight = 1 + next(&seed, weights),
				.task = task_of(b, space, next(&seed, 6)),
				.cpu = (uint16_t)(next(&seed, 20) ? next(&seed, 3) : CR_CPU_NONE),
				.event = events[next(&seed, 10) ? 0 : 1 + next(&seed, 2)],
				.node = CR_ROOT});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
assert_same_series(const struct cr_series *a, const struct cr_series *b)
{
	assert_int_equal(a->n_lanes, b->n_lanes);
	assert_int_equal(a->n_bins, b->n_bins);
	assert_int_equal(a->untimed, b->untimed);
	assert_int_equal(a->samples, b->samples);
	assert_int_equal(a->weight, b->weight);
	for (uint32_t i = 0; i < a->n_lanes; i++) {
		const struct cr_series_lane *x = &a->lanes[i], *y = &b->lanes[i];

		assert_true(cr_str_eq(x->name, y->name));
		assert_memory_equal(
			x->bin_samples, y->bin_samples, a->n_bins * sizeof(*x->bin_samples));
		assert_memory_equal(
			x->bin_weight, y->bin_weight, a->n_bins * sizeof(*x->bin_weight));
	}
}

static void
check_series(const struct cr_profile *p, const struct cr_query *q, const struct cr_slices *slices)
{
	static const char *const keys[] = {"all", "comm", "pid", "tid", "cpu", "event", "function"};

	for (size_t k = 0; k < CR_LEN(keys); k++)
		for (uint32_t bins = 1; bins < 200; bins = bins * 3 + 1) {
			struct cr_series_opts o = {
				.by = cr_lane_by_of(keys[k]), .bins = bins, .top = 3};
			struct cr_err err = CR_ERR_INIT;
			struct cr_series rows, sums;

			assert_int_equal(cr_series_make(p, q, &o, &rows, &err), CR_OK);
			o.slices = slices;
			assert_int_equal(cr_series_make(p, q, &o, &sums, &err), CR_OK);
			assert_same_series(&rows, &sums);
			cr_series_fini(&rows);
			cr_series_fini(&sums);
		}
}

static void
check_threads(const struct cr_profile *p, const struct cr_query *q, const struct cr_slices *slices)
{
	for (int by = 0; by < CR_THREAD_BYS; by++) {
		struct cr_thread_rows a, b;
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(
			cr_thread_rows_make(p, q, NULL, (enum cr_thread_by)by, &a, &err), CR_OK);
		assert_int_equal(
			cr_thread_rows_make(p, q, slices, (enum cr_thread_by)by, &b, &err), CR_OK);
		assert_int_equal(a.n, b.n);
		for (uint32_t i = 0; i < a.n; i++) {
			const struct cr_thread_row *x = &a.rows[i], *y = &b.rows[i];

			assert_int_equal(x->tid, y->tid);
			assert_int_equal(x->samples, y->samples);
			assert_int_equal(x->weight, y->weight);
			assert_int_equal(x->threads, y->threads);
			assert_int_equal(x->cpus, y->cpus);
			assert_int_equal(x->has_time, y->has_time);
			assert_int_equal(x->first_ns, y->first_ns);
			assert_int_equal(x->last_ns, y->last_ns);
			assert_int_equal(!x->bins, !y->bins);
			if (x->bins)
				assert_memory_equal(
					x->bins, y->bins, CR_THREAD_BINS * sizeof(*x->bins));
		}
		cr_thread_rows_fini(&a);
		cr_thread_rows_fini(&b);
	}
}

static void
check(struct cr_profile *p)
{
	static const char *const queries[] = {"", "comm a", "pid 2; tid 5", "cpu 1-2; comm b",
		"time 20%..60%", "time 1ms..9ms; time 10.5ms..10.6ms; comm c", "event faults",
		"time 99%..", "event rare; cpu 2", "comm a; invert; hide x"};
	struct cr_slices *slices = cr_slices_new(p, SLICE);

	assert_non_null(slices);
	for (size_t i = 0; i < CR_LEN(queries); i++) {
		struct cr_query q = {0};
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_query_parse(&q, queries[i], &err), CR_OK);
		assert_true(cr_slices_can(slices, &q));
		check_series(p, &q, slices);
		check_threads(p, &q, slices);
		cr_query_fini(&q);
	}
	cr_slices_free(slices);
	cr_profile_free(p);
}

#define ALL_FLAGS (CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK)

static void
test_sums_give_what_rows_give(void **state)
{
	(void)state;
	check(random_profile(1, 0, ALL_FLAGS, 1));
	check(random_profile(2, 0, ALL_FLAGS, 1000));
	check(random_profile(3, 100, ALL_FLAGS, 1000));
	check(random_profile(4, 2, ALL_FLAGS, 1));
}

static void
test_queries_of_stacks_are_not_for_sums(void **state)
{
	static const char *const queries[] = {
		"mode kernel", "dso libc.so.6", "focus main", "ignore x; invert"};
	struct cr_profile *p = random_profile(5, 0, ALL_FLAGS, 1);
	struct cr_slices *slices = cr_slices_new(p, SLICE);

	(void)state;
	for (size_t i = 0; i < CR_LEN(queries); i++) {
		struct cr_query q = {0};
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_query_parse(&q, queries[i], &err), CR_OK);
		assert_false(cr_slices_can(slices, &q));
		assert_false(cr_slices_can(NULL, &q));
		cr_query_fini(&q);
	}
	cr_slices_free(slices);
	assert_null(cr_slices_new(p, ROWS)); /* one slice saves nothing */
	assert_null(cr_slices_new(p, 8));    /* nearly as many sums as rows */
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_give_what_rows_give),
		cmocka_unit_test(test_queries_of_stacks_are_not_for_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
