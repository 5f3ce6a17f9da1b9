#include "testing.h"

#include "query/fold/data_source.h"

/* The texts are those of test_perf_data_src.c. */
static void
assert_part(const char *text, enum cr_data_source part, const char *want)
{
	struct cr_text have = {0};

	cr_data_source_put(cr_str_of(text), part, &have);
	assert_string_equal(have.p ? have.p : "", want);
	cr_text_fini(&have);
}

static void
test_parts_are_told_apart(void **state)
{
	static const char load[] = "load, L1 hit, snoop none, TLB L1 L2 hit";
	static const char far[] =
		"load store, remote cache, 2 hops hit, other socket, snoop hit modified, "
		"snoop forwarded, TLB walker miss, locked, blocked by data by address";

	(void)state;
	assert_part(load, CR_DATA_OP, "load");
	assert_part(load, CR_DATA_LEVEL, "L1 hit");
	assert_part(load, CR_DATA_SNOOP, "None");
	assert_part(load, CR_DATA_TLB, "L1 or L2 hit");
	assert_part(load, CR_DATA_LOCKED, "No");
	assert_part(load, CR_DATA_BLOCKED, "");
	assert_part(load, CR_DATA_REMOTE, "");
	assert_part(far, CR_DATA_OP, "load store");
	assert_part(far, CR_DATA_LEVEL, "Remote Cache (2 hops) hit other socket");
	assert_part(far, CR_DATA_SNOOP, "HitM Fwd");
	assert_part(far, CR_DATA_TLB, "Walker miss");
	assert_part(far, CR_DATA_LOCKED, "Yes");
	assert_part(far, CR_DATA_BLOCKED, "Data Addr");
	assert_part(far, CR_DATA_REMOTE, "Yes");
}

static void
test_kinds_are_those_of_perf(void **state)
{
	(void)state;
	assert_part("load, L1 hit, snoop none, TLB L1 hit", CR_DATA_CACHE, "L1");
	assert_part("load, remote L3 hit, TLB L2 hit", CR_DATA_CACHE, "L3");
	assert_part("load, L2 miss handling buffer hit", CR_DATA_CACHE, "L2-buf");
	assert_part("load, line fill buffer hit", CR_DATA_CACHE, "L1-buf");
	assert_part("load, RAM hit", CR_DATA_CACHE, "Other");
	assert_part("store", CR_DATA_CACHE, "Other");
	assert_part("load, remote RAM, 2 hops hit", CR_DATA_MEMORY, "RAM");
	assert_part("load, persistent memory hit", CR_DATA_MEMORY, "PMEM");
	assert_part("load, uncached hit", CR_DATA_MEMORY, "Uncach");
	assert_part("load, CXL hit", CR_DATA_MEMORY, "CXL");
	assert_part("load, memory side cache hit", CR_DATA_MEMORY, "MSC");
	assert_part("load, L1 hit", CR_DATA_MEMORY, "Other");
	assert_part("load, L1 hit, TLB L1 hit", CR_DATA_DTLB, "L1-Hit");
	assert_part("load, L1 hit, TLB L2 hit", CR_DATA_DTLB, "L2-Hit");
	assert_part("load, L1 hit, TLB L1 L2 hit", CR_DATA_DTLB, "L?-Hit");
	assert_part("load, L1 miss, TLB walker miss", CR_DATA_DTLB, "Miss");
	assert_part("load, L1 miss", CR_DATA_DTLB, "Other");
	assert_part("not known", CR_DATA_DTLB, "");
}

static void
test_other_texts_have_no_parts_or_odd_ones(void **state)
{
	(void)state;
	assert_part("not known", CR_DATA_LEVEL, "");
	assert_part("not known", CR_DATA_LOCKED, "");
	assert_part("", CR_DATA_OP, "");
	assert_part("TLB", CR_DATA_TLB, "");
	assert_part("TLB   ", CR_DATA_TLB, "");
	assert_part("snoop ", CR_DATA_SNOOP, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_are_told_apart),
		cmocka_unit_test(test_kinds_are_those_of_perf),
		cmocka_unit_test(test_other_texts_have_no_parts_or_odd_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
