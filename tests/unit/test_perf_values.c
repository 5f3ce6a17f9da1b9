#include "testing.h"

#include "read/perf_data/perf_values_p.h"

static void
test_a_value_counts_by_what_it_has_grown(void **state)
{
	struct perf_values v = {0};

	(void)state;
	assert_int_equal(cr_perf_values_grown(&v, 7, 0, 100), 100); /* counters begin at 0 */
	assert_int_equal(cr_perf_values_grown(&v, 7, 0, 100), 0);
	assert_int_equal(cr_perf_values_grown(&v, 7, 0, 130), 30);
	cr_perf_values_fini(&v);
}

static void
test_ids_and_threads_count_for_themselves(void **state)
{
	struct perf_values v = {0};

	(void)state;
	assert_int_equal(cr_perf_values_grown(&v, 7, 0, 100), 100);
	assert_int_equal(cr_perf_values_grown(&v, 8, 0, 40), 40);
	assert_int_equal(cr_perf_values_grown(&v, 7, 5, 60), 60);
	assert_int_equal(cr_perf_values_grown(&v, 7, 0, 101), 1);
	assert_int_equal(cr_perf_values_grown(&v, 8, 0, 42), 2);
	assert_int_equal(cr_perf_values_grown(&v, 7, 5, 63), 3);
	cr_perf_values_fini(&v);
}

static void
test_many_of_them_stay_apart(void **state)
{
	struct perf_values v = {0};

	(void)state;
	for (uint64_t round = 1; round <= 2; round++)
		for (uint64_t id = 0; id < 300; id++)
			for (uint32_t tid = 0; tid < 20; tid++)
				assert_int_equal(
					cr_perf_values_grown(&v, id, tid, round * (id * 20 + tid)),
					id * 20 + tid);
	assert_int_equal(v.rows.n, 6000);
	cr_perf_values_fini(&v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_value_counts_by_what_it_has_grown),
		cmocka_unit_test(test_ids_and_threads_count_for_themselves),
		cmocka_unit_test(test_many_of_them_stay_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
