#include "view/sheet/function_sheet.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_tree.h"

static const char one_side[] =
	"main!/usr/bin/x;work!/usr/bin/x 600\nmain!/usr/bin/x;memcpy!/lib/libc.so.6 300\n"
	"main!/usr/bin/x 100\n";
static const char two_sides[] =
	"m!x;same!x 50 50\nm!x;old!x 50 0\nm!x;new!x 0 25\nm!x;more!x 0 25\n";

struct shown {
	struct cr_tree *tree;
	struct cr_table table;
	struct cr_function_sheet sheet;
	struct cr_text text;
};

static void
show_start(struct shown *s, uint32_t sides, const char *folded)
{
	*s = (struct shown){.tree = testing_tree(sides, folded)};
	cr_table_make(NULL, s->tree, 0, cr_table_by(CR_TABLE_FUNCTION), &s->table);
	cr_function_sheet_init(s->tree, &s->table, "FUNCTION", &s->sheet);
}

static void
show_end(struct shown *s)
{
	cr_function_sheet_fini(&s->sheet);
	cr_table_fini(&s->table);
	cr_text_fini(&s->text);
	cr_tree_free(s->tree);
}

static const char *
show(struct shown *s, uint32_t cells)
{
	cr_text_clear(&s->text);
	cr_sheet_lines_head(&s->sheet.lines, cells, &s->text);
	for (uint32_t i = 0; i < s->table.n; i++) {
		cr_text_char(&s->text, '\n');
		cr_sheet_lines_row(&s->sheet.lines, i, cells, &s->text);
	}
	return s->text.p;
}

static void
test_one_side_shows_self_total_samples_name_and_object(void **state)
{
	struct shown s;

	(void)state;
	show_start(&s, 1, one_side);
	assert_string_equal(show(&s, 0),
		"  SELF %          TOTAL %   SAMPLES  FUNCTION  DSO\n"
		"   60.00 \u2588\u2588\u2588\u2588\u2588\u2588     60.00       600  work      "
		"/usr/bin/x\n"
		"   30.00 \u2588\u2588\u2588        30.00       300  memcpy    /lib/libc.so.6\n"
		"   10.00 \u2588         100.00       100  main      /usr/bin/x");
	/* In narrow lines names are worth more than bars. */
	assert_string_equal(show(&s, 80),
		"  SELF %          TOTAL %   SAMPLES  FUNCTION  DSO\n"
		"   60.00 ██████     60.00       600  work      /usr/bin/x\n"
		"   30.00 ███        30.00       300  memcpy    /lib/libc.so.6\n"
		"   10.00 █         100.00       100  main      /usr/bin/x");
	show_end(&s);
}

static void
test_what_is_only_inlined_is_marked_while_there_is_room(void **state)
{
	struct shown s;

	(void)state;
	show_start(&s, 1,
		"main!x.so;~std::vector<int>::push_back!x.so 6\nmain!x.so;~sort!x.so "
		"3\nmain!x.so;sort!x.so 1\n");
	assert_string_equal(show(&s, 0),
		"  SELF %          TOTAL %   SAMPLES  FUNCTION                               DSO\n"
		"   60.00 \u2588\u2588\u2588\u2588\u2588\u2588     60.00         6  "
		"std::vector<int>::push_back (inlined)  x.so\n"
		"   40.00 \u2588\u2588\u2588\u2588       40.00         4  "
		"sort                                   x.so\n"
		"    0.00           100.00         0  main                                   x.so");
	assert_string_equal(show(&s, 56),
		"  SELF %   TOTAL %   SAMPLES  FUNCTION              DSO\n"
		"   60.00     60.00         6  push_back (inlined)   x.so\n"
		"   40.00     40.00         4  sort                  x.so\n"
		"    0.00    100.00         0  main                  x.so");
	assert_string_equal(show(&s, 28), "  SELF %  FUNCTION\n"
					  "   60.00  vector::push_back\n"
					  "   40.00  sort\n"
					  "    0.00  main");
	show_end(&s);
}

static void
test_where_there_is_no_room_columns_and_folders_go(void **state)
{
	struct shown s;

	(void)state;
	show_start(&s, 1, one_side);
	assert_string_equal(show(&s, 44), "  SELF %   TOTAL %  FUNCTION  DSO\n"
					  "   60.00     60.00  work      /usr/bin/x\n"
					  "   30.00     30.00  memcpy    /lib/libc.so.6\n"
					  "   10.00    100.00  main      /usr/bin/x");
	assert_string_equal(show(&s, 34), "  SELF %  FUNCTION  DSO\n"
					  "   60.00  work      /usr/bin/x\n"
					  "   30.00  memcpy    /lib/libc.so.6\n"
					  "   10.00  main      /usr/bin/x");
	assert_string_equal(show(&s, 20), "  SELF %  FUNCTION\n"
					  "   60.00  work\n"
					  "   30.00  memcpy\n"
					  "   10.00  main");
	show_end(&s);
}

static void
test_two_sides_show_differences_and_mark_new_and_gone(void **state)
{
	struct shown s;

	(void)state;
	show_start(&s, 2, two_sides);
	cr_function_sheet_sort(&s.sheet, CR_SORT_DELTA_SELF, false);
	assert_string_equal(show(&s, 80),
		"  SELF WAS  SELF NOW   SELF +-  TOTAL +-    FUNCTION  DSO\n"
		"     50.00      0.00    -50.00    -50.00  - old       x\n"
		"      0.00     25.00    +25.00    +25.00  + more      x\n"
		"      0.00     25.00    +25.00    +25.00  + new       x\n"
		"      0.00      0.00      0.00      0.00    m         x\n"
		"     50.00     50.00      0.00      0.00    same      x");
	assert_string_equal(show(&s, 40), "   SELF +-    FUNCTION  DSO\n"
					  "    -50.00  - old       x\n"
					  "    +25.00  + more      x\n"
					  "    +25.00  + new       x\n"
					  "      0.00    m         x\n"
					  "      0.00    same      x");
	assert_non_null(strstr(show(&s, 100), "  TOTAL WAS  TOTAL NOW"));
	show_end(&s);
}

static void
test_sorting_falls_for_numbers_rises_for_names_and_turns_round(void **state)
{
	static const struct {
		enum cr_table_sort sort;
		bool reverse;
		const char *want;
	} cases[] = {
		{CR_SORT_SELF, false, "work memcpy main "},
		{CR_SORT_SELF, true, "main memcpy work "},
		{CR_SORT_TOTAL, false, "main work memcpy "},
		{CR_SORT_NAME, false, "main memcpy work "},
		{CR_SORT_NAME, true, "work memcpy main "},
		{CR_SORT_DSO, false, "memcpy main work "},
		{CR_SORT_DSO, true, "main work memcpy "}, /* ties rise all the same */
	};
	struct shown s;

	(void)state;
	show_start(&s, 1, one_side);
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		cr_function_sheet_sort(&s.sheet, cases[i].sort, cases[i].reverse);
		cr_text_clear(&s.text);
		for (uint32_t k = 0; k < s.table.n; k++) {
			cr_text_str(&s.text,
				cr_table_value(&s.table, s.sheet.order[k], CR_TABLE_FUNCTION)
					->text);
			cr_text_char(&s.text, ' ');
		}
		assert_string_equal(s.text.p, cases[i].want);
	}
	show_end(&s);
}

static void
test_no_line_is_wider_than_asked(void **state)
{
	static const char folded[] = "some::very::long<template, arguments>::name(int, char "
				     "const*)!/a/long/way/to/lib.so 7\n"
				     "evil\x1b[31m\xff name\u4e2d\u6587!/x/\x01y.so 5\nf 1\n";
	struct shown s;

	(void)state;
	show_start(&s, 1, folded);
	for (uint32_t cells = 12; cells < 160; cells++) {
		char *rest = (char *)(uintptr_t)show(&s, cells);

		for (char *line; (line = strsep(&rest, "\n"));) {
			assert_true(cr_utf8_cells(cr_str_of(line)) <= cells);
			assert_null(strchr(line, '\x1b'));
			assert_true(*line == '\0' || line[strlen(line) - 1] != ' ');
		}
	}
	show_end(&s);
}

static void
test_keys_without_objects_have_no_object_column(void **state)
{
	struct shown s;

	(void)state;
	show_start(&s, 1, "a 3\nb 1\n");
	s.sheet.columns[4].head = "DSO";
	assert_string_equal(show(&s, 80), "  SELF %          TOTAL %   SAMPLES  DSO\n"
					  "   75.00 ██████     75.00         3  a\n"
					  "   25.00 ██         25.00         1  b");
	show_end(&s);
}

static void
test_weights_of_sums_stand_in_the_place_of_samples(void **state)
{
	static const struct {
		const char *unit, *want;
	} cases[] = {
		{"us", "  SELF %          TOTAL %            US  FUNCTION\n"
		       "   75.00 ██████     75.00  300000000000  a\n"
		       "   25.00 ██         25.00  100000000000  b"},
		{"millionths", "  SELF %          TOTAL %         SAMPLES  FUNCTION\n"
			       "   75.00 ██████     75.00          300000  a\n"
			       "   25.00 ██         25.00          100000  b"},
		{"samples", "  SELF %          TOTAL %       SAMPLES  FUNCTION\n"
			    "   75.00 ██████     75.00  300000000000  a\n"
			    "   25.00 ██         25.00  100000000000  b"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct shown s = {.tree = testing_tree(1, "a 300000000000\nb 100000000000\n")};

		s.tree->unit = cr_str_of(cases[i].unit);
		s.tree->summed = true;
		cr_table_make(NULL, s.tree, 0, cr_table_by(CR_TABLE_FUNCTION), &s.table);
		cr_function_sheet_init(s.tree, &s.table, "FUNCTION", &s.sheet);
		assert_string_equal(show(&s, 80), cases[i].want);
		show_end(&s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_side_shows_self_total_samples_name_and_object),
		cmocka_unit_test(test_what_is_only_inlined_is_marked_while_there_is_room),
		cmocka_unit_test(test_where_there_is_no_room_columns_and_folders_go),
		cmocka_unit_test(test_two_sides_show_differences_and_mark_new_and_gone),
		cmocka_unit_test(test_sorting_falls_for_numbers_rises_for_names_and_turns_round),
		cmocka_unit_test(test_no_line_is_wider_than_asked),
		cmocka_unit_test(test_keys_without_objects_have_no_object_column),
		cmocka_unit_test(test_weights_of_sums_stand_in_the_place_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
