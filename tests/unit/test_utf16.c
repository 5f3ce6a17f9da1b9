#include "testing.h"

#include "bytes/utf16_p.h"

/* All of `in` in steps that take and make no more than so many bytes. */
static void
recode(const char *in, size_t len, bool big, size_t step, size_t room, struct cr_text *out,
	uint64_t *bad)
{
	unsigned char *bytes = testing_exact(in, len), *made = cr_alloc(room, 1);
	struct cr_utf16 u = {.big = big};

	cr_text_clear(out);
	for (size_t at = 0; at < len || u.high;) {
		const size_t n = CR_MIN(step, len - at);
		size_t took;

		cr_text_put(out, made,
			cr_utf16_step(&u, bytes + at, n, at + n == len, made, room, &took));
		at += took;
	}
	*bad = u.bad;
	free(bytes);
	free(made);
}

static void
test_utf16_becomes_utf8_in_steps_of_any_size(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		const char *want;
		uint64_t bad;
	} cases[] = {
		{"", 0, "", 0},
		{"a\0\n\0", 4, "a\n", 0},
		{"\xe4\0", 2, "\xc3\xa4", 0},
		{"\xac\x20", 2, "\xe2\x82\xac", 0},
		{"\x3d\xd8\x00\xde", 4, "\xf0\x9f\x98\x80", 0}, /* a pair */
		{"\x3d\xd8"
		 "a\0",
			4,
			"\xef\xbf\xbd"
			"a",
			1}, /* its halves alone */
		{"\x00\xde"
		 "a\0",
			4,
			"\xef\xbf\xbd"
			"a",
			1},
		{"\x3d\xd8\x3d\xd8\x00\xde", 6, "\xef\xbf\xbd\xf0\x9f\x98\x80", 1},
		{"a\0\x3d\xd8", 4, "a\xef\xbf\xbd", 1}, /* at the end */
		{"a\0b", 3, "a\xef\xbf\xbd", 1},
		{"\x3d\xd8"
		 "b",
			3, "\xef\xbf\xbd\xef\xbf\xbd", 2},
		{"\x3d\xd8\x3d\xd8", 4, "\xef\xbf\xbd\xef\xbf\xbd", 2},
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		for (unsigned big = 0; big < 2; big++)
			for (size_t step = 2; step < 8; step++)
				for (size_t room = CR_UTF16_ROOM; room < 9; room++) {
					char in[8];
					uint64_t bad;

					memcpy(in, cases[i].in, cases[i].len);
					for (size_t k = 0; big && k + 1 < cases[i].len; k += 2) {
						in[k] = cases[i].in[k + 1];
						in[k + 1] = cases[i].in[k];
					}
					recode(in, cases[i].len, big, step, room, &out, &bad);
					assert_int_equal(bad, cases[i].bad);
					assert_str(cr_text_view(&out), cases[i].want);
				}
	cr_text_fini(&out);
}

static void
test_a_mark_tells_utf16_and_its_byte_order(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		bool is, big;
	} cases[] = {
		{"", 0, false, false},
		{"\xff", 1, false, false},
		{"\xff\xfe", 2, true, false},
		{"\xfe\xff", 2, true, true},
		{"\xff\xfe"
		 "a",
			3, true, false},
		{"\xff\xfe"
		 "a\0",
			4, true, false},
		{"\xff\xfe\0\0", 4, false, false}, /* UTF-32 */
		{"\xef\xbb\xbf"
		 "a",
			4, false, false},
		{"a\0", 2, false, false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		unsigned char *in = testing_exact(cases[i].in, cases[i].len);
		bool big = false;

		assert_int_equal(cr_utf16_is(in, cases[i].len, &big), cases[i].is);
		if (cases[i].is)
			assert_int_equal(big, cases[i].big);
		free(in);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf16_becomes_utf8_in_steps_of_any_size),
		cmocka_unit_test(test_a_mark_tells_utf16_and_its_byte_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
