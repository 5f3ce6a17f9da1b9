#include "testing.h"

#include "perf_maker.h"

static void
test_an_attr_of_any_size_is_read_as_far_as_it_goes(void **state)
{
	const struct perf_attr a = {.type = 1, .config = 2, .sample_period = 3, .sample_type = 4, .read_format = 5,
		.flags = 6, .branch_sample_type = 7, .sample_regs_user = 8, .sample_regs_intr = 9};
	static const uint32_t sizes[] = {64, 72, 80, 88, 96, 104, 112, 120};
	struct cr_text t = {0};

	(void)state;
	made_attr_bytes(&t, &a);
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		unsigned char *bytes = testing_exact(t.p, sizes[i]);
		struct cr_cursor c;
		struct perf_attr back;

		memcpy(bytes + 4, &sizes[i], 4);
		cr_cursor_init(&c, bytes, sizes[i]);
		assert_true(perf_attr_read(&c, &back));
		assert_int_equal(back.type, 1);
		assert_int_equal(back.config, 2);
		assert_int_equal(back.sample_period, 3);
		assert_int_equal(back.sample_type, 4);
		assert_int_equal(back.read_format, 5);
		assert_int_equal(back.flags, 6);
		assert_int_equal(back.branch_sample_type, sizes[i] >= 80 ? 7 : 0);
		assert_int_equal(back.sample_regs_user, sizes[i] >= 88 ? 8 : 0);
		assert_int_equal(back.sample_regs_intr, sizes[i] >= 104 ? 9 : 0);
		free(bytes);
	}
	for (uint32_t len = 0; len < 64; len++) {
		unsigned char *bytes = testing_exact(t.p, len);
		struct cr_cursor c;
		struct perf_attr back;

		cr_cursor_init(&c, bytes, len);
		assert_false(perf_attr_read(&c, &back));
		free(bytes);
	}
	cr_text_fini(&t);
}

static void
test_what_lies_behind_the_attrs_own_size_is_not_its(void **state)
{
	const struct perf_attr a = {.branch_sample_type = 7};
	const uint32_t size = 64;
	struct cr_text t = {0};
	struct cr_cursor c;
	struct perf_attr back;

	(void)state;
	made_attr_bytes(&t, &a);
	memcpy(t.p + 4, &size, 4);
	cr_cursor_init(&c, t.p, t.len);
	assert_true(perf_attr_read(&c, &back));
	assert_int_equal(back.branch_sample_type, 0);
	cr_text_fini(&t);
}

static void
test_events_without_a_name_get_perfs(void **state)
{
	static const struct { uint32_t type; uint64_t config, flags; const char *name, *unit; } cases[] = {
		{0, 0, 0, "cycles", "cycles"},
		{0, 0, 3 << 5, "cycles:u", "cycles"},
		{0, 1, 1 << 4, "instructions:kh", "instructions"},
		{0, 0, 2 << 15, "cycles:pp", "cycles"},
		{0, 0, 3 << 5 | 1 << 15, "cycles:up", "cycles"},
		{0, UINT64_C(4) << 32, 0, "cycles", "cycles"}, /* of one kind of core of a hybrid */
		{0, 99, 0, "pmu 0/config=0x63/", "events"},
		{1, 0, 0, "cpu-clock", "ns"},
		{1, 1, 0, "task-clock", "ns"},
		{1, 2, 0, "page-faults", "events"},
		{1, UINT64_MAX, 0, "pmu 1/config=0xffffffffffffffff/", "events"},
		{2, 314, 0, "tracepoint 314", "events"},
		{3, 0x10000, 0, "L1-dcache-load-misses", "events"},
		{3, 0x000103, 0, "dTLB-stores", "events"},
		{3, 0xffffff, 0, "cache 0xffffff", "events"},
		{4, 0x1c2, 0, "raw 0x1c2", "events"},
		{5, 0, 0, "breakpoint", "events"},
		{77, 1, 0, "pmu 77/config=0x1/", "events"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_attr a = {.type = cases[i].type, .config = cases[i].config, .flags = cases[i].flags};
		struct cr_text t = {0};

		perf_attr_name(&a, &t);
		assert_string_equal(t.p, cases[i].name);
		assert_string_equal(perf_attr_unit(&a), cases[i].unit);
		cr_text_fini(&t);
	}
}

static void
test_the_place_of_the_id_follows_from_the_sample_type(void **state)
{
	static const struct { uint64_t type; int front, back; } cases[] = {
		{0, -1, -1},
		{PERF_SAMPLE_IP | PERF_SAMPLE_TID, -1, -1},
		{PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_CPU, 0, 1},
		{PERF_SAMPLE_ID, 0, 1},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME, 3, 1},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID, 2, 3},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_attr a = {.sample_type = cases[i].type};

		assert_int_equal(perf_attr_id_from_front(&a), cases[i].front);
		assert_int_equal(perf_attr_id_from_back(&a), cases[i].back);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_attr_of_any_size_is_read_as_far_as_it_goes),
		cmocka_unit_test(test_what_lies_behind_the_attrs_own_size_is_not_its),
		cmocka_unit_test(test_events_without_a_name_get_perfs),
		cmocka_unit_test(test_the_place_of_the_id_follows_from_the_sample_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
