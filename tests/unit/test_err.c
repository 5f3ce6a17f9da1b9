#include "testing.h"

#include <errno.h>

#include "base/err.h"

static void
test_a_failure_fills_the_error_and_returns_its_code(void **state)
{
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_fail(&err, CR_EFORMAT, 12, "%d words, %s", 3, "none good"), CR_EFORMAT);
	assert_int_equal(err.code, CR_EFORMAT);
	assert_int_equal(err.offset, 12);
	assert_string_equal(err.text, "3 words, none good");
}

static void
test_a_long_message_is_cut_and_ends(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	char name[2000];

	(void)state;
	memset(name, 'x', sizeof(name));
	cr_fail(&err, CR_EFORMAT, CR_NO_OFFSET, "%.*s", (int)sizeof(name), name);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	errno = ENOENT;
	cr_fail_errno(&err, CR_EIO, "%.*s", (int)sizeof(name), name);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void
test_a_refusal_of_the_system_tells_why(void **state)
{
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	errno = ENOENT;
	assert_int_equal(cr_fail_errno(&err, CR_EIO, "cannot open %s", "x"), CR_EIO);
	assert_int_equal(err.offset, CR_NO_OFFSET);
	assert_string_equal(err.text, "cannot open x: no such file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_failure_fills_the_error_and_returns_its_code),
		cmocka_unit_test(test_a_long_message_is_cut_and_ends),
		cmocka_unit_test(test_a_refusal_of_the_system_tells_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
