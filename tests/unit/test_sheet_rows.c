#include "testing.h"
#include "testing_tree.h"

#include "view/sheet/function_sheet.h"
#include "view/sheet/heat_sheet.h"
#include "view/sheet/latency_sheet.h"
#include "view/sheet/series_sheet.h"
#include "view/sheet/threads_sheet.h"

#define SECOND UINT64_C(1000000000)

static void
test_rows_of_functions_stand_for_frames_however_they_are_sorted(void **state)
{
	struct cr_tree *t = testing_tree(1, "main!x;work!x 6\nmain!x;~less!x 3\n");
	struct cr_function_sheet s;
	struct cr_table table;

	(void)state;
	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_FUNCTION), &table);
	cr_function_sheet_init(t, &table, "FUNCTION", &s);
	cr_function_sheet_sort(&s, CR_SORT_NAME, false);
	assert_int_equal(s.sheet.n_rows, 3);
	for (uint32_t i = 0; i < s.sheet.n_rows; i++) {
		static const char *const names[] = {"less", "main", "work"};
		const struct cr_row_ref ref = cr_sheet_row_ref(&s.sheet, i);

		assert_int_equal(ref.kind, CR_ROW_FRAME);
		assert_str(ref.name, names[i]);
		assert_str(t->frames[ref.id].name, names[i]);
	}
	cr_function_sheet_fini(&s);
	cr_table_fini(&table);
	cr_tree_free(t);
}

static void
test_rows_of_threads_stand_for_threads(void **state)
{
	struct cr_thread threads[] = {
		{.pid = 7, .tid = 8, .comm = {"a", 1}}, {.pid = -1, .tid = -1, .comm = {"", 0}}};
	const struct cr_thread_list list = {.threads = threads, .n = 2};
	struct cr_threads_sheet s;
	struct cr_row_ref ref;

	(void)state;
	cr_threads_sheet_init(&list, CR_STR("cycles"), 0, &s);
	ref = cr_sheet_row_ref(&s.sheet, 0);
	assert_int_equal(ref.kind, CR_ROW_THREAD);
	assert_int_equal(ref.other, 7);
	assert_int_equal(ref.id, 8);
	assert_int_equal(cr_sheet_row_ref(&s.sheet, 1).id, UINT32_MAX);
	cr_threads_sheet_fini(&s);
	cr_threads_sheet_init(&list, CR_STR("cycles"), 1, &s);
	assert_int_equal(s.sheet.n_rows, 1);
	assert_int_equal(s.n_left_out, 1);
	cr_threads_sheet_fini(&s);
}

static void
test_rows_of_keys_stand_for_keys_but_the_rest_for_none(void **state)
{
	struct cr_series_lane lanes[] = {
		{.name = {"a", 1}, .keys = 1}, {.name = {"", 0}, .keys = 3, .is_rest = true}};
	const struct cr_series series = {.n_lanes = 2, .lanes = lanes};
	struct cr_latency_lane kinds[] = {
		{.name = {"b", 1}, .keys = 1}, {.name = {"", 0}, .keys = 2, .is_rest = true}};
	const struct cr_latency latency = {.n_lanes = 2, .lanes = kinds, .unit = {"ns", 2}};
	struct cr_series_sheet s;
	struct cr_latency_sheet l;

	(void)state;
	cr_series_lanes(&series, "comm", false, true, &s);
	assert_int_equal(cr_sheet_row_ref(&s.sheet, 0).kind, CR_ROW_KEY);
	assert_str(cr_sheet_row_ref(&s.sheet, 0).name, "a");
	assert_int_equal(cr_sheet_row_ref(&s.sheet, 1).kind, CR_ROW_NONE);
	cr_series_sheet_fini(&s);
	cr_latency_keys(&latency, "comm", &l);
	assert_str(cr_sheet_row_ref(&l.sheet, 0).name, "b");
	assert_int_equal(cr_sheet_row_ref(&l.sheet, 1).kind, CR_ROW_NONE);
	cr_latency_sheet_fini(&l);
}

static void
test_cells_of_a_heat_map_stand_for_ranges_of_time(void **state)
{
	uint64_t samples[] = {0, 0, 0, 5}; /* two seconds in halves */
	const struct cr_heat heat = {
		.span = {.from_ns = 3 * SECOND}, .columns = 2, .rows = 2, .samples = samples};
	struct cr_heat_sheet s;
	struct cr_row_ref ref;

	(void)state;
	cr_heat_sheet_init(&heat, &s);
	assert_int_equal(s.sheet.n_rows, 1);
	ref = cr_sheet_row_ref(&s.sheet, 0);
	assert_int_equal(ref.kind, CR_ROW_RANGE);
	assert_int_equal(ref.from, 4 * SECOND + SECOND / 2);
	assert_int_equal(ref.to, 5 * SECOND);
	cr_heat_sheet_fini(&s);
}

/* Also where the third digit is a five, or nearly one. */
static void
test_shares_are_rounded_as_printf_does(void **state)
{
	(void)state;
	for (uint64_t whole = 1; whole < 200000; whole = whole * 3 + 1)
		for (uint64_t number = 0; number < 3 * whole; number += 1 + whole / 5000) {
			const struct cr_cell cell = {
				.kind = CR_CELL_SHARE, .number = number, .whole = whole};
			struct cr_text text = {0};
			char want[40];

			snprintf(want, sizeof(want), "%.2f%%",
				100.0 * (double)number / (double)whole);
			cr_cell_put(&cell, &text);
			assert_string_equal(text.p, want);
			cr_text_fini(&text);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_functions_stand_for_frames_however_they_are_sorted),
		cmocka_unit_test(test_shares_are_rounded_as_printf_does),
		cmocka_unit_test(test_rows_of_threads_stand_for_threads),
		cmocka_unit_test(test_rows_of_keys_stand_for_keys_but_the_rest_for_none),
		cmocka_unit_test(test_cells_of_a_heat_map_stand_for_ranges_of_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
