#include "testing.h"

#include "view/style/ink_codes.h"

static void
assert_put(enum cr_ink ink, const char *text, const char *want)
{
	struct cr_text t = {0};

	cr_ink_codes_put(&t, ink, cr_str_of(text));
	assert_str(cr_text_view(&t), want);
	cr_text_fini(&t);
}

static void
test_plain_and_empty_texts_have_no_sequence(void **state)
{
	(void)state;
	assert_put(CR_INK_PLAIN, "x", "x");
	assert_put(CR_INK_NAME, "x", "x");
	assert_put(CR_INK_HOT, "", "");
	assert_put(CR_INK_HOT, "x", "\033[31mx\033[0m");
	assert_put(CR_INK_HEADING, "x", "\033[1mx\033[0m");
}

static void
test_a_line_has_the_inks_of_its_spans(void **state)
{
	static const struct cr_ink_span inks[] = {
		{0, 1, CR_INK_GOOD, 0}, {2, 2, CR_INK_HOT, 0}, {6, 9, CR_INK_DIM, 0}};
	cr_ink_spans spans = {0};
	struct cr_text t = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(inks); i++)
		cr_vec_push(&spans, inks[i]);
	cr_ink_codes_line(&t, CR_STR("a \xc3\xa9\xc3\xa8 cdef"), &spans);
	assert_str(cr_text_view(&t),
		"\033[32ma\033[0m \033[31m\xc3\xa9\xc3\xa8\033[0m c\033[2mdef\033[0m");
	cr_text_fini(&t);
	cr_vec_fini(&spans);
}

static void
test_urls_have_only_plain_characters(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_ink_codes_url(&t, CR_STR("host-1"), CR_STR("/a b/\033]8;;\\\xc3\xa9%.c"));
	assert_str(cr_text_view(&t), "file://host-1/a%20b/%1B%5D8%3B%3B%5C%C3%A9%25.c");
	cr_text_fini(&t);
	cr_ink_codes_link(&t, CR_STR("file:///x.c"), CR_STR("x.c:3"));
	assert_str(cr_text_view(&t), "\033]8;;file:///x.c\033\\x.c:3\033]8;;\033\\");
	cr_text_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_and_empty_texts_have_no_sequence),
		cmocka_unit_test(test_a_line_has_the_inks_of_its_spans),
		cmocka_unit_test(test_urls_have_only_plain_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
