#include "testing.h"

#include "base/json_out.h"
#include "bytes/json.h"

static void
test_commas_lines_and_blanks_are_put_between_items(void **state)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	(void)state;
	cr_json_out_open(&j, '{');
	cr_json_out_text_of(&j, "a\"", CR_STR("x\n"));
	cr_json_out_line(&j, "\t");
	cr_json_out_key(&j, "list");
	cr_json_out_open(&j, '[');
	cr_json_out_u64(&j, UINT64_MAX);
	cr_json_out_i64(&j, INT64_MIN);
	cr_json_out_hex(&j, 31);
	cr_json_out_number(&j, 12.5);
	cr_json_out_bool(&j, true);
	cr_json_out_null(&j);
	cr_json_out_close(&j);
	cr_json_out_key(&j, "packed");
	cr_json_out_open(&j, '#');
	cr_json_out_weight(&j, 1500000, CR_STR("millionths"));
	cr_json_out_u64(&j, 2);
	cr_json_out_open(&j, '{');
	cr_json_out_close(&j);
	cr_json_out_close(&j);
	cr_json_out_line(&j, "");
	cr_json_out_close(&j);
	assert_string_equal(t.p, "{\"a\\\"\": \"x\\u000a\",\n"
				 "\t\"list\": [18446744073709551615, -9223372036854775808, "
				 "\"0x1f\", 12.5, true, null], \"packed\": [1.5,2,{}]\n}");
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

static void
test_an_empty_list_has_no_line_of_its_own(void **state)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	(void)state;
	cr_json_out_open(&j, '[');
	cr_json_out_line(&j, "");
	cr_json_out_close(&j);
	cr_json_out_close(&j); /* of nothing */
	assert_string_equal(t.p, "[]");
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

/* As deep as the stacks of a profile, printed in pieces, and read again. */
static void
test_depth_has_no_limit(void **state)
{
	enum { DEPTH = 90000 };
	struct cr_text t = {0}, all = {0};
	struct cr_json_out j = {.text = &t};
	struct cr_json in;

	(void)state;
	for (int i = 0; i < DEPTH; i++) {
		cr_json_out_open(&j, i % 2 ? '{' : '[');
		if (i % 2)
			cr_json_out_key(&j, "k");
		cr_text_put(&all, t.p, t.len);
		cr_text_clear(&t);
	}
	cr_json_out_null(&j);
	for (int i = 0; i < DEPTH; i++)
		cr_json_out_close(&j);
	cr_text_put(&all, t.p, t.len);
	assert_int_equal(all.len, DEPTH * 2 + DEPTH / 2 * 5 + 4);
	cr_json_init(&in, all.p, all.len);
	cr_json_skip(&in);
	assert_false(in.bad);
	cr_json_out_fini(&j);
	cr_text_fini(&t);
	cr_text_fini(&all);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commas_lines_and_blanks_are_put_between_items),
		cmocka_unit_test(test_an_empty_list_has_no_line_of_its_own),
		cmocka_unit_test(test_depth_has_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
