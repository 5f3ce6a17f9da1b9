#include "view/scene/flame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/wide.h"
#include "testing_tree.h"

static const char letters[] = "a;b;c 40\na;b;d 20\na;b 10\na;e 20\nf 10\n";

static struct cr_scene
layout(const struct cr_tree *t, struct cr_flame_opts o)
{
	struct cr_scene s;

	cr_flame_layout(t, &o, &s);
	return s;
}

static const struct cr_box *
box_of(const struct cr_tree *t, const struct cr_scene *s, const char *path)
{
	const uint32_t at = cr_scene_find(s, testing_node(t, path));

	assert_int_not_equal(at, UINT32_MAX);
	return &s->boxes[at];
}

static void
assert_box(const struct cr_tree *t, const struct cr_scene *s, const char *path, int32_t x0,
	int32_t x1, int32_t row)
{
	const struct cr_box *b = box_of(t, s, path);

	assert_int_equal(b->x0, x0);
	assert_int_equal(b->x1, x1);
	assert_int_equal(b->row, row);
}

static void
test_widths_are_shares_and_rows_are_depths(void **state)
{
	struct cr_tree *t = testing_tree(1, letters);
	struct cr_scene s = layout(t, (struct cr_flame_opts){.width = 1000, .min_width = 1});

	(void)state;
	assert_int_equal(s.n, 7);
	assert_int_equal(s.rows, 4);
	assert_box(t, &s, "", 0, 1000, 0);
	assert_box(t, &s, "a", 0, 900, 1);
	assert_box(t, &s, "f", 900, 1000, 1);
	assert_box(t, &s, "a;b", 0, 700, 2);
	assert_box(t, &s, "a;e", 700, 900, 2);
	assert_box(t, &s, "a;b;c", 0, 400, 3);
	assert_box(t, &s, "a;b;d", 400, 600, 3);
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_a_zoom_takes_the_full_width_below_its_ancestors(void **state)
{
	struct cr_tree *t = testing_tree(1, letters);
	struct cr_scene s =
		layout(t, (struct cr_flame_opts){
				  .zoom = testing_node(t, "a;b"), .width = 700, .min_width = 1});

	(void)state;
	assert_int_equal(s.n, 5);
	assert_box(t, &s, "", 0, 700, 0);
	assert_box(t, &s, "a", 0, 700, 1);
	assert_box(t, &s, "a;b", 0, 700, 2);
	assert_box(t, &s, "a;b;c", 0, 400, 3);
	assert_int_equal(box_of(t, &s, "a")->flags, CR_BOX_ANCESTOR);
	assert_int_equal(box_of(t, &s, "a;b")->flags, 0);
	assert_int_equal(cr_scene_find(&s, testing_node(t, "f")), UINT32_MAX);
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_narrow_neighbours_are_gathered_into_one_box_that_can_be_seen(void **state)
{
	struct cr_tree *t = testing_tree(1, "wide 90\na;x 2\nb 2\nc 2\nd 2\ne 2\n");
	const uint8_t hit[] = {0, 0, 0, 1, 0, 0, 0, 0}; /* x */
	struct cr_scene s =
		layout(t, (struct cr_flame_opts){.width = 100, .min_width = 8, .hit = hit});
	const struct cr_box *b = box_of(t, &s, "c");

	(void)state;
	assert_int_equal(s.n, 3);
	assert_int_equal(b->flags, CR_BOX_GATHERED | CR_BOX_HIT);
	assert_int_equal(b->count, 5);
	assert_int_equal(b->x0, 90);
	assert_int_equal(b->x1, 100);
	assert_int_equal(b->node, testing_node(t, "a"));
	assert_int_equal(b->node_end, t->n);
	assert_ptr_equal(box_of(t, &s, "a;x"), b);
	cr_scene_fini(&s);
	s = layout(t, (struct cr_flame_opts){.width = 70, .min_width = 8});
	assert_int_equal(s.n, 2); /* all five are 7 units: too narrow still */
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_rows_scrolled_past_and_rows_below_the_last_are_left_out(void **state)
{
	struct cr_tree *t = testing_tree(1, letters);
	struct cr_scene s =
		layout(t, (struct cr_flame_opts){
				  .width = 1000, .min_width = 1, .first_row = 1, .max_rows = 2});

	(void)state;
	assert_int_equal(s.n, 4);
	assert_int_equal(s.rows, 3);
	assert_int_equal(s.row_first[1], 0);
	assert_int_equal(cr_scene_at(&s, 10, 0), UINT32_MAX);
	assert_box(t, &s, "a;e", 700, 900, 2);
	assert_int_equal(cr_scene_find(&s, testing_node(t, "a;b;c")), UINT32_MAX);
	cr_scene_fini(&s);
	s = layout(t, (struct cr_flame_opts){.width = 1000, .min_width = 1, .first_row = 90});
	assert_int_equal(s.n, 0);
	assert_int_equal(s.rows, 0);
	cr_scene_fini(&s);
	s = layout(t, (struct cr_flame_opts){
			      .zoom = testing_node(t, "a;b;c"), .width = 9, .max_rows = 2});
	assert_int_equal(s.n, 2);
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_a_point_finds_the_box_it_lies_in(void **state)
{
	static const struct {
		int32_t x, row;
		const char *path;
	} cases[] = {
		{0, 0, ""},
		{999, 0, ""},
		{899, 1, "a"},
		{900, 1, "f"},
		{399, 3, "a;b;c"},
		{400, 3, "a;b;d"},
		{600, 3, NULL},
		{1000, 0, NULL},
		{-1, 0, NULL},
		{0, 4, NULL},
		{0, -1, NULL},
	};
	struct cr_tree *t = testing_tree(1, letters);
	struct cr_scene s = layout(t, (struct cr_flame_opts){.width = 1000, .min_width = 1});

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint32_t at = cr_scene_at(&s, cases[i].x, cases[i].row);

		if (!cases[i].path)
			assert_int_equal(at, UINT32_MAX);
		else
			assert_int_equal(s.boxes[at].node, testing_node(t, cases[i].path));
	}
	cr_scene_fini(&s);
	cr_tree_free(t);
}

/* A tree of some thousand nodes with weights of all sizes, the same every time. */
static struct cr_tree *
random_tree(void)
{
	static const struct cr_frame frames[] = {{.name = CR_STR("all")}, {.name = CR_STR("a")},
		{.name = CR_STR("b")}, {.name = CR_STR("c")}, {.name = CR_STR("d")},
		{.name = CR_STR("e")}};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	uint64_t seed = 42;

	for (int i = 0; i < 3000; i++) {
		uint32_t node = 0, depth;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		depth = 1 + (uint32_t)(seed >> 33) % 12;
		for (uint32_t d = 0; d < depth; d++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			node = cr_tree_builder_child(tb, node, 1 + (uint32_t)(seed >> 33) % 5);
		}
		cr_tree_builder_add(tb, node, 0, (uint64_t)1 << (seed >> 58) % 40, 1);
	}
	return cr_tree_builder_finish(tb, NULL);
}

static void
test_siblings_tile_without_gap_or_overlap_inside_their_parent(void **state)
{
	static const int32_t widths[] = {1, 7, 80, 640, 11680, 1000003};
	struct cr_tree *t = random_tree();

	(void)state;
	for (size_t w = 0; w < CR_LEN(widths); w++) {
		struct cr_scene s =
			layout(t, (struct cr_flame_opts){.width = widths[w], .min_width = 1});

		for (uint32_t i = 0; i < s.n; i++) {
			const struct cr_box *b = &s.boxes[i];
			const bool first = b->node == t->parent[b->node] + 1;

			assert_true(b->x0 < b->x1);
			if (b->node == 0)
				continue;
			const struct cr_box *up = &s.boxes[cr_scene_find(&s, t->parent[b->node])];
			assert_true(b->x0 >= up->x0 && b->x1 <= up->x1);
			if (first)
				assert_int_equal(b->x0, up->x0);
			else if (s.boxes[i - 1].node_end == b->node && i > s.row_first[b->row])
				assert_int_equal(b->x0, s.boxes[i - 1].x1);
		}
		cr_scene_fini(&s);
	}
	cr_tree_free(t);
}

static void
test_every_node_wide_enough_is_drawn_or_gathered(void **state)
{
	struct cr_tree *t = random_tree();
	const int32_t width = 640, least = 8;
	struct cr_scene s = layout(t, (struct cr_flame_opts){.width = width, .min_width = least});

	(void)state;
	for (uint32_t n = 0; n < t->n; n++) {
		const bool wide = !cr_wide_less(cr_wide_mul(t->extent[n], (unsigned)width),
			cr_wide_mul(t->extent[0], (unsigned)least));
		const uint32_t at = cr_scene_find(&s, n);

		if (wide)
			assert_int_equal(s.boxes[at].node, n);
		if (at != UINT32_MAX)
			assert_true(s.boxes[at].x1 - s.boxes[at].x0 >= least);
	}
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_weights_near_the_largest_number_lay_out_too(void **state)
{
	struct cr_tree *t = testing_tree(1, "a 18446744073709551615\nb 18446744073709551615\n");
	struct cr_scene s = layout(t, (struct cr_flame_opts){.width = 1000, .min_width = 1});

	(void)state;
	for (uint32_t i = 0; i < s.n; i++)
		assert_true(s.boxes[i].x1 <= 1000);
	cr_scene_fini(&s);
	cr_tree_free(t);
}

static void
test_a_tree_without_weight_is_its_root(void **state)
{
	struct cr_tree *t = testing_tree(1, "");
	struct cr_scene s = layout(t, (struct cr_flame_opts){.width = 80, .min_width = 1});

	(void)state;
	assert_int_equal(s.n, 1);
	assert_int_equal(s.boxes[0].x1, 80);
	cr_scene_fini(&s);
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths_are_shares_and_rows_are_depths),
		cmocka_unit_test(test_a_zoom_takes_the_full_width_below_its_ancestors),
		cmocka_unit_test(test_narrow_neighbours_are_gathered_into_one_box_that_can_be_seen),
		cmocka_unit_test(test_rows_scrolled_past_and_rows_below_the_last_are_left_out),
		cmocka_unit_test(test_a_point_finds_the_box_it_lies_in),
		cmocka_unit_test(test_siblings_tile_without_gap_or_overlap_inside_their_parent),
		cmocka_unit_test(test_every_node_wide_enough_is_drawn_or_gathered),
		cmocka_unit_test(test_weights_near_the_largest_number_lay_out_too),
		cmocka_unit_test(test_a_tree_without_weight_is_its_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
