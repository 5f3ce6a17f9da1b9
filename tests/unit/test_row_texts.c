#include "testing.h"

#include "write/samples/row_texts_p.h"

static void
test_a_text_is_kept_for_its_row(void **state)
{
	struct cr_row_texts t;
	struct cr_text out = {0};

	(void)state;
	cr_row_texts_init(&t, 3);
	cr_text_puts(&out, "head,");
	assert_false(cr_row_texts_put(&t, 2, &out));
	cr_text_puts(&out, "tail");
	cr_row_texts_keep(&t, 2, &out, 5);
	cr_row_texts_keep(&t, 1, &out, 0);
	assert_true(cr_row_texts_put(&t, 2, &out));
	assert_true(cr_row_texts_put(&t, 1, &out));
	assert_false(cr_row_texts_put(&t, 0, &out));
	assert_string_equal(out.p, "head,tailtailhead,tail");
	cr_row_texts_fini(&t);
	cr_text_fini(&out);
}

static void
test_no_more_than_the_most_is_kept(void **state)
{
	struct cr_row_texts t;
	struct cr_text out = {0};

	(void)state;
	cr_row_texts_init(&t, 4);
	cr_text_pad(&out, 'x', CR_ROW_TEXTS_MOST / 2 + 1);
	cr_row_texts_keep(&t, 0, &out, 0);
	cr_row_texts_keep(&t, 1, &out, 0);
	cr_row_texts_keep(&t, 2, &out, 2);
	cr_text_clear(&out);
	assert_false(cr_row_texts_put(&t, 1, &out));
	assert_true(cr_row_texts_put(&t, 2, &out));
	assert_int_equal(out.len, CR_ROW_TEXTS_MOST / 2 - 1);
	cr_row_texts_fini(&t);
	cr_text_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_text_is_kept_for_its_row),
		cmocka_unit_test(test_no_more_than_the_most_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
