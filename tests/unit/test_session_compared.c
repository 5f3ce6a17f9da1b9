#include "testing.h"

#include <stdio.h>

#include "model/merge/merge.h"
#include "model/tree/default_tree.h"
#include "session/changes_p.h"
#include "session_samples.h"

/* Sessions that compare two profiles in other ways than as shares of the whole. */

static const char stacks_before[] = "x;main;parse 600\nx;main;check 200\nx;main;draw 200\n";
static const char stacks_after[] = "x;main;parse 600\nx;main;check 400\nx;main;draw 1000\n";

static struct cr_session *
compared(const struct cr_comparison *how, int code)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s = NULL;

	assert_int_equal(cr_session_new(sample_profile(stacks_before), "old",
				 sample_profile(stacks_after), "new", NULL, how, &s, &err),
		code);
	return s;
}

/* The share of the selected frame on a side, in percent. */
static double
percent(const struct cr_session *s, uint32_t side)
{
	return 100.0 * (double)s->tree->total[side][s->selection.node] /
	       (double)cr_tree_whole(s->tree, side);
}

static void
assert_near(double value, double expected)
{
	assert_true(value > expected - 0.01 && value < expected + 0.01);
}

static void
assert_norm(const struct cr_session *s, const char *expected)
{
	struct cr_text text = {0};

	cr_text_puts(&text, "");
	cr_session_put_norm(s, &text);
	assert_string_equal(text.p, expected);
	cr_text_fini(&text);
}

static void
test_shares_refer_to_what_costs_are_compared_as(void **state)
{
	const struct cr_comparison shares = {.noise = 0}, none = {.norm = {CR_NORM_NONE, NULL}},
				   check = {.norm = {CR_NORM_FUNCTION, "check"}};
	struct cr_session *s = compared(&shares, CR_OK);

	(void)state;
	run(s, "select parse");
	assert_near(percent(s, 0), 60);
	assert_near(percent(s, 1), 30);
	assert_norm(s, "");
	cr_session_free(s);

	/* 100 % is the mean of both sides, 1500 samples. */
	s = compared(&none, CR_OK);
	run(s, "select parse");
	assert_near(percent(s, 0), 40);
	assert_near(percent(s, 1), 40);
	assert_norm(s, ", as recorded");
	run(s, "ignore draw"); /* another tree, of 800 and 1000 samples */
	run(s, "select parse");
	assert_near(percent(s, 0), 66.67);
	assert_near(percent(s, 1), 66.67);
	cr_session_free(s);

	s = compared(&check, CR_OK);
	run(s, "select parse");
	assert_near(percent(s, 0), 300);
	assert_near(percent(s, 1), 150);
	assert_norm(s, ", 100 % is check");
	cr_session_free(s);
}

/* A profile merged from two recordings. */
static struct cr_profile *
merged(const char *one, const char *two)
{
	const char *const stacks[] = {one, two};
	struct cr_err err = CR_ERR_INIT;
	struct cr_merge *m = cr_merge_new();
	struct cr_profile *p = NULL;

	for (size_t i = 0; i < CR_LEN(stacks); i++) {
		struct cr_profile *part = sample_profile(stacks[i]);

		assert_int_equal(cr_merge_add(m, part, CR_STR("part"), &err), CR_OK);
		cr_profile_free(part);
	}
	assert_int_equal(cr_merge_finish(m, &p, &err), CR_OK);
	cr_merge_free(m);
	cr_default_tree_make(p);
	return p;
}

/* Recordings of different lengths: what verdicts say of a function is what the tree shows of it. */
static void
test_verdicts_and_trees_show_the_same_costs(void **state)
{
	const struct cr_norm norms[] = {
		{CR_NORM_SHARE, NULL}, {CR_NORM_NONE, NULL}, {CR_NORM_FUNCTION, "check"}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(norms); i++) {
		const struct cr_comparison how = {.norm = norms[i]};
		const struct cr_table *table;
		const struct cr_judged *judged;
		struct cr_err err = CR_ERR_INIT;
		struct cr_session *s = NULL;

		assert_int_equal(
			cr_session_new(merged(stacks_before, "x;main;parse 90\nx;main;check 10\n"),
				"old", merged(stacks_after, "x;main;check 70\nx;main;draw 30\n"),
				"new", NULL, &how, &s, &err),
			CR_OK);
		judged = cr_changes_judged(s, &table);
		assert_non_null(judged);
		assert_int_equal(judged->recordings[0], 2);
		for (uint32_t row = 0; row < table->n; row++)
			for (int side = 0; side < CR_SIDES; side++) {
				const double unit = norms[i].kind == CR_NORM_FUNCTION
							    ? judged->amount
							    : 1,
					     whole = (double)cr_tree_whole(s->tree, (uint32_t)side);

				assert_near(100 * unit * judged->total[row].share[side],
					100 * (double)table->rows[row].cost[side].total / whole);
				assert_near(100 * unit * judged->self[row].share[side],
					100 * (double)table->rows[row].cost[side].self / whole);
			}
		cr_session_free(s);
	}
}

static void
test_what_cannot_be_compared_does_not_open(void **state)
{
	const struct cr_comparison unknown = {.norm = {CR_NORM_FUNCTION, "nothing"}},
				   time = {.norm = {CR_NORM_TIME, NULL}};

	(void)state;
	assert_null(compared(&unknown, CR_EUSAGE));
	assert_null(compared(&time, CR_EUSAGE)); /* samples are no time */
}

static void
test_each_side_has_its_own_words(void **state)
{
	static const char stacks[] = "x;main 30\ny;main 20\nz;main 10\n";
	struct cr_query side[CR_SIDES] = {{0}};
	const struct cr_comparison how = {.side = side};
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s = NULL;

	(void)state;
	cr_query_add(&side[0], CR_WORD_COMM, "x", &err);
	cr_query_add(&side[1], CR_WORD_COMM, "y", &err);
	assert_int_equal(cr_session_new(sample_profile(stacks), "a", sample_profile(stacks), "b",
				 NULL, &how, &s, &err),
		CR_OK);
	assert_int_equal(s->tree->total[0][0], 30);
	assert_int_equal(s->tree->total[1][0], 20);
	assert_int_equal(run_code(s, "comm z"), CR_EUSAGE); /* it would have no effect */
	run(s, "swap");
	assert_int_equal(s->tree->total[0][0], 20);
	run(s, "undo");
	assert_int_equal(s->tree->total[0][0], 30);
	cr_session_free(s);
	cr_query_fini(&side[0]);
	cr_query_fini(&side[1]);
}

static void
test_the_copied_command_names_all_recordings_and_options(void **state)
{
	static const char *const before[] = {"a 1", "a2"}, *const after[] = {"b1", "b2"};
	struct cr_query side[CR_SIDES] = {{0}};
	const struct cr_comparison how = {
		.norm = {CR_NORM_FUNCTION, "check"}, .noise = 7, .side = side};
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s;
	char *text;

	(void)state;
	cr_query_add(&side[1], CR_WORD_COMM, "x", &err);
	s = compared(&how, CR_OK);
	cr_session_set_sources(s, 0, before, 2);
	cr_session_set_sources(s, 1, after, 2);
	text = run_text(s, "view functions; copy command");
	assert_string_equal(text,
		"cresset diff --norm check --noise 7 --b-comm x --start 'view functions' 'a 1' a2 "
		"-- b1 b2\n");
	free(text);
	cr_session_free(s);
	cr_query_fini(&side[1]);
}

/* 70,000 stacks, and a function that is new in the second profile. The caller frees it. */
static char *
many_stacks(const char *last)
{
	struct cr_text text = {0};

	for (int i = 0; i < 70000; i++)
		cr_text_printf(&text, "x;main;f%d;g%d 1\n", i / 1000, i % 1000);
	cr_text_puts(&text, last);
	return text.p;
}

static void
test_verdicts_about_many_stacks_come_after_the_first_screen(void **state)
{
	char *before = many_stacks("x;main;old 9000\n"), *after = many_stacks("x;main;new 9000\n");
	struct cr_session *s = sample_session(before, after);

	(void)state;
	assert_false(cr_session_unjudged(s));
	cr_session_on_screen(s);
	run(s, "size 80 20");
	cr_session_prepare(s);
	assert_true(cr_session_unjudged(s));
	assert_null(cr_changes_noise(s));
	cr_session_judge(s);
	assert_false(cr_session_unjudged(s));
	assert_non_null(cr_changes_noise(s));
	/* A command that needs them waits for them. */
	run(s, "comm x; next-change");
	assert_false(cr_session_unjudged(s));
	assert_non_null(cr_changes_noise(s));
	cr_session_free(s);
	free(before);
	free(after);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_refer_to_what_costs_are_compared_as),
		cmocka_unit_test(test_verdicts_and_trees_show_the_same_costs),
		cmocka_unit_test(test_what_cannot_be_compared_does_not_open),
		cmocka_unit_test(test_each_side_has_its_own_words),
		cmocka_unit_test(test_the_copied_command_names_all_recordings_and_options),
		cmocka_unit_test(test_verdicts_about_many_stacks_come_after_the_first_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
