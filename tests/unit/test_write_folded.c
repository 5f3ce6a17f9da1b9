#include "write/writer.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "testing_tree.h"
#include "testing_writer.h"

static char *
folded(const struct cr_write_in *in)
{
	return testing_written("folded", in, NULL);
}

static void
assert_folded(const struct cr_tree *t, uint32_t root, const char *want)
{
	char *got = folded(&(struct cr_write_in){.tree = t, .root = root});

	assert_string_equal(got, want);
	free(got);
}

static void
test_folded_text_comes_back_sorted(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{"b 1\na;b;c 3\na;b 2\n", "a;b 2\na;b;c 3\nb 1\n"},
		/* ';' sorts behind digits, dots and blanks and before letters */
		{"a;c 1\na 1\na.x;y 1\nab 1\na 9 1\na<b> 1\n",
			"a 1\na 9 1\na.x;y 1\na;c 1\na<b> 1\nab 1\n"},
		{"a;z 0\nb 1\n", "b 1\n"},
		/* stacks without branches, some of which end on the way */
		{"a;b;c;d 1\nf;g;h 0\na;b;c;d;e 2\ni;j;k;l 3\ni;j 4\n",
			"a;b;c;d 1\na;b;c;d;e 2\ni;j 4\ni;j;k;l 3\n"},
		/* more siblings than are sorted by insertion */
		{"m 1\nl 1\nk 1\nj 1\ni 1\nh 1\ng 1\nf 1\ne 1\nd 1\nc 1\nb;x 1\nb 1\na 1\no 1\n"
		 "n 1\nr 1\nq 1\np;y 2\np 1\n",
			"a 1\nb 1\nb;x 1\nc 1\nd 1\ne 1\nf 1\ng 1\nh 1\ni 1\nj 1\nk 1\nl 1\nm 1\n"
			"n 1\no 1\np 1\np;y 2\nq 1\nr 1\n"},
		{" 7\na 1\n", "[no stack] 7\na 1\n"},
		{"[no stack] 2\n 7\n", "[no stack] 9\n"},
		{"a 18446744073709551615\n", "a 18446744073709551615\n"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_tree *t = testing_tree(1, cases[i].in);

		assert_folded(t, 0, cases[i].want);
		cr_tree_free(t);
	}
}

static void
test_names_that_become_equal_are_one_stack(void **state)
{
	struct cr_tree *t = testing_tree(
		1, "f!x;a!x;b!x 1\nf!x;a!y;b!x 2\nf!x;a!y;c!x 4\nf!x;a!y 8\nf!x;a!x 16\n");

	(void)state;
	assert_folded(t, 0, "f;a 24\nf;a;b 3\nf;a;c 4\n");
	cr_tree_free(t);
	t = testing_tree(1, "f(int);g 1\nf(long);g 2\nf(long) 4\n");
	assert_folded(t, 0, "f(int);g 1\nf(long) 4\nf(long);g 2\n");
	cr_tree_free(t);
}

static void
test_inlined_frames_are_frames_like_others(void **state)
{
	struct cr_tree *t =
		testing_tree(1, "main;~sort;~less 5\nmain;sort;less 3\nmain;~f(int) 2\n");

	(void)state;
	assert_folded(t, 0, "main;f(int) 2\nmain;sort;less 8\n");
	cr_tree_free(t);
}

static void
test_names_cannot_break_a_line(void **state)
{
	static const struct {
		const char *name;
		uint32_t len;
		const char *want;
	} cases[] = {
		{"a;b", 3, "a:b 1\n"},
		{"a\nb\rc\td", 7, "a b c d 1\n"},
		{"a\0b", 3, "a b 1\n"},
		{"  a  b  ", 8, "a  b 1\n"},
		{"\n\0", 2, "- 1\n"},
		{"", 0, "- 1\n"},
		{"\x1b\xff", 2, "\x1b\xff 1\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *name = cr_memdup(cases[i].name, cases[i].len);
		const struct cr_frame frames[] = {{.name = CR_STR("all")},
			{.name = {name, cases[i].len}, .kind = CR_KIND_USER}};
		struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, 2);
		struct cr_tree *t;

		cr_tree_builder_add(tb, cr_tree_builder_child(tb, 0, 1), 0, 1, 1);
		t = cr_tree_builder_finish(tb, NULL);
		assert_folded(t, 0, cases[i].want);
		cr_tree_free(t);
		free(name);
	}
}

static void
test_blanks_of_a_comm_become_underscores(void **state)
{
	struct cr_tree *t = testing_tree(1, "@my prog(1);f(int) 3\n");

	(void)state;
	assert_folded(t, 0, "my_prog(1);f(int) 3\n");
	cr_tree_free(t);
}

static void
test_two_sides_print_both_weights(void **state)
{
	struct cr_tree *t = testing_tree(2, "a;b 1 2\na;c 3 0\na;d 0 0\n");

	(void)state;
	assert_folded(t, 0, "a;b 1 2\na;c 3 0\n");
	cr_tree_free(t);
}

static void
test_a_subtree_begins_with_its_own_frame(void **state)
{
	struct cr_tree *t = testing_tree(1, "a;b;c 3\na;b 2\na 1\n");

	(void)state;
	assert_folded(t, testing_node(t, "a;b"), "b 2\nb;c 3\n");
	cr_tree_free(t);
}

static void
test_deep_stacks_need_no_deep_recursion(void **state)
{
	static const struct cr_frame frames[] = {
		{.name = CR_STR("all")}, {.name = CR_STR("f"), .kind = CR_KIND_USER}};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, 2);
	struct cr_tree *t;
	uint32_t node = 0;
	char *got;

	(void)state;
	for (int i = 0; i < 50000; i++)
		node = cr_tree_builder_child(tb, node, 1);
	cr_tree_builder_add(tb, node, 0, 1, 1);
	t = cr_tree_builder_finish(tb, NULL);
	got = folded(&(struct cr_write_in){.tree = t});
	assert_int_equal(strlen(got), 50000 * 2 - 1 + 3);
	free(got);
	cr_tree_free(t);
}

/* ---- writer.c, which any format would do to try */

static char *
slurp(const char *path)
{
	static char text[100];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void
test_a_file_is_replaced_whole_and_a_link_followed(void **state)
{
	char dir[] = "/tmp/cresset-test-XXXXXX", path[64], link[64];
	struct cr_tree *t = testing_tree(1, "a 1\n");
	const struct cr_write_in in = {.tree = t};
	struct cr_err err = CR_ERR_INIT;
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/x.folded", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(cr_writer_run(cr_writer_for_path(path), &in, NULL, path, &err), CR_OK);
	assert_string_equal(slurp(path), "a 1\n");
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("x.folded", link), 0);
	assert_int_equal(cr_writer_run(cr_writer_find("folded"), &in, NULL, link, &err), CR_OK);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	unlink(link);
	unlink(path);
	assert_int_equal(rmdir(dir), 0); /* nothing was left beside it */
	cr_tree_free(t);
}

static void
test_a_full_disk_is_an_error_and_a_device_stays_one(void **state)
{
	struct cr_tree *t = testing_tree(1, "a 1\n");
	const struct cr_write_in in = {.tree = t};
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(
		cr_writer_run(cr_writer_find("folded"), &in, NULL, "/dev/null", &err), CR_OK);
	if (access("/dev/full", W_OK) == 0) {
		struct stat st;

		assert_int_equal(
			cr_writer_run(cr_writer_find("folded"), &in, NULL, "/dev/full", &err),
			CR_EIO);
		assert_memory_equal(err.text, "cannot write: ", 14);
		assert_int_equal(stat("/dev/full", &st), 0);
		assert_true(S_ISCHR(st.st_mode));
	}
	assert_int_equal(
		cr_writer_run(cr_writer_find("folded"), &in, NULL, "/nowhere/at/all.folded", &err),
		CR_EIO);
	cr_tree_free(t);
}

static void
test_writers_are_found_by_name_and_extension(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	size_t n = 0;

	(void)state;
	for (const struct cr_writer *w; (w = cr_writer_at(n)) != NULL; n++) {
		assert_ptr_equal(cr_writer_find(w->name), w);
		assert_non_null(w->extensions[0]);
		for (const char *const *e = w->extensions; *e; e++) {
			struct cr_text path = {0};

			cr_text_printf(&path, "x%s", *e);
			assert_int_equal(**e, '.');
			assert_ptr_equal(cr_writer_for_path(path.p), w); /* not another's, too */
			cr_text_fini(&path);
		}
		assert_int_equal(
			cr_writer_run(w, &(struct cr_write_in){0}, NULL, "/dev/null", &err),
			CR_EUSAGE);
	}
	assert_true(n >= 3);
	assert_null(cr_writer_find("nothing"));
	assert_null(cr_writer_for_path("x.nothing"));
}

/* Two writers with one extension: whichever comes first would win. */
static void
test_no_two_writers_have_the_same_extension(void **state)
{
	(void)state;
	for (size_t i = 0; cr_writer_at(i); i++)
		for (size_t k = 0; k < i; k++)
			for (const char *const *a = cr_writer_at(i)->extensions; *a; a++)
				for (const char *const *b = cr_writer_at(k)->extensions; *b; b++)
					assert_string_not_equal(*a, *b);
}

static void
test_the_longest_extension_wins_in_any_order(void **state)
{
	static const char *const any[] = {".json", NULL}, *const two[] = {
								  ".x", ".speedscope.json", NULL};
	const struct cr_writer json = {.name = "json", .extensions = any},
			       scope = {.name = "scope", .extensions = two};
	const struct cr_writer *const orders[2][2] = {{&json, &scope}, {&scope, &json}};

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_ptr_equal(cr_writer_among(orders[i], 2, "a.json"), &json);
		assert_ptr_equal(cr_writer_among(orders[i], 2, "a.speedscope.json"), &scope);
		assert_ptr_equal(cr_writer_among(orders[i], 2, "a.x"), &scope);
		assert_null(cr_writer_among(orders[i], 2, "ajson"));
	}
}

static void
test_options_have_defaults_and_refuse_what_they_cannot_be(void **state)
{
	static const struct {
		const char *writer, *name, *value;
		int rc;
		const char *says;
	} cases[] = {
		{"svg", "width", "200", CR_OK, NULL},
		{"svg", "width", "100000", CR_OK, NULL},
		{"svg", "width", "199", CR_EUSAGE,
			"must be a number from 200 to 100000, not '199'"},
		{"svg", "width", "-300", CR_EUSAGE,
			"must be a number from 200 to 100000, not '-300'"},
		{"svg", "width", "4294967596", CR_EUSAGE, "not '4294967596'"},
		{"svg", "width", "300px", CR_EUSAGE, "not '300px'"},
		{"svg", "width", "", CR_EUSAGE, "not ''"},
		{"svg", "palette", "object", CR_OK, NULL},
		{"svg", "palette", "mauve", CR_EUSAGE, "orange, not 'mauve'"},
		{"svg", "icicle", NULL, CR_OK, NULL},
		{"svg", "icicle", "no", CR_OK, NULL},
		{"svg", "icicle", "1", CR_EUSAGE, "must be yes or no, not '1'"},
		{"svg", "title", "", CR_OK, NULL},
		{"svg", "widht", "300", CR_ENOTFOUND,
			"svg has no option 'widht'; did you mean 'width'?"},
		{"svg", "fields", "x", CR_ENOTFOUND, "svg has no option 'fields'"},
		{"script", "fields", "", CR_EUSAGE, "must not be empty"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_writer *w = cr_writer_find(cases[i].writer);
		void *options = cr_writer_defaults(w);
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_writer_set(w, options, cases[i].name, cases[i].value, &err),
			cases[i].rc);
		if (cases[i].says)
			assert_non_null(strstr(err.text, cases[i].says));
		free(options);
	}
}

/* Help, completion and the command line read these tables: names alike take a value alike. */
static void
test_tables_of_options_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; cr_writer_at(i); i++) {
		const struct cr_writer *w = cr_writer_at(i);
		void *options = cr_writer_defaults(w);

		for (const struct cr_option_spec *o = w->options; o && o->name; o++) {
			struct cr_err err = CR_ERR_INIT;

			assert_non_null(o->help);
			assert_true(o->at < w->options_size);
			assert_int_equal(o->type == CR_OPTION_FLAG, o->arg == NULL);
			if (o->initial)
				assert_int_equal(
					cr_option_set(o, o->initial, options, &err), CR_OK);
			for (size_t k = 0; k < i; k++) {
				const struct cr_option_spec *same =
					cr_writer_option(cr_writer_at(k), cr_str_of(o->name));

				assert_true(!same || !same->arg == !o->arg);
			}
		}
		free(options);
	}
}

static void
test_a_sink_is_a_stream_a_text_or_a_descriptor(void **state)
{
	struct cr_tree *t = testing_tree(1, "a;b 1\nc 2\n");
	const struct cr_write_in in = {.tree = t};
	const struct cr_writer *w = cr_writer_find("folded");
	struct cr_err err = CR_ERR_INIT;
	struct cr_text memory = {0};
	FILE *stream = tmpfile(), *file = tmpfile();
	struct cr_sink sinks[] = {
		cr_sink_stream(stream), cr_sink_memory(&memory), cr_sink_descriptor(fileno(file))};
	char text[2][32] = {{0}, {0}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(sinks); i++)
		assert_int_equal(cr_writer_write(w, &in, NULL, &sinks[i], &err), CR_OK);
	rewind(stream);
	rewind(file);
	assert_int_equal(fread(text[0], 1, sizeof(text[0]), stream), memory.len);
	assert_int_equal(fread(text[1], 1, sizeof(text[1]), file), memory.len);
	assert_string_equal(memory.p, "a;b 1\nc 2\n");
	assert_string_equal(text[0], memory.p);
	assert_string_equal(text[1], memory.p);
	fclose(stream);
	fclose(file);
	cr_text_fini(&memory);
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded_text_comes_back_sorted),
		cmocka_unit_test(test_names_that_become_equal_are_one_stack),
		cmocka_unit_test(test_inlined_frames_are_frames_like_others),
		cmocka_unit_test(test_names_cannot_break_a_line),
		cmocka_unit_test(test_blanks_of_a_comm_become_underscores),
		cmocka_unit_test(test_two_sides_print_both_weights),
		cmocka_unit_test(test_a_subtree_begins_with_its_own_frame),
		cmocka_unit_test(test_deep_stacks_need_no_deep_recursion),
		cmocka_unit_test(test_a_file_is_replaced_whole_and_a_link_followed),
		cmocka_unit_test(test_a_full_disk_is_an_error_and_a_device_stays_one),
		cmocka_unit_test(test_writers_are_found_by_name_and_extension),
		cmocka_unit_test(test_no_two_writers_have_the_same_extension),
		cmocka_unit_test(test_the_longest_extension_wins_in_any_order),
		cmocka_unit_test(test_options_have_defaults_and_refuse_what_they_cannot_be),
		cmocka_unit_test(test_tables_of_options_are_sound),
		cmocka_unit_test(test_a_sink_is_a_stream_a_text_or_a_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
