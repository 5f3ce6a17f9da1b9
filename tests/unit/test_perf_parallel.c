#include "testing.h"

#include "read/perf_data/perf_parallel_p.h"

static void
test_without_switches_nothing_is_known(void **state)
{
	struct perf_parallel m = {0};

	(void)state;
	assert_int_equal(cr_perf_parallel_of(&m, 4, 0, 7), 0);
	cr_perf_parallel_exit(&m);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 0, 7), 0);
	cr_perf_parallel_fini(&m);
}

static void
test_threads_of_a_command_are_counted_together(void **state)
{
	struct perf_parallel m = {.counted = true};

	(void)state;
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 7), 1);
	for (unsigned i = 0; i < 5; i++)
		cr_perf_parallel_switch(&m, false);
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 7), 6);
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 8), 6);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 0, 7), 4);
	cr_perf_parallel_switch(&m, true);
	cr_perf_parallel_exit(&m);
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 7), 4);
	for (unsigned i = 0; i < 9; i++)
		cr_perf_parallel_switch(&m, true);
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 7), 1);
	cr_perf_parallel_switch(&m, false);
	assert_int_equal(cr_perf_parallel_of(&m, 0, 0, 7), 1); /* still fewer than none */
	cr_perf_parallel_fini(&m);
}

static void
test_processes_of_a_machine_are_counted_apart(void **state)
{
	struct perf_parallel m = {0};

	(void)state;
	cr_perf_parallel_run(&m, 0, 7);
	cr_perf_parallel_run(&m, 1, 7);
	cr_perf_parallel_run(&m, 1, 7);
	cr_perf_parallel_run(&m, 2, 8);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 0, 7), 2);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 2, 8), 1);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 3, 7), 3); /* the sample says who runs there */
	cr_perf_parallel_run(&m, 0, 0);
	assert_int_equal(cr_perf_parallel_of(&m, 4, 1, 7), 2);
	cr_perf_parallel_exit(&m); /* of no meaning here */
	assert_int_equal(cr_perf_parallel_of(&m, 4, 1, 7), 2);
	assert_int_equal(cr_perf_parallel_of(&m, 1, 1, 7), 1);
	/* Impossible processors are no reason to use memory. */
	cr_perf_parallel_run(&m, UINT32_MAX, 7);
	cr_perf_parallel_run(&m, 65536, 7);
	assert_int_equal(m.on_cpu1.n, 4);
	assert_int_equal(cr_perf_parallel_of(&m, 4, UINT32_MAX, 99), 1);
	cr_perf_parallel_fini(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_switches_nothing_is_known),
		cmocka_unit_test(test_threads_of_a_command_are_counted_together),
		cmocka_unit_test(test_processes_of_a_machine_are_counted_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
