#include "testing.h"

#include "query/fold/sketch/sketch.h"
#include "session/split_layout_p.h"
#include "session/trees_p.h"
#include "session_samples.h"

#include <inttypes.h>

/*
 * A session whose trees are sketches shows what one with complete trees shows, after whatever
 * commands: boxes, functions, selection, costs, and what undo restores.
 */

#define ROWS 20000u

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static const char *const names[] = {"main", "read", "parse", "lex", "poll", "hash", "sort", ""};

/* Few stacks are hot in each thread, the others are too narrow to draw. */
static struct cr_profile *
many_threads(uint32_t seed, bool stored)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/a"), .kind = CR_KIND_USER});
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TIME |
				    CR_PROFILE_HAS_SAMPLES);
	for (uint32_t i = 0; i < ROWS; i++) {
		const uint32_t tid = next(&seed, 9);
		const bool hot = next(&seed, 40) == 0;
		uint32_t stack = hot ? tid * 3 + next(&seed, 3) : 100 + next(&seed, 20000);
		cr_node_id node = CR_ROOT;

		for (uint32_t deep = 2 + next(&stack, 9); deep; deep--)
			node = cr_builder_push(b, node,
				cr_builder_named(
					b, cr_str_of(names[next(&stack, CR_LEN(names))]), dso));
		cr_builder_sample(b,
			&(struct cr_sample){.time_ns = 1000 + i,
				.weight = hot ? 10000 + next(&seed, 3000) : 1,
				.task = cr_builder_task(b, (int32_t)tid / 3 + 1, (int32_t)tid + 1,
					tid % 2 ? CR_STR("x") : CR_STR("y"), space),
				.cpu = (uint16_t)next(&seed, 4),
				.event = event,
				.node = node});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	if (stored)
		cr_default_tree_make(p);
	cr_builder_free(b);
	return p;
}

static struct cr_session *
session_new(uint32_t seed, uint64_t least_nodes, int32_t width, bool stored)
{
	struct cr_session *s = NULL;
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(
		cr_session_new(many_threads(seed, stored), "p", NULL, NULL, NULL, NULL, &s, &err),
		CR_OK);
	cr_trees_set_least(s->trees, least_nodes);
	cr_session_on_screen(s);
	cr_split_resize(s, width, 40);
	return s;
}

/* ---- what is shown */

static void
put_flame(struct cr_session *s, struct cr_text *out)
{
	struct cr_view *v = view_called(s, "flame");
	const struct cr_scene_surface *surface = v->ops->surface_of(v, s);

	for (uint32_t i = 0; i < surface->scene->n; i++) {
		const struct cr_box *b = &surface->scene->boxes[i];

		cr_text_printf(out, "%d %d %d %u %u %s\n", b->row, b->x0, b->x1, b->count, b->flags,
			node_name(s, b->node));
	}
}

static void
put_rows(struct cr_session *s, struct cr_view *v, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = v->ops->surface_of(v, s);

	cr_text_printf(out, "%s\n", v->ops->name);
	for (uint32_t i = 0; i < v->n; i++) {
		if (surface->row)
			surface->row(surface, i, 70, true, out);
		cr_text_char(out, '\n');
	}
}

static void
put_stack(const struct cr_session *s, const char *what, uint32_t node, struct cr_text *out)
{
	cr_text_puts(out, what);
	for (; node; node = s->tree->parent[node])
		cr_text_printf(out, " %s", node_name(s, node));
	cr_text_char(out, '\n');
}

/* The caller frees it. */
static char *
shown(struct cr_session *s)
{
	struct cr_view *v = cr_view_current(s), *other = cr_split_other(s);
	const struct cr_view_costs c = cr_view_costs(s);
	struct cr_text out = {0};

	/* Where no function is selected the line of a table is that of the last selection. */
	cr_text_printf(&out, "%s %" PRIu64 "\n", v->ops->name, s->unresolved[0]);
	if (v->ops->surface == CR_SURFACE_SCENE)
		cr_text_printf(&out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " of %" PRIu64 "\n",
			c.total[0], c.self[0], c.samples[0], c.zoom[0]);
	put_stack(s, "selected", s->selection.node, &out);
	put_stack(s, "zoom", s->zoom, &out);
	cr_text_printf(
		&out, "%u above, message %s\n", s->n_trail, s->message.len ? s->message.p : "");
	if (v->ops->surface == CR_SURFACE_SCENE)
		put_flame(s, &out);
	else
		put_rows(s, v, &out);
	if (other && other->ops->surface == CR_SURFACE_SHEET)
		put_rows(s, other, &out);
	return out.p;
}

static void
assert_same_shown(struct cr_session *a, struct cr_session *b, const char *after)
{
	char *x = shown(a), *y = shown(b);
	size_t same = 0;

	while (x[same] && x[same] == y[same])
		same++;
	while (same && x[same - 1] != '\n')
		same--;
	if (strcmp(x, y) != 0)
		fail_msg("after %s: %.200s\ninstead of: %.200s", after, x + same, y + same);
	free(x);
	free(y);
}

/* ---- */

/* Moves in a table begin at its line, which is another one where no function is selected. */
static const char *const any[] = {"view flame; up", "view flame; up", "view flame; up",
	"view flame; down", "view flame; left", "view flame; right", "view flame; right", "child",
	"parent", "zoom", "zoom", "out", "reset", "undo", "undo", "redo", "group tid", "group cpu",
	"group pid", "group comm", "pid 2", "cpu 1", "cpu 0-2", "clear", "pop", "root toggle",
	"view functions", "view flame", "view flame", "view tree", "view threads", "pane next",
	"search lex", "clear-search", "focus parse", "invert", "view flame; first",
	"view flame; last", "view flame; page-up", "view flame; top", "select 5", "split none",
	"split auto", "undo all", "mark 0..5us", "only time", "size 90 30", "size 190 40",
	"also cpu 3", "group tid; group cpu; up; zoom", "copy stack"};

/*
 * Returns how often the tree was a sketch. Without a stored tree, all stacks may be one; with it,
 * only those in groups.
 */
static uint32_t
walk(uint32_t seed, int32_t width, bool stored)
{
	struct cr_session *sketched = session_new(seed, 0, width, stored),
			  *whole = session_new(seed, UINT64_MAX, width, stored);
	uint32_t sketches = 0;

	for (uint32_t i = 0; i < 150; i++) {
		const char *line = i % 25             ? any[next(&seed, CR_LEN(any))]
				   : stored || i % 50 ? "view flame; group cpu"
						      : "view flame; clear; cpu 0-1";

		/* Numbers of nodes are those of the complete tree for everyone. */
		assert_int_equal(run_code(sketched, line), run_code(whole, line));
		assert_same_shown(sketched, whole, line);
		assert_false(whole->tree->is_sketch);
		sketches += sketched->tree->is_sketch;
	}
	cr_session_free(sketched);
	cr_session_free(whole);
	return sketches;
}

static void
test_a_sketch_looks_like_the_tree(void **state)
{
	uint32_t sketches = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 4; seed++)
		sketches += walk(seed, 190, true) + walk(seed + 100, 90, true);
	assert_true(sketches > 100);
}

static void
test_a_sketch_of_many_stacks_looks_like_the_tree(void **state)
{
	uint32_t sketches = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 4; seed++)
		sketches += walk(seed, 190, false) + walk(seed + 100, 90, false);
	assert_true(sketches > 200);
}

/* Everything else but moves and filters is about the complete tree. */
static void
test_other_commands_complete_the_tree(void **state)
{
	static const char *const lines[] = {"view tree", "search lex", "focus main", "select 3",
		"print flame", "copy stack", "split none", "view functions; down"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(lines); i++) {
		struct cr_session *s = session_new(3, 0, 190, true);

		run(s, "group tid; up; up; zoom; out");
		assert_true(s->tree->is_sketch);
		run(s, lines[i]);
		assert_false(s->tree->is_sketch);
		cr_session_free(s);
	}
}

/* Of very many stacks only the way to what is selected or zoomed is made. */
static void
test_a_way_down_needs_no_complete_tree(void **state)
{
	struct cr_session *sketched = session_new(3, 0, 190, false),
			  *whole = session_new(3, UINT64_MAX, 190, false);

	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		const char *line = i % 12 == 0    ? "view flame; clear; cpu 0-2; last"
				   : i % 12 == 9  ? "zoom"
				   : i % 12 == 10 ? "undo"
				   : i % 12 == 11 ? "undo; redo"
						  : "child";

		run(sketched, line);
		run(whole, line);
		assert_same_shown(sketched, whole, line);
		assert_true(sketched->tree->is_wide);
	}
	cr_session_free(sketched);
	cr_session_free(whole);
}

/* Groups of a profile that has not very many stacks: only one of them is made in full. */
static void
test_few_stacks_are_sketched_by_group(void **state)
{
	struct cr_session *s = session_new(4, UINT64_MAX, 80, false);

	(void)state;
	cr_trees_set_least(s->trees, s->profile[0]->n_nodes);
	run(s, "group cpu");
	assert_true(s->tree->is_sketch && !s->tree->is_wide);
	cr_trees_set_least(s->trees, s->profile[0]->n_nodes / 2);
	run(s, "group pid");
	assert_true(s->tree->is_wide);
	cr_session_free(s);
}

/* Not shown on a screen, as in scripts. */
static void
test_scripts_have_no_sketch(void **state)
{
	struct cr_session *s = NULL;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(
		cr_session_new(many_threads(1, true), "p", NULL, NULL, NULL, NULL, &s, &err),
		CR_OK);
	cr_trees_set_least(s->trees, 0);
	run(s, "group tid");
	assert_false(s->tree->is_sketch);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sketch_looks_like_the_tree),
		cmocka_unit_test(test_a_sketch_of_many_stacks_looks_like_the_tree),
		cmocka_unit_test(test_a_way_down_needs_no_complete_tree),
		cmocka_unit_test(test_other_commands_complete_the_tree),
		cmocka_unit_test(test_few_stacks_are_sketched_by_group),
		cmocka_unit_test(test_scripts_have_no_sketch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
