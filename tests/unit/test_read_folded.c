#include "testing.h"

#include "cresset/profile/outline.h"
#include "cresset/query/fold.h"
#include "cresset/read/reader.h"

static int
read_text(const char *text, size_t len, struct cr_profile **out, struct cr_log *log)
{
	void *bytes = testing_exact(text, len);
	const struct cr_input in = {.p = bytes, .len = len};
	const struct cr_read_opts opts = {.log = log};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	int rc;

	*out = NULL;
	*log = (struct cr_log){0};
	if ((rc = cr_reader_find("folded")->read(&in, b, &opts, &err)) == CR_OK)
		rc = cr_builder_finish(b, log, out, &err);
	cr_builder_free(b);
	free(bytes);
	return rc;
}

static struct cr_tree *
fold(const struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, CR_GRAIN_FUNCTION, CR_GROUP_COMM, &t, &err), CR_OK);
	return t;
}

static void
test_each_line_is_read_as_the_format_says(void **state)
{
	/* tree NULL: nothing is read, and `why` is logged */
	static const struct { const char *line, *tree, *why; } cases[] = {
		{"a;b 3", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"a;b 2.", "all 2 0\n a 2 0\n  b 2 2\n", NULL},
		{"a;b 1.5", "all 1500000 0\n a 1500000 0\n  b 1500000 1500000\n", NULL},
		{"a;b 0.0000019", "all 1 0\n a 1 0\n  b 1 1\n", NULL},
		{"a;b .5", NULL, "lines with a bad count"},
		{"a;b 1e3", NULL, "lines with a bad count"},
		{"a;b +3", NULL, "lines with a bad count"},
		{"a;b 1,000", NULL, "lines with a bad count"},
		{"a;b 0x10", NULL, "lines with a bad count"},
		{"a;b inf", NULL, "lines with a bad count"},
		{"a;b 1.2.3", NULL, "lines with a bad count"},
		{"a;b 18446744073709551616", NULL, "lines with a bad count"},
		{"a;b -5", NULL, "lines with a negative count"},
		{"a;b", NULL, "lines without a count"},
		{"a;b c", NULL, "lines without a count"},
		{"5", NULL, "lines without a count"},
		{"a;b\t3", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"a;b 3   ", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"a;b   3", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"  a;b 3", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"a;b 3\r", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{"#name;x 5", "all 5 0\n #name 5 0\n  x 5 5\n", NULL},
		{" 5", "all 5 5\n", NULL},
		{"a;;b 3", "all 3 0\n a 3 0\n  - 3 0\n   b 3 3\n", NULL},
		{"a; 3", "all 3 0\n a 3 3\n", NULL},
		{"a;b; 3", "all 3 0\n a 3 0\n  b 3 3\n", NULL},
		{";a 3", "all 3 0\n - 3 0\n  a 3 3\n", NULL},
		{"foo bar 3", "all 3 0\n foo bar 3 3\n", NULL},
		{"foo bar 3 4", "all 4 0\n foo bar 3 4 4\n", NULL},
		{"\xff\xfe;\x1b[2J 3", "all 3 0\n \xff\xfe 3 0\n  \x1b[2J 3 3\n", NULL},
		{"a;b 0", "all 0 0\n", NULL}, /* a row of the profile, no samples */
		{"a 18446744073709551615", "all 18446744073709551615 0\n a 18446744073709551615 18446744073709551615\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_log log;
		struct cr_profile *p;
		struct cr_tree *t;
		const int rc = read_text(cases[i].line, strlen(cases[i].line), &p, &log);

		if (cases[i].tree) {
			assert_int_equal(rc, CR_OK);
			t = fold(p);
			assert_tree(t, cases[i].tree);
			assert_int_equal(log.n, 0);
			cr_tree_free(t);
		} else {
			assert_int_equal(rc, CR_EFORMAT);
			assert_int_equal(log.n, 1);
			assert_string_equal(log.entries[0].kind, cases[i].why);
		}
		cr_profile_free(p);
	}
}

static const char good[] =
	"\xef\xbb\xbf# total 9\n"
	"main;parse;lex 4\r\n"
	"\n"
	"main;draw 3\n"
	"#\n"
	"main;parse;lex 1\n"
	"main 1";

static void
test_a_good_file_becomes_its_tree(void **state)
{
	struct cr_log log;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(read_text(good, sizeof(good) - 1, &p, &log), CR_OK);
	assert_int_equal(log.n, 0);
	assert_false(p->flags & CR_PROFILE_IN_PART);
	assert_str(p->events[0].unit, "samples");
	t = fold(p);
	assert_tree(t, "all 9 0\n main 9 1\n  parse 5 0\n   lex 5 5\n  draw 3 3\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_one_fraction_puts_all_counts_in_millionths(void **state)
{
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	assert_int_equal(read_text("a 1\nb 0.25\n", 11, &p, &log), CR_OK);
	assert_str(p->events[0].unit, "millionths");
	assert_int_equal(p->events[0].weight, 1250000);
	cr_profile_free(p);
	assert_int_equal(read_text("a 18446744073709551615\nb 0.25\n", 30, &p, &log), CR_OK);
	assert_int_equal(p->events[0].weight, UINT64_MAX);
	cr_profile_free(p);
}

static void
test_lines_that_count_nothing_leave_no_node_in_the_outline(void **state)
{
	struct cr_log log;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(read_text("a;b 0\nc 1\na;b;d 0\n", 18, &p, &log), CR_OK);
	cr_outline_make(p);
	t = fold(p);
	assert_tree(t, "all 1 0\n c 1 1\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_bad_lines_are_counted_and_the_rest_is_kept(void **state)
{
	static const char text[] = "a 1\nno count here\nb 1e9\nc -3\nb .1\nd 2\n";
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	assert_int_equal(read_text(text, sizeof(text) - 1, &p, &log), CR_OK);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(p->samples.n, 2);
	assert_int_equal(log.n, 3);
	assert_string_equal(log.entries[0].first, "line 2: no count here");
	assert_int_equal(log.entries[0].offset, 4);
	assert_int_equal(log.entries[1].count, 2);
	assert_int_equal(p->n_quality, 3);
	cr_profile_free(p);
}

static void
test_every_prefix_is_read_or_refused(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(good); len++) {
		struct cr_log log;
		struct cr_profile *p;
		const int rc = read_text(good, len, &p, &log);

		assert_true(rc == CR_OK || (rc == CR_EFORMAT && !p));
		cr_profile_free(p);
	}
}

static void
test_single_bytes_changed_do_no_harm(void **state)
{
	uint64_t random = 77;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		char text[sizeof(good) - 1];
		struct cr_log log;
		struct cr_profile *p;

		memcpy(text, good, sizeof(text));
		text[testing_random(&random) % sizeof(text)] = (char)testing_random(&random);
		if (read_text(text, sizeof(text), &p, &log) == CR_OK)
			cr_tree_free(fold(p));
		cr_profile_free(p);
	}
}

static void
test_the_same_bytes_twice_give_the_same(void **state)
{
	struct cr_log log;
	struct cr_profile *p[2];
	char *text[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct cr_tree *t;

		assert_int_equal(read_text(good, sizeof(good) - 1, &p[i], &log), CR_OK);
		t = fold(p[i]);
		text[i] = testing_tree_text(t);
		cr_tree_free(t);
		cr_profile_free(p[i]);
	}
	assert_string_equal(text[0], text[1]);
	free(text[0]);
	free(text[1]);
}

static void
test_a_stack_of_a_million_frames_is_cut_at_the_limit(void **state)
{
	struct cr_text text = {0};
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	for (unsigned i = 0; i < 1000000; i++)
		cr_text_puts(&text, "f;");
	cr_text_puts(&text, "f 1");
	assert_int_equal(read_text(text.p, text.len, &p, &log), CR_OK);
	assert_int_equal(p->n_nodes, 8193);
	assert_int_equal(p->quality[0].count, 1000001 - 8192);
	cr_profile_free(p);
	cr_text_fini(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_line_is_read_as_the_format_says),
		cmocka_unit_test(test_a_good_file_becomes_its_tree),
		cmocka_unit_test(test_one_fraction_puts_all_counts_in_millionths),
		cmocka_unit_test(test_lines_that_count_nothing_leave_no_node_in_the_outline),
		cmocka_unit_test(test_bad_lines_are_counted_and_the_rest_is_kept),
		cmocka_unit_test(test_every_prefix_is_read_or_refused),
		cmocka_unit_test(test_single_bytes_changed_do_no_harm),
		cmocka_unit_test(test_the_same_bytes_twice_give_the_same),
		cmocka_unit_test(test_a_stack_of_a_million_frames_is_cut_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
