#include "testing.h"

#include <unistd.h>

#include "session_samples.h"

static void
test_what_is_no_command_is_refused_and_changes_nothing(void **state)
{
	static const struct {
		const char *line;
		int code;
	} cases[] = {
		{"nothing", CR_EUSAGE},
		{"zoomx", CR_EUSAGE},
		{"zoom 99", CR_EUSAGE},
		{"zoom nobody", CR_ENOTFOUND},
		{"select", CR_EUSAGE},
		{"select -1", CR_ENOTFOUND},
		{"select 99999999999999999999", CR_EUSAGE},
		{"view", CR_EUSAGE},
		{"view x", CR_EUSAGE},
		{"out now", CR_EUSAGE},
		{"search (", CR_EUSAGE},
		{"search-live [", CR_EUSAGE},
		{"sort x", CR_EUSAGE},
		{"sort delta-self", CR_EUSAGE},
		{"event x", CR_ENOTFOUND},
		{"event", CR_EUSAGE},
		{"palette x", CR_EUSAGE},
		{"root", CR_EUSAGE},
		{"size 0 0", CR_EUSAGE},
		{"size 80", CR_EUSAGE},
		{"size 99999 1", CR_EUSAGE},
		{"scroll", CR_EUSAGE},
		{"row 0", CR_EUSAGE},
		{"row 8", CR_EUSAGE},
		{"export", CR_EUSAGE},
		{"export x.nothing", CR_EUSAGE},
		{"print x", CR_EUSAGE},
		{"help qqqq", CR_EUSAGE},
	};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "zoom main; select lex; search lex");
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		if (run_code(s, cases[i].line) != cases[i].code)
			fail_msg("%s: %d", cases[i].line, run_code(s, cases[i].line));
		assert_true(s->message.len > 0);
		assert_zoom(s, "main");
		assert_selected(s, "lex");
		assert_string_equal(s->pattern, "lex");
		assert_view(s, "flame");
	}
	cr_session_free(s);
}

static void
test_commands_are_separated_by_semicolons_except_in_patterns(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, " ; zoom main ;;select  lex ; ");
	assert_zoom(s, "main");
	assert_selected(s, "lex");
	run(s, "root up; search a;b ");
	assert_true(s->root_up);
	assert_string_equal(s->pattern, "a;b ");
	/* Those behind a failing one do not run. */
	assert_int_equal(run_code(s, "out; nothing; root down"), CR_EUSAGE);
	assert_int_equal(s->zoom, 0);
	assert_true(s->root_up);
	cr_session_free(s);
}

static void
test_out_goes_back_the_way_one_came(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "zoom x; zoom render; zoom draw");
	run(s, "out");
	assert_zoom(s, "render");
	run(s, "out");
	assert_zoom(s, "x");
	run(s, "out; out; out");
	assert_int_equal(s->zoom, 0);
	/* A zoom to something around or beside forgets what is not on the way. */
	run(s, "zoom render; zoom draw; reset; zoom start");
	run(s, "out");
	assert_int_equal(s->zoom, 0);
	run(s, "zoom main; zoom draw; select main; zoom");
	assert_zoom(s, "main");
	run(s, "out");
	assert_int_equal(s->zoom, 0);
	cr_session_free(s);
}

static void
test_moves_go_to_what_is_there_on_the_screen(void **state)
{
	/* all / x(85) y(15) / main start / render(45) parse(40) spin / draw(40) lex(10) */
	static const struct {
		const char *line, *then;
	} moves[] = {
		{"select 0; up", "x"},
		{"right", "y"},
		{"right", "y"},
		{"up", "start"},
		{"up", "spin"},
		{"up", "spin"},
		{"left", "parse"},
		{"left", "render"},
		{"left", "render"},
		{"up", "draw"},
		{"right", "lex"},
		{"down", "parse"},
		{"first", "render"},
		{"last", "spin"},
		{"bottom", "all"},
		{"top", "draw"},
		{"parent", "render"},
		{"select parse; child", "lex"},
		{"child", "lex"},
		{"root up; select main; down", "render"},
		{"up", "main"},
		{"top", "all"},
		{"bottom", "draw"},
		{"root down; zoom main; down", "x"},
		{"down", "all"},
		{"up; up", "main"},
		{"up", "render"},
	};
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "size 80 20");
	for (size_t i = 0; i < CR_LEN(moves); i++) {
		run(s, moves[i].line);
		if (strcmp(node_name(s, s->selection.node), moves[i].then) != 0)
			fail_msg("%zu %s: %s, not %s", i, moves[i].line,
				node_name(s, s->selection.node), moves[i].then);
	}
	cr_session_free(s);
}

static void
test_next_and_previous_go_round_the_matches(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "search ^(lex|draw|spin)$");
	assert_selected(s, "draw"); /* the widest */
	run(s, "next");
	assert_selected(s, "lex");
	run(s, "next");
	assert_selected(s, "spin");
	run(s, "next");
	assert_selected(s, "draw");
	run(s, "previous");
	assert_selected(s, "spin");
	run(s, "zoom main; next; next");
	assert_selected(s, "lex");
	run(s, "view functions; next");
	assert_int_equal(s->search.hit[cr_view_frame(s)], 1);
	run(s, "clear-search; next");
	assert_true(s->message.len > 0);
	cr_session_free(s);
}

/*
 * Selecting the next match over and over visits every match that is in the zoom once, whatever is
 * drawn.
 */
static void
check_a_round(struct cr_session *s, bool backward)
{
	uint8_t *met = calloc(s->tree->n, 1);
	uint32_t in_zoom = 0;

	for (uint32_t i = 0; i < s->search.n_nodes; i++)
		in_zoom +=
			s->search.nodes[i] >= s->zoom && s->search.nodes[i] < s->tree->end[s->zoom];
	for (uint32_t i = 0; i < in_zoom; i++) {
		run(s, backward ? "previous" : "next");
		assert_int_equal(s->search.hit[s->tree->frame[s->selection.node]], 1);
		assert_int_equal(met[s->selection.node]++, 0);
	}
	free(met);
}

static void
test_matches_are_nodes_that_may_be_too_narrow_to_draw(void **state)
{
	static const char *const zooms[] = {"reset", "zoom main", "zoom wide"};
	struct cr_text stacks = {0};
	struct cr_session *s;

	(void)state;
	cr_text_puts(&stacks, "x;main;wide 9000\nx;main;wide;hit_w;deep_hit 1\n");
	for (int i = 0; i < 40; i++)
		cr_text_printf(&stacks, "x;main;%s_%d;inner_%d;hit_%d 1\n", i % 3 ? "f" : "hit", i,
			i, i % 4);
	s = sample_session(stacks.p, NULL);
	for (size_t z = 0; z < CR_LEN(zooms); z++)
		for (int width = 1; width <= 200; width *= 3) {
			char size[32];

			snprintf(size, sizeof(size), "size %d 10", width);
			run(s, size);
			run(s, zooms[z]);
			run(s, "search hit");
			check_a_round(s, false);
			check_a_round(s, true);
		}
	run(s, "reset; select hit_w; up"); /* from what is not drawn to what is beside it */
	assert_selected(s, "wide");
	cr_session_free(s);
	cr_text_fini(&stacks);
}

/* Static functions of one name in two files are one row of the table. */
static void
test_a_row_matches_when_one_of_its_frames_does(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_frame *frames = (struct cr_frame *)(uintptr_t)s->tree->frames;
	uint32_t n = 0;

	(void)state;
	for (uint32_t f = 1; f < s->tree->n_frames; f++) {
		if (!cr_str_eq(frames[f].name, CR_STR("draw")) &&
			!cr_str_eq(frames[f].name, CR_STR("lex")))
			continue;
		frames[f].name = CR_STR("init");
		frames[f].file = n++ ? CR_STR("b.c") : CR_STR("a.c");
	}
	for (int file = 0; file < 2; file++) {
		run(s, "view functions; top");
		run(s, file ? "search file:b.c" : "search file:a.c");
		assert_true(cr_str_eq(frames[cr_view_frame(s)].name, CR_STR("init")));
		assert_true(cr_view_current(s)->ops->is_match(cr_view_current(s), s));
		run(s, "bottom; next");
		assert_true(cr_str_eq(frames[cr_view_frame(s)].name, CR_STR("init")));
	}
	cr_session_free(s);
}

static void
test_undo_goes_back_over_what_was_done(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "up; up; up"); /* one step */
	run(s, "zoom main");
	run(s, "search lex");
	run(s, "view functions");
	run(s, "event misses");
	run(s, "undo");
	assert_true(cr_str_eq(s->tree->event, CR_STR("cycles")));
	assert_view(s, "functions");
	run(s, "undo");
	assert_view(s, "flame");
	assert_string_equal(s->pattern, "lex");
	run(s, "undo");
	assert_null(s->pattern);
	assert_zoom(s, "main");
	run(s, "undo");
	assert_int_equal(s->zoom, 0);
	assert_selected(s, "render");
	run(s, "undo");
	assert_int_equal(s->selection.node, 0);
	run(s, "undo");
	assert_string_equal(s->message.p, "nothing to undo");
	run(s, "redo; redo; redo");
	assert_string_equal(s->pattern, "lex");
	run(s, "out");
	assert_int_equal(s->zoom, 0); /* the trail came back too */
	run(s, "redo");
	assert_string_equal(s->message.p, "nothing to redo");
	cr_session_free(s);
}

static void
test_a_search_that_is_being_typed_leaves_no_trace(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	run(s, "search lex");
	run(s, "search-live d");
	run(s, "search-live dr");
	assert_string_equal(s->pattern, "dr");
	run(s, "search-live");
	assert_string_equal(s->pattern, "lex");
	run(s, "search-live dr");
	run(s, "search draw");
	run(s, "undo");
	assert_string_equal(s->pattern, "lex");
	run(s, "undo");
	assert_null(s->pattern);
	cr_session_free(s);
}

static void
test_the_flame_graph_prints_as_text(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	char *text;

	(void)state;
	run(s, "size 40 10");
	text = run_text(s, "print flame");
	assert_string_equal(text, "before  cycles  100 samples\n"
				  "|draw           | |lex|\n"
				  "|render           |parse          |spin\n"
				  "|main                             |start\n"
				  "|x                                |y\n"
				  "|all\n");
	free(text);
	text = run_text(s, "root up; zoom render; print flame");
	assert_string_equal(text, "before  cycles  100 samples  zoomed into render: 45.00 %\n"
				  "|all\n"
				  "|x\n"
				  "|main\n"
				  "|render\n"
				  "|draw                              |\n");
	free(text);
	cr_session_free(s);
}

static void
test_what_is_selected_prints_with_its_callers(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, sample_stacks_after);
	char *text = run_text(s, "select draw; print selected");

	(void)state;
	assert_string_equal(text, "name      draw\n"
				  "dso       /bin/x\n"
				  "total     40.00 %  40 samples  ->  20.00 %  20 samples\n"
				  "self      40.00 %  40 samples  ->  20.00 %  20 samples\n"
				  "called by render\n"
				  "          main\n"
				  "          x\n"
				  "          all\n");
	free(text);
	text = run_text(s, "print functions");
	assert_non_null(strstr(text, "new                 blend"));
	free(text);
	cr_session_free(s);
}

static const char sample_calls[] =
	"x;main;parse;lex 30\nx;main;parse 10\nx;main;draw;line;clip 20\n"
	"x;main;draw;line 5\nx;main;draw;draw;line 25\nx;lex 3\nx;main;line;draw;line 7\n";

static void
test_a_row_of_the_table_prints_with_its_callers(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"row 1", "name      line\ndso       /bin/x\ntotal     57.00 %  57 samples\nself   "
			  "   37.00 %  37 samples\n"
			  "called by  87.72 %  draw\n           12.28 %  main\n"},
		{"row 2", "name      lex\ndso       /bin/x\ntotal     33.00 %  33 samples\nself    "
			  "  33.00 %  33 samples\n"
			  "called by  90.91 %  parse\n            9.09 %  (no caller)\n"},
		{"row 5", "name      main\ndso       /bin/x\ntotal     97.00 %  97 samples\nself   "
			  "   0.00 %  0 samples\n"
			  "called by 100.00 %  (no caller)\n"},
	};
	static const char *const orders[] = {
		"", "invert; ", "group none; ", "group none; invert; "};

	(void)state;
	for (size_t o = 0; o < CR_LEN(orders); o++) {
		struct cr_session *s = sample_session(sample_calls, NULL);

		for (size_t i = 0; i < CR_LEN(cases); i++) {
			char line[80], *text;

			snprintf(line, sizeof(line), "%s%s%s; print selected", i ? "" : orders[o],
				i ? "" : "view functions; ", cases[i].line);
			text = run_text(s, line);
			assert_string_equal(text, cases[i].want);
			free(text);
		}
		cr_session_free(s);
	}
}

static void
test_leaves_first_a_node_prints_with_what_it_calls_and_its_callers(void **state)
{
	struct cr_session *s = sample_session(sample_calls, NULL);
	char *text = run_text(s, "invert; zoom line; select draw; print selected");

	(void)state;
	assert_string_equal(text,
		"name      draw\ndso       /bin/x\ntotal     100.00 %  37 samples\nself      0.00 "
		"% "
		" 0 samples\n"
		"of all    37.00 %  37 samples\ncalls     line\nin        x\n          all\n"
		"called by  67.57 %  draw\n           18.92 %  line\n           13.51 %  main\n");
	free(text);
	text = run_text(s, "select main; print selected");
	assert_non_null(strstr(text, "calls     draw\n"));
	assert_non_null(strstr(text, "called by 100.00 %  (no caller)\n"));
	free(text);
	text = run_text(s, "select x; print selected");
	assert_null(strstr(text, "called by"));
	free(text);
	cr_session_free(s);
}

static void
test_export_takes_the_format_from_the_extension(void **state)
{
	char directory[] = "/tmp/cresset-test-XXXXXX", line[128], path[64];
	struct cr_session *s = sample_session(sample_stacks, NULL);
	char text[256] = "";
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/a b.folded", directory);
	snprintf(line, sizeof(line), "zoom render; export-new %s", path);
	run(s, line);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	assert_non_null(strstr(text, "render;draw 40\n"));
	assert_null(strstr(text, "spin"));
	fclose(f);
	assert_int_equal(run_code(s, line), CR_EEXISTS);
	snprintf(line, sizeof(line), "export %s", path);
	run(s, line);
	assert_int_equal(run_code(s, "export /nowhere/at/all.folded"), CR_EIO);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(directory), 0);
	cr_session_free(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_no_command_is_refused_and_changes_nothing),
		cmocka_unit_test(test_commands_are_separated_by_semicolons_except_in_patterns),
		cmocka_unit_test(test_out_goes_back_the_way_one_came),
		cmocka_unit_test(test_moves_go_to_what_is_there_on_the_screen),
		cmocka_unit_test(test_next_and_previous_go_round_the_matches),
		cmocka_unit_test(test_matches_are_nodes_that_may_be_too_narrow_to_draw),
		cmocka_unit_test(test_a_row_matches_when_one_of_its_frames_does),
		cmocka_unit_test(test_undo_goes_back_over_what_was_done),
		cmocka_unit_test(test_a_search_that_is_being_typed_leaves_no_trace),
		cmocka_unit_test(test_the_flame_graph_prints_as_text),
		cmocka_unit_test(test_what_is_selected_prints_with_its_callers),
		cmocka_unit_test(test_a_row_of_the_table_prints_with_its_callers),
		cmocka_unit_test(
			test_leaves_first_a_node_prints_with_what_it_calls_and_its_callers),
		cmocka_unit_test(test_export_takes_the_format_from_the_extension),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
