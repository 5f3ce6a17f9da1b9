#include "testing.h"

#include "testing_tree.h"

#include "model/tree/kept_trees.h"

static void
test_trees_are_found_by_key_and_leave_the_set(void **state)
{
	struct cr_kept_trees k = {.bytes_most = 1 << 20};
	struct cr_tree *a = testing_tree(1, "main;a 1\n"), *b = testing_tree(1, "main;b 1\n");

	(void)state;
	cr_kept_trees_add(&k, "a", a);
	cr_kept_trees_add(&k, "b", b);
	assert_null(cr_kept_trees_take(&k, "c"));
	assert_ptr_equal(cr_kept_trees_take(&k, "a"), a);
	assert_null(cr_kept_trees_take(&k, "a"));
	cr_kept_trees_add(&k, "b", a); /* takes the place of the other one */
	assert_ptr_equal(cr_kept_trees_take(&k, "b"), a);
	assert_int_equal(k.bytes, 0);
	cr_tree_free(a);
	cr_kept_trees_clear(&k);
}

static void
test_the_trees_added_first_go_when_they_take_too_much(void **state)
{
	struct cr_kept_trees k = {.bytes_most = 1 << 20};
	uint64_t one;
	struct cr_tree *t;

	(void)state;
	cr_kept_trees_add(&k, "1", testing_tree(1, "main;a 1\n"));
	one = k.bytes;
	assert_true(one > 0);
	k.bytes_most = 2 * one;
	cr_kept_trees_add(&k, "2", testing_tree(1, "main;a 1\n"));
	cr_kept_trees_add(&k, "3", testing_tree(1, "main;a 1\n"));
	assert_int_equal(k.bytes, 2 * one);
	assert_null(cr_kept_trees_take(&k, "1"));
	t = cr_kept_trees_take(&k, "2");
	assert_non_null(t);
	cr_tree_free(t);
	cr_kept_trees_clear(&k);
	assert_int_equal(k.bytes, 0);
	k.bytes_most = 0;
	cr_kept_trees_add(&k, "1", testing_tree(1, "main;a 1\n"));
	assert_null(cr_kept_trees_take(&k, "1"));
	cr_kept_trees_clear(&k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees_are_found_by_key_and_leave_the_set),
		cmocka_unit_test(test_the_trees_added_first_go_when_they_take_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
