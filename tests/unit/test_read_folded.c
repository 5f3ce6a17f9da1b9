#include "testing.h"

#include "model/tree/default_tree.h"
#include "query/fold/fold.h"
#include "testing_reader.h"

static struct cr_profile *
read_with(const char *text, size_t len, const struct cr_read_opts *opts)
{
	const struct cr_input in = {.p = (const unsigned char *)text, .len = len};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_reader_find("folded")->read(&in, b, opts, &err), CR_OK);
	assert_int_equal(cr_builder_finish(b, opts->log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static struct cr_tree *
fold(const struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &t, &err), CR_OK);
	return t;
}

static void
test_each_line_is_read_as_the_format_says(void **state)
{
	/* folded "": nothing is read */
	static const struct {
		const char *line, *folded, *reasons;
	} cases[] = {
		{"a;b 3", "a;b 3\n", ""},
		{"a;b 2.", "a;b 2\n", ""},
		{"a;b 1.5", "a;b 1.5\n", ""},
		{"a;b 0.0000019", "a;b 0.000001\n", ""},
		{"a;b .5", "", "bad-count:1"},
		{"a;b 1e3", "", "bad-count:1"},
		{"a;b +3", "", "bad-count:1"},
		{"a;b 1,000", "", "bad-count:1"},
		{"a;b 0x10", "", "bad-count:1"},
		{"a;b inf", "", "bad-count:1"},
		{"a;b 1.2.3", "", "bad-count:1"},
		{"a;b 18446744073709551616", "a;b 18446744073709551615\n", "overflow:1"},
		{"a;b 18446744073709551615\na;b 2", "a;b 18446744073709551615\n", "overflow:2"},
		{"a 18446744073709551615\nb 2\nc 3", "a 18446744073709551615\nb 2\nc 3\n",
			"overflow:2"},
		{"a;b 9999999999999999999", "a;b 9999999999999999999\n", ""},
		{"a;b -5", "", "negative:1"},
		{"a;b", "", "no-count:1"},
		{"a;b c", "", "no-count:1"},
		{"5", "", "no-count:1"},
		{"a;b\t3", "a;b 3\n", ""},
		{"a;b 3   ", "a;b 3\n", ""},
		{"a;b   3", "a;b   3\n",
			""}, /* one blank is before the count, others are the frame's */
		{"a;b \t 3", "a;b 3\n", ""}, /* but for columns that TABs set */
		{"a; ;  3", "a; ;  3\n", ""},
		{"a ; b 3", "a ; b 3\n", ""},
		{"a;b  5 3\na;c 1  2", "a;b  5 3\na;c 1 2\n", ""},
		{"  a;b 3", "a;b 3\n", ""},
		{"a;b 3\r", "a;b 3\n", ""},
		{"#name;x 5", "#name;x 5\n", ""},
		{" 5", "[no stack] 5\n", ""},
		{"a;;b 3", "a;;b 3\n", ""},
		{"a; 3", "a; 3\n", ""},
		{"a;b; 3", "a;b; 3\n", ""},
		{";a 3", ";a 3\n", ""},
		{"a;-;b 3\na;;b 4", "a;-;b 3\na;;b 4\n", ""}, /* a mark is no empty frame */
		{"a;;x_[i];;y_[i] 3", "a;;x_[i];;y_[i] 3\n", ""},
		{"foo bar 3", "foo bar 3\n", ""},
		{"foo bar 3 4", "foo bar 3 4\n", ""},
		{"\xff\xfe;\x1b[2J 3", "\xff\xfe;\x1b[2J 3\n", ""},
		{"a\tb;c 3", "a\tb;c 3\n", ""},
		{"a\rb;c 3", "a\rb;c 3\n", ""},
		{"a;b 0\nc 1", "c 1\n", ""}, /* a row of the profile, no samples */
		/* frames of the line before, and what begins like them */
		{"a;b;c 1\na;b;cd 2\na;b 4\na;bc;d 8\na;b;c;d 16\na;b;c 32\n",
			"a;b 4\na;b;c 33\na;b;c;d 16\na;b;cd 2\na;bc;d 8\n", ""},
		{";a 1\n;; 2\n;b 4\n; 8\n", "; 8\n;; 2\n;a 1\n;b 4\n", ""},
		{"a;b 1\na;b; 2\na;b;c 4\na;b;; 8\na;b 16\n", "a;b 17\na;b; 2\na;b;; 8\na;b;c 4\n",
			""},
		{"a;b;c 1\na;b;;; 1\na;b; ;c 1\n", "a;b; ;c 1\na;b;;; 1\na;b;c 1\n", ""},
		/* two counts: of all lines a difference, else not */
		{"a;f 2 3\na;g 4 0\na;f 1 1", "a;f 3 4\na;g 4 0\n", ""},
		{"a;f 2 3\na;g 4", "a;f 2 3\na;g 4\n", ""},
		{"a 1 2\nb 1 2\nc 1 2\nd 4", "a 1 2\nb 1 2\nc 1 2\nd 4\n", "mixed-columns:4"},
		{"a;b 1 3 5\nb 1 2", "a;b 1 3 5\nb 1 2\n", ""},
		{"a 0.5 1\nb 1 2", "a 0.5 1\nb 1 2\n", ""},
		{"5 3\n6 3", "5 3\n6 3\n", ""}, /* a stack called 5 */
		{"", "", ""},
		{"\n \n# x\n#", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("folded", cases[i].line, cases[i].folded, cases[i].reasons);
}

/* ---- folded in is folded out */

#define LINES 300

struct counted {
	char stack[64];
	unsigned count;
};

static int
by_stack(const void *x, const void *y)
{
	return strcmp(((const struct counted *)x)->stack, ((const struct counted *)y)->stack);
}

/* Pieces of names and what is between them, in any order; a line does not begin with a blank. */
static void
stack_make(uint64_t *seed, char *out)
{
	static const char *const pieces[] = {"a", "b", "-", "--", ";", ";", ";", " ", " ", "_[k]",
		"_[i]", "_[j]", "\t.", "f (x.py:3)", "7", "#", "[unknown]", "[no stack]"};
	const unsigned n = 1 + (unsigned)(testing_random(seed) % 5);

	out[0] = '\0';
	for (unsigned i = 0; i < n; i++) {
		const char *piece = pieces[testing_random(seed) % CR_LEN(pieces)];

		if (i == 0 && (piece[0] == ' ' || piece[0] == '\t' || piece[0] == '#'))
			piece = "a";
		strcat(out, piece);
	}
}

/* Sorted, equal stacks added up. */
static void
put_summed(struct counted *lines, size_t n, struct cr_text *out)
{
	qsort(lines, n, sizeof(*lines), by_stack);
	for (size_t i = 0, next; i < n; i = next) {
		unsigned sum = 0;

		for (next = i; next < n && strcmp(lines[next].stack, lines[i].stack) == 0; next++)
			sum += lines[next].count;
		cr_text_printf(out, "%s %u\n", lines[i].stack, sum);
	}
}

static char *
written(const struct cr_tree *t)
{
	return testing_written("folded", &(struct cr_write_in){.tree = t}, NULL);
}

static void
test_what_is_read_is_written_again_byte_for_byte(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		struct counted lines[LINES];
		struct cr_text in = {0}, want = {0};
		struct cr_profile *p;
		struct cr_tree *t;
		struct cr_log log;
		char *have;

		for (size_t i = 0; i < LINES; i++) {
			stack_make(&seed, lines[i].stack);
			lines[i].count = 1 + (unsigned)(testing_random(&seed) % 9);
			cr_text_printf(&in, "%s %u\n", lines[i].stack, lines[i].count);
		}
		put_summed(lines, LINES, &want);
		p = testing_read("folded", in.p, in.len, &log);
		assert_int_equal(log.n, 0);
		have = testing_folded(p, NULL);
		assert_string_equal(have, want.p);
		free(have);
		for (unsigned default_tree = 0; default_tree < 2; default_tree++) {
			t = default_tree ? cr_default_tree_fold(p, (cr_event_id){0}) : fold(p);
			have = written(t);
			assert_string_equal(have, want.p);
			free(have);
			cr_tree_free(t);
			cr_default_tree_make(p);
		}
		cr_profile_free(p);
		cr_text_fini(&in);
		cr_text_fini(&want);
	}
}

static const char good[] = "\xef\xbb\xbf# total 9\n"
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
	p = testing_read("folded", good, sizeof(good) - 1, &log);
	assert_int_equal(log.n, 0);
	assert_false(p->flags & CR_PROFILE_IN_PART);
	assert_str(p->events[0].unit, "weight");
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
	p = testing_read("folded", "a 1\nb 0.25\n", 11, &log);
	assert_str(p->events[0].unit, "millionths");
	assert_int_equal(p->events[0].weight, 1250000);
	cr_profile_free(p);
	p = testing_read("folded", "a 18446744073709551615\nb 0.25\n", 30, &log);
	assert_int_equal(p->events[0].weight, UINT64_MAX);
	cr_profile_free(p);
}

static void
test_lines_that_count_nothing_leave_no_node_in_the_outline(void **state)
{
	struct cr_log log = {0};
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	p = read_with("a;b 0\nc 1\na;b;d 0\n", 18,
		&(struct cr_read_opts){.unit = "samples", .log = &log});
	cr_default_tree_make(p);
	t = fold(p);
	assert_tree(t, "all 1 0\n c 1 1\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_header_names_the_event_and_its_unit(void **state)
{
	static const char one[] = "\n# event \"cpu-clock\", unit ns, 7 samples\na;b 3\nc 4\n";
	static const char two[] = "# event \"x\", unit us, 7 and 0 samples\na;b 3 5\nc 4 0\n";
	static const char other[] = "a;b 3\n# event \"x\", unit us\nc 4\n";
	struct cr_log log;
	struct cr_profile *p;
	char *reasons;

	(void)state;
	p = testing_read("folded", one, sizeof(one) - 1, &log);
	assert_event(p, "cpu-clock", "ns", "a;b 3\nc 4\n");
	assert_str(cr_profile_fact(p, "samples added up"), "7");
	assert_int_equal(log.n, 0);
	cr_profile_free(p);
	p = testing_read("folded", two, sizeof(two) - 1, &log);
	assert_event(p, "before", "us", "a;b 3\nc 4\n");
	assert_event(p, "after", "us", "a;b 5\n");
	assert_int_equal(p->samples.n, 3);
	assert_str(cr_profile_fact(p, "differential"), "x");
	assert_str(cr_profile_fact(p, "samples added up"), "7 and 0");
	cr_profile_free(p);
	p = testing_read("folded", other, sizeof(other) - 1, &log);
	assert_event(p, "weight", "weight", "a;b 3\nc 4\n");
	reasons = testing_reasons(&log);
	assert_string_equal(reasons, "other-event:2");
	free(reasons);
	cr_profile_free(p);
}

static void
test_bad_lines_are_counted_and_the_rest_is_kept(void **state)
{
	static const char text[] = "a 1\nno count here\nb 1e9\nc -3\nb .1\nd 2\n";
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	p = testing_read("folded", text, sizeof(text) - 1, &log);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(p->samples.n, 2);
	assert_int_equal(log.n, 3);
	assert_int_equal(log.entries[0].line, 2);
	assert_string_equal(log.places[0].text, "no count here");
	assert_int_equal(log.entries[1].count, 2);
	assert_int_equal(p->n_quality, 3);
	cr_profile_free(p);
}

static void
test_marks_of_frames_tell_whose_code_it_is(void **state)
{
	static const char text[] =
		"java;run_[j];get_[i];deep_[i];-;read_[k] 4\njava;run_[j] 2\nlone_[i];w_[w] 1\n";
	static const struct {
		const char *name;
		enum cr_kind kind;
		bool inlined;
	} cases[] = {
		{"java", CR_KIND_UNKNOWN, false},
		{"run_[j]", CR_KIND_JIT, false},
		{"get_[i]", CR_KIND_JIT, true},
		{"deep_[i]", CR_KIND_JIT, true},
		{"-", CR_KIND_GROUP, false},
		{"read_[k]", CR_KIND_KERNEL, false},
		{"w_[w]", CR_KIND_UNKNOWN, false},
	};
	struct cr_log log;
	struct cr_profile *p = testing_read("folded", text, sizeof(text) - 1, &log);
	char *folded = testing_folded(p, NULL);

	(void)state;
	assert_string_equal(folded,
		"java;run_[j] 2\njava;run_[j];get_[i];deep_[i];-;read_[k] 4\nlone_[i];w_[w] 1\n");
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_function *f = NULL;

		for (uint32_t k = 0; k < p->n_functions && !f; k++)
			if (cr_str_eq(p->functions[k].name, cr_str_of(cases[i].name)) &&
				(p->functions[k].addr == CR_ADDR_INLINED) == cases[i].inlined)
				f = &p->functions[k];
		assert_non_null(f);
		if (f->dso.i || cases[i].kind)
			assert_int_equal(p->dsos[f->dso.i].kind, cases[i].kind);
	}
	free(folded);
	cr_profile_free(p);
}

static void
test_names_of_python_and_ruby_tell_their_lines(void **state)
{
	static const struct {
		const char *frame, *file;
		uint32_t line;
	} cases[] = {
		{"work (lib/w.py:10)", "lib/w.py", 10},
		{"MainThread (1)", "", 0},
		{"f (x.py)", "", 0},
		{"f(int:3)", "", 0},
		{"block in run - app.rb:5", "app.rb", 5},
		{"sleep [c function] - (unknown)", "", 0},
		{"a - b:c", "", 0},
		{"m.py:f:7", "", 0},
		{":7", "", 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};
		struct cr_log log;
		struct cr_profile *p;
		const struct cr_line *line;

		cr_text_printf(&text, "%s 1\n", cases[i].frame);
		p = testing_read("folded", text.p, text.len, &log);
		line = &p->lines[p->locations[p->node_location[1]].first_line];
		assert_int_equal(line->line, cases[i].line);
		assert_str(cr_line_file(p, line), cases[i].file);
		assert_str(p->functions[line->function.i].name, cases[i].frame);
		cr_text_fini(&text);
		cr_profile_free(p);
	}
}

static void
test_what_austin_says_of_itself_is_kept(void **state)
{
	static const char text[] = "# austin: 3.6.0\n# mode: memory\n# a "
				   "b\nP12;T34;lib/m.py:f:12;:GC: 100\nP12;T35;m:f:1 5\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("folded", text, sizeof(text) - 1, &log);
	const struct cr_line *line = &p->lines[p->locations[p->node_location[3]].first_line];

	(void)state;
	assert_str(cr_profile_fact(p, "# austin"), "3.6.0");
	assert_str(cr_profile_fact(p, "# mode"), "memory");
	assert_event(p, "weight", "bytes", "P12;T34;lib/m.py:f:12;:GC: 100\nP12;T35;m:f:1 5\n");
	assert_int_equal(p->flags & (CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT),
		CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 12);
	assert_int_equal(p->tasks[p->samples.task[1]].tid, 35);
	assert_str(cr_line_file(p, line), "lib/m.py");
	assert_int_equal(line->line, 12);
	cr_profile_free(p);
}

static void
test_two_counts_in_every_line_are_two_events(void **state)
{
	struct cr_log log;
	struct cr_profile *p = testing_read("folded", "a;b 3 5\na;c 4 0\n", 16, &log);

	(void)state;
	assert_str(cr_profile_fact(p, "differential"), "before, after");
	assert_event(p, "before", "weight", "a;b 3\na;c 4\n");
	assert_event(p, "after", "weight", "a;b 5\n");
	cr_profile_free(p);
	p = testing_read("folded", "a;b 3 5\na;c 0.5 0\n", 18, &log);
	assert_event(p, "before", "millionths", "a;b 3\na;c 0.5\n");
	cr_profile_free(p);
}

/*
 * So many that it is not worth to look whether a stack was seen: some of them come twice all the
 * same.
 */
static void
test_stacks_that_hardly_come_twice_are_added_up(void **state)
{
	struct cr_text text = {0};
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	for (unsigned i = 0; i < 20000; i++)
		cr_text_printf(&text, "a;b;f%u 1\n", i % 10000);
	p = testing_read("folded", text.p, text.len, &log);
	assert_int_equal(p->n_nodes, 10003);
	assert_int_equal(p->samples.n, 20000);
	assert_int_equal(p->samples.node[0], p->samples.node[10000]);
	cr_profile_free(p);
	cr_text_fini(&text);
}

static void
test_pieces_make_the_same_profile(void **state)
{
	static const char *const ends[] = {" 3\n", " 4 5\n", " 1.5\n", "\n", " -3\n", "\r\n",
		" 12\r\n", "\n# x: y\n", " 1 \n"};
	static const char *const frames[] = {
		"a", "b;", ";c_[k]", "_[i]", "d ", "7", "main", ";;", "\t"};
	uint64_t random = 9;
	struct cr_text text = {0};

	(void)state;
	for (unsigned i = 0; i < 1500; i++) {
		for (uint64_t n = testing_random(&random) % 6; n; n--)
			cr_text_puts(&text, frames[testing_random(&random) % CR_LEN(frames)]);
		cr_text_puts(&text, ends[testing_random(&random) % CR_LEN(ends)]);
	}
	for (size_t bytes = 20; bytes < 5000; bytes = bytes * 3 + 1) {
		struct cr_log one_log = {0}, log = {0};
		struct cr_profile *one = read_with(
			text.p, text.len, &(struct cr_read_opts){.log = &one_log, .threads = 1});
		struct cr_profile *p = read_with(text.p, text.len,
			&(struct cr_read_opts){.log = &log, .threads = 3, .piece_bytes = bytes});
		char *want = testing_folded(one, NULL), *have = testing_folded(p, NULL);
		char *want_why = testing_reasons(&one_log), *why = testing_reasons(&log);

		assert_string_equal(have, want);
		assert_string_equal(why, want_why);
		assert_int_equal(p->samples.n, one->samples.n);
		assert_memory_equal(p->samples.weight, one->samples.weight,
			p->samples.n * sizeof(*p->samples.weight));
		free(want);
		free(have);
		free(want_why);
		free(why);
		cr_profile_free(one);
		cr_profile_free(p);
	}
	cr_text_fini(&text);
}

static void
test_broken_texts_are_read_or_refused(void **state)
{
	static const char marked[] =
		"# austin: 3\nP1;T2;m:f:1_[i];b (c.py:3) 1 2\na;b_[i];c - d:1 3 4\n";

	(void)state;
	assert_survives("folded", good, sizeof(good) - 1);
	assert_survives("folded", marked, sizeof(marked) - 1);
}

static void
test_the_same_bytes_twice_give_the_same(void **state)
{
	char *text[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct cr_log log;
		struct cr_profile *p = testing_read("folded", good, sizeof(good) - 1, &log);
		struct cr_tree *t = fold(p);

		text[i] = testing_tree_text(t);
		cr_tree_free(t);
		cr_profile_free(p);
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
	cr_text_puts(&text, "leaf 1");
	p = testing_read("folded", text.p, text.len, &log);
	assert_int_equal(p->n_nodes, 8193);
	assert_str(p->functions[p->lines[p->locations[p->node_location[1]].first_line].function.i]
			   .name,
		"[truncated]");
	assert_str(
		p->functions[p->lines[p->locations[p->node_location[8192]].first_line].function.i]
			.name,
		"leaf");
	assert_string_equal(log.places[0].why, "truncated-frame");
	cr_profile_free(p);
	cr_text_fini(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_line_is_read_as_the_format_says),
		cmocka_unit_test(test_what_is_read_is_written_again_byte_for_byte),
		cmocka_unit_test(test_a_good_file_becomes_its_tree),
		cmocka_unit_test(test_one_fraction_puts_all_counts_in_millionths),
		cmocka_unit_test(test_lines_that_count_nothing_leave_no_node_in_the_outline),
		cmocka_unit_test(test_a_header_names_the_event_and_its_unit),
		cmocka_unit_test(test_bad_lines_are_counted_and_the_rest_is_kept),
		cmocka_unit_test(test_marks_of_frames_tell_whose_code_it_is),
		cmocka_unit_test(test_names_of_python_and_ruby_tell_their_lines),
		cmocka_unit_test(test_what_austin_says_of_itself_is_kept),
		cmocka_unit_test(test_two_counts_in_every_line_are_two_events),
		cmocka_unit_test(test_stacks_that_hardly_come_twice_are_added_up),
		cmocka_unit_test(test_pieces_make_the_same_profile),
		cmocka_unit_test(test_broken_texts_are_read_or_refused),
		cmocka_unit_test(test_the_same_bytes_twice_give_the_same),
		cmocka_unit_test(test_a_stack_of_a_million_frames_is_cut_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
