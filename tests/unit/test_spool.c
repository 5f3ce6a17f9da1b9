#include "testing.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bytes/spool_p.h"

/* len bytes in pieces of at most piece; stops at the first that has no room. */
static int
spool_fill(struct cr_spool *s, size_t len, size_t piece, struct cr_err *err)
{
	for (size_t at = 0; at < len;) {
		size_t room;
		unsigned char *p = cr_spool_room(s, &room, err);

		if (!p)
			return err->code;
		assert_true(room > 0);
		room = CR_MIN(CR_MIN(room, piece), len - at);
		for (size_t i = 0; i < room; i++, at++)
			p[i] = (unsigned char)(at * 7 + at / 256);
		cr_spool_took(s, room);
	}
	return CR_OK;
}

static void
assert_filled(struct cr_spool *s, size_t len, bool in_file)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_spooled out;

	assert_int_equal(cr_spool_len(s), len);
	assert_int_equal(cr_spool_finish(s, &out, &err), CR_OK);
	assert_int_equal(out.len, len);
	assert_int_equal(out.in_file, in_file);
	for (size_t at = 0; at < len; at++)
		if (out.p[at] != (unsigned char)(at * 7 + at / 256))
			assert_int_equal(at, len);
	if (out.p)
		munmap(out.p, out.len);
	else
		assert_int_equal(len, 0);
}

static void
test_bytes_come_back_from_memory_or_from_a_file(void **state)
{
	static const struct {
		size_t len, piece;
		uint64_t file_from;
		bool in_file;
	} cases[] = {
		{0, 1, 100, false},
		{1, 1, 100, false},
		{100, 7, 100, false},
		{101, 7, 100, true},
		{5000, 1, 1, true},
		{5000, 333, 4096, true},
		{3000000, 1 << 20, (uint64_t)64 << 20, false},
		{3000000, 77777, 2000000, true},
		{9000000, 1 << 20, 1 << 20, true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_spool s = CR_SPOOL_INIT;
		struct cr_err err = CR_ERR_INIT;

		s.file_from = cases[i].file_from;
		assert_int_equal(spool_fill(&s, cases[i].len, cases[i].piece, &err), CR_OK);
		assert_filled(&s, cases[i].len, cases[i].in_file);
	}
}

static void
test_an_unfinished_spool_leaves_nothing(void **state)
{
	struct cr_spool s = CR_SPOOL_INIT;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	s.file_from = 10;
	assert_int_equal(spool_fill(&s, 1000, 100, &err), CR_OK);
	cr_spool_fini(&s);
	assert_int_equal(s.fd, -1);
	assert_null(s.p);
}

/* Run with one of the process's limits lowered, as if there were no more of it. */
static void
limited(int what, rlim_t to, void (*run)(void))
{
	struct rlimit old, low;

	assert_int_equal(getrlimit(what, &old), 0);
	low = old;
	low.rlim_cur = to;
	assert_int_equal(setrlimit(what, &low), 0);
	run();
	assert_int_equal(setrlimit(what, &old), 0);
}

static void
fill_past_memory(void)
{
	struct cr_spool s = CR_SPOOL_INIT;
	struct cr_err err = CR_ERR_INIT;

	s.file_from = 1000;
	s.memory_most = 50000;
	assert_int_equal(spool_fill(&s, 50000, 100, &err), CR_OK);
	assert_filled(&s, 50000, false);

	s.file_from = 1000;
	s.memory_most = 50000;
	s.no_file = 0;
	assert_int_equal(spool_fill(&s, 50001, 100, &err), CR_EMEM);
	assert_non_null(strstr(err.text, "TMPDIR"));
	cr_spool_fini(&s);
}

static void
test_without_a_temporary_file_memory_is_used_up_to_its_limit(void **state)
{
	(void)state;
	limited(RLIMIT_NOFILE, 0, fill_past_memory);
}

static void
test_with_a_full_disk_memory_is_used_up_to_its_limit(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	limited(RLIMIT_FSIZE, 20000, fill_past_memory);
	limited(RLIMIT_FSIZE, 20500, fill_past_memory); /* in the middle of a piece */
	limited(RLIMIT_FSIZE, 0, fill_past_memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_come_back_from_memory_or_from_a_file),
		cmocka_unit_test(test_an_unfinished_spool_leaves_nothing),
		cmocka_unit_test(test_without_a_temporary_file_memory_is_used_up_to_its_limit),
		cmocka_unit_test(test_with_a_full_disk_memory_is_used_up_to_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
