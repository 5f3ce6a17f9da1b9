#include "testing.h"

#include "query/fold/fold.h"
#include "query/table/table.h"
#include "testing_tree.h"

/* "NAME SELF TOTAL" a row, of the last side. */
static void
assert_top(const struct cr_tree *t, uint32_t root, enum cr_table_column key, const char *want)
{
	struct cr_text have = {0};
	struct cr_table top;

	cr_table_make(NULL, t, root, cr_table_by(key), &top);
	cr_text_puts(&have, "");
	for (uint32_t i = 0; i < top.n; i++) {
		cr_text_str(&have, cr_table_value(&top, i, key)->text);
		cr_text_printf(&have, " %llu %llu\n",
			(unsigned long long)top.rows[i].cost[t->sides - 1].self,
			(unsigned long long)top.rows[i].cost[t->sides - 1].total);
	}
	assert_string_equal(have.p, want);
	assert_int_equal(top.whole[0], t->total[0][root]);
	for (uint32_t f = 0; f < t->n_frames; f++)
		assert_true(top.frame_row[f] == UINT32_MAX || top.frame_row[f] < top.n);
	cr_text_fini(&have);
	cr_table_fini(&top);
}

static void
test_recursion_counts_once_in_a_total(void **state)
{
	struct cr_tree *t = testing_tree(1, "f;g;f;g;f 5\nf 2\ng;f 1\n");

	(void)state;
	assert_top(t, 0, CR_TABLE_FUNCTION, "f 8 8\ng 0 6\n");
	cr_tree_free(t);
}

static void
test_rows_are_sorted_by_self_then_total_then_name(void **state)
{
	struct cr_tree *t = testing_tree(1, "c;b 3\na;d 3\na 1\nz;e 3\nz;e;y 1\n");

	(void)state;
	assert_top(t, 0, CR_TABLE_FUNCTION, "e 3 4\nb 3 3\nd 3 3\na 1 4\ny 1 1\nz 0 4\nc 0 3\n");
	cr_tree_free(t);
}

/* "NAME " a row, in an order. */
static void
assert_order(const struct cr_table *top, enum cr_table_sort sort, bool reverse, const char *want)
{
	struct cr_text have = {0};
	uint32_t order[16];

	assert_true(top->n <= CR_LEN(order));
	cr_table_order(top, sort, reverse, order);
	for (uint32_t i = 0; i < top->n; i++) {
		cr_text_str(&have, cr_table_value(top, order[i], CR_TABLE_FUNCTION)->text);
		cr_text_char(&have, ' ');
	}
	assert_string_equal(have.p, want);
	cr_text_fini(&have);
}

static void
test_sorting_by_self_again_leaves_ties_as_they_are(void **state)
{
	struct cr_tree *t = testing_tree(1, "c;b 3\na;d 3\na 1\nz;e 3\nz;e;y 1\n");
	struct cr_table top;

	(void)state;
	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_FUNCTION), &top);
	assert_order(&top, CR_SORT_SELF, false, "e b d a y z c ");
	assert_order(&top, CR_SORT_SELF, true, "z c a y e b d ");
	assert_order(&top, CR_SORT_TOTAL, false, "a e z b c d y ");
	assert_order(&top, CR_SORT_NAME, true, "z y e d c b a ");
	cr_table_fini(&top);
	cr_tree_free(t);
}

static void
test_objects_and_comms_are_keys_too(void **state)
{
	struct cr_tree *t = testing_tree(
		1, "@x;f!libc;g!libc 3\n@x;f!libc 1\n@y;h!prog;f!libc 2\n@y;k 5\n@y 4\n");

	(void)state;
	assert_top(t, 0, CR_TABLE_DSO_PATH, "libc 6 6\n[unknown] 5 5\nprog 0 2\n");
	assert_top(t, 0, CR_TABLE_GROUP, "y 11 11\nx 4 4\n");
	assert_top(t, 0, CR_TABLE_FUNCTION, "k 5 5\nf 3 6\ng 3 3\nh 0 2\n");
	cr_tree_free(t);
}

static void
test_marks_within_a_stack_are_no_comms(void **state)
{
	struct cr_tree *t = testing_tree(1, "@x;f;@-;g 3\n@x;@-;@-;h 2\n@-;f 1\n");

	(void)state;
	assert_top(t, 0, CR_TABLE_GROUP, "x 5 5\n- 1 1\n");
	cr_tree_free(t);
}

static void
test_a_zoom_leaves_out_what_is_elsewhere(void **state)
{
	struct cr_tree *t = testing_tree(1, "a;f 3\na;f;a 2\nb;f 9\nb 1\n");

	(void)state;
	assert_top(t, testing_node(t, "a"), CR_TABLE_FUNCTION, "f 3 5\na 2 5\n");
	assert_top(t, testing_node(t, "a;f;a"), CR_TABLE_FUNCTION, "a 2 2\n");
	cr_tree_free(t);
}

static void
test_functions_of_one_name_in_two_objects_are_two_rows(void **state)
{
	struct cr_tree *t = testing_tree(1, "f!one 3\nf!two 2\n");
	struct cr_table top;

	(void)state;
	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_FUNCTION), &top);
	assert_int_equal(top.n, 2);
	assert_str(cr_table_value(&top, 0, CR_TABLE_FUNCTION)->dso, "one");
	assert_str(cr_table_value(&top, 1, CR_TABLE_FUNCTION)->dso, "two");
	assert_int_equal(top.frame_row[cr_table_frame(&top, 1)], 1);
	cr_table_fini(&top);
	cr_tree_free(t);
}

static void
test_a_function_is_one_row_inlined_or_not_and_marked_if_it_is_nothing_else(void **state)
{
	struct cr_tree *t = testing_tree(
		1, "main;~sort;~less 6\nmain;sort;~less 3\nmain;sort;less!lib 2\nmain;f;~less 1\n");
	static const struct {
		const char *root;
		bool sort, less;
	} cases[] = {
		{"", false, true},
		{"main;sort", true, true},
		{"main;f", false, true},
	};
	struct cr_table top;

	(void)state;
	assert_top(t, 0, CR_TABLE_FUNCTION, "less 10 10\nless 2 2\nmain 0 12\nsort 0 11\nf 0 1\n");
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		cr_table_make(NULL, t, testing_node(t, cases[i].root),
			cr_table_by(CR_TABLE_FUNCTION), &top);
		for (uint32_t r = 0; r < top.n; r++) {
			const struct cr_table_value *v = cr_table_value(&top, r, CR_TABLE_FUNCTION);
			const bool less = cr_str_eq(v->text, CR_STR("less")) && !v->dso.len;
			const bool sort = cr_str_eq(v->text, CR_STR("sort"));

			assert_int_equal(top.rows[r].inlined,
				(less && cases[i].less) || (sort && cases[i].sort));
		}
		cr_table_fini(&top);
	}
	cr_tree_free(t);
}

static void
test_what_stands_for_missing_frames_is_neither_function_nor_comm(void **state)
{
	struct cr_profile *p;
	struct cr_tree *t;
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	const cr_node_id node =
		cr_builder_push(b, cr_builder_push(b, CR_ROOT, cr_builder_truncated(b)),
			cr_builder_named(b, CR_STR("f"), CR_DSO_UNKNOWN));

	(void)state;
	cr_builder_flags(b, CR_PROFILE_HAS_TASK);
	cr_builder_sample(
		b, &(struct cr_sample){.weight = 5, .node = node, .task = task, .event = event});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &t, &err), CR_OK);
	assert_tree(t, "all 5 0\n x 5 0\n  [truncated] 5 0\n   f 5 5\n");
	assert_top(t, 0, CR_TABLE_FUNCTION, "f 5 5\n");
	assert_top(t, 0, CR_TABLE_GROUP, "x 5 5\n");
	assert_top(t, 0, CR_TABLE_DSO_PATH, "[unknown] 5 5\n");
	assert_int_equal(cr_tree_unresolved(t, 0), 0);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_two_sides_are_counted_apart(void **state)
{
	struct cr_tree *t = testing_tree(2, "f;g 5 1\nf 1 9\nh 3 0\n");
	struct cr_table top;

	(void)state;
	assert_top(t, 0, CR_TABLE_FUNCTION, "f 9 10\ng 1 1\nh 0 0\n");
	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_FUNCTION), &top);
	assert_int_equal(top.rows[2].cost[0].self, 3);
	assert_int_equal(top.whole[1], 10);
	cr_table_fini(&top);
	cr_tree_free(t);
}

/* Of stacks that end in functions, the selfs of all rows are the whole, and no total is more. */
static void
test_the_selfs_of_all_rows_are_the_whole(void **state)
{
	struct cr_text lines = {0};
	uint64_t random = 3;
	struct cr_tree *t;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		cr_text_printf(&lines, "@c%u", (unsigned)(testing_random(&random) % 3));
		for (uint64_t d = 1 + testing_random(&random) % 7; d; d--)
			cr_text_printf(&lines, ";f%u!o%u", (unsigned)(testing_random(&random) % 9),
				(unsigned)(testing_random(&random) % 2));
		cr_text_printf(&lines, " %u\n", (unsigned)(testing_random(&random) % 100));
	}
	t = testing_tree(1, lines.p);
	for (enum cr_table_column key = CR_TABLE_FUNCTION; key <= CR_TABLE_GROUP; key++) {
		struct cr_table top;
		uint64_t self = 0, samples = 0;

		cr_table_make(NULL, t, 0, cr_table_by(key), &top);
		for (uint32_t i = 0; i < top.n; i++) {
			self += top.rows[i].cost[0].self;
			samples += top.rows[i].cost[0].self_samples;
			assert_true(top.rows[i].cost[0].total >= top.rows[i].cost[0].self &&
				    top.rows[i].cost[0].total <= top.whole[0]);
		}
		assert_int_equal(self, top.whole[0]);
		assert_int_equal(samples, top.whole_samples[0]);
		cr_table_fini(&top);
	}
	cr_text_fini(&lines);
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recursion_counts_once_in_a_total),
		cmocka_unit_test(test_rows_are_sorted_by_self_then_total_then_name),
		cmocka_unit_test(test_sorting_by_self_again_leaves_ties_as_they_are),
		cmocka_unit_test(test_objects_and_comms_are_keys_too),
		cmocka_unit_test(test_marks_within_a_stack_are_no_comms),
		cmocka_unit_test(test_a_zoom_leaves_out_what_is_elsewhere),
		cmocka_unit_test(test_functions_of_one_name_in_two_objects_are_two_rows),
		cmocka_unit_test(
			test_a_function_is_one_row_inlined_or_not_and_marked_if_it_is_nothing_else),
		cmocka_unit_test(test_what_stands_for_missing_frames_is_neither_function_nor_comm),
		cmocka_unit_test(test_two_sides_are_counted_apart),
		cmocka_unit_test(test_the_selfs_of_all_rows_are_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
