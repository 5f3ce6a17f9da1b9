#include "testing.h"

#include "model/build/naming.h"

#include <time.h>

#include "model/tree/path_sums.h"

static struct cr_tree *
folded(const struct cr_profile *p, bool by_comm)
{
	struct cr_path_sums *f = cr_path_sums_new(p, by_comm, 1);

	for (uint64_t i = 0; i < p->samples.n; i++)
		cr_path_sums_add(f, i, 0);
	return cr_tree_builder_finish(cr_path_sums_end(f, 0, NULL), NULL);
}

static void
test_stacks_stand_under_their_comm_or_not(void **state)
{
	struct cr_profile *p = testing_profile("@x;f;g 3\n@y;f;g 4\n@x;f 1\n@y 2\n");
	struct cr_tree *t;

	(void)state;
	t = folded(p, true);
	assert_tree(t, "all 10 0\n y 6 2\n  f 4 0\n   g 4 4\n x 4 0\n  f 4 1\n   g 3 3\n");
	assert_int_equal(t->frames[t->frame[1]].kind, CR_KIND_GROUP);
	cr_tree_free(t);
	t = folded(p, false);
	assert_tree(t, "all 10 2\n f 8 1\n  g 7 7\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_comm_of_the_name_of_a_function_is_another_frame(void **state)
{
	struct cr_profile *p = testing_profile("@f;f 1\n@g;g 1\n");
	struct cr_tree *t = folded(p, true);

	(void)state;
	assert_tree(t, "all 2 0\n f 1 0\n  f 1 1\n g 1 0\n  g 1 1\n");
	assert_int_not_equal(t->frame[1], t->frame[2]);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_inlined_functions_stand_below_their_callers(void **state)
{
	struct cr_profile *p = testing_profile("main;f 5\nmain 1\n");
	struct cr_naming *n = cr_naming_new(p);
	const cr_function_id inner =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("inner")});
	const cr_function_id outer =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("outer")});
	struct cr_tree *t;

	(void)state;
	cr_naming_line(n, (cr_location_id){p->node_location[2]}, &(struct cr_line){inner, 0, {0}});
	cr_naming_line(n, (cr_location_id){p->node_location[2]}, &(struct cr_line){outer, 0, {0}});
	p = cr_naming_finish(n);
	t = folded(p, false);
	assert_tree(t, "all 6 0\n main 6 1\n  outer 5 0\n   inner 5 5\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_columns_are_summed_apart(void **state)
{
	struct cr_profile *p = testing_profile("@x;f 3\n@x;f;g 5\n@y;f;g 7\n");
	struct cr_path_sums *f = cr_path_sums_new(p, false, 2);
	struct cr_path_sums_result sums;
	struct cr_tree *t;
	uint64_t weight[2] = {0}, samples[2] = {0};

	(void)state;
	cr_path_sums_add(f, 0, 1);
	cr_path_sums_add(f, 1, 0);
	cr_path_sums_add(f, 2, 1);
	t = cr_tree_builder_finish(cr_path_sums_end(f, 1, &sums), NULL);
	assert_tree(t, "all 10 0\n f 10 3\n  g 7 7\n");
	assert_int_equal(t->total_samples[0][0], 3); /* of both columns */
	for (uint32_t i = 0; i < 2 * sums.n; i++) {
		weight[i % 2] += sums.weight[i];
		samples[i % 2] += sums.samples[i];
	}
	assert_int_equal(weight[0], 5);
	assert_int_equal(weight[1], 10);
	assert_int_equal(samples[0], 1);
	assert_int_equal(samples[1], 2);
	cr_path_sums_result_fini(&sums);
	cr_tree_free(t);
	cr_profile_free(p);
}

/* One stack under very many names: looking for a name must not walk through all others. */
static void
test_many_comms_of_one_stack_take_no_longer_than_many_stacks(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const clock_t start = clock();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;
	cr_node_id node;
	char comm[16];

	(void)state;
	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	node = cr_builder_push(b, CR_ROOT, cr_builder_location(b, CR_DSO_UNKNOWN, 1, 0));
	for (int32_t i = 0; i < 200000; i++) {
		snprintf(comm, sizeof(comm), "%d", i);
		cr_builder_sample(
			b, &(struct cr_sample){.weight = 1,
				   .node = node,
				   .task = cr_builder_task(b, 1, 1, cr_str_of(comm), space)});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	t = folded(p, true);
	assert_int_equal(t->n, 400001);
	for (uint32_t most = 400000; most <= 400001; most++) {
		struct cr_path_sums *f = cr_path_sums_new(p, true, 1);
		struct cr_path_sums_result sums;
		struct cr_tree_builder *tb;

		for (uint64_t i = 0; i < p->samples.n; i++)
			cr_path_sums_add(f, i, 0);
		cr_path_sums_limit(f, most);
		tb = cr_path_sums_end(f, 0, &sums);
		assert_int_equal(sums.too_many, most < 400001);
		assert_int_equal(tb == NULL, sums.too_many); /* nothing is made in vain */
		cr_path_sums_result_fini(&sums);
		cr_tree_builder_free(tb);
	}
	testing_cpu_within(start, 10);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_deep_stack_is_walked_without_recursion(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	cr_node_id node = CR_ROOT;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint64_t i = 0; i < 8192; i++)
		node = cr_builder_push(b, node, cr_builder_location(b, CR_DSO_UNKNOWN, i, 0));
	cr_builder_sample(b, &(struct cr_sample){.weight = 1, .node = node});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	t = folded(p, false);
	assert_int_equal(t->max_depth, 8192);
	cr_tree_free(t);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_stand_under_their_comm_or_not),
		cmocka_unit_test(test_a_comm_of_the_name_of_a_function_is_another_frame),
		cmocka_unit_test(test_inlined_functions_stand_below_their_callers),
		cmocka_unit_test(test_columns_are_summed_apart),
		cmocka_unit_test(test_many_comms_of_one_stack_take_no_longer_than_many_stacks),
		cmocka_unit_test(test_a_deep_stack_is_walked_without_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
