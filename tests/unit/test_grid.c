#include "testing.h"

#include <string.h>

#include "base/mem.h"
#include "tui/grid.h"

static const struct cr_look plain = {CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, 0};

static void
assert_dump(const struct cr_grid *g, const char *want)
{
	struct cr_text t = {0};

	cr_grid_dump(g, false, &t);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
test_text_is_cut_at_its_room_and_at_the_border(void **state)
{
	static const struct {
		int32_t x, max;
		const char *text, *want;
		int32_t used;
	} cases[] = {
		{0, 6, "abcdef", "abcdef\n", 6},
		{0, 4, "abcdef", "abcd\n", 4},
		{4, 6, "abcdef", "    ab\n", 2},
		{6, 6, "abcdef", "\n", 0},
		{0, 0, "abcdef", "\n", 0},
		{0, -1, "abcdef", "\n", 0},
		{0, 3, "\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\n", 2},
		{4, 6, "a\xe6\x97\xa5", "    a\n", 1},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_grid g;

		cr_grid_init(&g, 6, 1);
		assert_int_equal(cr_grid_text(&g, cases[i].x, 0, cases[i].max,
					 cr_str_of(cases[i].text), plain),
			cases[i].used);
		assert_dump(&g, cases[i].want);
		cr_grid_fini(&g);
	}
}

static void
test_control_bytes_never_reach_a_cell(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 40, 1);
	cr_grid_text(&g, 0, 0, 40,
		CR_STR("a\x1b[31m\n\0\xff"
		       "b"),
		plain);
	assert_dump(&g, "a\\x1b[31m\\x0a\\x00\\xff"
			"b\n");
	for (int32_t x = 0; x < 40; x++)
		assert_true(g.cells[x].ch >= 32 && g.cells[x].ch < 127);
	cr_grid_fini(&g);
}

/* e with two accents, a wide character with one, and how a mark goes when its letter does. */
static void
test_marks_stand_on_the_character_before_them(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 6, 1);
	assert_int_equal(
		cr_grid_text(&g, 0, 0, 3, CR_STR("e\xcc\x81\xcc\x82\xe6\x97\xa5\xcc\x81z"), plain),
		3);
	assert_dump(&g, "e\xcc\x81\xcc\x82\xe6\x97\xa5\xcc\x81\n");
	assert_int_equal(g.cells[0].ch, 'e');
	assert_int_equal(g.cells[0].marks[0], 0x301);
	assert_int_equal(g.cells[0].marks[1], 0x302);
	assert_int_equal(g.cells[0].marks[2], 0);
	assert_int_equal(g.cells[1].marks[0], 0x301);
	cr_grid_put(&g, 2, 0, 'x', plain); /* over the right half */
	cr_grid_put(&g, 0, 0, 'y', plain);
	assert_dump(&g, "y x\n");
	cr_grid_fini(&g);
}

/*
 * At the start of a text there is none before it: it must not stand on what another text has drawn.
 */
static void
test_a_mark_without_a_character_is_escaped(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 12, 1);
	cr_grid_text(&g, 0, 0, 12, CR_STR("a"), plain);
	assert_int_equal(cr_grid_text(&g, 1, 0, 11,
				 CR_STR("\xcc\x81"
					"b"),
				 plain),
		9);
	assert_dump(&g, "a\\xcc\\x81b\n");
	cr_grid_fini(&g);
}

/* More of them than a cell has room for, on the last cell too. */
static void
test_many_marks_stay_in_their_cell(void **state)
{
	struct cr_text t = {0};
	struct cr_grid g;

	(void)state;
	cr_text_puts(&t, "abc");
	for (int i = 0; i < 1000; i++)
		cr_text_puts(&t, "\xcc\x81");
	cr_grid_init(&g, 3, 1);
	assert_int_equal(cr_grid_text(&g, 0, 0, 3, cr_text_view(&t), plain), 3);
	assert_dump(&g, "abc\xcc\x81\xcc\x81\xcc\x81\xcc\x81\n");
	cr_grid_fini(&g);
	cr_text_fini(&t);
}

static void
test_drawing_outside_draws_nothing(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 3, 2);
	cr_grid_put(&g, -1, 0, 'x', plain);
	cr_grid_put(&g, 0, -1, 'x', plain);
	cr_grid_put(&g, 3, 0, 'x', plain);
	cr_grid_put(&g, 0, 2, 'x', plain);
	cr_grid_fill(&g, 2, 1, 10, 10, '#', plain);
	assert_dump(&g, "\n  #\n");
	cr_grid_fini(&g);
}

static void
test_half_a_wide_character_becomes_a_blank(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 4, 1);
	cr_grid_put(&g, 0, 0, 0x65e5, plain);
	cr_grid_put(&g, 1, 0, 'x', plain);
	assert_dump(&g, " x\n");
	cr_grid_put(&g, 1, 0, 0x65e5, plain);
	cr_grid_put(&g, 1, 0, 'y', plain);
	assert_dump(&g, " y\n");
	cr_grid_put(&g, 3, 0, 0x65e5, plain); /* no room for its right half */
	assert_dump(&g, " y\n");
	cr_grid_fini(&g);
}

static void
test_a_dump_tells_looks_by_letters(void **state)
{
	struct cr_text t = {0};
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 4, 1);
	cr_grid_put(&g, 0, 0, 'a', (struct cr_look){0xff0000, CR_COLOR_DEFAULT, CR_ATTR_BOLD});
	cr_grid_put(&g, 2, 0, 'b', (struct cr_look){CR_COLOR_DEFAULT, 0x00ff00, 0});
	cr_grid_put(&g, 3, 0, 'c', (struct cr_look){0xff0000, CR_COLOR_DEFAULT, CR_ATTR_BOLD});
	cr_grid_dump(&g, true, &t);
	assert_string_equal(t.p, "a bc\na ba\na #ff0000 bold\nb on #00ff00\n");
	cr_text_fini(&t);
	cr_grid_fini(&g);
}

static void
test_no_cells_at_all_are_a_grid_too(void **state)
{
	struct cr_grid g;

	(void)state;
	cr_grid_init(&g, 0, 0);
	cr_grid_put(&g, 0, 0, 'x', plain);
	assert_int_equal(cr_grid_text(&g, 0, 0, 10, CR_STR("abc"), plain), 0);
	cr_grid_resize(&g, 2, 1);
	cr_grid_put(&g, 0, 0, 'x', plain);
	assert_dump(&g, "x\n");
	cr_grid_fini(&g);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_cut_at_its_room_and_at_the_border),
		cmocka_unit_test(test_control_bytes_never_reach_a_cell),
		cmocka_unit_test(test_marks_stand_on_the_character_before_them),
		cmocka_unit_test(test_a_mark_without_a_character_is_escaped),
		cmocka_unit_test(test_many_marks_stay_in_their_cell),
		cmocka_unit_test(test_drawing_outside_draws_nothing),
		cmocka_unit_test(test_half_a_wide_character_becomes_a_blank),
		cmocka_unit_test(test_a_dump_tells_looks_by_letters),
		cmocka_unit_test(test_no_cells_at_all_are_a_grid_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
