#include "testing.h"

#include "bytes/json.h"

/*
 * What comes out, one value after the other: names and numbers as they are, brackets round what
 * they hold.
 */
static void
walk(struct cr_json *j, struct cr_text *out)
{
	struct cr_str s;

	switch (cr_json_kind(j)) {
	case CR_JSON_OBJECT:
		cr_text_char(out, '{');
		cr_json_object(j);
		while (cr_json_key(j, &s)) {
			cr_text_str(out, s);
			cr_text_char(out, '=');
			walk(j, out);
		}
		cr_text_char(out, '}');
		break;
	case CR_JSON_ARRAY:
		cr_text_char(out, '[');
		cr_json_array(j);
		while (cr_json_item(j)) {
			walk(j, out);
			cr_text_char(out, ' ');
		}
		cr_text_char(out, ']');
		break;
	default: cr_text_puts(out, cr_json_text(j, &s) ? "" : "-"); cr_text_str(out, s);
	}
}

static void
test_values_come_in_their_order(void **state)
{
	static const struct {
		const char *json, *want, *bad;
	} cases[] = {
		{"[]", "[]", NULL},
		{" { } ", "{}", NULL},
		{"\xef\xbb\xbf{\"a\":1,\"b\" : [true, null , \"x\\\"y\" ]}",
			"{a=1b=[true - x\\\"y ]}", NULL},
		{"[1,2,]", "[1 2 ]", NULL},
		{"[,1 2]", "[1 2 ]", NULL},
		{"\"\\\\\\\\\"", "\\\\\\\\", NULL},
		{"[\"a\\\\\\\"\"]", "[a\\\\\\\" ]", NULL},
		{"-1.5e3", "-1.5e3", NULL},
		{"[1", "[1 ]", "an array does not end"},
		{"{\"a\":1", "{a=1}", "an object does not end"},
		{"{\"a\"1}", "{}", "a colon is missing after a key"},
		{"{a:1}", "{}", "a key is missing"},
		{"[\"a]", "[- ]", "a string does not end"},
		{"[}", "[- ]", "a value is missing"},
		{"", "-", "ends where a value is expected"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const size_t len = strlen(cases[i].json);
		char *exact = testing_exact(cases[i].json, len);
		struct cr_text out = {0};
		struct cr_json j;

		cr_json_init(&j, exact, len);
		walk(&j, &out);
		assert_string_equal(out.p, cases[i].want);
		if (cases[i].bad)
			assert_string_equal(j.bad, cases[i].bad);
		else
			assert_null(j.bad);
		cr_text_fini(&out);
		free(exact);
	}
}

static void
test_what_is_skipped_is_passed_over_whole(void **state)
{
	static const struct {
		const char *json, *rest;
	} cases[] = {
		{"{\"a\":[1,{\"b\":\"]}\"}]} 7", " 7"},
		{"\"x\\\"\" 7", " 7"},
		{"12 7", " 7"},
		{"null,7", ",7"},
		{"[[[]", ""},
		{"]", ""},
	};
	struct cr_json j;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		cr_json_init(&j, cases[i].json, strlen(cases[i].json));
		cr_json_skip(&j);
		assert_string_equal(j.p, cases[i].rest);
		assert_int_equal(j.bad != NULL, cases[i].rest[0] == '\0');
	}
}

static void
test_a_value_of_another_kind_is_skipped(void **state)
{
	static const char json[] = "[[1],{\"a\":2},3,\"x\"]";
	struct cr_str s;
	struct cr_json j;

	(void)state;
	cr_json_init(&j, json, sizeof(json) - 1);
	assert_true(cr_json_array(&j));
	assert_true(cr_json_item(&j));
	assert_false(cr_json_object(&j));
	assert_true(cr_json_item(&j));
	assert_false(cr_json_text(&j, &s));
	assert_true(cr_json_item(&j));
	assert_false(cr_json_array(&j));
	assert_true(cr_json_item(&j));
	assert_true(cr_json_text(&j, &s));
	assert_str(s, "x");
	assert_false(cr_json_item(&j));
	assert_null(j.bad);
}

static void
test_escapes_are_resolved(void **state)
{
	static const struct {
		const char *raw, *want;
	} cases[] = {
		{"plain", "plain"},
		{"a\\\"b\\\\c\\/d", "a\"b\\c/d"},
		{"\\b\\f\\n\\r\\t", "\b\f\n\r\t"},
		{"\\u0041\\u00e9\\u20ac", "A\xc3\xa9\xe2\x82\xac"},
		{"\\ud83d\\ude00!", "\xf0\x9f\x98\x80!"},
		{"\\ud83d", "\\ud83d"},
		{"\\ud83d\\u0041", "\\ud83dA"},
		{"\\udc00", "\\udc00"},
		{"\\u12g4", "\\u12g4"},
		{"\\x", "\\x"},
		{"end\\", "end\\"},
		{"\\u12", "\\u12"},
		{"", ""},
	};
	struct cr_text room = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *exact = testing_exact(cases[i].raw, strlen(cases[i].raw));

		assert_str(cr_json_plain(
				   (struct cr_str){exact, (uint32_t)strlen(cases[i].raw)}, &room),
			cases[i].want);
		free(exact);
	}
	cr_text_fini(&room);
}

static void
test_depth_is_bounded(void **state)
{
	const size_t deep = CR_JSON_DEPTH_MAX + 1;
	char *text = cr_alloc(deep, 1);
	struct cr_json j;
	size_t depth = 0;

	(void)state;
	memset(text, '[', deep);
	cr_json_init(&j, text, deep);
	while (cr_json_array(&j) && cr_json_item(&j))
		depth++;
	assert_int_equal(depth, CR_JSON_DEPTH_MAX);
	assert_string_equal(j.bad, "values are nested more than 100000 deep");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_come_in_their_order),
		cmocka_unit_test(test_what_is_skipped_is_passed_over_whole),
		cmocka_unit_test(test_a_value_of_another_kind_is_skipped),
		cmocka_unit_test(test_escapes_are_resolved),
		cmocka_unit_test(test_depth_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
