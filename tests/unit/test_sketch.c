#include "testing.h"

#include "query/fold/sketch/sketch.h"

/*
 * A sketch agrees with the complete tree in all that it has: stacks of a few functions, of which
 * some are hot and most are rare, in several threads.
 */

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

/* most: the weight of a hot sample; 1: all weigh the same. */
static struct cr_profile *
random_profile(uint32_t seed, uint32_t rows, uint32_t most)
{
	static const char *const names[] = {"main", "read", "g", "h", "poll", ""};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/a"), .kind = CR_KIND_USER});
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TIME);
	for (uint32_t i = 0; i < rows; i++) {
		const int32_t tid = (int32_t)next(&seed, 7);
		const bool hot = next(&seed, 4) == 0;
		cr_node_id node = CR_ROOT;

		for (uint32_t deep = next(&seed, 9); deep; deep--) {
			const struct cr_named named = {
				cr_str_of(names[hot ? deep % 3 : next(&seed, CR_LEN(names))]),
				CR_STR("a.c"), 1 + next(&seed, 2)};

			node = cr_builder_push(b, node,
				cr_builder_named_at(b, dso, 16 * next(&seed, 3), &named, 1));
		}
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000 + i,
					     .weight = hot || most == 1 ? most : next(&seed, 2),
					     .task = cr_builder_task(b, tid / 2, tid,
						     tid % 3 ? CR_STR("x") : CR_STR("y"), space),
					     .cpu = (uint16_t)next(&seed, 3),
					     .event = event,
					     .node = node});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
assert_same_node(const struct cr_tree *a, uint32_t m, const struct cr_tree *b, uint32_t n)
{
	assert_true(cr_str_eq(a->frames[a->frame[m]].name, b->frames[b->frame[n]].name));
	assert_int_equal(a->frame[m], b->frame[n]);
	assert_int_equal(a->depth[m], b->depth[n]);
	assert_int_equal(a->total[0][m], b->total[0][n]);
	assert_int_equal(a->extent[m], b->extent[n]);
	assert_int_equal(a->total_samples[0][m], b->total_samples[0][n]);
	assert_int_equal(a->self[0][m], b->self[0][n]);
	assert_int_equal(a->self_samples[0][m], b->self_samples[0][n]);
}

/* The subtree of a node, and the same node of the complete tree. Returns how many are closed. */
static uint32_t
check_subtree(const struct cr_tree *sketch, uint32_t n, const struct cr_tree *whole, uint32_t m)
{
	const uint64_t least = (whole->total[0][0] + CR_SKETCH_SHARE - 1) / CR_SKETCH_SHARE;
	uint32_t c = n + 1, d = m + 1, closed = 0;

	assert_same_node(whole, m, sketch, n);
	if (cr_sketch_is_closed(sketch, n)) {
		assert_int_equal(sketch->end[n], n + 1);
		assert_true(sketch->total[0][n] < least);
		return 1;
	}
	for (; c < sketch->end[n]; c = sketch->end[c], d = whole->end[d]) {
		assert_true(d < whole->end[m]);
		closed += check_subtree(sketch, c, whole, d);
	}
	assert_int_equal(d, whole->end[m]);
	return closed;
}

static void
check_opened(const struct cr_tree *sketch, uint32_t opened1)
{
	for (uint32_t n = 1; n < sketch->n; n++)
		assert_true(
			cr_sketch_group1(sketch, n) != opened1 || !cr_sketch_is_closed(sketch, n));
}

/* Returns how many nodes were closed. */
static uint32_t
check(const struct cr_profile *p, enum cr_group group, const struct cr_filter *f, uint32_t opened1)
{
	const struct cr_fold_opts opts = {.n_groups = 1, .groups = {(uint8_t)group}}, none = {0};
	struct cr_plan *plan = cr_plan_new(p, &opts);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *whole, *plain;
	struct cr_sketch k;
	uint32_t closed;

	assert_int_equal(cr_plan_fold(plan, f, &whole, &err), CR_OK);
	assert_int_equal(cr_fold(p, f, &none, &plain, &err), CR_OK);
	assert_int_equal(
		cr_plan_sketch(plan, f, &(struct cr_sketch_opts){0, opened1}, &k, &err), CR_OK);
	assert_non_null(k.tree);
	closed = check_subtree(k.tree, 0, whole, 0);
	assert_int_equal(k.tree->is_sketch, closed != 0);
	assert_int_equal(check_subtree(k.plain, 0, plain, 0), 0);
	assert_int_equal(k.unresolved, cr_tree_unresolved(whole, 0));
	assert_int_equal(k.tree->left_out[0], whole->left_out[0]);
	assert_int_equal(k.tree->n_frames, whole->n_frames);
	assert_int_equal(k.plain->n_frames, whole->n_frames);
	assert_true(cr_str_eq(k.tree->event, whole->event));
	check_opened(k.tree, opened1);
	cr_tree_free(k.tree);
	cr_tree_free(k.plain);
	cr_tree_free(whole);
	cr_tree_free(plain);
	cr_plan_free(plan);
	return closed;
}

static void
test_a_sketch_is_a_part_of_the_tree(void **state)
{
	static const enum cr_group groups[] = {CR_GROUP_TID, CR_GROUP_PID, CR_GROUP_CPU};
	const struct cr_filter all = {0}, some = {.cpus = {&(struct cr_range){1, 1}, 1}};

	(void)state;
	for (uint32_t seed = 1; seed <= 4; seed++) {
		struct cr_profile *p = random_profile(seed, 6000, 100000);

		for (size_t i = 0; i < CR_LEN(groups); i++)
			for (uint32_t opened1 = 0; opened1 < 3; opened1++) {
				assert_true(check(p, groups[i], &all, opened1) > 10);
				if (groups[i] != CR_GROUP_CPU || opened1 != 1)
					check(p, groups[i], &some, opened1);
			}
		cr_profile_free(p);
	}
}

/* If no node is too narrow, nothing is closed. */
static void
test_a_sketch_of_few_samples_is_the_tree(void **state)
{
	const struct cr_filter all = {0};
	struct cr_profile *p = random_profile(5, CR_SKETCH_SHARE, 1);

	(void)state;
	assert_int_equal(check(p, CR_GROUP_TID, &all, 0), 0);
	cr_profile_free(p);
}

static void
test_other_queries_have_no_sketch(void **state)
{
	static const struct {
		struct cr_fold_opts opts;
		uint64_t least_nodes;
	} others[] = {
		{{.n_groups = 1, .groups = {CR_GROUP_TID}}, UINT64_C(1) << 40},
		{{.n_groups = 1, .groups = {CR_GROUP_DSO}}, 0},
		{{.n_groups = 1, .groups = {CR_GROUP_EVENT}}, 0},
		{{.n_groups = 2, .groups = {CR_GROUP_PID, CR_GROUP_CPU}}, 0},
		{{.n_groups = 0}, 0},
	};
	const struct cr_filter all = {0};
	struct cr_profile *p = random_profile(6, 6000, 100000);

	(void)state;
	for (size_t i = 0; i < CR_LEN(others); i++) {
		struct cr_plan *plan = cr_plan_new(p, &others[i].opts);
		struct cr_err err = CR_ERR_INIT;
		struct cr_sketch k;

		assert_int_equal(
			cr_plan_sketch(plan, &all,
				&(struct cr_sketch_opts){others[i].least_nodes, 0}, &k, &err),
			CR_OK);
		assert_null(k.tree);
		assert_null(k.plain);
		cr_plan_free(plan);
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sketch_is_a_part_of_the_tree),
		cmocka_unit_test(test_a_sketch_of_few_samples_is_the_tree),
		cmocka_unit_test(test_other_queries_have_no_sketch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
