#include "testing.h"

#include "base/err.h"
#include "base/log.h"

static void
test_warnings_of_a_kind_are_counted_and_the_first_is_kept(void **state)
{
	struct cr_log log = {0};
	const char again[] = "odd";

	(void)state;
	cr_log_warn(&log, "odd", 7, "first, %d", 1);
	cr_log_warn(&log, "even", CR_NO_OFFSET, "%s", "");
	cr_log_warn(&log, again, 9, "second, %d", 2);
	assert_int_equal(log.n, 2);
	assert_string_equal(log.entries[0].kind, "odd");
	assert_int_equal(log.entries[0].count, 2);
	assert_int_equal(log.entries[0].offset, 7);
	assert_string_equal(log.entries[0].first, "first, 1");
	assert_int_equal(log.entries[1].count, 1);
	assert_string_equal(log.entries[1].first, "");
}

static void
test_kinds_past_the_last_fall_into_it(void **state)
{
	struct cr_log log = {0};
	char kinds[CR_LOG_KINDS + 10][8];

	(void)state;
	for (size_t i = 0; i < CR_LEN(kinds); i++) {
		snprintf(kinds[i], sizeof(kinds[i]), "%zu", i);
		cr_log_warn(&log, kinds[i], i, "%.300d", (int)i);
	}
	assert_int_equal(log.n, CR_LOG_KINDS);
	assert_int_equal(log.entries[CR_LOG_KINDS - 1].count, 11);
	assert_int_equal(log.entries[0].count, 1);
	assert_int_equal(strlen(log.entries[3].first), sizeof(log.entries[3].first) - 1);
}

static void
test_lines_of_a_text_are_counted_and_the_first_are_kept(void **state)
{
	struct cr_log log = {0};
	char text[200];

	(void)state;
	memset(text, 'x', sizeof(text));
	cr_log_count(&log, "odd", 3, 12);
	cr_log_count(&log, "odd", 4, 2);
	assert_int_equal(log.n, 1);
	assert_int_equal(log.entries[0].count, 7);
	assert_int_equal(log.entries[0].line, 12);
	assert_int_equal(log.entries[0].offset, CR_NO_OFFSET);
	for (uint64_t i = 1; i <= CR_LOG_LINES + 5; i++)
		cr_log_line(&log, "no-count", i, (struct cr_str){text, i == 2 ? sizeof(text) : 3});
	assert_int_equal(log.n_places, CR_LOG_LINES);
	assert_int_equal(log.places[4].line, 5);
	assert_string_equal(log.places[4].text, "xxx");
	assert_int_equal(strlen(log.places[1].text), sizeof(log.places[1].text) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_warnings_of_a_kind_are_counted_and_the_first_is_kept),
		cmocka_unit_test(test_kinds_past_the_last_fall_into_it),
		cmocka_unit_test(test_lines_of_a_text_are_counted_and_the_first_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
