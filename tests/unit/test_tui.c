#include "testing.h"

#include "session_samples.h"

#include "base/work.h"
#include "session/views/view.h"
#include "tui/busy_p.h"
#include "tui/tui.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* What came of a script: how it was left, how often the screen was drawn, and the screen. */
struct played {
	int sig;
	unsigned draws;
	struct cr_text screen;
};

static struct played
play(const char *script)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_term *t = cr_term_memory_new(80, 12, script);
	struct played p = {.sig = cr_tui_run(s, t, NULL)};

	p.draws = cr_term_memory_draws(t);
	cr_grid_dump(cr_term_memory_grid(t), false, &p.screen);
	t->close(t);
	cr_session_free(s);
	return p;
}

static char *
script_of(const char *before, size_t n, const char *key, const char *after)
{
	struct cr_text t = {0};

	cr_text_puts(&t, before);
	for (size_t i = 0; i < n; i++)
		cr_text_puts(&t, key);
	cr_text_puts(&t, after);
	return t.p;
}

/*
 * The screen and the draws of 500 keys that wait, against the same ones typed one after the other.
 */
static void
assert_drawn_once(const char *first, const char *key, const char *last)
{
	struct cr_text ahead = {0}, before = {0};
	struct played slow, fast;
	char *script;

	cr_text_printf(&ahead, "%s<ahead>", first);
	cr_text_printf(&before, "</ahead>%s", last);
	script = script_of(first, 500, key, last);
	slow = play(script);
	free(script);
	script = script_of(ahead.p, 500, key, before.p);
	fast = play(script);
	free(script);
	assert_string_equal(fast.screen.p, slow.screen.p);
	assert_true(slow.draws >= 500);
	assert_true(fast.draws <= 4);
	cr_text_fini(&ahead);
	cr_text_fini(&before);
	cr_text_fini(&slow.screen);
	cr_text_fini(&fast.screen);
}

static void
test_keys_that_wait_are_drawn_once(void **state)
{
	(void)state;
	assert_drawn_once("", "j", "");
	assert_drawn_once("2", "j", "k");
	assert_drawn_once("", "kj", "2");
	assert_drawn_once("/", "l", "<esc>");
	assert_drawn_once("?", "j", "");
	assert_drawn_once("", "<wheel-down 3,4>", "");
	assert_drawn_once("", "<resize 60x10><resize 80x12>", "");
}

/* A click means what is drawn where it was, also while more input waits. */
static void
test_a_click_after_keys_that_wait_finds_the_labels_of_the_view(void **state)
{
	struct played p = play("<ahead>2s<click 3,11>1");

	(void)state;
	assert_non_null(strstr(p.screen.p, "flame"));
	cr_text_fini(&p.screen);
	p = play("<ahead>2<click 30,0></ahead>k");
	assert_non_null(strstr(p.screen.p, "SELF"));
	cr_text_fini(&p.screen);
}

static void
test_how_it_is_left_is_told(void **state)
{
	static const struct {
		const char *script;
		int sig;
	} ways[] = {
		{"q", 0},
		{"Q", 0},
		{":quit<enter>", 0},
		{"?Q", 0},
		{"<^c>", SIGINT},
		{"?<^c>", SIGINT},
		{"2<^c>", SIGINT},
		{"/abc<^c>q", 0},
		{"/abc<^c><^c>", SIGINT},
		{"", SIGHUP},
		{"/abc", SIGHUP},
		{"<hangup>", SIGHUP},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(ways); i++) {
		struct played p = play(ways[i].script);

		if (p.sig != ways[i].sig)
			fail_msg("%s: %d, not %d", ways[i].script, p.sig, ways[i].sig);
		cr_text_fini(&p.screen);
	}
}

/* Every letter, and what the browser does by it: nothing, but for a line being typed. */
static void
test_what_is_pasted_runs_no_key(void **state)
{
	static const char all[] =
		"<paste>qQxHfvri0u!*?:/&w 12sSRcGg<lt>>[]<enter><tab><esc><^c></paste>";
	struct cr_text script = {0};
	struct played before = play("k"), p;

	(void)state;
	cr_text_printf(&script, "k%sx1", all);
	p = play("k<paste>qx</paste>");
	assert_int_equal(p.sig, SIGHUP);
	assert_non_null(strstr(p.screen.p, "pasted"));
	cr_text_fini(&p.screen);
	cr_text_clear(&script);
	cr_text_printf(&script, "k%s<esc>", all);
	p = play(script.p);
	assert_int_equal(p.sig, SIGHUP);
	assert_string_equal(p.screen.p, before.screen.p);
	cr_text_fini(&p.screen);
	cr_text_fini(&before.screen);
	/* In a page as well, and at a question. */
	cr_text_clear(&script);
	cr_text_printf(&script, "?%s", all);
	p = play(script.p);
	assert_non_null(strstr(p.screen.p, "keys and commands"));
	cr_text_fini(&p.screen);
	cr_text_fini(&script);
}

static void
test_a_line_being_typed_takes_what_is_pasted_as_one_line(void **state)
{
	struct played p = play("/<paste>a b<enter><enter>c<tab>d<enter></paste>e");

	(void)state;
	assert_non_null(strstr(p.screen.p, "\n/a b c de"));
	cr_text_fini(&p.screen);
	/* The end of a line that was copied whole is no part of it. */
	p = play(":<paste>view functions<enter></paste><enter>");
	assert_non_null(strstr(p.screen.p, "SELF"));
	cr_text_fini(&p.screen);
}

static void
test_a_key_without_a_binding_says_so(void **state)
{
	static const struct {
		const char *script, *says;
	} keys[] = {
		{"e", "\n e does nothing"},
		{"<f10>", "\n F10 does nothing"},
		{"<ins>", "\n Insert does nothing"},
		{"<^a>", "\n Ctrl-A does nothing"},
		{"<other>", "\n this key does nothing"},
		{"2+", "\n + does nothing"},
		{"?e", "\n e does nothing here"},
		{"!x", "\n x does nothing here"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(keys); i++) {
		struct played p = play(keys[i].script);

		if (!strstr(p.screen.p, keys[i].says))
			fail_msg("%s: %s", keys[i].script, p.screen.p);
		cr_text_fini(&p.screen);
	}
}

/* Two panes with any two views, on screens of any size, which change it on the way. */
static void
test_panes_of_all_views_fit_all_screens(void **state)
{
	static const char *const splits[] = {"", "<^w>v", "<^w>s"};
	static const char *const sizes[] = {"<resize 80x24>", "<resize 20x5>", "<resize 200x60>",
		"<resize 20x5>", "<resize 1x1>", "<resize 80x24>"};

	(void)state;
	for (uint32_t view = 0; cr_view_ops_at(view); view++)
		for (size_t i = 0; i < CR_LEN(splits); i++) {
			struct cr_text script = {0};
			struct played p;

			cr_text_printf(&script, "%s<tab>%c", splits[i], (int)cr_view_key_at(view));
			for (size_t k = 0; k < CR_LEN(sizes); k++)
				cr_text_printf(&script, "%sjk<tab>j<^w><lt><pgdn>", sizes[k]);
			p = play(script.p);
			assert_non_null(strstr(p.screen.p, "quit"));
			cr_text_fini(&p.screen);
			cr_text_fini(&script);
		}
}

/* Each key of a page, by what the screen shows then. */
static void
test_pages_have_keys_of_their_own(void **state)
{
	static const struct {
		const char *script, *shows;
	} cases[] = {
		{"?", "1-10/"},
		{"?j", "2-11/"},
		{"?jk", "1-10/"},
		{"?<down><down>", "3-12/"},
		{"?<pgdn>", "10-19/"},
		{"? ", "10-19/"},
		{"? b", "1-10/"},
		{"?G<home>", "1-10/"},
		{"?c", "\nColours and widths\n"},
		{"!c", "\nColours and widths\n"},
		{"?/zoom<enter>", "1 of"},
		{"?/zoom<enter>n", "2 of"},
		{"?/zoom<enter>nN", "1 of"},
		{"?/zoom", "\n/zoom   1 of"},
		{"?/zoom<enter><esc>", "  1"},
		{"?/(", "missing"},
		{"?/zyx<enter>", "no line matches zyx"},
		{":help filter<enter>", "help about a topic"},
		{":help zyx<enter>", "the help has nothing about zyx"},
		{"!?", "keys and commands"},
		{"?/zoom<enter><esc><esc>", "flame"},
		{"?q", "flame"},
		{"??", "flame"},
		{"?<f1>", "flame"},
		{"!<enter>", "flame"},
		{"!<bs>", "flame"},
		{"?<resize 60x9>", "1-7/"},
		{"?/zoom<enter><resize 60x9>", "1 of"},
		{"?<wheel-down 3,3>", "4-13/"},
		{"?<click 3,11>", "\n w wrap"},
		{"?<click 63,11>", "flame"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct played p = play(cases[i].script);

		if (!strstr(p.screen.p, cases[i].shows))
			fail_msg("%s: no %s in\n%s", cases[i].script, cases[i].shows, p.screen.p);
		cr_text_fini(&p.screen);
	}
}

/* Whatever is selected, and however long the pattern is. */
static void
test_the_share_of_a_search_is_on_the_line(void **state)
{
	static const char *const scripts[] = {
		"/r<enter>",
		"k/r<enter>",
		"k/render<enter><enter>",
		"k/render<enter><enter>>>>",
		"2/r<enter>",
		"/(r|very_long_pattern_that_fills_the_line_up_to_its_end_and_a_good_deal_further_"
		"than_that)<enter>",
		"/(r|very_long_pattern_that_fills_the_line_up_to_its_end_and_a_good_deal_further_"
		"than_that)",
		"/r",
		"k/r",
		"<resize 40x12>k/r<enter>",
		"<resize 80x9>k/r<enter>",
		"<resize 40x9>k/r<enter>",
		"<resize 40x12>/r",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(scripts); i++) {
		struct played p = play(scripts[i]);
		const char *last = strrchr(p.screen.p, '\n');

		/* In one of the last two lines of the screen, behind the pattern. */
		for (int lines = 0; last > p.screen.p && lines < 3; lines += *last == '\n')
			last--;
		if (!strchr(last, '/') || !strstr(strchr(last, '/'), ".00 %"))
			fail_msg("%s:\n%s", scripts[i], p.screen.p);
		cr_text_fini(&p.screen);
	}
}

static void
test_a_long_message_is_seen_whole(void **state)
{
	struct played p = play("<resize 34x12>:sort nothing_of_this_name<enter>");

	(void)state;
	assert_non_null(
		strstr(p.screen.p, "\n unknown sort key 'nothing_of_thi\n   s_name'; use self"));
	assert_non_null(strstr(p.screen.p, "dso"));
	cr_text_fini(&p.screen);
}

/*
 * Names in which a pattern tries many ways: a search that would take longer than any test. The
 * keys in <busy> come while it is on its way.
 */
static struct played
play_busy(const char *script, struct cr_session **s)
{
	struct cr_text stacks = {0};
	struct cr_term *t = cr_term_memory_new(80, 12, script);
	struct played p;

	for (unsigned i = 0; i < 60000; i++)
		cr_text_printf(&stacks, "x;main;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_%u 1\n", i);
	*s = sample_session(stacks.p, NULL);
	p = (struct played){.sig = cr_tui_run(*s, t, NULL)};
	cr_grid_dump(cr_term_memory_grid(t), false, &p.screen);
	t->close(t);
	cr_text_fini(&stacks);
	return p;
}

static void
test_a_long_command_is_stopped(void **state)
{
	static const struct {
		const char *script, *pattern, *view;
	} cases[] = {
		{":search (a+)+[XY]<enter><busy><esc></busy>", NULL, "flame"},
		{":search (a+)+[XY]<enter><busy><^c></busy>", NULL, "flame"},
		/* Keys that came before are for what would have been shown. */
		{":search (a+)+[XY]<enter><busy>2j<esc></busy>", NULL, "flame"},
		{"/main<enter>:search (a+)+[XY]<enter><busy><^c></busy>2", "main", "functions"},
		/* A pattern that is typed on; in the end what is left of it is searched for. */
		{"/(a+)+[XY]<busy><^u>main</busy><enter>", "main", "flame"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_session *s;
		struct played p = play_busy(cases[i].script, &s);

		assert_int_equal(p.sig, SIGHUP);
		if (cases[i].pattern)
			assert_string_equal(s->pattern, cases[i].pattern);
		else
			assert_null(s->pattern);
		assert_string_equal(cr_view_current(s)->ops->name, cases[i].view);
		if (i == 0)
			assert_non_null(strstr(p.screen.p, "stopped; the view has not changed"));
		cr_text_fini(&p.screen);
		cr_session_free(s);
	}
}

/* Keys but those that stop it are kept, in their order. */
static void
test_keys_are_read_while_a_command_runs(void **state)
{
	struct played busy = play(":zoom main<enter><busy>2jj:sort name<enter></busy>");
	struct played one_by_one = play(":zoom main<enter>2jj:sort name<enter>");

	(void)state;
	assert_int_equal(busy.sig, SIGHUP);
	assert_string_equal(busy.screen.p, one_by_one.screen.p);
	assert_non_null(strstr(busy.screen.p, "FUNCTION"));
	cr_text_fini(&busy.screen);
	cr_text_fini(&one_by_one.screen);
}

/* A terminal that goes away stops the command, too. */
static void
test_a_hangup_stops_a_command(void **state)
{
	struct cr_session *s;
	struct played p = play_busy(":search (a+)+[XY]<enter><busy><hangup></busy>", &s);

	(void)state;
	assert_int_equal(p.sig, SIGHUP);
	assert_null(s->pattern);
	cr_text_fini(&p.screen);
	cr_session_free(s);
}

/* Long work that asks whether to go on. */
static int
work_long(void *user, struct cr_err *err)
{
	const struct timespec step = {.tv_nsec = 20000000};
	int rc = CR_OK;

	for (int i = 0; i < 20 && rc == CR_OK; i++) {
		nanosleep(&step, NULL);
		rc = cr_work_check(err);
	}
	++*(int *)user;
	return rc;
}

static void
test_work_that_nothing_stops_keeps_the_keys(void **state)
{
	static const uint32_t keys[] = {'j', CR_KEY_ESC, CR_KEY_INTERRUPT, 'k'};
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_term *t = cr_term_memory_new(80, 12, "<busy>j<resize 70x12><esc><^c>k</busy>");
	struct cr_grid grid = {0};
	struct cr_busy busy = {.term = t, .grid = &grid};
	int done = 0;
	const struct cr_busy_job job = {"laying out", work_long, &done};
	struct cr_err err = CR_ERR_INIT;
	struct cr_input_event e;
	struct cr_text screen = {0};

	(void)state;
	cr_grid_init(&grid, 80, 12);
	assert_int_equal(cr_busy_do(&busy, s, &job, CR_BUSY_WHOLE, &err), CR_OK);
	assert_int_equal(done, 1);
	for (size_t i = 0; i < CR_LEN(keys); i++) {
		assert_true(cr_busy_next(&busy, &e));
		assert_int_equal(e.key, keys[i]);
	}
	assert_false(cr_busy_next(&busy, &e));
	cr_grid_dump(cr_term_memory_grid(t), false, &screen);
	assert_non_null(strstr(screen.p, "laying out"));
	assert_null(strstr(screen.p, "stops it"));
	cr_text_fini(&screen);
	cr_busy_fini(&busy);
	cr_grid_fini(&grid);
	t->close(t);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_that_wait_are_drawn_once),
		cmocka_unit_test(test_a_click_after_keys_that_wait_finds_the_labels_of_the_view),
		cmocka_unit_test(test_how_it_is_left_is_told),
		cmocka_unit_test(test_what_is_pasted_runs_no_key),
		cmocka_unit_test(test_a_line_being_typed_takes_what_is_pasted_as_one_line),
		cmocka_unit_test(test_a_key_without_a_binding_says_so),
		cmocka_unit_test(test_panes_of_all_views_fit_all_screens),
		cmocka_unit_test(test_work_that_nothing_stops_keeps_the_keys),
		cmocka_unit_test(test_pages_have_keys_of_their_own),
		cmocka_unit_test(test_the_share_of_a_search_is_on_the_line),
		cmocka_unit_test(test_a_long_message_is_seen_whole),
		cmocka_unit_test(test_a_long_command_is_stopped),
		cmocka_unit_test(test_keys_are_read_while_a_command_runs),
		cmocka_unit_test(test_a_hangup_stops_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
