#include "testing.h"

#include "read/perf_data/perf_data_src_p.h"

static void
assert_text(uint64_t v, const char *want)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "before ");
	cr_perf_data_src_text(v, &t);
	assert_string_equal(t.p + strlen("before "), want);
	cr_text_fini(&t);
}

/* As linux/perf_event.h has the parts: op, level, snoop, lock, TLB. */
static uint64_t
made(uint64_t op, uint64_t level, uint64_t snoop, uint64_t lock, uint64_t tlb)
{
	return op | level << 5 | snoop << 19 | lock << 24 | tlb << 26;
}

static void
test_bits_become_words(void **state)
{
	(void)state;
	assert_int_equal(
		made(2, 0xa, 2, 0, 0x1a), 0x68100142); /* what PEBS gives for the commonest load */
	assert_text(0x68100142, "load, L1 hit, snoop none, TLB L1 L2 hit");
	assert_text(made(4, 4 | 0x40, 0x10, 2, 4 | 0x20),
		"store, L3 miss, snoop hit modified, TLB walker miss, locked");
	assert_text(made(2, 2 | 0x400, 4, 1, 2), "load, remote cache hit, snoop hit, TLB hit");
	assert_text(made(8, 0, 0, 0, 0), "prefetch");
}

static void
test_the_level_by_number_wins(void **state)
{
	(void)state;
	assert_text(made(2, 2 | 8, 0, 0, 0) | (uint64_t)13 << 33, "load, RAM hit");
	assert_text(made(2, 2, 0, 0, 0) | (uint64_t)14 << 33 | (uint64_t)1 << 37,
		"load, remote persistent memory hit");
	assert_text(
		made(2, 2, 0, 0, 0) | (uint64_t)11 << 33 | (uint64_t)3 << 43 | (uint64_t)2 << 38,
		"load, any cache hit, other socket, snoop peer");
	assert_text(made(2, 0, 0, 0, 0) | (uint64_t)4 << 40, "load, blocked by address");
}

static void
test_what_is_not_told_is_left_out(void **state)
{
	(void)state;
	assert_text(0x5080021, "not known"); /* not available, part by part */
	assert_text(0x1e05080021, "not known");
	assert_text(0, "not known");
	for (unsigned bit = 0; bit < 64; bit++) {
		struct cr_text t = {0};

		cr_perf_data_src_text((uint64_t)1 << bit, &t);
		assert_true(t.len > 0);
		cr_text_fini(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits_become_words),
		cmocka_unit_test(test_the_level_by_number_wins),
		cmocka_unit_test(test_what_is_not_told_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
