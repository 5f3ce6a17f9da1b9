#include "testing.h"

#include "base/utf8.h"
#include "tui/panes/pager_p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
set(struct cr_pager *p, const char *text, int32_t width, int32_t height)
{
	cr_pager_set(p, "x", cr_str_of(text));
	cr_pager_fit(p, width, height);
}

/* The rows as lines, indented as they are drawn. */
static char *
rows_of(const struct cr_pager *p)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (size_t i = 0; i < p->rows.n; i++) {
		cr_text_pad(&t, ' ', p->rows.p[i].indent);
		cr_text_put(&t, p->text.p + p->rows.p[i].from, p->rows.p[i].len);
		cr_text_char(&t, '\n');
	}
	return t.p;
}

static void
assert_rows(const struct cr_pager *p, const char *want)
{
	char *have = rows_of(p);

	assert_string_equal(have, want);
	free(have);
}

static void
test_long_lines_are_wrapped_at_blanks_or_in_words(void **state)
{
	static const struct {
		const char *text, *rows;
	} cases[] = {
		{"", ""},
		{"\n", "\n"},
		{"a\n\nb\n", "a\n\nb\n"},
		{"no end", "no end\n"},
		{"0123456789\n", "0123456789\n"},
		{"0123456789a\n", "0123456789\n  a\n"},
		{"one two three four\n", "one two\n  three\n  four\n"},
		{"  x 0123456789abcdef\n", "  x 012345\n    6789ab\n    cdef\n"},
		{"a b             c\n", "a b       \n  c\n"},
	};
	struct cr_pager p = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		set(&p, cases[i].text, 10, 5);
		assert_rows(&p, cases[i].rows);
	}
	set(&p, "  x 0123456789abcdef\n", 10, 5);
	cr_pager_wrap(&p, false);
	assert_rows(&p, "  x 0123456789abcdef\n");
	cr_pager_close(&p);
}

/*
 * Any text, any width: no row is wider than the page, and nothing of the text is lost but blanks.
 */
static void
test_wrapping_keeps_all_of_the_text(void **state)
{
	static const char *const pieces[] = {"a", " ", "  ", "\n", "std::vector<int>",
		"\xe6\x97\xa5", "e\xcc\x81", "\xff", "\x1b", "-", "\t"};
	uint64_t random = 7;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct cr_pager p = {0};
		struct cr_text t = {0};
		const int32_t width = 2 + (int32_t)(testing_random(&random) % 30);
		size_t at = 0;

		cr_text_puts(&t, "");
		for (uint64_t n = testing_random(&random) % 60; n > 0; n--)
			cr_text_puts(&t, pieces[testing_random(&random) % CR_LEN(pieces)]);
		set(&p, t.p, width, 5);
		for (size_t i = 0; i < p.rows.n; i++) {
			const struct cr_pager_row *r = &p.rows.p[i];

			for (; at < r->from; at++)
				assert_true(p.text.p[at] == ' ' || p.text.p[at] == '\n');
			assert_true(r->indent + cr_utf8_cells((struct cr_str){
							p.text.p + r->from, r->len}) <=
				    (uint32_t)width);
			at = r->from + r->len;
		}
		for (; at < p.text.len; at++)
			assert_true(p.text.p[at] == ' ' || p.text.p[at] == '\n');
		cr_pager_close(&p);
		cr_text_fini(&t);
	}
}

static void
test_it_scrolls_within_its_text(void **state)
{
	struct cr_pager p = {0};

	(void)state;
	set(&p, "1\n2\n3\n4\n5\n", 10, 3);
	cr_pager_scroll_to(&p, 1);
	assert_int_equal(p.first, 1);
	cr_pager_scroll_to(&p, 100);
	assert_int_equal(p.first, 2);
	cr_pager_scroll_to(&p, -1);
	assert_int_equal(p.first, 0);
	cr_pager_scroll_to(&p, INT32_MAX);
	cr_pager_fit(&p, 10, 4);
	assert_int_equal(p.first, 1);
	cr_pager_fit(&p, 10, 0);
	cr_pager_fit(&p, 1, 9);
	assert_int_equal(p.first, 0);
	cr_pager_go(&p, "4");
	assert_int_equal(p.first, 0);
	cr_pager_close(&p);
}

static void
test_it_prints_its_place(void **state)
{
	static const struct {
		int32_t width, height, row, left;
		const char *place;
	} cases[] = {
		{50, 8, 0, 0, ""},
		{50, 3, 0, 0, "1-3/8  37 %"},
		{50, 3, 4, 0, "5-7/8  87 %"},
		{50, 3, 8, 0, "6-8/8  100 %"},
		{50, 3, 0, 10, "+10  1-3/8  37 %"},
		{50, 8, 0, 10, "+10"},
		{20, 3, 4, 0, "63 %"},
	};
	struct cr_text out = {0};
	struct cr_pager p = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		set(&p,
			"1\n2\n3\n4\n5\n6\n7\n"
			"0123456789012345678901234567890123456789012345678901234567890123456789\n",
			cases[i].width, cases[i].height);
		cr_pager_wrap(&p, cases[i].width < 50);
		cr_pager_scroll_to(&p, cases[i].row);
		if (cases[i].left)
			cr_pager_sideways(&p, cases[i].left);
		cr_text_clear(&out);
		cr_text_puts(&out, "");
		cr_pager_put_place(&p, &out);
		assert_string_equal(out.p, cases[i].place);
	}
	cr_text_fini(&out);
	cr_pager_close(&p);
}

/* What is at the top stays there when lines are wrapped in another way. */
static void
test_another_width_keeps_the_place(void **state)
{
	struct cr_pager p = {0};

	(void)state;
	set(&p, "aaaa bbbb cccc\ndddd eeee ffff\ngggg\nhhhh\niiii\n", 5, 2);
	cr_pager_go(&p, "gggg");
	assert_int_equal(p.rows.p[p.first].line, 2);
	assert_true(p.first > 2);
	cr_pager_fit(&p, 20, 2);
	assert_int_equal(p.first, 2);
	cr_pager_wrap(&p, false);
	cr_pager_fit(&p, 5, 2);
	assert_int_equal(p.first, 2);
	cr_pager_close(&p);
}

static void
test_it_goes_sideways_as_far_as_there_is_text(void **state)
{
	struct cr_pager p = {0};
	struct cr_term term = {.unicode = true};
	struct cr_text screen = {0};
	struct cr_grid g;
	struct cr_pane pane = {.g = &g, .term = &term, .width = 6, .height = 3};

	(void)state;
	cr_grid_init(&g, 6, 3);
	set(&p, "0123456789\nab\n\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\n", 6, 3);
	cr_pager_sideways(&p, 3);
	assert_true(p.cut);
	assert_int_equal(p.left, 3);
	cr_pager_draw(&p, &pane);
	cr_grid_dump(&g, false, &screen);
	/*
	 * A mark on either side where the line goes on, and a blank for half of a wide character.
	 */
	assert_string_equal(screen.p,
		"\xe2\x80\xb9"
		"4567\xe2\x80\xba\n\xe2\x80\xb9\n\xe2\x80\xb9\xe8\xaa\x9e\xe6\x97\xa5\n");
	cr_pager_sideways(&p, 100);
	assert_int_equal(p.left, 4);
	cr_pager_sideways(&p, -100);
	assert_int_equal(p.left, 0);
	cr_pager_wrap(&p, true);
	cr_pager_fit(&p, 20, 3);
	cr_pager_sideways(&p, 1);
	assert_false(p.cut); /* all of it is seen */
	cr_text_fini(&screen);
	cr_grid_fini(&g);
	cr_pager_close(&p);
}

static void
assert_matches(const struct cr_pager *p, const char *want)
{
	struct cr_text t = {0};

	cr_pager_put_matches(p, &t);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
test_a_search_goes_from_match_to_match_and_round(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_pager p = {0};

	(void)state;
	set(&p, "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", 10, 3);
	assert_int_equal(cr_pager_search(&p, "^T|e$", &err), CR_OK); /* upper case counts */
	assert_matches(&p, "1 of 3 lines");
	assert_int_equal(cr_pager_search(&p, "e[ei]|EN", &err), CR_OK);
	assert_int_equal(cr_pager_search(&p, "ee|ei|en", &err), CR_OK);
	assert_matches(&p, "1 of 3 lines");
	assert_int_equal(p.first, 0);
	cr_pager_next(&p, 1);
	assert_matches(&p, "2 of 3 lines");
	assert_int_equal(p.first, 5); /* seven is on the screen */
	cr_pager_next(&p, 1);
	cr_pager_next(&p, 1);
	assert_matches(&p, "1 of 3 lines");
	cr_pager_next(&p, -1);
	assert_matches(&p, "3 of 3 lines");
	/* From the top of the screen on. */
	cr_pager_scroll_to(&p, 4);
	assert_int_equal(cr_pager_search(&p, "e", &err), CR_OK);
	assert_int_equal(p.hits.p[p.hit], 4);
	assert_int_equal(cr_pager_search(&p, "zebra", &err), CR_OK);
	assert_matches(&p, "no line");
	cr_pager_next(&p, 1);
	assert_int_equal(cr_pager_search(&p, "(", &err), CR_EUSAGE);
	assert_null(p.pattern);
	assert_int_equal(cr_pager_search(&p, "", &err), CR_OK);
	assert_null(p.pattern);
	cr_pager_close(&p);
}

/* The help is made anew for another width: its search stays. */
static void
test_a_search_stays_with_another_text(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_pager p = {0};

	(void)state;
	set(&p, "a\nb\nb\n", 10, 3);
	assert_int_equal(cr_pager_search(&p, "b", &err), CR_OK);
	cr_pager_next(&p, 1);
	set(&p, "b\n", 10, 3);
	assert_matches(&p, "1 of 1 line");
	set(&p, "a\n", 10, 3);
	assert_matches(&p, "no line");
	cr_pager_close(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_lines_are_wrapped_at_blanks_or_in_words),
		cmocka_unit_test(test_wrapping_keeps_all_of_the_text),
		cmocka_unit_test(test_it_scrolls_within_its_text),
		cmocka_unit_test(test_it_prints_its_place),
		cmocka_unit_test(test_another_width_keeps_the_place),
		cmocka_unit_test(test_it_goes_sideways_as_far_as_there_is_text),
		cmocka_unit_test(test_a_search_goes_from_match_to_match_and_round),
		cmocka_unit_test(test_a_search_stays_with_another_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
