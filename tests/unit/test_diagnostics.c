#include "testing.h"

#include "read/kit/diagnostics_p.h"

static void
test_pieces_of_a_report_add_up_with_their_lines(void **state)
{
	struct cr_diagnostics whole = {.lines = 10}, next = {.lines = 5};

	(void)state;
	cr_diagnostics_add(&whole, CR_REASON_NOISE, 4, CR_STR("x"));
	cr_diagnostics_add(&next, CR_REASON_NOISE, 1, CR_STR("y"));
	cr_diagnostics_add(&next, CR_REASON_NO_COUNT, 3, CR_STR("z"));
	cr_diagnostics_append(&whole, &next);
	assert_int_equal(whole.lines, 15);
	assert_int_equal(whole.count[CR_REASON_NOISE], 2);
	assert_int_equal(whole.first[CR_REASON_NOISE], 4);
	assert_int_equal(whole.first[CR_REASON_NO_COUNT], 13);
	assert_int_equal(whole.n_places, 3);
	assert_int_equal(whole.places[1].line, 11);
	assert_int_equal(whole.places[2].line, 13);
	assert_int_equal(whole.places[2].why, CR_REASON_NO_COUNT);
	assert_memory_equal(whole.places[2].text, "z", 1);
}

static void
test_there_is_room_for_the_first_places(void **state)
{
	struct cr_diagnostics r = {0}, next = {0};

	(void)state;
	for (unsigned i = 0; i < CR_DIAGNOSTICS_PLACES + 3; i++) {
		cr_diagnostics_add(&r, CR_REASON_BAD_FRAME, i + 1, CR_STR("frame"));
		cr_diagnostics_add(&next, CR_REASON_BAD_FRAME, i + 1, CR_STR("frame"));
	}
	cr_diagnostics_append(&r, &next);
	assert_int_equal(r.n_places, CR_DIAGNOSTICS_PLACES);
	assert_int_equal(r.places[CR_DIAGNOSTICS_PLACES - 1].line, CR_DIAGNOSTICS_PLACES);
	assert_int_equal(r.count[CR_REASON_BAD_FRAME], 2 * (CR_DIAGNOSTICS_PLACES + 3));
}

/* What the log and the profile get of one line with this reason. */
static uint32_t
flags_after(enum cr_reason why, struct cr_log *log)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_diagnostics r = {0};
	struct cr_profile *p;
	uint32_t flags;

	cr_diagnostics_add(&r, why, 3, CR_STR("text"));
	cr_diagnostics_end(&r, b, log);
	cr_builder_may_be_empty(b);
	assert_int_equal(cr_builder_finish(b, log, &p, &err), CR_OK);
	flags = p->flags;
	assert_int_equal(p->n_quality, 1);
	assert_int_equal(p->quality[0].count, 1);
	cr_profile_free(p);
	cr_builder_free(b);
	return flags;
}

static void
test_what_is_lost_marks_the_profile_and_messages_do_not(void **state)
{
	struct cr_log lost = {0}, message = {0};

	(void)state;
	assert_int_equal(
		flags_after(CR_REASON_NO_COUNT, &lost) & CR_PROFILE_IN_PART, CR_PROFILE_IN_PART);
	assert_int_equal(flags_after(CR_REASON_NOISE, &message) & CR_PROFILE_IN_PART, 0);
	assert_int_equal(lost.n_places, 1);
	assert_string_equal(lost.places[0].why, "no-count");
	assert_int_equal(lost.places[0].line, 3);
	assert_string_equal(lost.places[0].text, "text");
	assert_int_equal(lost.entries[0].line, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces_of_a_report_add_up_with_their_lines),
		cmocka_unit_test(test_there_is_room_for_the_first_places),
		cmocka_unit_test(test_what_is_lost_marks_the_profile_and_messages_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
