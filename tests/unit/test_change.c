#include "view/style/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_tree.h"

#include "view/style/palette.h"

static uint32_t
strength(const struct cr_change_look *c, int32_t ppm)
{
	const uint32_t rgb = cr_change_color(c, ppm), grey = cr_change_color(c, 0);
	uint32_t sum = 0;

	for (unsigned shift = 0; shift < 24; shift += 8)
		sum += (uint32_t)abs((int)(rgb >> shift & 255) - (int)(grey >> shift & 255));
	return sum;
}

static void
test_cost_that_moved_is_coloured_where_it_is_spent(void **state)
{
	struct cr_tree *t = testing_tree(2, "main;slow 10 60\nmain;fast 90 90\n");
	const struct cr_change_look self = cr_change_look_make(t, false, NULL);
	const struct cr_change_look total = cr_change_look_make(t, true, NULL);
	const uint32_t slow = testing_node(t, "main;slow"), fast = testing_node(t, "main;fast");

	(void)state;
	assert_int_equal(cr_change_ppm(&self, slow), 300000);
	assert_int_equal(cr_change_color_of(&self, slow), cr_palette_diff(1, 1));
	assert_int_equal(cr_change_color_of(&self, fast), cr_palette_diff(-1, 1));
	assert_int_equal(cr_change_color_of(&self, testing_node(t, "main")), cr_palette_diff(0, 1));
	assert_int_equal(cr_change_mark(&self, slow), '+');
	assert_int_equal(cr_change_mark(&self, fast), '-');
	assert_int_equal(cr_change_mark(&self, testing_node(t, "main")), 0);
	assert_int_equal(cr_change_ppm(&total, slow), 300000);
	assert_int_equal(cr_change_ppm(&total, testing_node(t, "main")), 0);
	cr_tree_free(t);
}

static void
test_one_large_change_does_not_make_the_others_grey(void **state)
{
	struct cr_tree *t = testing_tree(2, "big 100 900\nsmall 100 110\nsame 1000 1000\n");
	const struct cr_change_look c = cr_change_look_make(t, false, NULL);

	(void)state;
	assert_int_equal(c.cap_ppm, 50000);
	assert_int_equal(cr_change_color(&c, 400000), cr_change_color(&c, 50000));
	/* A change of one point, a fifth of the cap, has almost half of the colour. */
	assert_true(strength(&c, 10000) * 5 > strength(&c, 50000) * 2);
	assert_true(strength(&c, -10000) * 5 > strength(&c, -50000) * 2);
	for (int32_t ppm = 100; ppm < 60000; ppm += 100)
		assert_true(strength(&c, ppm) >= strength(&c, ppm - 100));
	cr_tree_free(t);
}

static void
test_small_changes_do_not_have_strong_colours(void **state)
{
	struct cr_tree *t = testing_tree(2, "a 100000 100100\nb 100000 99900\n");
	const struct cr_change_look c = cr_change_look_make(t, false, NULL);
	struct cr_text text = {0};

	(void)state;
	assert_int_equal(c.cap_ppm, 5000);
	cr_change_put_scale(&c, &text);
	assert_string_equal(text.p, "self cost, strongest from 0.50 points on");
	cr_text_fini(&text);
	cr_tree_free(t);
}

static void
test_noise_is_grey_and_does_not_set_the_cap(void **state)
{
	struct cr_tree *t = testing_tree(2, "noisy 100 200\nother 900 890\n");
	uint8_t noise[8] = {0};
	struct cr_change_look c;
	const uint32_t node = testing_node(t, "noisy");

	(void)state;
	assert_true(t->n_frames <= sizeof(noise));
	noise[t->frame[node]] = 1;
	c = cr_change_look_make(t, false, noise);
	assert_int_equal(cr_change_ppm(&c, node), 0);
	assert_int_equal(cr_change_mark(&c, node), 0);
	assert_int_equal(cr_change_color_of(&c, node), cr_palette_diff(0, 1));
	assert_int_equal(cr_change_mark(&c, testing_node(t, "other")), '-');
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost_that_moved_is_coloured_where_it_is_spent),
		cmocka_unit_test(test_one_large_change_does_not_make_the_others_grey),
		cmocka_unit_test(test_small_changes_do_not_have_strong_colours),
		cmocka_unit_test(test_noise_is_grey_and_does_not_set_the_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
