#include "testing.h"

#include "cresset.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

#include "testing_directory.h"

/* Contracts of cresset.h. Which bytes the library writes is compared in tests/e2e. */

static const char stacks[] = "main;parse;lex 10\nmain;parse 5\nmain;draw 25\n";

static cresset_profile *
opened(cresset *c)
{
	cresset_profile *p = cresset_open_memory(c, stacks, sizeof(stacks) - 1, "st");

	assert_non_null(p);
	return p;
}

static void
test_the_header_has_the_version_of_the_library(void **state)
{
	char text[40];

	(void)state;
	snprintf(text, sizeof(text), "%d.%d.%d", CRESSET_VERSION_MAJOR, CRESSET_VERSION_MINOR,
		CRESSET_VERSION_PATCH);
	assert_string_equal(cresset_version(), text);
	assert_true(CRESSET_VERSION_AT_LEAST(0, 1, 0));
	assert_false(CRESSET_VERSION_AT_LEAST(CRESSET_VERSION_MAJOR + 1, 0, 0));
}

static void
test_nodes_are_walked_and_numbers_that_are_none_are_harmless(void **state)
{
	cresset *c = cresset_new();
	cresset_profile *p = opened(c);
	cresset_tree *t = cresset_query(p, NULL);
	uint32_t draw, parse, line = 7;
	const char *unit;

	(void)state;
	assert_non_null(t);
	assert_int_equal(cresset_nodes(t), 5);
	assert_int_equal(cresset_sides(t), 1);
	assert_non_null(cresset_tree_event(t, 0, &unit));
	assert_non_null(unit);
	assert_null(cresset_tree_event(t, 1, &unit));
	assert_null(unit);
	draw = cresset_first_child(t, cresset_first_child(t, 0));
	assert_string_equal(cresset_node_name(t, draw), "draw");
	assert_ptr_equal(cresset_node_name(t, draw), cresset_node_name(t, draw));
	parse = cresset_next_sibling(t, draw);
	assert_string_equal(cresset_node_name(t, parse), "parse");
	assert_int_equal(cresset_node_self(t, parse, 0), 5);
	assert_int_equal(cresset_node_total(t, parse, 0), 15);
	assert_int_equal(cresset_next_sibling(t, parse), 0);
	assert_int_equal(cresset_next_sibling(t, 0), 0);
	assert_int_equal(cresset_parent(t, parse), cresset_first_child(t, 0));
	assert_string_equal(cresset_node_source(t, parse, &line), "");
	assert_int_equal(line, 0);
	for (uint32_t none = cresset_nodes(t); none; none = none == UINT32_MAX ? 0 : UINT32_MAX) {
		assert_string_equal(cresset_node_name(t, none), "");
		assert_string_equal(cresset_node_dso(t, none), "");
		assert_string_equal(cresset_node_source(t, none, NULL), "");
		assert_int_equal(cresset_first_child(t, none), 0);
		assert_int_equal(cresset_next_sibling(t, none), 0);
		assert_int_equal(cresset_parent(t, none), 0);
		assert_int_equal(cresset_node_total(t, none, 0), 0);
	}
	assert_int_equal(cresset_node_self(t, 1, 1), 0);
	cresset_tree_free(t);
	cresset_profile_free(p);
	cresset_free(c);
}

static void
test_handles_may_be_freed_in_any_order(void **state)
{
	cresset *c = cresset_new();
	cresset_profile *p = opened(c), *q = opened(c);
	cresset_tree *t = cresset_diff(p, q, NULL, NULL);
	cresset_table *v = cresset_verdicts(t, NULL), *r = cresset_report(p, NULL, NULL, NULL);
	char *bytes;
	size_t len;

	(void)state;
	assert_non_null(v);
	assert_non_null(r);
	cresset_free(c);
	cresset_profile_free(p);
	cresset_profile_free(q);
	cresset_tree_free(t);
	assert_int_equal(cresset_write_table(v, "csv", &bytes, &len), CRESSET_OK);
	assert_int_equal(strlen(bytes), len);
	cresset_free_bytes(bytes);
	cresset_table_free(v);
	assert_int_equal(cresset_rows(r), 4);
	cresset_table_free(r);
	cresset_free(NULL);
	cresset_profile_free(NULL);
	cresset_tree_free(NULL);
	cresset_table_free(NULL);
	cresset_free_bytes(NULL);
}

/* The last call failed with this code and a text; the next one that succeeds clears both. */
static void
assert_failed(cresset *c, enum cresset_code code)
{
	assert_int_equal(cresset_error_code(c), code);
	assert_string_not_equal(cresset_error(c), "");
	assert_int_equal(cresset_set(c, "threads", "1"), CRESSET_OK);
	assert_int_equal(cresset_error_code(c), CRESSET_OK);
	assert_string_equal(cresset_error(c), "");
}

static void
test_errors_have_a_code_and_a_text(void **state)
{
	cresset *c = cresset_new();
	cresset_profile *p = opened(c);
	cresset_tree *t = cresset_query(p, "");
	const char *bad[] = {"no-such=1", NULL}, *worse[] = {"width=abc", NULL};
	char *bytes = (char *)&bad;
	size_t len = 7;

	(void)state;
	assert_null(cresset_open(c, "/nonexistent/file"));
	assert_failed(c, CRESSET_ENOTFOUND);
	assert_null(cresset_open_memory(c, "", 0, "empty"));
	assert_failed(c, CRESSET_EEMPTY);
	assert_null(cresset_open_memory(c, "\1\2\3\4", 4, "binary"));
	assert_true(cresset_error_code(c) < 0);
	assert_null(cresset_query(p, "no such word"));
	assert_failed(c, CRESSET_EUSAGE);
	assert_null(cresset_query(p, "event nothing"));
	assert_failed(c, CRESSET_ENOTFOUND);
	assert_null(cresset_query(p, "focus ^nobody$"));
	assert_failed(c, CRESSET_EEMPTY);
	assert_null(cresset_report(p, NULL, "sym", bad));
	assert_failed(c, CRESSET_ENOTFOUND);
	assert_null(cresset_verdicts(t, NULL));
	assert_failed(c, CRESSET_EUSAGE);
	assert_int_equal(cresset_write(t, "no-format", NULL, &bytes, &len), CRESSET_ENOTFOUND);
	assert_null(bytes);
	assert_int_equal(len, 0);
	assert_int_equal(cresset_write(t, "svg", bad, &bytes, &len), CRESSET_ENOTFOUND);
	assert_int_equal(cresset_write(t, "svg", worse, &bytes, &len), CRESSET_EUSAGE);
	assert_int_equal(cresset_write_file(t, "folded", NULL, "/nonexistent/out"), CRESSET_EIO);
	assert_int_equal(cresset_set(c, "no-such", "1"), CRESSET_ENOTFOUND);
	assert_int_equal(cresset_set(c, "threads", "none"), CRESSET_EUSAGE);
	assert_int_equal(cresset_set(c, "threads", NULL), CRESSET_EUSAGE);
	assert_int_equal(cresset_set(c, "no-inline", NULL), CRESSET_OK);
	assert_int_equal(cresset_flamegraph(c, "x", 1, NULL, &bytes, &len), CRESSET_EEMPTY);
	cresset_tree_free(t);
	cresset_profile_free(p);
	cresset_free(c);
}

static void
test_cells_are_text_and_numbers(void **state)
{
	const char *options[] = {"children=no", "limit=2", NULL};
	cresset *c = cresset_new();
	cresset_profile *p = opened(c);
	cresset_table *t = cresset_report(p, NULL, "sym", options);
	size_t sym = 0, overhead = 0;
	char *bytes;
	size_t len;

	(void)state;
	assert_non_null(t);
	assert_int_equal(cresset_rows(t), 2);
	while (strcmp(cresset_column(t, sym), "sym") != 0)
		sym++;
	while (strcmp(cresset_column(t, overhead), "overhead") != 0)
		overhead++;
	assert_null(cresset_column(t, 1000));
	assert_string_equal(cresset_cell(t, 0, sym), "draw");
	assert_true(isnan(cresset_cell_number(t, 0, sym)));
	assert_true(cresset_cell_number(t, 0, overhead) == 62.5);
	assert_string_equal(cresset_cell(t, 0, overhead), "62.5");
	assert_null(cresset_cell(t, 2, sym));
	assert_null(cresset_cell(t, 0, 1000));
	assert_true(isnan(cresset_cell_number(t, 0, 1000)));
	assert_int_equal(cresset_row_verdict(t, 0), CRESSET_NOT_TESTED);
	assert_int_equal(cresset_write_table(t, "xml", &bytes, &len), CRESSET_EUSAGE);
	assert_null(bytes);
	assert_int_equal(cresset_write_table(t, "text", &bytes, &len), CRESSET_OK);
	assert_non_null(strstr(bytes, "draw"));
	cresset_free_bytes(bytes);
	cresset_table_free(t);
	cresset_profile_free(p);
	cresset_free(c);
}

static void
test_a_difference_has_two_sides(void **state)
{
	static const char after[] = "main;parse;lex 10\nmain;parse 5\nmain;draw 5\n";
	cresset *c = cresset_new();
	cresset_profile *p = opened(c),
			*q = cresset_open_memory(c, after, sizeof(after) - 1, "after");
	cresset_tree *t = cresset_diff(p, q, "focus draw", NULL);
	const char *match[] = {"match=nothing", NULL};
	char *bytes;
	size_t len;

	(void)state;
	assert_non_null(t);
	assert_int_equal(cresset_sides(t), 2);
	assert_int_equal(cresset_node_total(t, 0, 0), 25);
	assert_int_equal(cresset_node_total(t, 0, 1), 5);
	assert_int_equal(cresset_write(t, "pprof", NULL, &bytes, &len), CRESSET_EUSAGE);
	assert_int_equal(cresset_write(t, "folded", NULL, &bytes, &len), CRESSET_OK);
	assert_string_equal(bytes, "main;draw 25 5\n");
	cresset_free_bytes(bytes);
	assert_null(cresset_diff(p, q, NULL, match));
	assert_failed(c, CRESSET_EUSAGE);
	cresset_tree_free(t);
	cresset_profile_free(p);
	cresset_profile_free(q);
	cresset_free(c);
}

static int
stop_at(void *user, const char *what, uint64_t done, uint64_t whole)
{
	int *left = user;

	(void)done;
	(void)whole;
	assert_non_null(what);
	return (*left)-- == 0;
}

static void
test_progress_is_reported_and_stops_the_work(void **state)
{
	cresset *c = cresset_new();
	int left = 0;
	cresset_profile *p;

	(void)state;
	cresset_on_progress(c, stop_at, &left);
	assert_null(cresset_open_memory(c, stacks, sizeof(stacks) - 1, "st"));
	assert_int_equal(left, -1); /* not called again */
	assert_failed(c, CRESSET_ECANCELLED);
	left = INT_MAX;
	p = opened(c);
	assert_true(left < INT_MAX);
	cresset_profile_free(p);
	cresset_on_progress(c, NULL, NULL);
	cresset_profile_free(opened(c));
	cresset_free(c);
}

static void
count_log(void *user, const char *text)
{
	assert_non_null(strstr(text, "without a count"));
	++*(int *)user;
}

static void
test_warnings_are_kept_and_logged(void **state)
{
	static const char rough[] = "main;a 1\nmain;b x\nmain;c 2\n";
	cresset *c = cresset_new();
	cresset_profile *p;
	int calls = 0;

	(void)state;
	cresset_on_log(c, count_log, &calls);
	assert_int_equal(cresset_set(c, "input-format", "folded"), CRESSET_OK);
	p = cresset_open_memory(c, rough, sizeof(rough) - 1, "rough");
	assert_non_null(p);
	assert_int_equal(calls, 1);
	assert_non_null(strstr(cresset_warning(c, 0), "line 2"));
	assert_null(cresset_warning(c, 1));
	cresset_profile_free(p);
	cresset_profile_free(opened(c));
	assert_null(cresset_warning(c, 0));
	cresset_free(c);
}

static void
test_a_profile_is_saved_stored_and_opened(void **state)
{
	char dir[64], path[128], input[128], name[40];
	cresset *c = cresset_new();
	cresset_profile *p = opened(c), *q;
	const char *unit;
	uint64_t samples, weight, count;

	(void)state;
	assert_true(directory_make(dir, stacks));
	snprintf(path, sizeof(path), "%s/saved.cresset", dir);
	snprintf(input, sizeof(input), "%s/x.c", dir);
	assert_int_equal(cresset_save(p, path, 0), CRESSET_OK);
	assert_int_equal(cresset_save(p, path, 0), CRESSET_EEXISTS);
	assert_int_equal(cresset_save(p, path, 1), CRESSET_OK);
	q = cresset_open(c, path);
	assert_string_equal(cresset_profile_name(q), path);
	assert_non_null(cresset_event(q, 0, &unit, &samples, &weight));
	assert_int_equal(weight, 40);
	assert_null(cresset_event(q, 1, &unit, NULL, NULL));
	assert_string_equal(cresset_fact(q, "source format"), "folded");
	assert_null(cresset_fact(q, "no such fact"));
	assert_null(cresset_missing(q, 1000, &count));
	cresset_profile_free(q);

	assert_int_equal(cresset_set(c, "store", dir), CRESSET_OK);
	q = cresset_ingest(c, input, NULL, 0);
	assert_non_null(q);
	snprintf(name, sizeof(name), "%s", cresset_profile_name(q));
	cresset_profile_free(q);
	q = cresset_open(c, name);
	assert_non_null(q);
	cresset_profile_free(q);
	cresset_profile_free(p);
	directory_remove(dir);
	cresset_free(c);
}

static void
test_formats_and_their_options_are_listed(void **state)
{
	size_t n = 0, svg = 0, options = 0;

	(void)state;
	while (cresset_input_format(n))
		n++;
	assert_true(n > 30);
	for (n = 0; cresset_output_format(n); n++)
		svg += strcmp(cresset_output_format(n), "svg") == 0;
	assert_true(n > 10);
	assert_int_equal(svg, 1);
	while (cresset_output_option("svg", options))
		options++;
	assert_true(options > 5);
	assert_null(cresset_output_option("no-format", 0));
}

static int failures;

static void *
work_alone(void *unused)
{
	for (int i = 0; i < 20; i++) {
		cresset *c = cresset_new();
		char *folded, *svg;
		size_t len, svg_len;

		if (cresset_collapse(c, stacks, sizeof(stacks) - 1, NULL, NULL, &folded, &len) <
				0 ||
			cresset_flamegraph(c, folded, len, NULL, &svg, &svg_len) < 0)
			return &failures;
		cresset_free_bytes(folded);
		cresset_free_bytes(svg);
		cresset_free(c);
	}
	return unused;
}

static void
test_contexts_work_in_several_threads(void **state)
{
	pthread_t threads[4];
	void *failed;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work_alone, NULL), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_header_has_the_version_of_the_library),
		cmocka_unit_test(test_nodes_are_walked_and_numbers_that_are_none_are_harmless),
		cmocka_unit_test(test_handles_may_be_freed_in_any_order),
		cmocka_unit_test(test_errors_have_a_code_and_a_text),
		cmocka_unit_test(test_cells_are_text_and_numbers),
		cmocka_unit_test(test_a_difference_has_two_sides),
		cmocka_unit_test(test_progress_is_reported_and_stops_the_work),
		cmocka_unit_test(test_warnings_are_kept_and_logged),
		cmocka_unit_test(test_a_profile_is_saved_stored_and_opened),
		cmocka_unit_test(test_formats_and_their_options_are_listed),
		cmocka_unit_test(test_contexts_work_in_several_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
