#include "testing.h"

#include "bytes/source.h"
#include "write/samples/gzip_out_p.h"

#include <fcntl.h>
#include <unistd.h>

/* `pieces` texts of `len` bytes each, packed. */
static int
packed(struct cr_sink *sink, size_t pieces, size_t len, struct cr_text *plain, struct cr_err *err)
{
	struct cr_gzip_out *g = cr_gzip_out_open(sink);
	uint64_t seed = 5;
	struct cr_text t = {0};
	int rc = CR_OK;

	for (size_t i = 0; rc == CR_OK && i < pieces; i++) {
		for (size_t k = 0; k < len; k++)
			cr_text_char(&t, (char)testing_random(&seed));
		cr_text_str(plain, cr_text_view(&t));
		rc = cr_gzip_out_text(g, &t, err);
		assert_int_equal(t.len, 0);
	}
	cr_text_fini(&t);
	return cr_gzip_out_close(g, rc, err);
}

static void
assert_unpacks_to(const struct cr_text *have, const struct cr_text *want)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	assert_int_equal(cr_source_open_memory(have->p, have->len, 1u << 30, &s, &err), CR_OK);
	assert_int_equal(cr_source_len(s), want->len);
	if (want->len)
		assert_memory_equal(cr_source_bytes(s), want->p, want->len);
	cr_source_close(s);
}

static void
test_what_was_packed_is_unpacked(void **state)
{
	static const size_t sizes[][2] = {
		{0, 0}, {1, 0}, {1, 1}, {3, 70000}, {1000, 7}, {2, 1 << 20}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		struct cr_text out = {0}, again = {0}, plain = {0}, same = {0};
		struct cr_sink sink = cr_sink_memory(&out), second = cr_sink_memory(&again);
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(packed(&sink, sizes[i][0], sizes[i][1], &plain, &err), CR_OK);
		assert_unpacks_to(&out, &plain);
		assert_int_equal(packed(&second, sizes[i][0], sizes[i][1], &same, &err), CR_OK);
		assert_int_equal(again.len, out.len);
		if (out.len)
			assert_memory_equal(again.p, out.p, out.len);
		cr_text_fini(&out);
		cr_text_fini(&again);
		cr_text_fini(&plain);
		cr_text_fini(&same);
	}
}

static void
test_a_small_text_waits_for_more(void **state)
{
	struct cr_text out = {0}, t = {0}, plain = {0};
	struct cr_sink sink = cr_sink_memory(&out);
	struct cr_gzip_out *g = cr_gzip_out_open(&sink);
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	cr_text_puts(&t, "few bytes");
	assert_int_equal(cr_gzip_out_large(g, &t, &err), CR_OK);
	assert_int_equal(t.len, 9);
	cr_text_pad(&t, 'x', CR_SINK_LARGE);
	cr_text_str(&plain, cr_text_view(&t));
	assert_int_equal(cr_gzip_out_large(g, &t, &err), CR_OK);
	assert_int_equal(t.len, 0);
	assert_int_equal(cr_gzip_out_close(g, CR_OK, &err), CR_OK);
	assert_unpacks_to(&out, &plain);
	cr_text_fini(&out);
	cr_text_fini(&t);
	cr_text_fini(&plain);
}

static void
test_an_error_of_the_caller_is_returned_and_nothing_is_written(void **state)
{
	struct cr_text out = {0};
	struct cr_sink sink = cr_sink_memory(&out);
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_gzip_out_close(cr_gzip_out_open(&sink), CR_ECANCEL, &err), CR_ECANCEL);
	assert_int_equal(out.len, 0);
	cr_text_fini(&out);
}

/* Few bytes fail when the rest is written, many before. */
static void
test_a_full_disk_is_an_error(void **state)
{
	static const size_t sizes[] = {1, 1 << 20};
	const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	if (fd < 0)
		testing_skip("there is no /dev/full");
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		struct cr_sink sink = cr_sink_descriptor(fd);
		struct cr_err err = CR_ERR_INIT;
		struct cr_text plain = {0};

		assert_int_equal(packed(&sink, 2, sizes[i], &plain, &err), CR_EIO);
		assert_true(err.text[0]);
		cr_text_fini(&plain);
	}
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_packed_is_unpacked),
		cmocka_unit_test(test_a_small_text_waits_for_more),
		cmocka_unit_test(test_an_error_of_the_caller_is_returned_and_nothing_is_written),
		cmocka_unit_test(test_a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
