#include "testing.h"

#include "bytes/wire.h"
#include "write/samples/wire_out_p.h"

static void
assert_bytes(const struct cr_text *t, const char *want, size_t len)
{
	assert_int_equal(t->len, len);
	assert_memory_equal(t->p, want, len);
}

static void
test_numbers_have_the_bytes_of_the_specification(void **state)
{
	static const struct {
		uint64_t v;
		const char *bytes;
	} cases[] = {
		{1, "\x08\x01"},
		{127, "\x08\x7f"},
		{128, "\x08\x80\x01"},
		{150, "\x08\x96\x01"},
		{16384, "\x08\x80\x80\x01"},
		{UINT64_MAX, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};

		cr_wire_put_number(&t, 1, cases[i].v);
		assert_bytes(&t, cases[i].bytes, strlen(cases[i].bytes));
		cr_text_fini(&t);
	}
}

static void
test_zero_is_left_out_but_not_from_a_list(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_wire_put_number(&t, 3, 0);
	assert_int_equal(t.len, 0);
	cr_wire_put_uleb(&t, 0);
	assert_bytes(&t, "\0", 1);
	cr_text_fini(&t);
}

static void
test_empty_bytes_are_written(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_wire_put_bytes(&t, 2, CR_STR(""));
	cr_wire_put_bytes(&t, 2, (struct cr_str){"a\0b", 3});
	assert_bytes(&t,
		"\x12\x00\x12\x03"
		"a\0b",
		7);
	cr_text_fini(&t);
}

/* Field numbers up to the highest one, numbers of all lengths, and a message inside. */
static void
test_the_reader_reads_what_was_written(void **state)
{
	static const uint32_t fields[] = {1, 15, 16, 2047, 2048, (1u << 29) - 1};
	struct cr_text t = {0}, inner = {0};
	struct cr_wire_field f;
	struct cr_cursor c, message;

	(void)state;
	for (unsigned bits = 0; bits < 64; bits++)
		for (size_t i = 0; i < CR_LEN(fields); i++) {
			cr_text_clear(&inner);
			cr_wire_put_number(&inner, fields[i], UINT64_C(1) << bits);
			cr_text_str(&t, cr_text_view(&inner));
			cr_wire_put_bytes(&t, fields[i], cr_text_view(&inner));
		}
	cr_cursor_init(&c, t.p, t.len);
	for (unsigned bits = 0; bits < 64; bits++)
		for (size_t i = 0; i < CR_LEN(fields); i++) {
			assert_true(cr_wire_next(&c, &f));
			assert_int_equal(f.number, fields[i]);
			assert_true(f.value == UINT64_C(1) << bits);
			assert_true(cr_wire_next(&c, &f));
			assert_int_equal(f.number, fields[i]);
			assert_int_equal(f.type, CR_WIRE_BYTES);
			message = f.bytes;
			assert_true(cr_wire_next(&message, &f));
			assert_true(f.value == UINT64_C(1) << bits);
		}
	assert_false(cr_wire_next(&c, &f));
	assert_false(c.bad);
	cr_text_fini(&t);
	cr_text_fini(&inner);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_have_the_bytes_of_the_specification),
		cmocka_unit_test(test_zero_is_left_out_but_not_from_a_list),
		cmocka_unit_test(test_empty_bytes_are_written),
		cmocka_unit_test(test_the_reader_reads_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
