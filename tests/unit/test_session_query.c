#include "testing.h"

#include "session_samples.h"

#include <stdio.h>

static void
assert_filters(struct cr_session *s, const char *want)
{
	char *text = run_text(s, "filters");

	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(text, want);
	free(text);
}

static void
test_steps_change_the_tree_and_can_be_undone(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "comm x; ignore ^lex$; recursion direct");
	assert_filters(s, "event cycles; comm x; ignore ^lex$; recursion direct");
	assert_int_equal(s->tree->total[0][0], 75);
	assert_int_equal(s->tree->left_out[0], 25);
	run(s, "undo");
	assert_filters(s, "event cycles; comm x; ignore ^lex$");
	run(s, "undo; undo");
	assert_filters(s, "event cycles");
	assert_int_equal(s->tree->total[0][0], 100);
	run(s, "redo; redo");
	assert_int_equal(s->tree->total[0][0], 75);
	run(s, "pop");
	assert_filters(s, "event cycles; comm x");
	assert_int_equal(s->tree->total[0][0], 85);
	run(s, "clear");
	assert_int_equal(s->tree->total[0][0], 100);
	assert_int_equal(s->tree->left_out[0], 0);
	run(s, "pop");
	assert_string_equal(s->message.p, "there is no filter");
	cr_session_free(s);
}

/* After going back and forth the rows are those of a session that went there directly. */
static void
test_undo_shows_the_functions_that_it_showed(void **state)
{
	static const char *const steps[][2] = {
		{"", ""},
		{"focus lex", "focus lex"},
		{"undo", ""},
		{"redo", "focus lex"},
		{"undo; hide draw", "hide draw"},
		{"undo; zoom render", "zoom render"},
		{"focus draw", "zoom render; focus draw"},
		{"undo", "zoom render"},
		{"out", ""},
		{"zoom draw", "zoom draw"},
		{"undo", ""},
		{"event next", "event next"},
		{"undo", ""},
	};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "view functions");
	for (size_t i = 0; i < CR_LEN(steps); i++) {
		struct cr_session *direct = sample_session(sample_stacks, NULL);
		char *have, *want;

		run(s, steps[i][0]);
		run(direct, "view functions");
		run(direct, steps[i][1]);
		have = run_text(s, "print functions");
		want = run_text(direct, "print functions");
		assert_string_equal(have, want);
		free(have);
		free(want);
		cr_session_free(direct);
	}
	cr_session_free(s);
}

static void
test_a_filter_holds_for_every_event(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "focus lex; event next");
	assert_filters(s, "event misses; focus lex");
	assert_int_equal(s->tree->total[0][0], 7);
	run(s, "event cycles");
	assert_int_equal(s->tree->total[0][0], 10);
	cr_session_free(s);
}

static void
test_zoom_and_selection_stay_with_their_stacks(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "zoom render; select draw; focus draw");
	assert_zoom(s, "render");
	assert_selected(s, "draw");
	run(s, "merge draw");
	assert_selected(s, "render");
	run(s, "merge nothing");
	assert_string_equal(s->message.p, "merge nothing changes nothing here");
	run(s, "undo; undo; undo");
	assert_zoom(s, "render");
	assert_selected(s, "draw");
	assert_int_equal(s->tree->total[0][0], 100);
	cr_session_free(s);
}

static void
test_a_word_alone_means_the_selected_function(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"focus", "focus =render"},
		{"hide", "hide =render"},
		{"merge", "merge render"},
		{"drop", "drop render"},
		{"callers", "callers render"},
		{"root-at", "root-at render"},
		{"prune", "prune =render"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_session *s = sample_session(sample_stacks, NULL);
		struct cr_text want = {0};

		assert_int_equal(run_code(s, cases[i].line), CR_EUSAGE);
		run(s, "select render");
		run(s, cases[i].line);
		cr_text_printf(&want, "event cycles; %s", cases[i].want);
		assert_filters(s, want.p);
		cr_text_fini(&want);
		cr_session_free(s);
	}
}

static void
test_a_selected_comm_is_a_group(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "select y; drop");
	assert_filters(s, "event cycles; ignore group:=y");
	assert_int_equal(s->tree->total[0][0], 85);
	run(s, "undo; select x; focus");
	assert_filters(s, "event cycles; focus group:=x");
	assert_int_equal(s->tree->total[0][0], 85);
	assert_int_equal(run_code(s, "select x; merge"), CR_EUSAGE);
	/* Under other keys it is no group any more: what it stands for is said. */
	run(s, "undo; select y; drop; group none");
	assert_string_equal(s->message.p, "now refers to the new groups: ignore group:=y");
	cr_session_free(s);
}

static void
test_keys_go_round(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "recursion");
	assert_filters(s, "event cycles; recursion direct");
	run(s, "recursion");
	assert_filters(s, "event cycles; recursion all");
	run(s, "recursion; invert");
	assert_filters(s, "event cycles; invert");
	run(s, "select draw");
	assert_int_equal(s->tree->depth[s->selection.node], 2);
	run(s, "invert");
	assert_filters(s, "event cycles");
	cr_session_free(s);
}

static void
test_a_value_replaces_the_earlier_one_of_its_word(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "comm x; focus draw|spin; comm y");
	assert_filters(s, "event cycles; focus draw|spin; comm y");
	assert_int_equal(s->tree->total[0][0], 15);
	run(s, "also comm x");
	assert_filters(s, "event cycles; focus draw|spin; comm y; also comm x");
	assert_int_equal(s->tree->total[0][0], 55);
	/* What is printed can be run. */
	run(s, "clear; focus draw|spin; comm y; also comm \"x\"; invert");
	assert_filters(s, "event cycles; focus draw|spin; comm y; also comm x; invert");
	assert_int_equal(s->tree->total[0][0], 55);
	assert_int_equal(run_code(s, "also focus main"), CR_EUSAGE);
	assert_int_equal(run_code(s, "also"), CR_EUSAGE);
	cr_session_free(s);
}

static void
test_a_step_without_effect_is_reported(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "pid 1");
	assert_string_equal(s->message.p, "pid 1 changes nothing here");
	assert_int_equal(run_code(s, "pid 7"), CR_EEMPTY);
	assert_string_equal(s->message.p, "no process has the id 7");
	assert_int_equal(run_code(s, "tid 8"), CR_EEMPTY);
	assert_string_equal(s->message.p, "no thread has the id 8");
	run(s, "pid 1,7");
	assert_string_equal(s->message.p, "no process has the id 7");
	assert_filters(s, "event cycles; pid 1,7");
	run(s, "focus draw");
	assert_string_equal(s->message.p, "");
	run(s, "ignore lex");
	assert_string_equal(s->message.p, "ignore lex changes nothing here");
	run(s, "recursion");
	assert_string_equal(s->message.p, "recursion direct changes nothing here");
	cr_session_free(s);
}

static void
test_what_leaves_nothing_or_is_wrong_changes_nothing(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "comm x");
	assert_int_equal(run_code(s, "focus spin"), CR_EEMPTY);
	assert_string_equal(s->message.p, "no samples left after: comm x; focus spin");
	assert_int_equal(run_code(s, "focus ("), CR_EUSAGE);
	assert_int_equal(run_code(s, "group nothing"), CR_ENOTFOUND);
	assert_int_equal(run_code(s, "cpu 1"), CR_EUSAGE);
	assert_int_equal(run_code(s, "grain x"), CR_EUSAGE);
	assert_filters(s, "event cycles; comm x");
	assert_int_equal(s->tree->total[0][0], 85);
	cr_session_free(s);
}

static void
test_patterns_may_stand_in_quotes(void **state)
{
	struct cr_session *s = sample_session("x;main;a; b 3\nx;main;c 2\n", NULL);

	(void)state;
	run(s, "drop \"a; b\"; invert");
	assert_filters(s, "event cycles; drop \"a; b\"; invert");
	cr_session_free(s);
}

static void
test_a_search_goes_on_in_the_changed_tree(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "search lex|draw; merge lex");
	assert_int_equal(s->search.n_nodes, 1);
	run(s, "undo");
	assert_int_equal(s->search.n_nodes, 2);
	cr_session_free(s);
}

static void
test_a_name_typed_in_full_is_found_first(void **state)
{
	static const char *const views[] = {"flame", "tree", "functions"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(views); i++) {
		struct cr_session *s = sample_session(
			"x;main;draw_all;redraw 9\nx;main;draw 1\nx;main;idle 5\n", NULL);
		char line[64];

		snprintf(line, sizeof(line), "select idle; view %s; search draw", views[i]);
		run(s, line);
		assert_selected(s, "draw");
		cr_session_free(s);
	}
}

static void
test_both_sides_of_a_difference_are_filtered(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, sample_stacks_after);

	(void)state;
	run(s, "comm x; merge blend; focus render");
	assert_int_equal(s->tree->sides, 2);
	assert_int_equal(s->tree->total[0][0], 45);
	assert_int_equal(s->tree->total[1][0], 45);
	assert_int_equal(s->tree->left_out[0], 55);
	assert_int_equal(s->tree->left_out[1], 55);
	run(s, "undo; undo; undo");
	assert_int_equal(s->tree->total[1][0], 100);
	cr_session_free(s);
}

static void
test_groups_and_grains_make_other_trees(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "select main; group none");
	assert_int_equal(s->tree->depth[1], 1);
	assert_string_equal(node_name(s, 1), "main");
	run(s, "group event,comm");
	assert_string_equal(node_name(s, 1), "cycles");
	assert_string_equal(node_name(s, 2), "x");
	run(s, "undo; undo");
	assert_selected(s, "main");
	cr_session_free(s);
}

static void
test_a_zoom_by_name_reports_other_calls(void **state)
{
	struct cr_session *s = sample_session("x;main;a;f;f 5\nx;main;b;f 3\nx;main;c;g 2\n", NULL);

	(void)state;
	run(s, "zoom f");
	assert_zoom(s, "f");
	assert_string_equal(s->message.p,
		"zoomed to the costliest of 2 calls of f; 4 shows all of its callers");
	run(s, "zoom g");
	assert_zoom(s, "g");
	assert_int_equal(s->message.len, 0);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_change_the_tree_and_can_be_undone),
		cmocka_unit_test(test_undo_shows_the_functions_that_it_showed),
		cmocka_unit_test(test_a_filter_holds_for_every_event),
		cmocka_unit_test(test_zoom_and_selection_stay_with_their_stacks),
		cmocka_unit_test(test_a_word_alone_means_the_selected_function),
		cmocka_unit_test(test_a_selected_comm_is_a_group),
		cmocka_unit_test(test_keys_go_round),
		cmocka_unit_test(test_a_value_replaces_the_earlier_one_of_its_word),
		cmocka_unit_test(test_a_step_without_effect_is_reported),
		cmocka_unit_test(test_what_leaves_nothing_or_is_wrong_changes_nothing),
		cmocka_unit_test(test_patterns_may_stand_in_quotes),
		cmocka_unit_test(test_a_search_goes_on_in_the_changed_tree),
		cmocka_unit_test(test_a_name_typed_in_full_is_found_first),
		cmocka_unit_test(test_both_sides_of_a_difference_are_filtered),
		cmocka_unit_test(test_groups_and_grains_make_other_trees),
		cmocka_unit_test(test_a_zoom_by_name_reports_other_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
