#include "testing.h"

#include "perf_maker.h"
#include "read/perf_data/header/perf_describe_p.h"

static void
test_an_attr_of_any_size_is_read_as_far_as_it_goes(void **state)
{
	const struct perf_attr a = {.type = 1,
		.config = 2,
		.sample_period = 3,
		.sample_type = 4,
		.read_format = 5,
		.flags = 6,
		.branch_sample_type = 7,
		.sample_regs_user = 8,
		.sample_regs_intr = 9};
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
		assert_true(cr_perf_attr_read(&c, &back));
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
		assert_false(cr_perf_attr_read(&c, &back));
		free(bytes);
	}
	cr_text_fini(&t);
}

/* Of the largest version, in the byte order of this machine and of the other. */
static void
test_every_field_is_read_in_both_byte_orders(void **state)
{
	const struct perf_attr a = {.type = 5,
		.config = 2,
		.sample_period = 3,
		.sample_type = 4,
		.read_format = 5,
		.flags = 6,
		.wakeup = 7,
		.bp_type = 8,
		.config1 = 9,
		.config2 = 10,
		.branch_sample_type = 11,
		.sample_regs_user = 12,
		.sample_stack_user = 13,
		.clockid = -14,
		.sample_regs_intr = 15,
		.aux_watermark = 16,
		.sample_max_stack = 17,
		.aux_sample_size = 18,
		.aux_action = 19};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct cr_text t = {0};
		struct perf_attr back;
		struct cr_cursor c;
		uint32_t size;

		made_foreign = i;
		made_attr_bytes(&t, &a);
		made_u64(&t, 20);
		made_u64(&t, 21);
		made_u64(&t, 22);
		size = i ? __builtin_bswap32(144) : 144;
		memcpy(t.p + 4, &size, 4);
		cr_cursor_init(&c, t.p, t.len);
		c.swap = made_foreign;
		assert_int_equal(t.len, 144);
		assert_true(cr_perf_attr_read(&c, &back));
		assert_int_equal(back.size, 144);
		assert_int_equal(back.flags, 6);
		assert_int_equal(back.wakeup, 7);
		assert_int_equal(back.bp_type, 8);
		assert_int_equal(back.config1, 9);
		assert_int_equal(back.config2, 10);
		assert_int_equal(back.branch_sample_type, 11);
		assert_int_equal(back.sample_regs_user, 12);
		assert_int_equal(back.sample_stack_user, 13);
		assert_int_equal(back.clockid, -14);
		assert_int_equal(back.sample_regs_intr, 15);
		assert_int_equal(back.aux_watermark, 16);
		assert_int_equal(back.sample_max_stack, 17);
		assert_int_equal(back.aux_sample_size, 18);
		assert_int_equal(back.aux_action, 19);
		assert_int_equal(back.sig_data, 20);
		assert_int_equal(back.config3, 21);
		assert_int_equal(back.config4, 22);
		cr_text_fini(&t);
	}
	made_foreign = false;
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
	assert_true(cr_perf_attr_read(&c, &back));
	assert_int_equal(back.branch_sample_type, 0);
	cr_text_fini(&t);
}

static void
test_events_without_a_name_get_perfs(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t config, flags;
		const char *name, *unit, *pmu;
	} cases[] = {
		{0, 0, 0, "cycles", "cycles", NULL},
		{0, 0, 3 << 5, "cycles:u", "cycles", NULL},
		{0, 1, 1 << 4, "instructions:kh", "instructions", NULL},
		{0, 0, 2 << 15, "cycles:pp", "cycles", NULL},
		{0, 0, 3 << 5 | 1 << 15, "cycles:up", "cycles", NULL},
		{0, 0, 1 << 6, "cycles:ku", "cycles", NULL},
		{0, 0, 1 << 20, "cycles:H", "cycles", NULL},
		{0, 0, 1 << 19 | 1 << 4, "cycles:khG", "cycles", NULL},
		{0, UINT64_C(4) << 32, 0, "cycles", "cycles",
			NULL}, /* of one kind of core of a hybrid */
		{0, 99, 0, "pmu 0/config=0x63/", "events", NULL},
		{1, 0, 0, "cpu-clock", "ns", NULL},
		{1, 1, 0, "task-clock", "ns", NULL},
		{1, 2, 0, "page-faults", "events", NULL},
		{1, UINT64_MAX, 0, "pmu 1/config=0xffffffffffffffff/", "events", NULL},
		{2, 314, 0, "tracepoint 314", "events", NULL},
		{3, 0x10000, 0, "L1-dcache-load-misses", "events", NULL},
		{3, 0x000103, 0, "dTLB-stores", "events", NULL},
		{3, 0xffffff, 0, "cache 0xffffff", "events", NULL},
		{4, 0x1c2, 0, "raw 0x1c2", "events", NULL},
		{5, 0, 0, "mem:0x1000:rw", "events", NULL},
		{77, 1, 0, "pmu 77/config=0x1/", "events", NULL},
		{77, 1, 1 << 5, "intel_pt/config=0x1/:uh", "events", "intel_pt"},
		{0, UINT64_C(10) << 32 | 1, 0, "cpu_atom/instructions/", "instructions",
			"cpu_atom"},
		{3, UINT64_C(10) << 32 | 0x10000, 0, "cpu_atom/L1-dcache-load-misses/", "events",
			"cpu_atom"},
		{0, 1, 0, "instructions", "instructions", "of type 0, which is no PMU's"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_attr a = {.type = cases[i].type,
			.config = cases[i].config,
			.flags = cases[i].flags,
			.config1 = 0x1000,
			.bp_type = 3,
			.pmu = cr_str_of(cases[i].pmu)};
		struct cr_text t = {0};

		cr_perf_attr_name(&a, &t);
		assert_string_equal(t.p, cases[i].name);
		assert_string_equal(cr_perf_attr_unit(&a), cases[i].unit);
		cr_text_fini(&t);
	}
}

static void
test_the_place_of_the_id_follows_from_the_sample_type(void **state)
{
	static const struct {
		uint64_t type;
		int front, back;
	} cases[] = {
		{0, -1, -1},
		{PERF_SAMPLE_IP | PERF_SAMPLE_TID, -1, -1},
		{PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_CPU, 0, 1},
		{PERF_SAMPLE_ID, 0, 1},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME, 3, 1},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
				PERF_SAMPLE_STREAM_ID,
			2, 3},
		{PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_attr a = {.sample_type = cases[i].type};

		assert_int_equal(cr_perf_attr_id_from_front(&a), cases[i].front);
		assert_int_equal(cr_perf_attr_id_from_back(&a), cases[i].back);
	}
}

static void
test_an_attr_is_described_in_the_recorders_words(void **state)
{
	static const struct {
		struct perf_attr a;
		const char *want;
	} cases[] = {
		{{.size = 0}, ""},
		{{.type = 1,
			 .size = 128,
			 .config = 0x10,
			 .sample_period = 999,
			 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
			 .read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
			 .flags = 1 | 3 << 15 | PERF_ATTR_SAMPLE_ID_ALL},
			"type = 1, size = 128, config = 0x10, { sample_period, sample_freq } = "
			"999, sample_type = IP|TID, "
			"read_format = ID|LOST, disabled = 1, precise_ip = 3, sample_id_all = 1"},
		{{.sample_type = UINT64_C(1) << 40 | PERF_SAMPLE_RAW,
			 .flags = UINT64_C(1) << 38,
			 .wakeup = 1,
			 .bp_type = 3,
			 .config1 = 0x20,
			 .config2 = 8,
			 .branch_sample_type = PERF_BRANCH_CALL_STACK | 1,
			 .sample_regs_user = 0xff,
			 .sample_stack_user = 8192,
			 .clockid = -1,
			 .sample_regs_intr = 1,
			 .aux_watermark = 2,
			 .sample_max_stack = 127,
			 .aux_sample_size = 3,
			 .aux_action = 4,
			 .sig_data = 5,
			 .config3 = 6,
			 .config4 = 7},
			"sample_type = RAW|0x10000000000, defer_callchain = 1, { wakeup_events, "
			"wakeup_watermark } = 1, bp_type = 3, "
			"{ bp_addr, config1 } = 0x20, { bp_len, config2 } = 0x8, "
			"branch_sample_type = USER|CALL_STACK, "
			"sample_regs_user = 0xff, sample_stack_user = 8192, clockid = -1, "
			"sample_regs_intr = 0x1, "
			"aux_watermark = 2, sample_max_stack = 127, aux_sample_size = 3, "
			"aux_action = 0x4, sig_data = 5, "
			"config3 = 0x6, config4 = 0x7"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};

		cr_text_puts(&t, "x: "); /* what is there already takes no comma */
		cr_perf_attr_describe(&cases[i].a, &t);
		assert_string_equal(t.p + 3, cases[i].want);
		cr_text_fini(&t);
	}
}

static void
test_sampling_and_call_graph_are_told_of_all_events(void **state)
{
	static const uint64_t chain = PERF_SAMPLE_CALLCHAIN, dwarf = PERF_SAMPLE_CALLCHAIN |
								     PERF_SAMPLE_REGS_USER |
								     PERF_SAMPLE_STACK_USER;
	const struct {
		struct perf_attr attrs[3];
		const char *sampling, *call_graph;
	} cases[] = {
		{{{.sample_period = 0}}, "", "none"},
		{{{.sample_period = 999, .flags = PERF_ATTR_FREQ}}, "999 Hz", "none"},
		{{{.sample_period = 7, .sample_type = chain}, {.sample_period = 7}}, "every 7",
			"frame pointers"},
		{{{.sample_period = 7, .sample_type = dwarf, .sample_stack_user = 8192},
			 {.sample_period = 8, .sample_type = chain}},
			"every 7; every 8", "dwarf, 8192 bytes; frame pointers"},
		{{{.sample_type = chain | PERF_SAMPLE_BRANCH_STACK,
			 .branch_sample_type = PERF_BRANCH_CALL_STACK}},
			"", "lbr"},
		{{{.sample_type = chain | PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 1}}, "",
			"frame pointers"},
		{{{.sample_type = chain, .flags = PERF_ATTR_DEFER_CALLCHAIN}}, "",
			"deferred frame pointers"},
		{{{.type = 1, .config = 9, .sample_period = 1, .sample_type = chain}}, "",
			"none"}, /* a dummy */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = cr_builder_new(NULL);
		struct perf_header h = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_log log = {0};
		struct cr_profile *p;
		char sample[] = "f 1";

		for (size_t k = 0; k < CR_LEN(cases[i].attrs); k++) {
			cr_vec_push(&h.attrs, cases[i].attrs[k]);
			cr_vec_push(&h.ids, ((struct perf_event_id){10 + k, (uint32_t)k}));
			cr_vec_push(&h.ids, ((struct perf_event_id){90 - k, (uint32_t)(2 - k)}));
		}
		cr_perf_attrs_facts(&h, b);
		testing_sample(b, sample, cr_builder_event(b, CR_STR("e"), CR_STR("ns")),
			cr_builder_address_space(b));
		assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
		assert_str(cr_profile_fact(p, "sampling"), cases[i].sampling);
		assert_str(cr_profile_fact(p, "call graph"), cases[i].call_graph);
		assert_true(
			strstr(cr_profile_fact(p, "event attributes").p, ", id = { 10, 88 }\n"));
		assert_true(
			strstr(cr_profile_fact(p, "event attributes").p, ", id = { 90, 12 }\n"));
		cr_profile_free(p);
		cr_builder_free(b);
		cr_perf_header_fini(&h);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_attr_of_any_size_is_read_as_far_as_it_goes),
		cmocka_unit_test(test_every_field_is_read_in_both_byte_orders),
		cmocka_unit_test(test_what_lies_behind_the_attrs_own_size_is_not_its),
		cmocka_unit_test(test_events_without_a_name_get_perfs),
		cmocka_unit_test(test_an_attr_is_described_in_the_recorders_words),
		cmocka_unit_test(test_sampling_and_call_graph_are_told_of_all_events),
		cmocka_unit_test(test_the_place_of_the_id_follows_from_the_sample_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
