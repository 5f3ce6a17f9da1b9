#include "testing.h"

#include "query/lang/search.h"
#include "testing_tree.h"

static const char lines[] =
	"main;parse;Lexer;parse_word 10\nmain;parse 3\nmain;draw 20\nmain;draw;parse 4\nPARSE 1\n";

static void
test_a_pattern_with_a_capital_minds_the_case(void **state)
{
	static const struct {
		const char *pattern;
		bool literal;
		uint32_t functions, nodes;
		uint64_t weight;
	} cases[] = {
		{"parse", false, 3, 4, 18}, /* parse, parse_word, PARSE */
		{"PARSE", false, 1, 1, 1},
		{"^Lex", false, 1, 1, 10},
		{"^lex", false, 1, 1, 10},
		{"^\\S+$", false, 6, 7, 38}, /* \S is no capital of the user's */
		{"parse", true, 1, 2, 17},
		{"Parse", true, 0, 0, 0},
		{"par.e", true, 0, 0, 0},
		{"nothing", false, 0, 0, 0},
		{"all", false, 0, 0, 0}, /* the root is no match */
		{"", false, 6, 7, 38},
	};
	struct cr_tree *t = testing_tree(1, lines);

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_search s;

		assert_int_equal(
			cr_search_make(t, cases[i].pattern, cases[i].literal, &s, &err), CR_OK);
		assert_int_equal(cr_search_functions(&s, t, 0), cases[i].functions);
		assert_int_equal(s.n_nodes, cases[i].nodes);
		assert_int_equal(s.weight[0], cases[i].weight);
		assert_int_equal(s.samples[0], cases[i].weight);
		cr_search_fini(&s);
	}
	cr_tree_free(t);
}

static void
test_a_match_inside_a_match_adds_nothing(void **state)
{
	struct cr_tree *t = testing_tree(1, "f;f;f 5\nf;g 2\ng;f 1\n");
	struct cr_err err = CR_ERR_INIT;
	struct cr_search s;

	(void)state;
	assert_int_equal(cr_search_make(t, "f", false, &s, &err), CR_OK);
	assert_int_equal(s.n_nodes, 4);
	assert_int_equal(s.weight[0], 8);
	cr_search_fini(&s);
	cr_tree_free(t);
}

static void
test_weights_under_a_node_are_those_of_its_subtree(void **state)
{
	struct cr_tree *t = testing_tree(1, lines);
	struct cr_err err = CR_ERR_INIT;
	struct cr_search s;

	(void)state;
	assert_int_equal(cr_search_make(t, "^parse", false, &s, &err), CR_OK);
	assert_int_equal(cr_search_functions(&s, t, 0), 3);
	assert_int_equal(cr_search_functions(&s, t, testing_node(t, "main;draw")), 1);
	assert_int_equal(cr_search_under(&s, t, 0, 0), 18);
	assert_int_equal(cr_search_under(&s, t, testing_node(t, "main"), 0), 17);
	assert_int_equal(cr_search_under(&s, t, testing_node(t, "main;draw"), 0), 4);
	assert_int_equal(cr_search_under(&s, t, testing_node(t, "main;parse"), 0), 13);
	assert_int_equal(cr_search_under(&s, t, testing_node(t, "main;parse;Lexer"), 0),
		10); /* all under a match */
	cr_search_fini(&s);
	cr_tree_free(t);
}

static void
test_a_bad_pattern_is_told_with_its_place(void **state)
{
	struct cr_tree *t = testing_tree(1, lines);
	struct cr_err err = CR_ERR_INIT;
	struct cr_search s;

	(void)state;
	assert_int_equal(cr_search_make(t, "a(b", false, &s, &err), CR_EUSAGE);
	assert_string_equal(err.text, "bad pattern at offset 3: missing closing parenthesis");
	assert_null(s.hit);
	cr_search_fini(&s);
	assert_int_equal(cr_search_make(t, "a(b", true, &s, &err), CR_OK);
	cr_search_fini(&s);
	cr_tree_free(t);
}

/* This would take longer than anybody lives, were there no limit. */
static void
test_a_pattern_without_end_is_no_match(void **state)
{
	struct cr_text line = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_search s;
	struct cr_tree *t;

	(void)state;
	cr_text_pad(&line, 'a', 60);
	cr_text_puts(&line, "b 1\n");
	t = testing_tree(1, line.p);
	assert_int_equal(cr_search_make(t, "^(a+)+$", false, &s, &err), CR_OK);
	assert_int_equal(s.n_nodes, 0);
	cr_search_fini(&s);
	cr_text_fini(&line);
	cr_tree_free(t);
}

static void
test_names_are_bytes_to_a_pattern(void **state)
{
	struct cr_tree *t = testing_tree(1, "\xff\x1b[2J 1\nna\xc3\xafve 2\n");
	struct cr_err err = CR_ERR_INIT;
	struct cr_search s;

	(void)state;
	assert_int_equal(cr_search_make(t, "\\xff\\e\\[", false, &s, &err), CR_OK);
	assert_int_equal(s.weight[0], 1);
	cr_search_fini(&s);
	assert_int_equal(cr_search_make(t, "na\xc3\xafve", false, &s, &err), CR_OK);
	assert_int_equal(s.weight[0], 2);
	cr_search_fini(&s);
	cr_tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_pattern_with_a_capital_minds_the_case),
		cmocka_unit_test(test_a_match_inside_a_match_adds_nothing),
		cmocka_unit_test(test_weights_under_a_node_are_those_of_its_subtree),
		cmocka_unit_test(test_a_bad_pattern_is_told_with_its_place),
		cmocka_unit_test(test_a_pattern_without_end_is_no_match),
		cmocka_unit_test(test_names_are_bytes_to_a_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
