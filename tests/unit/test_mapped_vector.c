#include "testing.h"

#include "base/mapped_vector.h"
#include "base/mem.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void
push_numbers(struct cr_mapped_vector *t, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		cr_mapped_vector_push(t, &i, sizeof(i));
}

static void
assert_numbers(const struct cr_mapped_vector *t, uint64_t n)
{
	const uint64_t *p = (const void *)t->p;

	assert_int_equal(t->len, n * sizeof(*p));
	for (uint64_t i = 0; i < n; i++)
		if (p[i] != i)
			assert_int_equal(p[i], i);
}

static void
test_a_short_tape_stays_in_memory(void **state)
{
	static const uint64_t lengths[] = {0, 1, 8191, 8192, 8193, 100000};

	(void)state;
	for (size_t i = 0; i < CR_LEN(lengths); i++) {
		struct cr_mapped_vector t = {0};

		if (i % 2)
			cr_mapped_vector_expect(&t, 50000);
		push_numbers(&t, lengths[i]);
		assert_numbers(&t, lengths[i]);
		assert_false(t.filed);
		cr_mapped_vector_fini(&t);
		assert_null(t.p);
	}
}

/* More than is expected lies in memory at no time, and still all of it is there. */
static void
test_a_long_tape_goes_to_a_file_and_comes_back(void **state)
{
	const uint64_t n = (CR_MAPPED_VECTOR_FILE_FROM * 3 + CR_MAPPED_VECTOR_FILE_FROM / 2) / 8;
	struct cr_mapped_vector t = {0};

	(void)state;
	cr_mapped_vector_expect(&t, SIZE_MAX >> 8); /* a file needs no room ahead */
	assert_true(t.cap <= CR_MAPPED_VECTOR_FILE_FROM);
	push_numbers(&t, n);
	assert_true(t.filed);
	assert_true(t.dropped > CR_MAPPED_VECTOR_FILE_FROM);
	assert_numbers(&t, n);
	cr_mapping_done(t.p, 0, t.len);
	assert_numbers(&t, n);
	cr_mapped_vector_end(&t);
	assert_numbers(&t, n);
	cr_mapped_vector_fini(&t);
}

/* A file that may not grow past a limit is a disk that is full. */
static void
test_a_full_disk_brings_it_back_to_memory(void **state)
{
	const uint64_t n = CR_MAPPED_VECTOR_FILE_FROM * 4 / 8;
	struct rlimit old, low;
	struct cr_mapped_vector t = {0};

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	low = (struct rlimit){CR_MAPPED_VECTOR_FILE_FROM * 5 / 2, old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	push_numbers(&t, n);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_false(t.filed);
	assert_true(t.no_file);
	assert_numbers(&t, n);
	cr_mapped_vector_fini(&t);
}

static void
test_an_arena_keeps_a_tape(void **state)
{
	struct cr_arena a = {0};
	struct cr_mapped_vector t = {0};
	const uint64_t *p;

	(void)state;
	push_numbers(&t, 1000);
	cr_mapped_vector_end(&t);
	p = cr_arena_adopt_mapping(&a, t.p, t.cap);
	assert_int_equal(p[999], 999);
	assert_null(cr_arena_adopt_mapping(&a, NULL, 0));
	assert_null(cr_arena_release(&a, p)); /* it is not from malloc() */
	cr_arena_fini(&a);
}

static void
test_a_room_keeps_what_is_dropped_from_memory(void **state)
{
	const size_t bytes = (size_t)3 << 20;
	const unsigned char written[] = {1, 2, 3};
	int fd;
	unsigned char *p = cr_mapped_vector_room(bytes, &fd);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p[0] | p[bytes - 1], 0);
	assert_int_equal(pwrite(fd, written, sizeof(written), 8192), sizeof(written));
	assert_memory_equal(p + 8192, written, sizeof(written));
	close(fd);
	memset(p, 7, bytes);
	cr_mapping_done(p, 0, bytes);
	for (size_t i = 0; i < bytes; i += 4096)
		assert_int_equal(p[i], 7);
	munmap(p, bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_short_tape_stays_in_memory),
		cmocka_unit_test(test_a_long_tape_goes_to_a_file_and_comes_back),
		cmocka_unit_test(test_a_full_disk_brings_it_back_to_memory),
		cmocka_unit_test(test_an_arena_keeps_a_tape),
		cmocka_unit_test(test_a_room_keeps_what_is_dropped_from_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
