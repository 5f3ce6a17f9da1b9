#include "testing.h"

#include "model/tree/path_sums.h"

static void
test_sums_are_sorted_by_comm_and_by_node(void **state)
{
	struct cr_profile *p = testing_profile("@x;f;g 3\n@y;f;g 4\n@x;f 1\n@x;h 0\n@x;f;g 8\n");
	struct cr_path_sums *f = cr_path_sums_new(p, true, 1);
	struct cr_path_sums_sorted sums;

	(void)state;
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (p->samples.weight[i])
			cr_path_sums_add(f, i, 0);
	assert_int_equal(cr_path_sums_pairs(f), 3);
	cr_path_sums_sort(f, &sums);
	assert_int_equal(sums.n, 3);
	assert_int_equal(sums.n_groups, 2);
	assert_int_equal(sums.n_comms, 2);
	assert_str(sums.comms[0], "x");
	assert_int_equal(sums.ends[0], 2);
	assert_int_equal(sums.ends[1], 3);
	assert_true(sums.node[0] < sums.node[1]);
	assert_int_equal(sums.node[1], sums.node[2]);
	assert_int_equal(sums.weight[sums.row[0]], 1);
	assert_int_equal(sums.weight[sums.row[1]], 11);
	assert_int_equal(sums.samples[sums.row[1]], 2);
	assert_int_equal(sums.weight[sums.row[2]], 4);
	cr_path_sums_sorted_fini(&sums);
	cr_profile_free(p);
}

static void
test_columns_are_summed_apart(void **state)
{
	struct cr_profile *p = testing_profile("@x;f 3\n@x;f;g 5\n@y;f;g 7\n");
	struct cr_path_sums *f = cr_path_sums_new(p, false, 2);
	struct cr_path_sums_sorted sums;

	(void)state;
	cr_path_sums_add(f, 0, 1);
	cr_path_sums_add(f, 1, 0);
	cr_path_sums_add(f, 2, 1);
	cr_path_sums_sort(f, &sums);
	assert_int_equal(sums.n, 2);
	assert_int_equal(sums.n_groups, 1);
	assert_int_equal(sums.n_comms, 0);
	assert_int_equal(sums.weight[sums.row[0] * 2], 0);
	assert_int_equal(sums.weight[sums.row[0] * 2 + 1], 3);
	assert_int_equal(sums.weight[sums.row[1] * 2], 5);
	assert_int_equal(sums.weight[sums.row[1] * 2 + 1], 7);
	assert_int_equal(sums.samples[sums.row[1] * 2 + 1], 1);
	cr_path_sums_sorted_fini(&sums);
	cr_profile_free(p);
}

/* A line of folded stacks may count 0: such a stack is no node of a tree. */
static void
test_sums_without_samples_are_left_out(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_path_sums_sorted sums;
	struct cr_err err = CR_ERR_INIT;
	struct cr_path_sums *f;
	struct cr_profile *p;

	(void)state;
	cr_builder_event(b, CR_STR("samples"), CR_STR("samples"));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint64_t i = 0; i < 4; i++)
		cr_builder_sample(
			b, &(struct cr_sample){.weight = i % 2,
				   .node = cr_builder_push(b, CR_ROOT,
					   cr_builder_location(b, CR_DSO_UNKNOWN, i, 0))});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	f = cr_path_sums_new(p, true, 1);
	for (uint64_t i = 0; i < p->samples.n; i++)
		cr_path_sums_add(f, i, 0);
	cr_path_sums_sort(f, &sums);
	for (uint32_t i = 0; i < sums.n; i++)
		assert_int_equal(sums.samples[sums.row[i]], 1);
	assert_int_equal(sums.n, 2);
	assert_int_equal(sums.ends[0], 2);
	cr_path_sums_sorted_fini(&sums);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_sorted_by_comm_and_by_node),
		cmocka_unit_test(test_columns_are_summed_apart),
		cmocka_unit_test(test_sums_without_samples_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
