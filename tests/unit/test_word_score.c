#include "testing.h"

#include "session/commands/word_score.h"

static void
assert_closer(const char *topic, const char *name, const char *other)
{
	const uint32_t a = cr_word_score(topic, name, ""), b = cr_word_score(topic, other, "");

	if (a >= b)
		fail_msg("%s: %s has %u, %s has %u", topic, name, a, other, b);
}

static void
test_the_name_comes_first(void **state)
{
	(void)state;
	assert_int_equal(cr_word_score("zoom", "zoom", "x"), 0);
	assert_int_equal(cr_word_score("ZOOM", "zoom", "x"), 0);
	assert_closer("sort", "sort", "sort-next");
	assert_closer("next", "next", "view next");
	assert_closer("line", "select-line", "underline");
	assert_true(cr_word_score("open", "x", "to open") > cr_word_score("open", "open it", ""));
}

static void
test_what_is_misspelt_is_a_guess(void **state)
{
	(void)state;
	assert_int_equal(cr_word_score("exprot", "export", ""), CR_WORD_GUESS + 2);
	assert_int_equal(cr_word_score("zom", "zoom", ""), CR_WORD_GUESS + 1);
	assert_int_equal(cr_word_score("slct", "select", ""), CR_WORD_GUESS + 10);
	assert_int_equal(cr_word_score("qq", "aqqa", ""), 5);
	assert_int_equal(cr_word_score("xy", "zoom", "all"), CR_WORD_NO_MATCH);
	assert_int_equal(cr_word_score("elephants", "zoom", "all"), CR_WORD_NO_MATCH);
	assert_int_equal(cr_word_score("a-word-that-is-longer-than-any-name-there-is", "zoom", ""),
		CR_WORD_NO_MATCH);
}

static void
test_every_word_must_be_found(void **state)
{
	(void)state;
	assert_int_equal(cr_word_score("next match", "next", "select the next match"), 3);
	assert_int_equal(cr_word_score(" next  zebra", "next", "select"), CR_WORD_NO_MATCH);
	assert_int_equal(cr_word_score("", "next", "select"), CR_WORD_NO_MATCH);
	assert_int_equal(cr_word_score("  ", "next", "select"), CR_WORD_NO_MATCH);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_name_comes_first),
		cmocka_unit_test(test_what_is_misspelt_is_a_guess),
		cmocka_unit_test(test_every_word_must_be_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
