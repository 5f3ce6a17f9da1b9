#include "testing.h"

#include "testing_tree.h"

static const struct cr_frame frames[] = {
	{.name = CR_STR("all"), .kind = CR_KIND_GROUP},
	{.name = CR_STR("a"), .kind = CR_KIND_USER},
	{.name = CR_STR("b"), .kind = CR_KIND_USER},
	{.name = CR_STR("c"), .kind = CR_KIND_USER},
};

static void
test_siblings_stand_by_falling_weight_then_by_name(void **state)
{
	struct cr_tree *t = testing_tree(1, "c;x 2\nb 5\na 5\nc;y 9\nc 1\nd;a 5\n");

	(void)state;
	assert_tree(t, "all 27 0\n c 12 1\n  y 9 9\n  x 2 2\n a 5 5\n b 5 5\n d 5 0\n  a 5 5\n");
	assert_int_equal(t->max_depth, 2);
	assert_int_equal(t->end[0], t->n);
	assert_int_equal(t->end[1], 4);
	assert_int_equal(t->parent[3], 1);
	assert_int_equal(t->extent[0], t->total[0][0]);
	cr_tree_free(t);
}

static void
test_nodes_that_nothing_was_added_to_are_left_out(void **state)
{
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	const uint32_t a = cr_tree_builder_child(tb, 0, 1), ab = cr_tree_builder_child(tb, a, 2);
	const uint32_t c = cr_tree_builder_child(tb, 0, 3), cb = cr_tree_builder_child(tb, c, 2);
	struct cr_tree *t;
	uint32_t *map;

	(void)state;
	assert_int_equal(cr_tree_builder_child(tb, a, 2), ab);
	cr_tree_builder_add(tb, cb, 0, 0, 1); /* a sample of weight 0 is one */
	t = cr_tree_builder_finish(tb, &map);
	assert_tree(t, "all 0 0\n c 0 0\n  b 0 0\n");
	assert_int_equal(map[0], 0);
	assert_int_equal(map[a], UINT32_MAX);
	assert_int_equal(map[ab], UINT32_MAX);
	assert_int_equal(map[c], 1);
	assert_int_equal(map[cb], 2);
	assert_int_equal(t->total_samples[0][0], 1);
	free(map);
	cr_tree_free(t);
}

static void
test_an_empty_tree_is_its_root(void **state)
{
	struct cr_tree *t = testing_tree(1, "");

	(void)state;
	assert_tree(t, "all 0 0\n");
	assert_int_equal(t->max_depth, 0);
	cr_tree_free(t);
	cr_tree_free(NULL);
	cr_tree_builder_free(cr_tree_builder_new(2, frames, 1));
	cr_tree_builder_free(NULL);
}

static void
test_two_sides_have_the_width_of_the_larger_share(void **state)
{
	/* Before 100, after 200: before counts double. */
	struct cr_tree *t = testing_tree(2, "a 50 100\nb 30 0\nc 20 100\n");

	(void)state;
	assert_tree(t, "all 100 200 0 0\n a 50 100 50 100\n c 20 100 20 100\n b 30 0 30 0\n");
	assert_int_equal(t->extent[testing_node(t, "a")], 100);
	assert_int_equal(t->extent[testing_node(t, "b")], 60); /* removed, and keeps its width */
	assert_int_equal(t->extent[testing_node(t, "c")], 100);
	assert_int_equal(t->extent[0], 260);
	cr_tree_free(t);
}

static void
test_a_side_without_anything_counts_for_nothing(void **state)
{
	struct cr_tree *t = testing_tree(2, "a 5 0\na;b 1 0\n");

	(void)state;
	assert_tree(t, "all 6 0 0 0\n a 6 0 5 0\n  b 1 0 1 0\n");
	assert_int_equal(t->extent[0], 6);
	cr_tree_free(t);
}

static void
test_sums_stop_at_the_top(void **state)
{
	struct cr_tree *t =
		testing_tree(1, "a;b 18446744073709551615\na;c 18446744073709551615\na 3\n");

	(void)state;
	assert_int_equal(t->total[0][0], UINT64_MAX);
	assert_int_equal(t->extent[0], UINT64_MAX);
	assert_int_equal(t->self[0][testing_node(t, "a")], 3);
	cr_tree_free(t);
}

static void
test_a_million_levels_need_no_stack(void **state)
{
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	const uint32_t levels = 1000000;
	struct cr_tree *t;
	uint32_t node = 0;

	(void)state;
	for (uint32_t i = 0; i < levels; i++)
		node = cr_tree_builder_child(tb, node, 1 + i % 3);
	cr_tree_builder_add(tb, node, 0, 7, 1);
	t = cr_tree_builder_finish(tb, NULL);
	assert_int_equal(t->max_depth, levels);
	assert_int_equal(t->total[0][1], 7);
	assert_int_equal(t->self[0][levels], 7);
	cr_tree_free(t);
}

/* Sums and order of a random tree against the plainest way to have them. */
static void
test_random_trees_agree_with_their_definition(void **state)
{
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	uint64_t random = 5;
	struct cr_tree *t;

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t node = 0;

		for (uint64_t depth = testing_random(&random) % 9; depth; depth--)
			node = cr_tree_builder_child(
				tb, node, 1 + (uint32_t)(testing_random(&random) % 3));
		cr_tree_builder_add(tb, node, 0, testing_random(&random) % 50, 1);
	}
	t = cr_tree_builder_finish(tb, NULL);
	for (uint32_t n = 0; n < t->n; n++) {
		uint64_t total = 0;

		for (uint32_t k = n; k < t->end[n]; k++)
			total += t->self[0][k];
		assert_int_equal(t->total[0][n], total);
		for (uint32_t c = n + 1, next; c < t->end[n]; c = next) {
			next = t->end[c];
			assert_int_equal(t->parent[c], n);
			assert_int_equal(t->depth[c], t->depth[n] + 1);
			if (next < t->end[n])
				assert_true(t->extent[c] > t->extent[next] ||
					    (t->extent[c] == t->extent[next] &&
						    t->frame[c] < t->frame[next]));
		}
	}
	cr_tree_free(t);
}

/* What a tree becomes when some of its nodes are no more, hang elsewhere, or are left out. */
static void
test_trees_are_made_from_trees(void **state)
{
	static const struct {
		uint32_t frame[6], up[6];
		bool has_up;
		uint8_t lost[6];
		bool has_lost;
		const char *want;
	} cases[] = {
		/* all 0, a 1, b 2, c 3, b 4, c 5 */
		{{0, 1, 2, 3, 2, 3}, {0}, false, {0}, false,
			"all 16 0\n a 11 1\n  b 7 2\n   c 5 5\n  c 3 3\n b 5 5\n"},
		{{0, 1, CR_TREE_SAME, 3, 3, 2}, {0}, false, {0}, false,
			"all 16 0\n a 11 3\n  c 8 8\n b 5 5\n"},
		{{0, CR_TREE_SAME, 2, 3, 3, 2}, {0}, false, {0}, false,
			"all 16 1\n b 12 7\n  c 5 5\n c 3 3\n"},
		{{0, 1, 2, 3, 3, 2}, {0, 0, 0, 2, 1, 0}, true, {0}, false,
			"all 16 0\n b 12 7\n  c 5 5\n a 4 1\n  c 3 3\n"},
		{{0, 1, 2, 3, 3, 2}, {0}, false, {1, 1, 1, 0, 1, 1}, true,
			"all 5 0\n a 5 0\n  b 5 0\n   c 5 5\n"},
		{{0, 4, 2, 4, 4, 2}, {0}, false, {0}, false,
			"all 16 0\n new 11 1\n  b 7 2\n   new 5 5\n  new 3 3\n b 5 5\n"},
		{{0, CR_TREE_SAME, CR_TREE_SAME, CR_TREE_SAME, CR_TREE_SAME, CR_TREE_SAME}, {0},
			false, {0}, false, "all 16 16\n"},
	};
	static const struct cr_frame more = {.name = {"new", 3}, .kind = CR_KIND_USER};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_tree *t = testing_tree(1, "a 1\na;b 2\na;b;c 5\na;c 3\nb 5\n"), *out;
		struct cr_tree_change change = {.more = &more, .n_more = 1};
		uint32_t frame[6], *map;

		for (uint32_t n = 0; n < 6; n++) {
			const uint32_t f = cases[i].frame[n];

			frame[n] = f == CR_TREE_SAME ? f : f == 4 ? t->n_frames : f;
		}
		if (i)
			change.frame = frame;
		if (cases[i].has_up)
			change.up = cases[i].up;
		if (cases[i].has_lost)
			change.lost = cases[i].lost;
		out = cr_tree_derive(t, &change, &map);
		for (uint32_t n = 0; n < 6 && !cases[i].has_lost; n++)
			if (frame[n] != CR_TREE_SAME && i)
				assert_int_equal(out->frame[map[n]], frame[n]);
		cr_tree_free(t); /* what was made from it stays */
		assert_tree(out, cases[i].want);
		assert_str(out->unit, "samples");
		free(map);
		cr_tree_free(out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_siblings_stand_by_falling_weight_then_by_name),
		cmocka_unit_test(test_nodes_that_nothing_was_added_to_are_left_out),
		cmocka_unit_test(test_an_empty_tree_is_its_root),
		cmocka_unit_test(test_two_sides_have_the_width_of_the_larger_share),
		cmocka_unit_test(test_a_side_without_anything_counts_for_nothing),
		cmocka_unit_test(test_sums_stop_at_the_top),
		cmocka_unit_test(test_a_million_levels_need_no_stack),
		cmocka_unit_test(test_trees_are_made_from_trees),
		cmocka_unit_test(test_random_trees_agree_with_their_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
