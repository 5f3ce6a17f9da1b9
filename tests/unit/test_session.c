#include "testing.h"

#include "session_samples.h"

#include "session/selection_set_p.h"
#include "session/views/view_flame_p.h"
#include "session/views/view_functions_p.h"

static void
test_a_session_opens_with_the_event_of_most_samples_and_all_selected(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	assert_true(cr_str_eq(s->tree->event, CR_STR("cycles")));
	assert_view(s, "flame");
	assert_int_equal(s->zoom, 0);
	assert_int_equal(s->selection.node, 0);
	assert_int_equal(s->threads[0], 1);
	assert_int_equal(s->tree->total[0][0], 100);
	cr_session_free(s);
}

static void
test_an_event_nobody_recorded_is_refused(void **state)
{
	struct cr_query q = {0};
	struct cr_session *s;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_query_parse(&q, "event nothing", &err), CR_OK);
	assert_int_equal(
		cr_session_new(sample_profile(sample_stacks), "x", NULL, NULL, &q, NULL, &s, &err),
		CR_ENOTFOUND);
	assert_null(s);
	cr_query_fini(&q);
}

static void
test_another_event_keeps_zoom_and_selection_where_the_stack_exists(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "zoom main; select lex; search ^l");
	run(s, "event misses");
	assert_true(cr_str_eq(s->tree->event, CR_STR("misses")));
	assert_zoom(s, "main");
	assert_selected(s, "lex");
	assert_int_equal(s->search.weight[0], 7);
	run(s, "event next; event previous");
	assert_selected(s, "lex");
	/* draw is not in this event: as far down as there is something. */
	run(s, "event cycles; select draw; event misses");
	assert_selected(s, "main");
	run(s, "out");
	assert_int_equal(s->zoom, 0);
	cr_session_free(s);
}

static void
test_the_selection_follows_from_view_to_view(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "select lex; view functions");
	assert_int_equal(cr_view_functions_rows(s)->table.frame_row[cr_view_frame(s)],
		cr_view_functions_rows(s)->table.frame_row[s->tree->frame[s->selection.node]]);
	run(s, "top");
	assert_int_equal(view_called(s, "functions")->row, 0);
	assert_selected(s, "draw"); /* most self */
	run(s, "open");
	assert_view(s, "flame");
	assert_selected(s, "draw");
	assert_string_equal(s->pattern, "draw");
	assert_true(s->literal);
	cr_session_free(s);
}

static void
test_parts_of_the_selection_are_set_one_by_one(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	const struct cr_selection *n = &s->selection;
	char *text;

	(void)state;
	assert_int_equal(n->parts, CR_SELECTED_NODE);
	run(s, "select lex");
	assert_int_equal(n->parts, CR_SELECTED_NODE | CR_SELECTED_FUNCTION | CR_SELECTED_DSO);
	assert_true(cr_str_eq(n->function, CR_STR("lex")));
	assert_true(cr_str_eq(n->dso, CR_STR("/bin/x")));
	run(s, "select-line src/lex.c:12; select-thread 7/12; mark 1.5s..2s");
	assert_true(cr_str_eq(n->file, CR_STR("src/lex.c")));
	assert_int_equal(n->line, 12);
	assert_int_equal(n->pid, 7);
	assert_int_equal(n->tid, 12);
	assert_int_equal(n->from_ns, 1500000000);
	assert_int_equal(n->to_ns, 2000000000);
	text = run_text(s, "print selected");
	assert_non_null(strstr(text, "line      src/lex.c:12\n"));
	assert_non_null(strstr(text, "thread    12 of process 7\n"));
	assert_non_null(strstr(text, "marked    1.5s..2s\n"));
	free(text);
	/* Another function has other lines; thread and time stay. */
	run(s, "select draw");
	assert_int_equal(n->parts, CR_SELECTED_NODE | CR_SELECTED_FUNCTION | CR_SELECTED_DSO |
					   CR_SELECTED_THREAD | CR_SELECTED_TIME);
	run(s, "unselect thread; unselect time; select 0");
	assert_int_equal(n->parts, CR_SELECTED_NODE);
	assert_int_equal(n->tid, 0);
	cr_session_free(s);
}

static void
test_undo_restores_every_part_of_the_selection(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	const struct cr_selection *n = &s->selection;

	(void)state;
	run(s, "select lex; mark 1s..2s; view functions; mark ..3s; select-thread 5");
	assert_int_equal(n->from_ns, 0);
	assert_int_equal(n->to_ns, UINT64_C(3000000000));
	assert_int_equal(n->pid, -1);
	run(s, "undo");
	assert_int_equal(n->from_ns, 1000000000);
	assert_int_equal(n->parts & CR_SELECTED_THREAD, 0);
	run(s, "undo; undo");
	assert_int_equal(n->parts, CR_SELECTED_NODE);
	run(s, "redo; redo; redo");
	assert_int_equal(n->tid, 5);
	assert_selected(s, "lex");
	cr_session_free(s);
}

static void
test_a_part_that_makes_no_sense_changes_nothing(void **state)
{
	static const char *const lines[] = {"select-thread x", "select-thread 1/",
		"select-thread -1", "select-line 12", "select-line :12", "select-line a.c:0",
		"mark", "mark 5s..3s", "mark 10%..20%", "unselect all", "unselect"};
	struct cr_session *s = sample_session(sample_stacks, NULL);
	const struct cr_selection was = s->selection;

	(void)state;
	for (size_t i = 0; i < CR_LEN(lines); i++) {
		if (run_code(s, lines[i]) != CR_EUSAGE)
			fail_msg("%s: %d", lines[i], run_code(s, lines[i]));
		assert_true(cr_selection_same(&was, &s->selection));
	}
	cr_session_free(s);
}

static uint32_t
table_row_of(struct cr_session *s, struct cr_str function)
{
	const struct cr_functions *f = cr_view_functions_rows(s);

	for (uint32_t i = 0; i < f->table.n; i++)
		if (cr_str_eq(s->tree->frames[cr_table_frame(&f->table, f->sheet.order[i])].name,
			    function))
			return i;
	return UINT32_MAX;
}

/* What a row of any sheet stands for is selected in all views. */
static void
test_rows_of_sheets_select_what_they_stand_for(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	const struct cr_row_ref thread = {.kind = CR_ROW_THREAD, .id = 12, .other = 7},
				range = {.kind = CR_ROW_RANGE, .from = 5, .to = 9},
				line = {.kind = CR_ROW_LINE, .name = CR_STR("a.c"), .id = 3},
				none = {.kind = CR_ROW_NONE};
	struct cr_row_ref frame = {.kind = CR_ROW_FRAME};
	struct cr_selection was;

	(void)state;
	run(s, "view functions; select lex");
	frame.id = s->tree->frame[s->selection.node];
	run(s, "select draw");
	assert_selected(s, "draw");
	cr_session_select_row(s, &frame);
	assert_selected(s, "lex");
	cr_session_select_row(s, &thread);
	cr_session_select_row(s, &range);
	cr_session_select_row(s, &line);
	was = s->selection;
	assert_int_equal(was.tid, 12);
	assert_int_equal(was.pid, 7);
	assert_int_equal(was.to_ns, 9);
	assert_int_equal(was.line, 3);
	cr_session_select_row(s, &none);
	assert_true(cr_selection_same(&was, &s->selection));
	/* Only the dso's own functions stay selected with it. */
	cr_session_select_dso(s, CR_STR("/bin/x"));
	assert_selected(s, "lex");
	run(s, "select 0");
	cr_session_select_dso(s, CR_STR("/bin/x"));
	assert_selected(s, "main");
	cr_session_select_profile(s, CR_STR("nightly"));
	assert_true(cr_str_eq(s->selection.profile, CR_STR("nightly")));
	assert_false(cr_session_select_function(s, CR_STR("nothing"), CR_STR("")));
	assert_selected(s, "main");
	assert_true(cr_session_select_function(s, CR_STR("spin"), CR_STR("/bin/x")));
	assert_selected(s, "spin");
	cr_session_free(s);
}

static void
test_the_table_is_that_of_the_zoom(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "view functions");
	assert_int_equal(cr_view_functions_rows(s)->table.n, 7);
	run(s, "zoom render");
	assert_int_equal(cr_view_functions_rows(s)->table.n, 2);
	assert_int_equal(cr_view_functions_rows(s)->table.whole[0], 45);
	run(s, "sort name; reverse; reset");
	assert_int_equal(cr_view_functions_rows(s)->sheet.sort, CR_SORT_NAME);
	assert_true(cr_view_functions_rows(s)->sheet.reverse);
	cr_session_free(s);
}

static void
test_a_difference_has_two_sides(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, sample_stacks_after);

	(void)state;
	assert_int_equal(s->sides, 2);
	run(s, "select blend");
	assert_int_equal(s->tree->total[0][s->selection.node], 0);
	assert_int_equal(s->tree->total[1][s->selection.node], 20);
	run(s, "view functions");
	assert_int_equal(cr_view_functions_rows(s)->sheet.sort, CR_SORT_DELTA_SELF);
	/* The other side has no such event. */
	assert_int_equal(run_code(s, "event misses"), CR_EUSAGE);
	assert_true(cr_str_eq(s->tree->event, CR_STR("cycles")));
	run(s, "event next");
	assert_true(cr_str_eq(s->tree->event, CR_STR("cycles")));
	cr_session_free(s);
}

static struct cr_session *
session_of_two(const char *before, const char *after, bool force, int code)
{
	const struct cr_comparison opts = {.diff = {.force = force}};
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s;

	assert_int_equal(cr_session_new(sample_profile(before), "before", sample_profile(after),
				 "after", NULL, &opts, &s, &err),
		code);
	return s;
}

static void
test_each_side_of_a_difference_has_the_event_that_counts_the_same(void **state)
{
	struct cr_session *s = session_of_two("x;main 5\nevent misses:u\nx;main 2\n",
		"event cycles:ppp\nx;main 1\nevent misses:up\nx;main 8\n", false, CR_OK);

	(void)state;
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 0).event, CR_STR("cycles")));
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 1).event, CR_STR("cycles:ppp")));
	assert_int_equal(s->tree->total[0][0], 5);
	assert_int_equal(s->tree->total[1][0], 1);
	run(s, "event next");
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 1).event, CR_STR("misses:up")));
	assert_int_equal(s->tree->total[0][0], 2);
	assert_int_equal(s->tree->total[1][0], 8);
	cr_session_free(s);
}

static void
test_unlike_events_open_by_force_alone(void **state)
{
	const char *const after = "event cycles:u\nx;main 3\n";
	struct cr_session *s;

	(void)state;
	assert_null(session_of_two("x;main 5\n", after, false, CR_EUSAGE));
	s = session_of_two("x;main 5\nevent misses\nx;main 2\n", after, true, CR_OK);
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 0).event, CR_STR("cycles")));
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 1).event, CR_STR("cycles:u")));
	run(s, "event next");
	assert_true(cr_str_eq(cr_tree_measure(s->tree, 0).event, CR_STR("misses")));
	assert_int_equal(s->tree->total[1][0], 3);
	cr_session_free(s);
}

static void
test_scrolling_keeps_the_selection_in_view_when_it_moves(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "size 80 2");
	assert_int_equal(view_called(s, "flame")->first, 0);
	run(s, "select draw"); /* row 4 of 5 */
	assert_int_equal(view_called(s, "flame")->first, 3);
	run(s, "scroll 100"); /* down is towards the root */
	assert_int_equal(view_called(s, "flame")->first, 0);
	assert_selected(s, "draw");
	run(s, "right");
	assert_selected(s, "lex");
	run(s, "root up; scroll 1");
	assert_int_equal(view_called(s, "flame")->first, 3);
	run(s, "view functions; bottom");
	assert_int_equal(view_called(s, "functions")->row, 6);
	assert_int_equal(view_called(s, "functions")->first, 6); /* a head and one line */
	cr_session_free(s);
}

static void
test_the_view_around_has_the_selected_function_in_the_middle(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_view *v;
	char *text;

	(void)state;
	run(s, "select parse; view around");
	v = cr_view_current(s);
	assert_int_equal(v->n, 3); /* main, parse, lex */
	assert_int_equal(v->row, 1);
	run(s, "down");
	assert_selected(s, "lex");
	run(s, "open"); /* lex in the middle, under parse */
	assert_int_equal(v->n, 2);
	assert_int_equal(v->row, 1);
	run(s, "up; right; down"); /* parse is open: main is its caller */
	assert_int_equal(v->n, 3);
	assert_selected(s, "main");
	run(s, "left; left"); /* at a closed line: to the one it is under, which closes */
	assert_int_equal(v->n, 2);
	assert_selected(s, "parse");
	text = run_text(s, "print around");
	assert_non_null(strstr(text, "  10.00       10"));
	free(text);
	run(s, "bottom; open");
	assert_view(s, "flame");
	assert_string_equal(s->pattern, "lex");
	cr_session_free(s);
}

static void
test_callers_of_all_comms_are_one_list(void **state)
{
	struct cr_session *s =
		sample_session("x;main;work;hot 6\ny;start;work;hot 3\ny;start;idle 1\n", NULL);
	struct cr_view *v;

	(void)state;
	run(s, "select work; view around");
	v = cr_view_current(s);
	assert_int_equal(v->n, 4); /* start, main, work, hot */
	run(s, "top");
	assert_selected(s, "start");
	assert_int_equal(cr_view_costs(s).total[0], 3);
	run(s, "row 2");
	assert_selected(s, "main"); /* 6 of 9: next to the function */
	run(s, "row 4");
	assert_int_equal(cr_view_costs(s).total[0], 9);
	cr_session_free(s);
}

static void
test_undo_restores_the_function_of_the_view_around(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_view *v = view_called(s, "around");

	(void)state;
	run(s, "select lex; view around; top; open");
	assert_int_equal(v->n, 3); /* parse: main above it, lex below */
	run(s, "undo");
	assert_int_equal(v->n, 2);
	run(s, "redo");
	assert_int_equal(v->n, 3);
	/* A filter: the same function in other stacks; then stacks without it. */
	run(s, "drop draw");
	assert_int_equal(v->n, 3);
	run(s, "focus =spin");
	assert_int_equal(v->n, 0);
	run(s, "down; open; right; open-path; next; previous; select spin");
	run(s, "pop");
	assert_int_equal(v->n, 3);
	/* Printing from another view changes nothing. */
	run(s, "view flame; select spin");
	free(run_text(s, "print around"));
	run(s, "undo; undo");
	assert_view(s, "around");
	cr_session_free(s);
}

static void
test_two_views_of_different_sizes_stand_side_by_side(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_view *table = view_called(s, "functions");

	(void)state;
	run(s, "size 81 4; split beside; pane 37.5; view functions");
	assert_int_equal(table->width, 50);
	assert_int_equal(table->height, 3); /* and a line with the name of the view */
	run(s, "bottom");
	assert_int_equal(table->first, 5); /* a head, two of seven rows */
	assert_int_equal(cr_view_flame_scene(s)->width, 30 * CR_CELL_UNITS);
	run(s, "size 83 5");
	assert_int_equal(cr_view_flame_scene(s)->width, 30 * CR_CELL_UNITS);
	assert_int_equal(table->width, 52);
	assert_int_equal(table->first, 4);
	cr_session_free(s);
}

/* Each pane shows what the other one selects. */
static void
test_two_panes_have_one_selection(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_split_layout l;

	(void)state;
	run(s, "size 100 20; split beside");
	l = cr_split_layout(s);
	assert_int_equal(l.n, 2);
	assert_true(l.beside && l.pane[0].has_keys && !l.pane[1].has_keys);
	assert_ptr_equal(cr_view_at(s, l.pane[1].view), view_called(s, "functions"));
	assert_int_equal(l.pane[0].width + 1 + l.pane[1].width, 100);
	assert_int_equal(l.pane[1].x, l.pane[0].width + 1);
	cr_session_prepare(s);
	run(s, "select lex");
	assert_int_equal(view_called(s, "functions")->row, table_row_of(s, s->selection.function));
	run(s, "select 0; pane next; top"); /* also from where the first line is shown already */
	assert_view(s, "functions");
	assert_selected(s, "draw");
	/* A view that is there already gets the keys; another one takes the place. */
	run(s, "view flame");
	assert_false(s->split.second);
	run(s, "view around");
	l = cr_split_layout(s);
	assert_ptr_equal(cr_view_at(s, l.pane[0].view), view_called(s, "around"));
	assert_ptr_equal(cr_view_at(s, l.pane[1].view), view_called(s, "functions"));
	run(s, "undo; undo; undo; undo; undo; undo; undo; undo");
	assert_int_equal(cr_split_layout(s).n, 1);
	assert_view(s, "flame");
	cr_session_free(s);
}

/* The middle of `around`, as the pane shows it. */
static const char *
around_now(struct cr_session *s)
{
	static char title[64];
	struct cr_view *v = view_called(s, "around");
	struct cr_text t = {0};

	cr_session_prepare(s);
	v->ops->put_title(v, s, &t);
	snprintf(title, sizeof(title), "%s", t.p ? t.p : "");
	cr_text_fini(&t);
	return title;
}

static void
test_around_follows_the_other_pane(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "size 100 20; split beside; pane next; select lex; view around");
	assert_string_equal(around_now(s), " of lex");
	run(s, "pane next; select draw");
	assert_string_equal(around_now(s), " of draw");
	/* Moves in the other pane stay one step of undo. */
	run(s, "select parse");
	assert_string_equal(around_now(s), " of parse");
	run(s, "select main; undo");
	assert_selected(s, "lex");
	assert_string_equal(around_now(s), " of lex");
	/* Not of a group, nor while it has the keys itself. */
	run(s, "select x");
	assert_string_equal(around_now(s), " of lex");
	run(s, "select parse; pane next; down");
	assert_string_equal(around_now(s), " of parse");
	assert_selected(s, "lex");
	run(s, "pane next");
	assert_string_equal(around_now(s), " of parse");
	cr_session_free(s);
}

static void
test_panes_fit_into_any_area(void **state)
{
	static const char *const ways[] = {"split beside", "split below", "split auto"};
	static const int sizes[][2] = {{1, 1}, {20, 1}, {40, 3}, {41, 4}, {80, 7}, {80, 8},
		{159, 40}, {160, 40}, {200, 55}, {500, 200}};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	for (size_t i = 0; i < CR_LEN(sizes) * CR_LEN(ways); i++) {
		const int *size = sizes[i / CR_LEN(ways)];
		struct cr_split_layout l;

		cr_split_resize(s, size[0], size[1]);
		run(s, ways[i % CR_LEN(ways)]);
		for (int percent = 0; percent <= 100; percent += 50) {
			char line[32];

			snprintf(line, sizeof(line), "pane %d", percent);
			assert_int_equal(run_code(s, line) == CR_OK, cr_split_layout(s).n == 2);
			l = cr_split_layout(s);
			for (uint32_t k = 0; k < l.n; k++) {
				const struct cr_split_pane *p = &l.pane[k];

				assert_true(p->x >= 0 && p->y >= 0);
				assert_in_range(p->width, l.n == 1 ? 1 : 20, size[0]);
				assert_in_range(p->height, l.n == 1 ? 1 : 3, size[1]);
				assert_in_range(p->x + p->width, 1, size[0]);
				assert_in_range(p->y + p->height, 1, size[1]);
			}
		}
	}
	assert_int_equal(cr_split_layout(s).n, 2);
	cr_split_resize(s, 159, 40);
	assert_int_equal(cr_split_layout(s).n, 1);
	cr_session_free(s);
}

static void
test_undo_all_is_one_step_back_to_the_start(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "undo all"); /* there is nothing yet */
	run(s, "select draw; view functions; sort total; focus draw; zoom draw");
	run(s, "undo all");
	assert_view(s, "flame");
	assert_int_equal(s->query.n, 0);
	assert_int_equal(s->zoom, 0);
	assert_int_equal(s->selection.parts, CR_SELECTED_NODE);
	run(s, "redo; redo; redo; redo; redo; redo");
	assert_view(s, "functions");
	assert_int_equal(s->query.n, 1);
	cr_session_free(s);
}

static void
test_undo_restores_the_order_of_a_table(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	const struct cr_function_sheet *sheet;

	(void)state;
	run(s, "view functions; sort total; reverse; sort name; view flame");
	sheet = &cr_view_functions_rows(s)->sheet;
	run(s, "undo");
	assert_view(s, "functions");
	assert_int_equal(sheet->sort, CR_SORT_NAME);
	run(s, "undo");
	assert_int_equal(sheet->sort, CR_SORT_TOTAL);
	assert_true(sheet->reverse);
	run(s, "undo; undo");
	assert_int_equal(sheet->sort, CR_SORT_SELF);
	assert_false(sheet->reverse);
	run(s, "undo");
	assert_view(s, "flame");
	run(s, "redo; redo; redo");
	assert_int_equal(sheet->sort, CR_SORT_TOTAL);
	assert_true(sheet->reverse);
	cr_session_free(s);
}

static void
test_sizes_of_panes_are_one_step_of_undo(void **state)
{
	static const char *const bad[] = {"pane", "pane 101", "pane 4x", "pane 1.", "pane .5",
		"pane 9999999999", "pane wide", "split", "split up"};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	assert_int_equal(run_code(s, "pane even"), CR_EUSAGE);
	run(s, "size 101 20; split beside; pane wider; pane wider; pane narrower; pane 30");
	for (size_t i = 0; i < CR_LEN(bad); i++)
		if (run_code(s, bad[i]) != CR_EUSAGE)
			fail_msg("%s", bad[i]);
	assert_int_equal(cr_split_layout(s).pane[0].width, 30);
	run(s, "undo");
	assert_int_equal(cr_split_layout(s).pane[0].width, 60);
	run(s, "redo");
	assert_int_equal(cr_split_layout(s).pane[0].width, 30);
	run(s, "palette next; undo");
	assert_int_equal(s->palette, CR_PALETTE_KIND);
	/* The pane with the keys grows, whichever it is. */
	run(s, "pane even; pane next; pane wider");
	assert_int_equal(cr_split_layout(s).pane[0].width, 45);
	cr_session_free(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_a_session_opens_with_the_event_of_most_samples_and_all_selected),
		cmocka_unit_test(test_an_event_nobody_recorded_is_refused),
		cmocka_unit_test(
			test_another_event_keeps_zoom_and_selection_where_the_stack_exists),
		cmocka_unit_test(test_the_selection_follows_from_view_to_view),
		cmocka_unit_test(test_parts_of_the_selection_are_set_one_by_one),
		cmocka_unit_test(test_undo_restores_every_part_of_the_selection),
		cmocka_unit_test(test_a_part_that_makes_no_sense_changes_nothing),
		cmocka_unit_test(test_rows_of_sheets_select_what_they_stand_for),
		cmocka_unit_test(test_the_table_is_that_of_the_zoom),
		cmocka_unit_test(test_a_difference_has_two_sides),
		cmocka_unit_test(test_each_side_of_a_difference_has_the_event_that_counts_the_same),
		cmocka_unit_test(test_unlike_events_open_by_force_alone),
		cmocka_unit_test(test_scrolling_keeps_the_selection_in_view_when_it_moves),
		cmocka_unit_test(test_the_view_around_has_the_selected_function_in_the_middle),
		cmocka_unit_test(test_callers_of_all_comms_are_one_list),
		cmocka_unit_test(test_undo_restores_the_function_of_the_view_around),
		cmocka_unit_test(test_two_views_of_different_sizes_stand_side_by_side),
		cmocka_unit_test(test_two_panes_have_one_selection),
		cmocka_unit_test(test_around_follows_the_other_pane),
		cmocka_unit_test(test_panes_fit_into_any_area),
		cmocka_unit_test(test_undo_all_is_one_step_back_to_the_start),
		cmocka_unit_test(test_undo_restores_the_order_of_a_table),
		cmocka_unit_test(test_sizes_of_panes_are_one_step_of_undo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
