#include "testing.h"

#include "session_samples.h"

#include "session/key.h"

#include <string.h>

static void
assert_config(struct cr_session *s, const char *text, const char *want)
{
	struct cr_err err = CR_ERR_INIT;
	const int rc = cr_session_configure(s, "conf", cr_str_of(text), &err);

	assert_string_equal(rc < 0 ? err.text : "", want);
	assert_int_equal(rc, *want ? CR_EUSAGE : CR_OK);
}

static void
assert_set(struct cr_session *s, const char *want)
{
	char *text = run_text(s, "set");

	assert_string_equal(text, want);
	free(text);
}

static void
test_a_file_sets_binds_and_names(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	assert_config(s,
		"# comment\n"
		"\n"
		"  set palette dso  \r\n"
		"set theme dark\n"
		"set color.match #FF8000\n"
		"set color.hot default\n"
		"set\tview functions\n"
		"set mouse off\n"
		"bind F5 view tree; top\n"
		"bind ; undo\n"
		"macro sql reset; search ^l; next",
		"");
	assert_view(s, "functions");
	assert_set(s, "set palette dso\nset theme dark\nset view functions\nset root down\n"
		      "set split none\nset mouse off\nset color.hot default\n"
		      "set color.match #ff8000\nbind F5 view tree; top\nbind ; undo\n"
		      "macro sql reset; search ^l; next\n");
	assert_false(cr_session_mouse(s));
	assert_string_equal(cr_session_bound(s, "F5"), "view tree; top");
	assert_null(cr_session_bound(s, "F6"));
	/* The first screen is not undone. */
	run(s, "undo");
	assert_view(s, "functions");
	run(s, "sql");
	assert_string_equal(s->pattern, "^l");
	run(s, "bind F5");
	run(s, "macro sql");
	assert_null(cr_session_bound(s, "F5"));
	cr_session_free(s);
}

static void
test_a_bad_line_is_reported_and_the_others_are_run(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"\nfly\n", "conf:2: no 'fly' here: set, bind, macro or #"},
		{"set", ""},
		{"set speed 9",
			"conf:1: set: no option 'speed': one of palette, theme, view, root, split, "
			"mouse, color.PART"},
		{"set palette mauve\nset speed 1",
			"conf:1: unknown palette 'mauve'; use kind, dso, hot, mem, io, "
			"java, js, perl, python, rust, wakeup, chain, hash, "
			"red, green, blue, aqua, yellow, purple, orange"},
		{"set theme sepia",
			"conf:1: unknown theme 'sepia'; use any, dark, light, contrast"},
		{"set color.sky blue",
			"conf:1: unknown colour 'sky blue'; use heading, good, warn, hot, mark, "
			"match, selection, kernel, jit, inlined"},
		{"set color.hot #12345",
			"conf:1: unknown colour value (or #rrggbb) '#12345'; use black, red, "
			"green, yellow, blue, magenta, cyan, white, default"},
		{"quit", "conf:1: no 'quit' here: set, bind, macro or #"},
		{"bind Hyper-x top",
			"conf:1: bind: no key is called 'Hyper-x'; names are like x, F5, Ctrl-T, "
			"Space, Up"},
		{"bind", "conf:1: bind: no key is called ''; names are like x, F5, Ctrl-T, Space, "
			 "Up"},
		{"macro zoom top", "conf:1: macro: zoom is a command"},
		{"macro a.b top", "conf:1: macro: 'a.b' is not a name of letters, digits, - and _"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_session *s = sample_session(sample_stacks, NULL);
		struct cr_text text = {0};

		cr_text_printf(&text, "%s\nset root up\n", cases[i].text);
		assert_config(s, text.p, cases[i].want);
		assert_true(s->root_up);
		cr_text_fini(&text);
		cr_session_free(s);
	}
}

static void
test_hostile_bytes_are_safe(void **state)
{
	static const char bytes[] = "set \0palette\x1b[2J\nmacro \xff x\nbind \xc3\xa9 top\n";
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_text line = {0};
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(
		cr_session_configure(s, "conf", (struct cr_str){bytes, sizeof(bytes) - 1}, &err),
		CR_EUSAGE);
	assert_non_null(cr_session_bound(s, "\xc3\xa9"));
	cr_text_puts(&line, "macro ");
	cr_text_pad(&line, 'x', 100000);
	cr_session_configure(s, "conf", cr_text_view(&line), &err);
	cr_text_fini(&line);
	cr_session_free(s);
}

static void
test_macros_run_macros_but_not_for_ever(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	char *text;

	(void)state;
	run(s, "macro a zoom main; b");
	run(s, "macro b select lex");
	run(s, "a; root up");
	assert_zoom(s, "main");
	assert_selected(s, "lex");
	assert_int_equal(run_code(s, "a x"), CR_EUSAGE);
	run(s, "macro b a");
	assert_int_equal(run_code(s, "a"), CR_EUSAGE);
	run(s, "macro a");
	assert_int_equal(run_code(s, "a"), CR_EUSAGE);
	text = run_text(s, "history");
	assert_non_null(strstr(text, "zoom main; select lex; root up;"));
	assert_null(strstr(text, "macro"));
	free(text);
	cr_session_free(s);
}

static void
test_every_key_has_a_name_that_leads_back(void **state)
{
	static const uint32_t keys[] = {'x', ';', '#', 0xe9, 0x1f525, ' ', CR_CTRL('R'),
		CR_CTRL('A'), CR_KEY_UP, CR_KEY_ENTER, CR_KEY_F1, CR_KEY_F1 + 4, CR_KEY_F12,
		CR_KEY_BACKTAB, CR_KEY_INSERT};
	struct cr_text t = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(keys); i++) {
		cr_text_clear(&t);
		cr_key_put_name(keys[i], &t);
		assert_int_equal(cr_key_of_name(t.p), keys[i]);
	}
	assert_int_equal(cr_key_of_name(""), 0);
	assert_int_equal(cr_key_of_name("this key"), 0);
	assert_int_equal(cr_key_of_name("F13"), 0);
	assert_int_equal(cr_key_of_name("\x1b"), 0);
	cr_text_fini(&t);
}

/* A profile from elsewhere must not make the user write a file. */
static void
test_bookmarks_of_a_profile_only_choose_what_is_shown(void **state)
{
	static const struct cr_fact facts[] = {
		{CR_STR("bookmark.good"), CR_STR("focus ^main; view tree; sort name")},
		{CR_STR("bookmark.file"), CR_STR("view tree; export /tmp/x.svg")},
		{CR_STR("bookmark.hidden"), CR_STR("search a;export /tmp/x.svg")},
		{CR_STR("bookmark.macro"), CR_STR("mine")},
		{CR_STR("bookmark.open"), CR_STR("open /etc/passwd")},
		{CR_STR("bookmark.store"), CR_STR("  remove")},
		{CR_STR("bookmark.a b"), CR_STR("view tree")},
		{CR_STR("bookmark."), CR_STR("view tree")},
		{CR_STR("bookmark.none"), CR_STR("")},
	};
	struct cr_session *s = sample_session(sample_stacks, NULL);
	struct cr_profile *p = s->profile[0];
	const struct cr_fact *own = p->facts;
	const uint32_t n_own = p->n_facts;
	const char *name, *line;

	(void)state;
	p->facts = facts;
	p->n_facts = CR_LEN(facts);
	assert_true(cr_session_bookmark_at(s, 0, &name, &line));
	p->facts = own;
	p->n_facts = n_own;
	assert_string_equal(name, "good");
	assert_false(cr_session_bookmark_at(s, 1, &name, &line));
	run(s, "go good");
	assert_view(s, "tree");
	run(s, "undo");
	assert_view(s, "flame");
	assert_int_equal(s->query.n, 0);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bookmarks_of_a_profile_only_choose_what_is_shown),
		cmocka_unit_test(test_a_file_sets_binds_and_names),
		cmocka_unit_test(test_a_bad_line_is_reported_and_the_others_are_run),
		cmocka_unit_test(test_hostile_bytes_are_safe),
		cmocka_unit_test(test_macros_run_macros_but_not_for_ever),
		cmocka_unit_test(test_every_key_has_a_name_that_leads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
