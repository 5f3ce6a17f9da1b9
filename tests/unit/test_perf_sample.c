#include "testing.h"

#include "perf_maker.h"
#include "read/perf_data/perf_sample_p.h"

static const struct perf_attr all = {
	.sample_type = (1u << 25) - 1,
	.read_format = 31,
	.sample_period = 99,
	.branch_sample_type = PERF_BRANCH_HW_INDEX | PERF_BRANCH_COUNTERS,
	.sample_regs_user = 5,
	.sample_regs_intr = 1,
};

static void
put_read(struct cr_text *t, uint64_t format)
{
	const uint64_t n = format & PERF_FORMAT_GROUP ? 2 : 1;

	if (format & PERF_FORMAT_GROUP)
		made_u64(t, n);
	else
		made_u64(t, 11);
	for (uint64_t bit = PERF_FORMAT_TOTAL_TIME_ENABLED; bit <= PERF_FORMAT_TOTAL_TIME_RUNNING;
		bit <<= 1)
		if (format & bit)
			made_u64(t, 12);
	for (uint64_t i = 0; i < n; i++) {
		if (format & PERF_FORMAT_GROUP)
			made_u64(t, 13);
		if (format & PERF_FORMAT_ID)
			made_u64(t, 14);
		if (format & PERF_FORMAT_LOST)
			made_u64(t, 15);
	}
}

static void
put_branches(struct cr_text *t, uint64_t type)
{
	made_u64(t, 2);
	if (type & PERF_BRANCH_HW_INDEX)
		made_u64(t, 1);
	cr_text_pad(t, 'b', 2 * 24);
	if (type & PERF_BRANCH_COUNTERS)
		cr_text_pad(t, 'c', 2 * 8);
}

static void
put_regs(struct cr_text *t, uint64_t mask)
{
	made_u64(t, 2);
	cr_text_pad(t, 'r', 8 * (size_t)__builtin_popcountll(mask));
}

/*
 * The body of a sample with a value in every field that the attr asks for, in the kernel's order.
 */
static struct cr_text
body_of(const struct perf_attr *a)
{
	static const uint64_t ahead[] = {
		PERF_SAMPLE_IDENTIFIER,
		PERF_SAMPLE_IP,
		PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,
		PERF_SAMPLE_ADDR,
		PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU,
		PERF_SAMPLE_PERIOD,
	};
	static const uint64_t words[] = {PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_CGROUP,
		PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE};
	const uint64_t type = a->sample_type;
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (size_t i = 0; i < CR_LEN(ahead); i++)
		if (type & ahead[i])
			made_u64(&t, (UINT64_C(0x200) << 32) + 0x100 + i);
	if (type & PERF_SAMPLE_READ)
		put_read(&t, a->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		made_u64(&t, 2);
		made_u64(&t, 0xa1);
		made_u64(&t, 0xa2);
	}
	if (type & PERF_SAMPLE_RAW) {
		made_u32(&t, 12);
		cr_text_pad(&t, 'w', 12);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(&t, a->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(&t, a->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER) {
		made_u64(&t, 16);
		cr_text_pad(&t, 's', 16);
		made_u64(&t, 8);
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		made_u64(&t, 1);
	if (type & PERF_SAMPLE_DATA_SRC)
		made_u64(&t, 1);
	if (type & PERF_SAMPLE_TRANSACTION)
		made_u64(&t, 1);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(&t, a->sample_regs_intr);
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (type & words[i])
			made_u64(&t, 1);
	if (type & PERF_SAMPLE_AUX) {
		made_u64(&t, 8);
		made_u64(&t, 1);
	}
	return t;
}

static bool
read_with_layout(const struct cr_cursor *c, const struct perf_attr *a, struct perf_sample *out)
{
	struct perf_attr laid_out = *a;

	cr_perf_sample_layout(&laid_out);
	return cr_perf_sample_read(c, &laid_out, out);
}

static bool
read_prefix(const struct cr_text *t, size_t len, const struct perf_attr *a, struct perf_sample *out)
{
	unsigned char *bytes = testing_exact(t->p, len);
	struct cr_cursor c;
	bool ok;

	cr_cursor_init(&c, bytes, len);
	ok = read_with_layout(&c, a, out);
	free(bytes);
	return ok;
}

/* All of it is a sample, and nothing less is: so its last field ends at its last byte. */
static void
check(const struct perf_attr *a)
{
	struct cr_text t = body_of(a);
	struct perf_sample s;

	assert_true(read_prefix(&t, t.len, a, &s));
	for (size_t len = 0; len < t.len; len++)
		assert_false(read_prefix(&t, len, a, &s));
	cr_text_fini(&t);
}

static void
test_every_field_alone_is_read_to_its_last_byte(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 25; bit++) {
		struct perf_attr a = all;

		a.sample_type = 1u << bit;
		check(&a);
	}
}

static void
test_all_fields_together_are_read_to_the_last_byte(void **state)
{
	(void)state;
	check(&all);
}

static void
test_fields_in_any_company_are_read_to_the_last_byte(void **state)
{
	uint64_t random = 11;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		struct perf_attr a = all;

		a.sample_type = testing_random(&random) & all.sample_type;
		a.read_format = testing_random(&random) & 31;
		a.branch_sample_type &= testing_random(&random);
		a.sample_regs_user = testing_random(&random) & 0xff;
		check(&a);
	}
}

static void
test_values_come_from_their_fields(void **state)
{
	struct cr_text t = body_of(&all);
	struct perf_sample s;
	struct cr_cursor c;

	(void)state;
	cr_cursor_init(&c, t.p, t.len);
	assert_true(read_with_layout(&c, &all, &s));
	assert_int_equal(s.ip, UINT64_C(0x20000000101));
	assert_int_equal(s.pid, 0x102);
	assert_int_equal(s.tid, 0x200);
	assert_int_equal(s.time, UINT64_C(0x20000000103));
	assert_int_equal(s.id, UINT64_C(0x20000000105));
	assert_int_equal(s.cpu, 0x107);
	assert_int_equal(s.period, UINT64_C(0x20000000108));
	assert_true(s.has_chain);
	assert_int_equal(cr_cursor_left(&s.chain), 16);
	assert_int_equal(cr_cursor_u64(&s.chain), 0xa1);
	cr_text_fini(&t);
}

static void
test_values_of_the_other_byte_order_are_turned(void **state)
{
	struct cr_text t = body_of(&all);
	struct perf_sample s;
	struct cr_cursor c;

	(void)state;
	/* Turn each word; of the two u32 in a word each by itself. */
	for (size_t i = 0; i < 9; i++) {
		const bool two = i == 2 || i == 7;
		uint64_t v;

		memcpy(&v, t.p + 8 * i, 8);
		v = __builtin_bswap64(v);
		v = two ? v >> 32 | v << 32 : v;
		memcpy(t.p + 8 * i, &v, 8);
	}
	cr_cursor_init(&c, t.p, t.len);
	c.swap = true;
	read_with_layout(&c, &all, &s); /* what follows is not turned */
	assert_int_equal(s.ip, UINT64_C(0x20000000101));
	assert_int_equal(s.pid, 0x102);
	assert_int_equal(s.tid, 0x200);
	assert_int_equal(s.time, UINT64_C(0x20000000103));
	assert_int_equal(s.addr, UINT64_C(0x20000000104));
	assert_int_equal(s.id, UINT64_C(0x20000000105));
	assert_int_equal(s.cpu, 0x107);
	assert_int_equal(s.period, UINT64_C(0x20000000108));
	cr_text_fini(&t);
}

static void
test_what_is_not_sampled_has_its_default(void **state)
{
	const struct perf_attr a = {.sample_period = 99};
	struct cr_text t = {0};
	struct perf_sample s;

	(void)state;
	assert_true(read_prefix(&t, 0, &a, &s));
	assert_int_equal(s.period, 99);
	assert_int_equal(s.pid, UINT32_MAX);
	assert_int_equal(s.tid, UINT32_MAX);
	assert_int_equal(s.cpu, UINT32_MAX);
	assert_int_equal(s.time, 0);
	assert_false(s.has_chain);
}

static void
test_parts_that_a_kernel_leaves_out_are_not_missed(void **state)
{
	static const struct {
		uint64_t type;
		uint64_t words[2];
		size_t n;
	} cases[] = {
		{PERF_SAMPLE_CALLCHAIN, {0}, 1},
		{PERF_SAMPLE_BRANCH_STACK, {0}, 1}, /* no hw_idx and no counters behind nr 0 */
		{PERF_SAMPLE_REGS_USER, {0}, 1},    /* abi 0: a kernel thread has no registers */
		{PERF_SAMPLE_STACK_USER, {0}, 1},   /* no dyn_size behind size 0 */
		{PERF_SAMPLE_AUX, {0}, 1},
		{PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, {0, 0}, 2},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct perf_attr a = all;
		struct cr_text t = {0};
		struct perf_sample s;

		a.sample_type = cases[i].type;
		cr_text_put(&t, cases[i].words, cases[i].n * 8);
		assert_true(read_prefix(&t, t.len, &a, &s));
		assert_false(read_prefix(&t, t.len - 1, &a, &s));
		cr_text_fini(&t);
	}
}

/*
 * Of the stack only what could be copied counts, and what the kernel says of that is not believed
 * either.
 */
static void
test_registers_and_stack_are_handed_out(void **state)
{
	static const struct {
		uint64_t size, have, left;
		bool full;
	} cases[] = {
		{16, 16, 16, true},
		{16, 8, 8, false},
		{16, 0, 0, false},
		{16, 24, 16, true},
		{16, UINT64_MAX, 16, true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_attr a = {
			.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
			.sample_regs_user = 5};
		const uint64_t words[] = {2, 0x71, 0x72, cases[i].size, 0x73, 0x74, cases[i].have};
		void *bytes = testing_exact(words, sizeof(words));
		struct perf_sample_rest rest;
		struct cr_cursor c;

		cr_cursor_init(&c, bytes, sizeof(words));
		assert_true(cr_perf_sample_rest(c, &a, &rest));
		assert_int_equal(rest.regs_abi, 2);
		assert_int_equal(cr_cursor_left(&rest.regs_user), 16);
		assert_int_equal(cr_cursor_u64(&rest.regs_user), 0x71);
		assert_int_equal(cr_cursor_u64(&rest.regs_user), 0x72);
		assert_int_equal(cr_cursor_left(&rest.stack_user), cases[i].left);
		assert_int_equal(rest.stack_full, cases[i].full);
		assert_int_equal(cr_cursor_u64(&rest.stack_user), cases[i].left ? 0x73 : 0);
		free(bytes);
	}
}

static void
test_counts_that_cannot_be_true_are_refused(void **state)
{
	static const uint64_t types[] = {
		PERF_SAMPLE_CALLCHAIN,
		PERF_SAMPLE_BRANCH_STACK,
		PERF_SAMPLE_STACK_USER,
		PERF_SAMPLE_AUX,
		PERF_SAMPLE_READ,
		PERF_SAMPLE_RAW,
	};
	static const uint64_t counts[] = {
		UINT64_MAX,
		UINT64_C(1) << 61,
		UINT64_C(1) << 60,
		UINT64_MAX / 24 + 1,
		UINT64_MAX / 8 + 1,
		100,
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(types); i++)
		for (size_t k = 0; k < CR_LEN(counts); k++) {
			const struct perf_attr a = {.sample_type = types[i],
				.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID};
			struct cr_text t = {0};
			struct perf_sample s;

			if (types[i] == PERF_SAMPLE_RAW)
				made_u32(&t, (uint32_t)CR_MIN(counts[k], UINT32_MAX));
			else
				made_u64(&t, counts[k]);
			cr_text_pad(&t, '\0', 64);
			assert_false(read_prefix(&t, t.len, &a, &s));
			cr_text_fini(&t);
		}
}

static void
test_a_trailer_is_read_from_the_back(void **state)
{
	const struct perf_attr a = {.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						   PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
						   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER |
						   PERF_SAMPLE_CALLCHAIN};
	struct cr_text t = {0};
	struct perf_trailer out;
	struct cr_cursor c;

	(void)state;
	cr_text_puts(&t, "whatever stands before it");
	made_u32(&t, 5);
	made_u32(&t, 6);
	for (uint64_t i = 1; i <= 3; i++)
		made_u64(&t, i * 100); /* time, id, stream */
	made_u32(&t, 3);
	made_u32(&t, 0);
	made_u64(&t, 777);
	cr_cursor_init(&c, t.p, t.len);
	assert_true(cr_perf_trailer_read(c, &a, &out));
	assert_int_equal(out.bytes, 48);
	assert_int_equal(out.pid, 5);
	assert_int_equal(out.tid, 6);
	assert_int_equal(out.time, 100);
	assert_int_equal(out.cpu, 3);
	assert_int_equal(out.id, 777);
	cr_cursor_init(&c, t.p, 47);
	assert_false(cr_perf_trailer_read(c, &a, &out));
	cr_text_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field_alone_is_read_to_its_last_byte),
		cmocka_unit_test(test_all_fields_together_are_read_to_the_last_byte),
		cmocka_unit_test(test_fields_in_any_company_are_read_to_the_last_byte),
		cmocka_unit_test(test_values_come_from_their_fields),
		cmocka_unit_test(test_values_of_the_other_byte_order_are_turned),
		cmocka_unit_test(test_what_is_not_sampled_has_its_default),
		cmocka_unit_test(test_parts_that_a_kernel_leaves_out_are_not_missed),
		cmocka_unit_test(test_registers_and_stack_are_handed_out),
		cmocka_unit_test(test_counts_that_cannot_be_true_are_refused),
		cmocka_unit_test(test_a_trailer_is_read_from_the_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
