#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include "bytes/feed_p.h"
#include "bytes/source.h"
#include "bytes/spool_p.h"
#include "bytes/unpack_p.h"
#include "bytes/whole.h"
#include "packing.h"

#include <sys/mman.h>

/* What became of packed bytes. */
struct result {
	struct cr_spooled out;
	struct cr_err damage, err;
	int rc;
};

static struct result
unpack_feed(struct cr_feed *f, uint64_t max_bytes, const struct cr_progress *progress)
{
	struct result r = {.damage = CR_ERR_INIT, .err = CR_ERR_INIT};
	struct cr_spool spool = CR_SPOOL_INIT;

	r.rc = cr_unpack(f, &spool, max_bytes, progress, &r.damage, &r.err);
	if (r.rc == CR_OK)
		assert_int_equal(cr_spool_finish(&spool, &r.out, &r.err), CR_OK);
	cr_spool_fini(&spool);
	cr_feed_fini(f);
	return r;
}

static struct result
unpack(const struct cr_text *packed)
{
	void *exact = testing_exact(packed->p, packed->len);
	struct cr_feed f;
	struct result r;

	cr_feed_init(&f, exact, packed->len);
	r = unpack_feed(&f, CR_SOURCE_MAX_PIPE, NULL);
	free(exact);
	return r;
}

static void
result_free(struct result *r)
{
	if (r->out.p)
		munmap(r->out.p, r->out.len);
}

static void
assert_whole(struct result r, const void *want, size_t len)
{
	assert_int_equal(r.rc, CR_OK);
	assert_int_equal(r.damage.code, CR_OK);
	assert_int_equal(r.out.len, len);
	if (len)
		assert_memory_equal(r.out.p, want, len);
	result_free(&r);
}

static void
test_what_was_packed_comes_back(void **state)
{
	static const size_t sizes[] = {0, 1, 100, 70000, 3000000};

	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++)
		for (size_t i = 0; i < CR_LEN(sizes); i++) {
			char *bytes = packing_sample(sizes[i]);
			struct cr_text packed = {0};

			packers[k].pack(&packed, bytes, sizes[i]);
			assert_true(cr_unpack_is((unsigned char *)packed.p, packed.len));
			assert_whole(unpack(&packed), bytes, sizes[i]);
			cr_text_fini(&packed);
			free(bytes);
		}
}

static void
test_other_bytes_come_as_they_are(void **state)
{
	static const char *const texts[] = {"", "a", "\x1f", "a;b 1\n",
		("\xfd"
		 "7zX"),
		"(\xb5/"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(texts); i++) {
		struct cr_text text = {0};

		cr_text_puts(&text, texts[i]);
		assert_false(cr_unpack_is((unsigned char *)text.p, text.len));
		assert_whole(unpack(&text), texts[i], strlen(texts[i]));
		cr_text_fini(&text);
	}
}

/* Every codec after every other one, an empty member between, and zeros between and behind. */
static void
test_members_that_follow_one_another_are_one_input(void **state)
{
	(void)state;
	for (size_t a = 0; a < CR_LEN(packers); a++)
		for (size_t b = 0; b < CR_LEN(packers); b++)
			for (size_t zeros = 0; zeros < 9; zeros += 4) {
				struct cr_text packed = {0};

				packers[a].pack(&packed, "first ", 6);
				packers[b].pack(&packed, "", 0);
				cr_text_pad(&packed, '\0', zeros);
				packers[b].pack(&packed, "second", 6);
				cr_text_pad(&packed, '\0', zeros * 1000);
				assert_whole(unpack(&packed), "first second", 12);
				cr_text_fini(&packed);
			}
}

static void
test_a_skippable_frame_may_come_first(void **state)
{
	struct cr_text packed = {0};

	(void)state;
	cr_text_put(&packed, "\x5e*M\x18\4\0\0\0abcd", 12);
	pack_zstd(&packed, "text", 4);
	cr_text_put(&packed, "\x50*M\x18\0\0\0\0", 8);
	assert_whole(unpack(&packed), "text", 4);
	cr_text_fini(&packed);
}

/* The header says that 200,000 bytes are in it; 3 are, and a last block that is empty. */
static void
test_a_frame_with_less_than_it_says_is_damaged(void **state)
{
	static const char frame[] = "(\xb5/\xfd\xa0\x40\x0d\x03\0\x18\0\0abc\1\0\0";
	struct cr_text packed = {0};
	struct result r;

	(void)state;
	cr_text_put(&packed, frame, sizeof(frame) - 1);
	pack_zstd(&packed, "text", 4);
	r = unpack(&packed);
	assert_int_equal(r.rc, CR_OK);
	assert_int_equal(r.damage.code, CR_EFORMAT);
	assert_int_equal(r.out.len, 3);
	assert_memory_equal(r.out.p, "abc", 3);
	result_free(&r);
	cr_text_fini(&packed);
}

/*
 * Nothing to show: a failure. Something: it is the beginning of what was packed, and the offset is
 * told.
 */
static void
assert_beginning(struct result r, size_t packed_len, const void *whole, size_t len)
{
	const struct cr_err *why = r.rc < 0 ? &r.err : &r.damage;

	assert_true(why->code == CR_ETRUNC || why->code == CR_EFORMAT);
	assert_true(why->offset <= packed_len);
	assert_true(why->text[0] != '\0');
	if (r.rc == CR_OK) {
		assert_in_range(r.out.len, 1, len);
		assert_memory_equal(r.out.p, whole, r.out.len);
	}
	result_free(&r);
}

static void
test_data_cut_anywhere_give_what_was_before(void **state)
{
	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++) {
		struct cr_text packed = {0};
		char *bytes = packing_sample(2000);
		size_t first;

		packers[k].pack(&packed, bytes, 1000);
		first = packed.len;
		packers[k].pack(&packed, bytes + 1000, 1000);
		for (size_t len = 6; len < packed.len; len++) {
			struct cr_text cut = {packed.p, len, len};
			struct result r = unpack(&cut);

			if (len == first) {
				assert_whole(r, bytes, 1000);
				continue;
			}
			if (len > first)
				assert_true(r.rc == CR_OK && r.out.len >= 1000);
			assert_beginning(r, len, bytes, 2000);
		}
		cr_text_fini(&packed);
		free(bytes);
	}
}

/* Either the checksum finds it, or it was a byte that does not matter, such as a date. */
static void
test_a_changed_byte_is_found_or_changes_nothing(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++) {
		struct cr_text packed = {0};
		char *bytes = packing_sample(5000);

		packers[k].pack(&packed, bytes, 5000);
		for (size_t i = 6; i < packed.len; i++) {
			const char was = packed.p[i];
			struct result r;

			packed.p[i] = (char)(was ^ (1 + testing_random(&random) % 255));
			r = unpack(&packed);
			if (r.rc == CR_OK && !r.damage.code)
				assert_whole(r, bytes, 5000);
			else if (r.rc < 0)
				assert_true(r.err.text[0] != '\0');
			else
				assert_true(r.out.len > 0 && r.damage.offset <= packed.len);
			if (r.rc < 0 || r.damage.code)
				result_free(&r);
			packed.p[i] = was;
		}
		cr_text_fini(&packed);
		free(bytes);
	}
}

/* Of a frame that would fit into one step too. */
static void
test_damage_at_the_end_keeps_the_rest(void **state)
{
	static const size_t sizes[] = {5000, 1000000};

	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++)
		for (size_t i = 0; i < CR_LEN(sizes); i++) {
			char *bytes = packing_sample(sizes[i]);
			struct cr_text packed = {0};
			struct result r;

			packers[k].pack(&packed, bytes, sizes[i]);
			packed.p[packed.len - 3] ^= 1;
			r = unpack(&packed);
			assert_int_equal(r.rc, CR_OK);
			assert_int_not_equal(r.damage.code, CR_OK);
			assert_true(r.out.len >= sizes[i] - CR_MIN(sizes[i], (size_t)200000));
			assert_memory_equal(r.out.p, bytes, r.out.len);
			result_free(&r);
			cr_text_fini(&packed);
			free(bytes);
		}
}

static void
test_something_else_behind_is_told_with_its_place(void **state)
{
	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++) {
		struct cr_text packed = {0};
		struct result r;
		size_t end;

		packers[k].pack(&packed, "text", 4);
		end = packed.len;
		cr_text_puts(&packed, "tail");
		r = unpack(&packed);
		assert_int_equal(r.rc, CR_OK);
		assert_int_equal(r.out.len, 4);
		assert_int_equal(r.damage.code, CR_EFORMAT);
		assert_int_equal(r.damage.offset, end);
		assert_non_null(strstr(r.damage.text, "other data follows"));
		result_free(&r);
		cr_text_fini(&packed);
	}
}

static void
test_a_bomb_is_refused_at_its_limit(void **state)
{
	const size_t len = (size_t)CR_UNPACK_RATIO_FREE + ((size_t)40 << 20);
	void *zeros = calloc(1, len);
	struct cr_text packed = {0};
	struct cr_feed f;
	struct result r;

	(void)state;
	pack_zstd(&packed, zeros, len);
	assert_true(packed.len * CR_UNPACK_RATIO_MAX < (size_t)20 << 20);
	r = unpack(&packed);
	assert_int_equal(r.rc, CR_ELIMIT);
	assert_non_null(strstr(r.err.text, "times its size"));
	/* As much as it says, but more than is wanted. */
	cr_feed_init(&f, packed.p, packed.len);
	r = unpack_feed(&f, 5000000, NULL);
	assert_int_equal(r.rc, CR_ELIMIT);
	assert_non_null(strstr(r.err.text, "more than 5000000 bytes"));
	cr_text_fini(&packed);
	free(zeros);
}

static bool
stop(void *user, const char *what, uint64_t done, uint64_t whole)
{
	unsigned *calls = user;

	assert_string_equal(what, "unpacking");
	assert_true(done <= whole);
	return ++*calls < 3;
}

static void
test_unpacking_can_be_stopped(void **state)
{
	char *bytes = packing_sample(4000000);
	struct cr_text packed = {0};
	unsigned calls = 0;
	const struct cr_progress progress = {stop, &calls};
	struct cr_feed f;
	struct result r;

	(void)state;
	pack_zstd(&packed, bytes, 4000000);
	cr_feed_init(&f, packed.p, packed.len);
	r = unpack_feed(&f, CR_SOURCE_MAX_PIPE, &progress);
	assert_int_equal(r.rc, CR_ECANCEL);
	assert_int_equal(calls, 3);
	cr_text_fini(&packed);
	free(bytes);
}

/* A few bytes at a time, so that beginnings of members come in pieces. */
static void
test_a_pipe_is_unpacked_as_it_comes(void **state)
{
	(void)state;
	for (size_t k = 0; k < CR_LEN(packers); k++) {
		struct cr_text packed = {0};
		struct cr_feed f;
		int ends[2];
		pid_t child;

		packers[k].pack(&packed, "first ", 6);
		packers[k].pack(&packed, "second", 6);
		assert_int_equal(pipe(ends), 0);
		child = fork();
		if (child == 0) {
			for (size_t i = 0; i < packed.len; i += 3) {
				usleep(200);
				if (write(ends[1], packed.p + i,
					    CR_MIN(packed.len - i, (size_t)3)) < 0)
					_exit(1);
			}
			_exit(0);
		}
		close(ends[1]);
		cr_feed_init_fd(&f, ends[0], NULL);
		assert_whole(unpack_feed(&f, CR_SOURCE_MAX_PIPE, NULL), "first second", 12);
		waitpid(child, NULL, 0);
		close(ends[0]);
		cr_text_fini(&packed);
	}
}

#ifndef HAVE_LZMA
static void
test_what_this_build_cannot_unpack_is_named(void **state)
{
	struct cr_text packed = {0};
	struct result r;

	(void)state;
	cr_text_put(&packed,
		"\xfd"
		"7zXZ\0",
		6);
	r = unpack(&packed);
	assert_int_equal(r.rc, CR_EUNSUPPORTED);
	assert_non_null(strstr(r.err.text, "liblzma"));
	cr_text_fini(&packed);
}
#endif

/* Room for more than is made finds what is written behind. */
static void
test_a_section_is_unpacked_as_a_whole_or_refused(void **state)
{
	unsigned char text[5000], packed[6000], out[5001];
	uLongf len = sizeof(packed);

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (unsigned char)(i * i >> 6);
	assert_int_equal(compress2(packed, &len, text, sizeof(text), 6), Z_OK);
	out[sizeof(text)] = 77;
	assert_true(cr_whole_zlib(packed, len, out, sizeof(text)));
	assert_memory_equal(out, text, sizeof(text));
	assert_int_equal(out[sizeof(text)], 77);
	/* Sections may be padded. */
	assert_true(cr_whole_zlib(packed, len + 3, out, sizeof(text)));

	assert_false(cr_whole_zlib(packed, len, out, sizeof(text) - 1));
	assert_false(cr_whole_zlib(packed, len, out, sizeof(text) + 1));
	for (uLongf cut = 0; cut < len; cut++)
		assert_false(cr_whole_zlib(packed, cut, out, sizeof(text)));
	packed[len - 1] ^= 1; /* the checksum */
	assert_false(cr_whole_zlib(packed, len, out, sizeof(text)));
}

/* The value that RFC 1952's program computes for these nine digits. */
static void
test_crc32_of_pieces_is_that_of_the_whole(void **state)
{
	const uint32_t first = cr_whole_crc32(0, "1234", 4);

	(void)state;
	assert_int_equal(cr_whole_crc32(0, "123456789", 9), 0xcbf43926u);
	assert_int_equal(cr_whole_crc32(first, "56789", 5), 0xcbf43926u);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_packed_comes_back),
		cmocka_unit_test(test_other_bytes_come_as_they_are),
		cmocka_unit_test(test_members_that_follow_one_another_are_one_input),
		cmocka_unit_test(test_a_skippable_frame_may_come_first),
		cmocka_unit_test(test_a_frame_with_less_than_it_says_is_damaged),
		cmocka_unit_test(test_data_cut_anywhere_give_what_was_before),
		cmocka_unit_test(test_a_changed_byte_is_found_or_changes_nothing),
		cmocka_unit_test(test_damage_at_the_end_keeps_the_rest),
		cmocka_unit_test(test_something_else_behind_is_told_with_its_place),
		cmocka_unit_test(test_a_bomb_is_refused_at_its_limit),
		cmocka_unit_test(test_unpacking_can_be_stopped),
		cmocka_unit_test(test_a_pipe_is_unpacked_as_it_comes),
		cmocka_unit_test(test_a_section_is_unpacked_as_a_whole_or_refused),
		cmocka_unit_test(test_crc32_of_pieces_is_that_of_the_whole),
#ifndef HAVE_LZMA
		cmocka_unit_test(test_what_this_build_cannot_unpack_is_named),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
