#include "testing.h"

#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sanitizer.h"
#include "base/vec.h"

static void
test_what_an_arena_hands_out_is_zero_aligned_and_apart(void **state)
{
	static const size_t sizes[] = {1, 15, 16, 17, 4096, 65535, 65537, 300000, 3};
	struct cr_arena a = {0};
	unsigned char *piece[64 * CR_LEN(sizes)];

	(void)state;
	for (size_t i = 0; i < CR_LEN(piece); i++) {
		const size_t size = sizes[i % CR_LEN(sizes)];

		piece[i] = cr_arena_alloc(&a, size);
		assert_int_equal((uintptr_t)piece[i] % 16, 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(piece[i][k], 0);
		memset(piece[i], (int)(i & 0xff), size);
	}
	for (size_t i = 0; i < CR_LEN(piece); i++)
		for (size_t k = 0; k < sizes[i % CR_LEN(sizes)]; k += 1000)
			assert_int_equal(piece[i][k], i & 0xff);
	cr_arena_fini(&a);
	assert_null(a.last);
	assert_int_equal(a.bytes, 0);
}

static void
test_a_copy_has_a_nul_behind_it(void **state)
{
	struct cr_arena a = {0};

	(void)state;
	assert_memory_equal(cr_arena_copy(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(cr_arena_copy(&a, NULL, 0), "");
	cr_arena_fini(&a);
}

/* Only what was adopted is dropped; the rest stays. The leak checker sees to what is freed. */
static void
test_adopted_memory_can_be_dropped_before(void **state)
{
	struct cr_arena a = {0};
	char *heap[3], *own = cr_arena_copy(&a, "own", 3);

	(void)state;
	for (size_t i = 0; i < CR_LEN(heap); i++)
		heap[i] = cr_arena_adopt(&a, cr_strdup("heap"));
	cr_arena_adopt(&a, NULL);
	cr_arena_drop(&a, heap[1]);
	cr_arena_drop(&a, own);
	cr_arena_drop(&a, NULL);
	assert_string_equal(heap[0], "heap");
	assert_string_equal(heap[2], "heap");
	assert_string_equal(own, "own");
	assert_ptr_equal(cr_arena_release(&a, heap[2]), heap[2]);
	assert_null(cr_arena_release(&a, heap[2]));
	assert_null(cr_arena_release(&a, own));
	free(heap[2]);
	cr_arena_drop(&a, heap[0]);
	assert_string_equal(cr_arena_copy(&a, "x", 1), "x");
	cr_arena_fini(&a);
}

static void
test_taken_memory_is_freed_with_the_arena(void **state)
{
	struct cr_arena a = {0};
	char *heap = cr_strdup("mine");

	(void)state;
	assert_ptr_equal(cr_arena_adopt(&a, heap), heap);
	assert_null(cr_arena_adopt(&a, NULL));
	cr_arena_adopt(&a, cr_alloc(3, 3)); /* the leak checker sees to the rest */
	assert_string_equal(cr_arena_copy(&a, "x", 1), "x");
	cr_arena_fini(&a);
}

/* Arenas of every kind a join may meet: empty, of one block, of several, of taken memory alone. */
static char *
fill(struct cr_arena *a, unsigned kind)
{
	char *p = NULL;

	if (kind == 1)
		p = cr_arena_copy(a, "one", 3);
	for (unsigned i = 0; kind == 2 && i < 9; i++)
		p = memset(cr_arena_alloc(a, 100000), 'x', 9);
	if (kind == 3)
		p = cr_arena_adopt(a, cr_strdup("taken"));
	return p;
}

static void
test_a_joined_arena_gives_all_it_holds(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		struct cr_arena a = {0}, b = {0};
		char *in_a = fill(&a, i / 4), *in_b = fill(&b, i % 4);
		const size_t bytes = a.bytes + b.bytes;

		cr_arena_join(&a, &b);
		assert_null(b.last);
		assert_int_equal(a.bytes, bytes);
		assert_string_equal(cr_arena_copy(&a, "more", 4), "more");
		assert_true(!in_a || *in_a);
		assert_true(!in_b || *in_b);
		assert_string_equal(cr_arena_copy(&b, "again", 5), "again");
		cr_arena_fini(&b);
		cr_arena_fini(&a);
	}
}

static void
test_checked_arithmetic_refuses_what_does_not_fit(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_false(cr_add_ok(UINT64_MAX, 1, &v));
	assert_false(cr_mul_ok(UINT64_C(1) << 32, UINT64_C(1) << 32, &v));
	assert_int_equal(v, 7);
	assert_true(cr_add_ok(UINT64_MAX - 1, 1, &v));
	assert_int_equal(v, UINT64_MAX);
	assert_true(cr_mul_ok(0, UINT64_MAX, &v));
	assert_int_equal(v, 0);
	assert_int_equal(cr_add_sat(UINT64_MAX - 1, 5), UINT64_MAX);
	assert_int_equal(cr_add_sat(2, 5), 7);
}

static void
test_a_vector_keeps_what_was_pushed(void **state)
{
	CR_VEC(uint32_t) v = {0};

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		cr_vec_push(&v, i * i);
	assert_int_equal(v.n, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(v.p[i], i * i);
	cr_vec_fini(&v);
	assert_null(v.p);
}

/* A thousand names of a thing each: 256 kB for each of them would be 256 MB. */
static void
test_arenas_of_little_are_little(void **state)
{
#if defined(__GLIBC__) && !CR_SANITIZED
	static struct cr_arena arenas[1000];
	const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;

	for (size_t i = 0; i < CR_LEN(arenas); i++)
		cr_arena_copy(&arenas[i], "a name of some length", 21);
	assert_in_range(mallinfo2().uordblks + mallinfo2().hblkhd - before, 1, 4 << 20);
	for (size_t i = 0; i < CR_LEN(arenas); i++)
		cr_arena_fini(&arenas[i]);
#endif
	(void)state;
}

/*
 * On a 32-bit machine there is none: a count that is cut to its pointers would be a piece of one
 * byte.
 */
static void
test_memory_is_as_large_as_asked_for_or_there_is_none(void **state)
{
	const volatile uint64_t count = ((uint64_t)1 << 32) + 1;
	unsigned char *p = cr_try_alloc(count, 1);

	(void)state;
	if (p)
		p[count - 1] = 1;
	free(p);
}

static void
ends_with_the_count(uint64_t count, size_t size)
{
	_exit(count == UINT64_MAX && size == 8 ? 7 : 1);
}

/* How a process ends that asks for more than there is. */
static int
status_without_memory(cr_mem_failure *fn)
{
	volatile uint64_t count = UINT64_MAX;
	int status = 0;
	const pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		signal(SIGABRT, SIG_DFL);
		cr_mem_on_failure(fn);
		cr_alloc(count, 8);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void
test_who_uses_it_says_what_happens_without_memory(void **state)
{
	int status = 0;

	(void)state;
	if (CR_SANITIZED)
		testing_skip("the sanitizer ends the program itself");
	status = status_without_memory(ends_with_the_count);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	status = status_without_memory(NULL);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

/* How much more memory than before a process of its own needs, in kB, while large memory grows. */
static long
growing_kb(void)
{
	const size_t mb = (size_t)1 << 20;
	unsigned char *p = cr_realloc(NULL, 64 * mb, 1);
	struct rusage before, after;

	memset(p, 1, 64 * mb);
	getrusage(RUSAGE_SELF, &before);
	for (size_t n = 66; n < 90; n += 6)
		p = cr_realloc(p, n * mb, 1);
	getrusage(RUSAGE_SELF, &after);
	free(p);
	return after.ru_maxrss - before.ru_maxrss;
}

static void
test_large_memory_grows_without_a_second_copy(void **state)
{
	int status = 0;
	pid_t child;

	(void)state;
	if (CR_SANITIZED)
		testing_skip("the address sanitizer copies what grows");
	child = fork(); /* it does not inherit what this one needed at most */
	if (child == 0)
		_exit(growing_kb() > 32 << 10);
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_int_equal(status, 0);
}

/* True if the mapping of an address has large pages, as the kernel says. */
static bool
has_large_pages(const void *p)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	bool found = false, large = false;
	char line[512];

	while (f && !large && fgets(line, sizeof(line), f)) {
		uintptr_t lo, hi;

		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &lo, &hi) == 2)
			found = lo <= (uintptr_t)p && (uintptr_t)p < hi;
		else if (found && strncmp(line, "VmFlags:", 8) == 0)
			large = strstr(line, " hg") != NULL;
	}
	if (f)
		fclose(f);
	return large;
}

#define NOT_HERE 4 /* with 32 bits each of the large pieces is a mapping of its own */

/* Small memory alone asks for no large pages; what follows a large piece has them. */
static int
heap_status(void)
{
	static void *rest[24];
	unsigned char *p;

	if (!mallopt(M_MMAP_THRESHOLD, 4 << 20))
		return NOT_HERE;
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	cr_mem_large_heap();
	p = cr_alloc(1000, 1);
	if (has_large_pages(p))
		return 1;
	for (size_t i = 0; i < CR_LEN(rest); i++)
		rest[i] = cr_alloc(1 << 20, 1);
	if (!has_large_pages(rest[4]) || !has_large_pages(rest[CR_LEN(rest) - 1]))
		return 2;
	for (size_t i = 0; i < CR_LEN(rest); i++)
		free(rest[i]);
	cr_mem_trim();
	for (size_t i = 0; i < CR_LEN(rest); i++)
		rest[i] = cr_realloc(NULL, 1 << 20, 1);
	return has_large_pages(rest[CR_LEN(rest) - 1]) ? 0 : 3;
}

static void
test_the_heap_has_large_pages_once_it_is_worth_it(void **state)
{
	int status = 0;
	pid_t child;

	(void)state;
	if (CR_SANITIZED || access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
		testing_skip("no large pages here");
	child = fork();
	if (child == 0)
		_exit(heap_status());
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE)
		testing_skip("no heap of so large pieces");
	assert_int_equal(status, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_uses_it_says_what_happens_without_memory),
		cmocka_unit_test(test_what_an_arena_hands_out_is_zero_aligned_and_apart),
		cmocka_unit_test(test_a_copy_has_a_nul_behind_it),
		cmocka_unit_test(test_adopted_memory_can_be_dropped_before),
		cmocka_unit_test(test_taken_memory_is_freed_with_the_arena),
		cmocka_unit_test(test_a_joined_arena_gives_all_it_holds),
		cmocka_unit_test(test_checked_arithmetic_refuses_what_does_not_fit),
		cmocka_unit_test(test_a_vector_keeps_what_was_pushed),
		cmocka_unit_test(test_arenas_of_little_are_little),
		cmocka_unit_test(test_large_memory_grows_without_a_second_copy),
		cmocka_unit_test(test_the_heap_has_large_pages_once_it_is_worth_it),
		cmocka_unit_test(test_memory_is_as_large_as_asked_for_or_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
