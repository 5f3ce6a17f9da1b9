#include "testing.h"

#include "model/tree/tree_nodes.h"

#include <stdlib.h>

/* all 1: a 2: (b 3: (c 4), c 10), d 1: (b 0: (c 1)) */
static const struct cr_tree_node nodes[] = {
	{.frame = 0, .child1 = 6, .weight = 1},
	{.frame = 1, .child1 = 5, .weight = 2},
	{.parent = 1, .frame = 2, .child1 = 4, .weight = 3},
	{.parent = 2, .frame = 3, .weight = 4},
	{.parent = 1, .frame = 3, .next1 = 3, .weight = 10},
	{.frame = 4, .child1 = 7, .next1 = 2, .weight = 1},
	{.parent = 5, .frame = 2, .child1 = 8},
	{.parent = 6, .frame = 3, .weight = 1},
};

/* Assert the tree with at most `most` nodes; return how many were cut off. */
static uint32_t
assert_cut(uint32_t most, const char *want, uint64_t a_weight)
{
	struct cr_tree_node *copy = cr_memdup(nodes, sizeof(nodes));
	const struct cr_frame frames[] = {{.name = CR_STR("all"), .kind = CR_KIND_GROUP},
		{.name = CR_STR("a")}, {.name = CR_STR("b")}, {.name = CR_STR("c")},
		{.name = CR_STR("d")}};
	struct cr_tree_nodes in = {
		.n = CR_LEN(nodes), .node = copy, .frames = frames, .n_frames = CR_LEN(frames)};
	struct cr_tree_cut cut = {.most = most};
	struct cr_arena names = {0};
	struct cr_tree *t;

	cr_tree_nodes_cut(&in, &cut);
	assert_int_equal(in.n, CR_LEN(nodes) - cut.n);
	t = cr_tree_from_nodes(&in, &names);
	assert_tree(t, want);
	assert_int_equal(t->frame[1], 1);
	assert_int_equal(t->weight[0][1], a_weight);
	cr_tree_free(t);
	free(in.cut_off);
	free(copy);
	return cut.n;
}

static void
test_few_nodes_are_all_kept(void **state)
{
	(void)state;
	assert_int_equal(assert_cut(8,
				 "all 22 1\n a 19 2\n  b 7 3\n   c 4 4\n  c 10 10\n"
				 " d 2 1\n  b 1 0\n   c 1 1\n",
				 2),
		0);
}

static void
test_the_smallest_are_cut_off_and_no_self_changes(void **state)
{
	(void)state;
	/* Least totals are 1, 2, 4 and so on, until few enough are left. */
	assert_int_equal(
		assert_cut(7, "all 22 1\n a 19 2\n  b 7 3\n   c 4 4\n  c 10 10\n d 2 1\n", 2), 2);
	assert_int_equal(assert_cut(4, "all 22 1\n a 19 2\n  c 10 10\n", 9), 5);
	assert_int_equal(assert_cut(2, "all 22 1\n a 19 2\n", 19), 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_nodes_are_all_kept),
		cmocka_unit_test(test_the_smallest_are_cut_off_and_no_self_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
