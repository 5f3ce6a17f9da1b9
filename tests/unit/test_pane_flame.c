#include "testing.h"

#include "session_samples.h"

#include "session/views/view_flame_p.h"

#include "base/hash.h"
#include "tui/panes/pane_p.h"

#define CELL CR_CELL_UNITS

/* How many eighths of a cell are not the terminal's background. */
static int32_t
units_painted(const struct cr_cell *c)
{
	int32_t left = -1;

	if (c->ch >= 0x2589 && c->ch <= 0x258f)
		left = (int32_t)(0x2590 - c->ch);
	if (c->attr & CR_ATTR_REVERSE && left >= 0)
		return CELL - left;
	if (c->bg != CR_COLOR_DEFAULT)
		return CELL;
	return left >= 0 ? left : 0;
}

/* What the scene says; parts is how many boxes and gaps the cell holds. */
static int32_t
units_in_scene(const struct cr_scene *scene, int32_t row, int32_t cell, int *parts)
{
	int32_t units = 0, last = -1;

	*parts = 0;
	for (int32_t x = cell * CELL; x < (cell + 1) * CELL; x++) {
		const uint32_t box = cr_scene_at(scene, x, row);

		units += box != UINT32_MAX;
		*parts += (int32_t)box != last || x == cell * CELL;
		last = (int32_t)box;
	}
	return units;
}

static struct cr_pane
pane_on(struct cr_grid *g, const struct cr_term *t, cr_zones *zones)
{
	return (struct cr_pane){
		.g = g, .term = t, .zones = zones, .width = g->width, .height = g->height};
}

static void
test_eighths_on_the_screen_are_those_of_the_scene(void **state)
{
	const struct cr_term term = {.unicode = true, .colors = CR_COLORS_DIRECT};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	for (int32_t width = 20; width < 200; width += 7) {
		cr_zones zones = {0};
		struct cr_grid g;
		struct cr_pane p;
		char line[32];

		cr_grid_init(&g, width, 6);
		p = pane_on(&g, &term, &zones);
		snprintf(line, sizeof(line), "size %d 6; root up", width);
		run(s, line);
		cr_pane_view_draw(cr_view_current(s), s, &p);
		for (int32_t row = 0; row < cr_view_flame_scene(s)->rows; row++)
			for (int32_t x = 0; x < width; x++) {
				const struct cr_cell *c = &g.cells[row * width + x];
				int parts;
				const int32_t want =
					units_in_scene(cr_view_flame_scene(s), row, x, &parts);

				/* Of three parts the narrowest is left out. */
				if (parts < 3)
					assert_int_equal(units_painted(c), want);
			}
		cr_grid_fini(&g);
		cr_vec_fini(&zones);
	}
	cr_session_free(s);
}

/* The node drawn at a cell. */
static uint32_t
flame_at(struct cr_session *s, const struct cr_pane *p, int32_t x, int32_t y)
{
	const struct cr_view *v = cr_view_current(s);

	return cr_pane_scene_at(
		cr_view_current(s)->ops->surface_of(cr_view_current(s), s), v->first, p, x, y);
}

static void
test_a_click_finds_the_box_that_is_drawn_there(void **state)
{
	const struct cr_term term = {.unicode = true, .colors = CR_COLORS_DIRECT};
	struct cr_session *s = sample_session(sample_stacks, NULL);
	cr_zones zones = {0};
	struct cr_grid g;
	struct cr_pane p;

	(void)state;
	run(s, "size 80 10");
	cr_grid_init(&g, 80, 10);
	p = pane_on(&g, &term, &zones);
	assert_string_equal(node_name(s, flame_at(s, &p, 0, 9)), "all");
	assert_string_equal(node_name(s, flame_at(s, &p, 79, 8)), "y");
	assert_string_equal(node_name(s, flame_at(s, &p, 1, 5)), "draw");
	assert_int_equal(flame_at(s, &p, 79, 5), CR_NO_ROW);
	assert_int_equal(flame_at(s, &p, 0, 0), CR_NO_ROW);
	run(s, "root up");
	assert_string_equal(node_name(s, flame_at(s, &p, 0, 0)), "all");
	cr_grid_fini(&g);
	cr_vec_fini(&zones);
	cr_session_free(s);
}

static void
test_without_colour_the_selection_is_reversed_and_boxes_have_bars(void **state)
{
	const struct cr_term term = {.unicode = false, .colors = CR_COLORS_NONE};
	struct cr_session *s = sample_session(sample_stacks, NULL);
	cr_zones zones = {0};
	struct cr_text t = {0};
	struct cr_grid g;
	struct cr_pane p;

	(void)state;
	run(s, "size 40 5; search lex");
	run(s, "select render");
	cr_grid_init(&g, 40, 5);
	p = pane_on(&g, &term, &zones);
	cr_pane_view_draw(cr_view_current(s), s, &p);
	cr_grid_dump(&g, true, &t);
	assert_string_equal(t.p, "|draw           | |lex|\n"
				 "|render           |parse          |spin\n"
				 "|main                             |start\n"
				 "|x                                |y\n"
				 "|all\n"
				 "                  aaaa\n"
				 "bbbbbbbbbbbbbbbbbb\n"
				 "\n"
				 "\n"
				 "\n"
				 "a bold underline\n"
				 "b reverse\n");
	cr_text_fini(&t);
	cr_grid_fini(&g);
	cr_vec_fini(&zones);
	cr_session_free(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eighths_on_the_screen_are_those_of_the_scene),
		cmocka_unit_test(test_a_click_finds_the_box_that_is_drawn_there),
		cmocka_unit_test(test_without_colour_the_selection_is_reversed_and_boxes_have_bars),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
