#include "testing.h"

#include "testing_tree.h"

#include "base/hash.h"
#include "view/sheet/tree_rows.h"

static const char stacks[] = "main;parse;lex 60\n"
			     "main;parse;build 20\n"
			     "main;draw;fill;blend 14\n"
			     "main;draw;fill;blend;mul 5\n"
			     "main;log 1\n";

/* All rows as lines of text: the guide and the name. */
static void
assert_rows(struct cr_tree_rows *r, uint32_t root, bool with_root, const char *want)
{
	struct cr_text got = {0};

	cr_tree_rows_make(r, root, with_root);
	cr_text_puts(&got, "");
	for (uint32_t i = 0; i < r->rows.n; i++) {
		cr_tree_rows_put_guide(r, i, 20, false, &got);
		cr_text_str(&got, r->t->frames[r->t->frame[r->rows.p[i].node]].name);
		cr_text_char(&got, '\n');
	}
	assert_string_equal(got.p, want);
	cr_text_fini(&got);
}

static uint32_t
node_named(const struct cr_tree *t, const char *name)
{
	uint32_t n = 0;

	while (!cr_str_eq(t->frames[t->frame[n]].name, cr_str_of(name)))
		n++;
	return n;
}

static void
test_rows_follow_what_is_open(void **state)
{
	struct cr_tree *t = testing_tree(1, stacks);
	struct cr_tree_rows r;

	(void)state;
	cr_tree_rows_init(&r, t);
	assert_rows(&r, 0, true, "- all\n+ main\n");
	cr_tree_rows_open(&r, node_named(t, "main"), true);
	assert_rows(&r, 0, true, "- all\n- main\n|+ parse\n|+ draw\n`  log\n");
	cr_tree_rows_open(&r, node_named(t, "parse"), true);
	assert_rows(&r, node_named(t, "main"), false, "- parse\n|  lex\n`  build\n+ draw\n  log\n");
	assert_int_equal(cr_tree_rows_of(&r, node_named(t, "draw")), 3);
	assert_int_equal(cr_tree_rows_of(&r, node_named(t, "fill")), CR_NO_ROW);
	cr_tree_rows_open(&r, node_named(t, "parse"), false);
	assert_rows(&r, node_named(t, "main"), false, "+ parse\n+ draw\n  log\n");
	cr_tree_rows_fini(&r);
	cr_tree_free(t);
}

static void
test_an_only_callee_is_not_moved_in(void **state)
{
	struct cr_tree *t = testing_tree(1, stacks);
	struct cr_tree_rows r;

	(void)state;
	cr_tree_rows_init(&r, t);
	cr_tree_rows_open_levels(&r, 0, 9);
	assert_rows(&r, 0, true,
		"- all\n- main\n|- parse\n||  lex\n|`  build\n|- draw\n:- fill\n:- blend\n:  mul\n"
		"`  log\n");
	cr_tree_rows_fini(&r);
	cr_tree_free(t);
}

static void
test_what_costs_little_is_hidden_unless_it_is_revealed(void **state)
{
	struct cr_tree *t = testing_tree(1, stacks);
	struct cr_tree_rows r;

	(void)state;
	cr_tree_rows_init(&r, t);
	r.least = 10;
	cr_tree_rows_open(&r, node_named(t, "main"), true);
	assert_rows(&r, 0, true, "- all\n- main\n|+ parse\n`+ draw\n");
	cr_tree_rows_reveal(&r, node_named(t, "mul"));
	assert_rows(&r, 0, true, "- all\n- main\n|+ parse\n`- draw\n - fill\n - blend\n   mul\n");
	cr_tree_rows_reveal(&r, node_named(t, "log"));
	assert_rows(&r, 0, true,
		"- all\n- main\n|+ parse\n|- draw\n:- fill\n:- blend\n:  mul\n`  log\n");
	cr_tree_rows_fini(&r);
	/* Where all callees cost little, they are shown when their caller is opened. */
	cr_tree_rows_init(&r, t);
	r.least = 10;
	cr_tree_rows_open(&r, node_named(t, "blend"), true);
	assert_rows(&r, node_named(t, "blend"), true, "- blend\n  mul\n");
	cr_tree_rows_fini(&r);
	cr_tree_free(t);
}

static void
test_the_costliest_paths_are_opened(void **state)
{
	struct cr_tree *t = testing_tree(1, stacks);
	struct cr_tree_rows r;

	(void)state;
	cr_tree_rows_init(&r, t);
	assert_int_equal(cr_tree_rows_open_path(&r, 0), node_named(t, "lex"));
	assert_rows(&r, 0, true, "- all\n- main\n|- parse\n||  lex\n|`  build\n|+ draw\n`  log\n");
	cr_tree_rows_fini(&r);
	cr_tree_rows_init(&r, t);
	cr_tree_rows_open_costliest(&r, 0, true, 3);
	assert_int_equal(r.rows.n, 5);
	cr_tree_rows_open_costliest(&r, 0, true, 100);
	assert_int_equal(r.rows.n, 10);
	cr_tree_rows_open_more(&r);
	assert_rows(&r, 0, false,
		"- main\n|- parse\n||  lex\n|`  build\n|- draw\n:- fill\n:- blend\n:  mul\n`  log\n"
		"");
	cr_tree_rows_fini(&r);
	cr_tree_free(t);
}

static void
test_guides_take_no_more_cells_than_asked_for(void **state)
{
	struct cr_text folded = {0}, guide = {0};
	struct cr_tree_rows r;
	struct cr_tree *t;

	(void)state;
	/* Two callees at each of 80 levels, so that each is moved in. */
	for (int depth = 1; depth <= 80; depth++) {
		for (int i = 0; i < depth; i++)
			cr_text_puts(&folded, i ? ";f" : "f");
		cr_text_puts(&folded, ";leaf 1\n");
	}
	t = testing_tree(1, folded.p);
	cr_tree_rows_init(&r, t);
	cr_tree_rows_open_levels(&r, 0, 1000);
	cr_tree_rows_make(&r, 0, true);
	for (uint32_t cells = 2; cells < 100; cells++)
		for (uint32_t row = 0; row < r.rows.n; row++) {
			cr_text_clear(&guide);
			cr_tree_rows_put_guide(&r, row, cells, false, &guide);
			assert_true(guide.len <= cells);
			assert_true(guide.len <= CR_TREE_ROWS_GUIDE + 2);
		}
	cr_tree_rows_fini(&r);
	cr_tree_free(t);
	cr_text_fini(&guide);
	cr_text_fini(&folded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_follow_what_is_open),
		cmocka_unit_test(test_an_only_callee_is_not_moved_in),
		cmocka_unit_test(test_what_costs_little_is_hidden_unless_it_is_revealed),
		cmocka_unit_test(test_the_costliest_paths_are_opened),
		cmocka_unit_test(test_guides_take_no_more_cells_than_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
