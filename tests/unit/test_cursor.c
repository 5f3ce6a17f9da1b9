#include "testing.h"

#include "bytes/cursor.h"

/* A cursor over a block of the exact size, which *block owns. */
static struct cr_cursor
cursor_of(const void *bytes, size_t len, void **block)
{
	struct cr_cursor c;

	*block = testing_exact(bytes, len);
	cr_cursor_init(&c, *block, len);
	return c;
}

static void
test_values_are_read_in_order_and_in_either_byte_order(void **state)
{
	static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	void *block;
	struct cr_cursor c = cursor_of(bytes, sizeof(bytes), &block), s = c;

	(void)state;
	assert_int_equal(cr_cursor_u8(&c), 1);
	assert_int_equal(cr_cursor_u16(&c), 0x0302);
	assert_int_equal(cr_cursor_u32(&c), 0x07060504);
	assert_int_equal(cr_cursor_at(&c), 7);
	assert_int_equal(cr_cursor_u64(&c), UINT64_C(0x0f0e0d0c0b0a0908));
	assert_false(c.bad);
	assert_int_equal(cr_cursor_left(&c), 0);
	s.swap = true;
	assert_int_equal(cr_cursor_u8(&s), 1);
	assert_int_equal(cr_cursor_u16(&s), 0x0203);
	assert_int_equal(cr_cursor_u32(&s), 0x04050607);
	assert_int_equal(cr_cursor_u64(&s), UINT64_C(0x08090a0b0c0d0e0f));
	free(block);
}

static void
test_the_first_short_read_sticks(void **state)
{
	void *block;
	struct cr_cursor c = cursor_of("\1\2\3", 3, &block);

	(void)state;
	assert_int_equal(cr_cursor_u32(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cr_cursor_u8(&c), 0);
	assert_null(cr_cursor_take(&c, 1));
	assert_int_equal(cr_cursor_left(&c), 0);
	assert_int_equal(cr_cursor_at(&c), 3);
	free(block);
}

static void
test_a_count_larger_than_the_file_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		uint32_t want;
		bool bad;
	} cases[] = {
		{"\2\0\0\0aaaabbbb", 12, 2, false},
		{"\3\0\0\0aaaabbbb", 12, 0, true},
		{"\377\377\377\377aaaa", 8, 0, true},
		{"\0\0\0\0", 4, 0, false},
		{"\1\0\0", 3, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *block;
		struct cr_cursor c = cursor_of(cases[i].bytes, cases[i].len, &block);

		assert_int_equal(cr_cursor_count(&c, 4), cases[i].want);
		assert_int_equal(c.bad, cases[i].bad);
		free(block);
	}
}

static void
test_a_count_of_64_bits_cannot_wrap(void **state)
{
	void *block;
	struct cr_cursor c = cursor_of("\0\0\0\0\0\0\0\x20"
				       "aaaabbbb",
		16, &block);

	(void)state;
	assert_int_equal(cr_cursor_count64(&c, 8), 0); /* times 8 it would be 2^64 */
	assert_true(c.bad);
	free(block);
}

static void
test_a_sub_cursor_sees_nothing_else(void **state)
{
	void *block;
	struct cr_cursor c = cursor_of("aabbcc", 6, &block), s, none;

	(void)state;
	cr_cursor_skip(&c, 2);
	s = cr_cursor_sub(&c, 2);
	assert_int_equal(cr_cursor_u16(&s), 0x6262);
	assert_int_equal(cr_cursor_at(&s), 4);
	assert_int_equal(cr_cursor_u8(&s), 0);
	assert_true(s.bad);
	assert_false(c.bad);
	assert_int_equal(cr_cursor_u8(&c), 'c');
	none = cr_cursor_sub(&c, UINT64_MAX);
	assert_true(none.bad && c.bad);
	assert_int_equal(cr_cursor_left(&none), 0);
	free(block);
}

static void
test_text_ends_at_its_nul_or_its_length(void **state)
{
	void *block;
	struct cr_cursor c = cursor_of("ab\0cdefg", 8, &block);

	(void)state;
	assert_str(cr_cursor_text(&c, 4), "ab");
	assert_str(cr_cursor_text(&c, 2), "de");
	assert_str(cr_cursor_text(&c, 0), "");
	assert_false(c.bad);
	assert_str(cr_cursor_text(&c, 3), "");
	assert_true(c.bad);
	free(block);
}

static void
test_a_string_ends_at_its_nul_and_needs_one(void **state)
{
	void *block;
	struct cr_cursor c = cursor_of("ab\0\0cd", 6, &block);

	(void)state;
	assert_str(cr_cursor_string(&c), "ab");
	assert_str(cr_cursor_string(&c), "");
	assert_false(c.bad);
	assert_str(cr_cursor_string(&c), "");
	assert_true(c.bad);
	assert_int_equal(cr_cursor_left(&c), 0);
	free(block);
}

static void
test_numbers_of_sevens_of_bits_end_where_they_say(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		uint64_t u;
		int64_t s;
		bool bad;
	} cases[] = {
		{"\x02", 1, 2, 2, false},
		{"\x7f", 1, 127, -1, false},
		{"\x80\x01", 2, 128, 128, false},
		{"\x80\x7f", 2, 16256, -128, false},
		{"\xe5\x8e\x26", 3, 624485, 624485, false},
		{"\x81\x80\x80\x00", 4, 1, 1, false},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX, -1, false},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 16, UINT64_MAX,
			-1, false},
		{"\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 17, 0, 0,
			true},
		{"\x80\x80", 2, 0, 0, true},
		{"", 0, 0, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *bytes = testing_exact(cases[i].bytes, cases[i].len);
		struct cr_cursor u, s;

		cr_cursor_init(&u, bytes, cases[i].len);
		s = u;
		assert_int_equal(cr_cursor_uleb(&u), cases[i].u);
		assert_int_equal(cr_cursor_sleb(&s), cases[i].s);
		assert_int_equal(u.bad, cases[i].bad);
		assert_int_equal(s.bad, cases[i].bad);
		assert_int_equal(cr_cursor_left(&u), 0);
		free(bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_read_in_order_and_in_either_byte_order),
		cmocka_unit_test(test_the_first_short_read_sticks),
		cmocka_unit_test(test_a_count_larger_than_the_file_is_refused),
		cmocka_unit_test(test_a_count_of_64_bits_cannot_wrap),
		cmocka_unit_test(test_a_sub_cursor_sees_nothing_else),
		cmocka_unit_test(test_text_ends_at_its_nul_or_its_length),
		cmocka_unit_test(test_a_string_ends_at_its_nul_and_needs_one),
		cmocka_unit_test(test_numbers_of_sevens_of_bits_end_where_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
