#include "perf_reading.h"

#include "symbol/opts.h"

#include <time.h>

#include "tracing_maker.h"

#define CALL_STACK PERF_BRANCH_CALL_STACK
#define PROG 0x400000u /* where map_prog() has it: addresses in it are shown from 0 on */

static void
map_prog(struct made_perf *m)
{
	made_comm(m, 5, 5, 1, "prog");
	made_mmap(m, 5, 2, PROG, 0x10000, 0, "/bin/prog");
}

/* A clock with more than MADE_TYPE, of the id 7. */
static struct perf_attr
clock_with(uint64_t type)
{
	return (struct perf_attr){
		.type = 1, .sample_type = MADE_TYPE | type, .flags = PERF_ATTR_SAMPLE_ID_ALL};
}

/* ---- values of counters */

/* A leader that samples for two: {cpu-clock,instructions}:S */
static void
group(struct made_perf *m, uint64_t flags)
{
	struct perf_attr leader = clock_with(PERF_SAMPLE_READ);
	struct perf_attr member = {.type = 0, .config = 1};

	leader.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	leader.flags |= flags;
	member.sample_type = leader.sample_type;
	member.read_format = leader.read_format;
	member.flags = leader.flags;
	made_attr(m, &leader, &(uint64_t){7}, 1);
	made_attr(m, &member, &(uint64_t){8}, 1);
}

static void
read_sample(struct made_perf *m, uint32_t tid, uint64_t time, const uint64_t *words, uint32_t n)
{
	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = tid,
			       .time = time,
			       .period = 9999,
			       .ip = 4,
			       .read = words,
			       .n_read = n});
}

static void
test_a_sample_of_a_group_is_one_of_each_member_that_counted(void **state)
{
	struct made_perf m = {0};

	(void)state;
	group(&m, 0);
	read_sample(&m, 5, 10, (const uint64_t[]){2, 100, 7, 3000, 8}, 5);
	read_sample(&m, 5, 20, (const uint64_t[]){2, 150, 7, 3000, 8},
		5); /* the second has not moved */
	read_sample(&m, 6, 30, (const uint64_t[]){2, 150, 7, 3001, 8}, 5); /* nor has the first */
	read_sample(&m, 6, 40, (const uint64_t[]){2, 150, 7, 3001, 8}, 5); /* neither of them */
	assert_samples(&m, ":5 5/5 10 100 cpu-clock [unknown]+4\n"
			   ":5 5/5 10 3000 instructions [unknown]+4\n"
			   ":5 5/5 20 50 cpu-clock [unknown]+4\n"
			   ":6 5/6 30 1 instructions [unknown]+4\n");
}

static void
test_threads_that_inherit_their_counters_count_for_themselves(void **state)
{
	struct made_perf m = {0};

	(void)state;
	group(&m, PERF_ATTR_INHERIT);
	read_sample(&m, 5, 10, (const uint64_t[]){2, 100, 7, 3000, 8}, 5);
	read_sample(&m, 6, 20, (const uint64_t[]){2, 30, 7, 3000, 8}, 5);
	read_sample(&m, 5, 30, (const uint64_t[]){2, 110, 7, 3000, 8}, 5);
	assert_samples(&m, ":5 5/5 10 100 cpu-clock [unknown]+4\n"
			   ":5 5/5 10 3000 instructions [unknown]+4\n"
			   ":6 5/6 20 30 cpu-clock [unknown]+4\n"
			   ":6 5/6 20 3000 instructions [unknown]+4\n"
			   ":5 5/5 30 10 cpu-clock [unknown]+4\n");
}

static void
test_an_event_that_counts_while_it_samples_has_the_difference(void **state)
{
	struct perf_attr a = clock_with(PERF_SAMPLE_READ);
	struct made_perf m = {0};

	(void)state;
	a.read_format = PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	read_sample(&m, 5, 10, (const uint64_t[]){100, 1, 7}, 3);
	read_sample(&m, 5, 20, (const uint64_t[]){130, 2, 7}, 3);
	read_sample(&m, 5, 30, (const uint64_t[]){130, 3, 7}, 3);
	assert_samples(
		&m, ":5 5/5 10 100 cpu-clock [unknown]+4\n:5 5/5 20 30 cpu-clock [unknown]+4\n");
}

static void
test_values_without_ids_leave_the_period_as_it_is(void **state)
{
	struct perf_attr a = clock_with(PERF_SAMPLE_READ);
	struct made_perf m = {0};

	(void)state;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	read_sample(&m, 5, 10, (const uint64_t[]){100, 1}, 2);
	assert_samples(&m, ":5 5/5 10 9999 cpu-clock [unknown]+4\n");
}

static void
test_values_of_an_unknown_event_are_told(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	group(&m, 0);
	read_sample(&m, 5, 10, (const uint64_t[]){3, 100, 7, 5, 99, 6, 0}, 7);
	assert_reads(&m, ":5 5/5 10 100 cpu-clock [unknown]+4\n", &p, &log);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entries[0].kind, "counter values of an unknown event");
	assert_int_equal(log.entries[0].count, 2);
	cr_profile_free(p);
}

/* More than are on their way at a time; each has the stack of its own. */
static void
test_a_group_larger_than_what_is_on_its_way_comes_whole(void **state)
{
	enum { MEMBERS = 50 };
	struct perf_attr leader = clock_with(PERF_SAMPLE_READ | PERF_SAMPLE_BRANCH_STACK);
	static const uint64_t chain[] = {
		MADE_CHAIN_KERNEL, 0xffffffff81000001, MADE_CHAIN_USER, PROG + 1, PROG + 2};
	static const struct made_branch branches[] = {{PROG + 0x11, PROG + 0x10, false, 0}};
	uint64_t words[1 + 2 * MEMBERS] = {MEMBERS}, ids[MEMBERS];
	struct made_perf m = {0};
	struct cr_text want = {0};

	(void)state;
	leader.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	leader.branch_sample_type = CALL_STACK;
	for (uint64_t i = 0; i < MEMBERS; i++) {
		ids[i] = 7 + i;
		words[1 + 2 * i] = i + 1;
		words[2 + 2 * i] = ids[i];
		cr_text_printf(&want,
			"prog 5/5 10 %llu cpu-clock prog+11 prog+10 [unknown]+ffffffff81000001\n",
			(unsigned long long)i + 1);
	}
	made_attr(&m, &leader, ids, MEMBERS);
	map_prog(&m);
	made_sample(&m, &(struct made_sample){.pid = 5,
				.tid = 5,
				.time = 10,
				.period = 9999,
				.ip = 4,
				.read = words,
				.n_read = CR_LEN(words),
				.chain = chain,
				.n_chain = CR_LEN(chain),
				.branches = branches,
				.n_branches = 1});
	assert_samples(&m, want.p);
	cr_text_fini(&want);
}

/* ---- chains of the processor's own record of calls */

static void
test_a_call_stack_of_branches_is_the_users_part(void **state)
{
	static const uint64_t chain[] = {MADE_CHAIN_KERNEL, 0xffffffff81000002, 0xffffffff81000001,
		MADE_CHAIN_USER, PROG + 1, PROG + 2};
	static const struct made_branch branches[] = {
		{PROG + 0x21, PROG + 0x20, false, 1}, {PROG + 0x31, PROG + 0x30, true, 2}};
	static const struct {
		uint64_t kind;
		uint32_t n_chain, n_branches;
		const char *frames, *more;
	} cases[] = {
		{CALL_STACK, 6, 2,
			" prog+31 prog+21 prog+20 [unknown]+ffffffff81000001 "
			"[unknown]+ffffffff81000002"},
		{CALL_STACK, 6, 0,
			" prog+2 prog+1 [unknown]+ffffffff81000001 "
			"[unknown]+ffffffff81000002"},
		{CALL_STACK, 3, 2, " [unknown]+ffffffff81000001 [unknown]+ffffffff81000002"}, /* no
										      user
										      part
										    */
		{0, 6, 2,
			" prog+2 prog+1 [unknown]+ffffffff81000001 "
			"[unknown]+ffffffff81000002", /* just branches */
			"prog 5/5 0 1 branch-stack prog+21 prog+20\n"
			"prog 5/5 0 1 branch-stack prog+31 prog+30\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases) * 2; i++) {
		struct perf_attr a = clock_with(PERF_SAMPLE_BRANCH_STACK);
		struct made_perf m = {0};
		struct cr_text want = {0};

		made_foreign = i & 1;
		a.branch_sample_type = cases[i / 2].kind;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		map_prog(&m);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 10,
					.period = 1,
					.chain = chain,
					.n_chain = cases[i / 2].n_chain,
					.branches = branches,
					.n_branches = cases[i / 2].n_branches});
		cr_text_printf(&want, "prog 5/5 10 1 cpu-clock%s\n%s", cases[i / 2].frames,
			cases[i / 2].more ? cases[i / 2].more : "");
		assert_samples(&m, want.p);
		made_foreign = false;
		cr_text_fini(&want);
	}
}

/* A kernel with nothing to say leaves hw_idx out; what stands behind it has to come out right. */
static void
test_an_index_of_the_hardware_is_there_or_not(void **state)
{
	static const struct made_branch branches[] = {{1, 2, false, 3}};
	struct perf_attr a =
		clock_with(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_PHYS_ADDR);
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	a.branch_sample_type = PERF_BRANCH_HW_INDEX;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	for (uint64_t i = 0; i < 3; i++)
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 10 + i,
					.period = 1,
					.ip = 4,
					.branches = branches,
					.n_branches = i == 2,
					.no_hw_idx = i == 1,
					.weight = 70 + i,
					.phys_addr = 0x80 + i});
	assert_reads(&m,
		":5 5/5 10 1 cpu-clock [unknown]+4\n:5 5/5 11 1 cpu-clock [unknown]+4\n"
		":5 5/5 12 1 cpu-clock [unknown]+4\n"
		":5 5/5 0 1 branch-stack [unknown]+1 [unknown]+2\n",
		&p, &log);
	assert_int_equal(log.n, 0);
	assert_field(p, "cpu-clock", "weight", "70 71 72");
	assert_field(p, "cpu-clock", "phys_addr", "0x80 0x81 0x82");
	assert_field(p, "cpu-clock", "branches", "0 0 1");
	cr_profile_free(p);
}

/* ---- chains whose user's part comes later */

static void
deferring(struct made_perf *m)
{
	struct perf_attr a = clock_with(0);

	a.flags |= PERF_ATTR_DEFER_CALLCHAIN;
	made_attr(m, &a, &(uint64_t){7}, 1);
	map_prog(m);
}

static void
deferred_sample(struct made_perf *m, uint32_t tid, uint64_t time, uint64_t cookie)
{
	const uint64_t chain[] = {
		MADE_CHAIN_KERNEL, 0xffffffff81000001, MADE_CHAIN_DEFERRED, cookie};

	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = tid,
			       .time = time,
			       .period = time,
			       .ip = 0xffffffff81000001,
			       .misc = MADE_KERNEL,
			       .chain = chain,
			       .n_chain = CR_LEN(chain)});
}

static const uint64_t user_ips[] = {PROG + 0x20, PROG + 0x10};

static void
test_a_chain_that_is_completed_later_has_both_parts(void **state)
{
	struct made_perf m = {0};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		made_foreign = i;
		deferring(&m);
		deferred_sample(&m, 5, 10, 77);
		deferred_sample(&m, 6, 11, 88);
		deferred_sample(&m, 5, 12, 77); /* one more before the thread is back */
		sample(&m, 5, 5, 13, PROG);
		made_deferred(&m, 5, 5, 14, 77, user_ips, 2);
		made_deferred(&m, 5, 6, 15, 88, user_ips + 1, 1);
		assert_samples(&m,
			"prog 5/5 13 10 cpu-clock prog+0\n"
			"prog 5/5 10 10 cpu-clock prog+10 prog+20 [unknown]+ffffffff81000001\n"
			"prog 5/5 12 12 cpu-clock prog+10 prog+20 [unknown]+ffffffff81000001\n"
			":6 5/6 11 11 cpu-clock prog+10 [unknown]+ffffffff81000001\n");
		made_foreign = false;
	}
}

static void
test_a_chain_that_was_not_completed_has_its_first_part(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	deferring(&m);
	deferred_sample(&m, 5, 10, 77);
	deferred_sample(&m, 5, 12, 78);
	made_deferred(&m, 5, 5, 14, 78, user_ips, 2); /* the first one's was lost */
	deferred_sample(&m, 5, 20, 79);
	made_deferred(&m, 5, 5, 24, 79, NULL, 0); /* it has no user part that could be read */
	deferred_sample(&m, 5, 30, 80);           /* and the recording ends */
	assert_reads(&m,
		"prog 5/5 10 10 cpu-clock [unknown]+ffffffff81000001\n"
		"prog 5/5 12 12 cpu-clock prog+10 prog+20 [unknown]+ffffffff81000001\n"
		"prog 5/5 20 20 cpu-clock [unknown]+ffffffff81000001\n"
		"prog 5/5 30 30 cpu-clock [unknown]+ffffffff81000001\n",
		&p, &log);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entries[0].kind, "samples whose user callchain never came");
	assert_int_equal(log.entries[0].count, 1);
	cr_profile_free(p);
}

/* Only an event that says it defers ends a chain with a cookie. */
static void
test_the_mark_alone_defers_nothing(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_clock(&m);
	deferred_sample(&m, 5, 10, 77);
	made_deferred(&m, 5, 5, 14, 77, user_ips, 2);
	assert_reads(
		&m, ":5 5/5 10 10 cpu-clock [unknown]+4d [unknown]+ffffffff81000001\n", &p, &log);
	assert_int_equal(log.n, 1);
	assert_string_equal(
		log.entries[0].kind, "callchain parts of a guest or of an unknown kind");
	assert_string_equal(log.entries[0].first, "marker -640");
	cr_profile_free(p);
}

static void
test_deferred_members_of_a_group_come_each(void **state)
{
	static const uint64_t chain[] = {
		MADE_CHAIN_KERNEL, 0xffffffff81000001, MADE_CHAIN_DEFERRED, 77};
	struct made_perf m = {0};

	(void)state;
	group(&m, PERF_ATTR_DEFER_CALLCHAIN);
	map_prog(&m);
	made_sample(&m, &(struct made_sample){.pid = 5,
				.tid = 5,
				.time = 10,
				.period = 9999,
				.ip = 4,
				.read = (const uint64_t[]){2, 100, 7, 3000, 8},
				.n_read = 5,
				.chain = chain,
				.n_chain = CR_LEN(chain)});
	made_deferred(&m, 5, 5, 14, 77, user_ips, 2);
	assert_samples(&m,
		"prog 5/5 10 100 cpu-clock prog+10 prog+20 [unknown]+ffffffff81000001\n"
		"prog 5/5 10 3000 instructions prog+10 prog+20 [unknown]+ffffffff81000001\n");
}

/* ---- what else a sample has */

static void
test_a_cpu_that_cannot_be_is_kept_as_such(void **state)
{
	static const struct {
		uint32_t cpu;
		uint16_t want;
	} cases[] = {
		{0, 0},
		{191, 191},
		{UINT32_MAX, CR_CPU_UNKNOWN},
		{70000, CR_CPU_UNKNOWN - 1},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_clock(&m);
		made_sample(
			&m, &(struct made_sample){
				    .pid = 5, .tid = 5, .time = 1, .ip = 4, .cpu = cases[i].cpu});
		assert_reads(&m, ":5 5/5 1 0 cpu-clock [unknown]+4\n", &p, &log);
		assert_int_equal(p->samples.cpu[0], cases[i].want);
		cr_profile_free(p);
	}
}

static void
test_numbers_become_details(void **state)
{
	const struct perf_attr a = clock_with(
		PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_TRANSACTION |
		PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = i;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 1,
					.ip = 4,
					.addr = 0x7f00,
					.weight = UINT64_C(0x0005000400000003),
					.transaction = 2,
					.phys_addr = 0x1000,
					.data_page_size = 4096,
					.code_page_size = 2 << 20});
		made_sample(&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 2, .ip = 4});
		assert_reads(&m,
			":5 5/5 1 0 cpu-clock [unknown]+4\n:5 5/5 2 0 cpu-clock [unknown]+4\n", &p,
			&log);
		made_foreign = false;
		assert_int_equal(log.n, 0);
		assert_field(p, "cpu-clock", "addr", "0x7f00 -");
		assert_field(p, "cpu-clock", "weight", "3 0");
		assert_field(p, "cpu-clock", "ins_lat", "4 0");
		assert_field(p, "cpu-clock", "retire_lat", "5 0");
		assert_field(p, "cpu-clock", "transaction", "0x2 -");
		assert_field(p, "cpu-clock", "phys_addr", "0x1000 -");
		assert_field(p, "cpu-clock", "data_page_size", "4096 -");
		assert_field(p, "cpu-clock", "code_page_size", "2097152 -");
		assert_field(p, "cpu-clock", "cgroup", "no such detail");
		cr_profile_free(p);
	}
}

static void
test_branches_are_summed_up(void **state)
{
	static const struct made_branch branches[] = {
		{1, 2, true, 100}, {3, 4, false, 20}, {5, 6, true, 65535}};
	const struct perf_attr a = clock_with(PERF_SAMPLE_BRANCH_STACK);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = i;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		for (uint32_t n = 0; n < 4; n++)
			made_sample(&m, &(struct made_sample){.pid = 5,
						.tid = 5,
						.time = 1 + n,
						.ip = 4,
						.branches = branches,
						.n_branches = n});
		assert_reads(&m,
			":5 5/5 1 0 cpu-clock [unknown]+4\n:5 5/5 2 0 cpu-clock [unknown]+4\n"
			":5 5/5 3 0 cpu-clock [unknown]+4\n:5 5/5 4 0 cpu-clock [unknown]+4\n"
			":5 5/5 0 3 branch-stack [unknown]+1 [unknown]+2\n"
			":5 5/5 0 2 branch-stack [unknown]+3 [unknown]+4\n"
			":5 5/5 0 1 branch-stack [unknown]+5 [unknown]+6\n",
			&p, &log);
		made_foreign = false;
		assert_field(p, "branch-stack", "block_cycles", "300 40 65535");
		assert_field(p, "branch-stack", "block_cycles_min", "100 20 65535");
		assert_field(p, "branch-stack", "block_cycles_max", "100 20 65535");
		assert_field(p, "cpu-clock", "branches", "0 1 2 3");
		assert_field(p, "cpu-clock", "mispredicted", "0 1 1 2");
		assert_field(p, "cpu-clock", "branch_cycles", "0 100 120 65655");
		cr_profile_free(p);
	}
}

static void
test_least_and_most_cycles_of_a_branch(void **state)
{
	static const uint16_t cycles[] = {9, 3, 0, 40, 3};
	const struct perf_attr a = clock_with(PERF_SAMPLE_BRANCH_STACK);
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	for (size_t i = 0; i < CR_LEN(cycles); i++)
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 1 + i,
					.ip = 4,
					.branches = &(struct made_branch){1, 2, true, cycles[i]},
					.n_branches = 1});
	assert_reads(&m,
		":5 5/5 1 0 cpu-clock [unknown]+4\n:5 5/5 2 0 cpu-clock [unknown]+4\n"
		":5 5/5 3 0 cpu-clock [unknown]+4\n:5 5/5 4 0 cpu-clock [unknown]+4\n"
		":5 5/5 5 0 cpu-clock [unknown]+4\n"
		":5 5/5 0 4 branch-stack [unknown]+1 [unknown]+2\n"
		":5 5/5 0 1 branch-stack [unknown]+1 [unknown]+2\n",
		&p, &log);
	assert_field(p, "branch-stack", "block_cycles", "55 -");
	assert_field(p, "branch-stack", "block_cycles_min", "3 -");
	assert_field(p, "branch-stack", "block_cycles_max", "40 -");
	cr_profile_free(p);
}

static void
test_there_are_blocks_if_no_branch_is_missing(void **state)
{
	static const struct made_branch branches[] = {{PROG + 0x31, PROG + 0x10, true, 7},
		{PROG + 0x51, PROG + 0x21, true, 5}, {PROG + 0x51, PROG + 0x21, true, 0}};
	static const char edges[] = "prog 5/5 10 1 cpu-clock prog+4\n"
				    "prog 5/5 0 1 branch-stack prog+31 prog+10\n"
				    "prog 5/5 0 1 branch-stack prog+51 prog+21\n"
				    "prog 5/5 0 1 branch-stack prog+51 prog+21\n";
	static const char blocks[] = "prog 5/5 0 1 branch-blocks prog+21 prog+31\n"
				     "prog 5/5 0 1 branch-blocks prog+21 prog+51\n";
	static const struct {
		uint64_t type;
		bool has_blocks;
	} cases[] = {{1 << 3, true}, {0, true}, {1 << 17, true}, {1 << 13, false}, {1 << 4, false},
		{1 << 3 | 1 << 13, true}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct perf_attr a = clock_with(PERF_SAMPLE_BRANCH_STACK);
		struct made_perf m = {0};
		struct cr_text want = {0};
		struct cr_profile *p;
		struct cr_log log;

		a.branch_sample_type = cases[i].type;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		map_prog(&m);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 10,
					.period = 1,
					.ip = PROG + 4,
					.branches = branches,
					.n_branches = 3});
		cr_text_printf(&want, "%s%s", edges, cases[i].has_blocks ? blocks : "");
		assert_reads(&m, want.p, &p, &log);
		assert_field(p, "branch-stack", "block_cycles", "7 5 -");
		assert_field(p, "branch-stack", "block_cycles_min", "7 5 -");
		cr_profile_free(p);
		cr_text_fini(&want);
	}
}

/* The frames of the first sample, the innermost first; ' marks return addresses. */
static void
assert_history(const struct made_sample *like, const char *want)
{
	const struct perf_attr a = clock_with(PERF_SAMPLE_BRANCH_STACK);

	reading_history = true;
	for (unsigned i = 0; i < 2; i++) {
		struct cr_text f, frames = {0};
		struct made_perf m = {0};
		struct made_sample s = *like;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;
		uint32_t node;

		made_foreign = i;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		map_prog(&m);
		s.pid = s.tid = 5;
		s.time = 10;
		made_sample(&m, &s);
		f = made_file(&m);
		assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
		for (node = p->samples.node[0]; node; node = p->node_parent[node]) {
			const struct cr_location *l = &p->locations[p->node_location[node]];

			cr_text_printf(&frames, " %llx%s", (unsigned long long)l->addr,
				l->ordinal & CR_ORDINAL_RETURN ? "'" : "");
		}
		assert_string_equal(frames.p, want);
		cr_text_fini(&frames);
		cr_text_fini(&f);
		cr_profile_free(p);
		made_foreign = false;
	}
	reading_history = false;
}

static void
test_branches_join_the_stack_on_request(void **state)
{
	static const uint64_t chain[] = {MADE_CHAIN_KERNEL, 0xffffffff81000002, 0xffffffff81000001,
		MADE_CHAIN_USER, PROG + 1, PROG + 2};
	static const struct made_branch branches[] = {
		{0xffffffff81000010, 0xffffffff81000000, false, 1}, {0, 0, false, 0},
		{PROG + 0x31, 0xffffffff81000008, true, 2}, {PROG + 0x51, PROG + 0x41, true, 2}};
	static const char path[] = " ffffffff81000000 ffffffff81000010 ffffffff81000008 31 41 51";
	struct made_branch many[128];
	struct cr_text want = {0};

	(void)state;
	cr_text_printf(&want, " ffffffff81000002%s ffffffff81000001' 1 2'", path);
	assert_history(
		&(struct made_sample){
			.chain = chain, .n_chain = 6, .branches = branches, .n_branches = 4},
		want.p);
	cr_text_clear(&want); /* without a chain, the sampled address */
	cr_text_printf(&want, " 4%s", path);
	assert_history(&(struct made_sample){.ip = PROG + 4, .branches = branches, .n_branches = 4},
		want.p);
	assert_history(&(struct made_sample){.chain = chain + 3, .n_chain = 3}, " 1 2'");
	/* More branches than any processor records are not believed. */
	for (size_t i = 0; i < CR_LEN(many); i++)
		many[i] = (struct made_branch){PROG + 0x100 + i, PROG + 0x200, false, 0};
	assert_history(
		&(struct made_sample){.ip = PROG + 4, .branches = many, .n_branches = 128}, " 4");
	cr_text_fini(&want);
}

static void
test_loops_of_branches_are_in_the_stack_once(void **state)
{
	/* The sources of the branches, the newest first, and those that are left. */
	static const struct {
		const char *recorded, *want;
	} cases[] = {
		{"abc", "abc"}, {"aa", "a"},
		{"aaaa", "aa"}, /* as in perf: what follows a removed loop is not compared */
		{"ababc", "abc"}, {"abcabcabc", "abca"}, {"abab", "ab"}, {"abac", "abac"},
		{"abca", "abc"}, /* the end of a longer loop */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_branch branches[16];
		struct cr_text want = {0};
		uint32_t n = 0;

		cr_text_puts(&want, " 4");
		for (const char *p = cases[i].recorded; *p; p++)
			branches[n++] =
				(struct made_branch){PROG + (unsigned char)*p, PROG + 1, false, 0};
		for (const char *p = cases[i].want; *p; p++)
			cr_text_printf(&want, " 1 %x", (unsigned char)*p);
		assert_history(
			&(struct made_sample){
				.ip = PROG + 4, .branches = branches, .n_branches = n},
			want.p);
		cr_text_fini(&want);
	}
}

static void
test_cgroups_have_the_path_that_was_told_last(void **state)
{
	const struct perf_attr a = clock_with(PERF_SAMPLE_CGROUP);
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	made_cgroup(&m, 1, 10, "/");
	made_cgroup(&m, 1, 11, "/user.slice");
	for (uint64_t i = 0; i < 5; i++)
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 2 + i,
					.ip = 4,
					.cgroup = i == 4 ? 10 : 10 + i % 3});
	made_cgroup(&m, 10, 10, "/new");
	made_sample(
		&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 11, .ip = 4, .cgroup = 10});
	assert_reads(&m,
		":5 5/5 2 0 cpu-clock [unknown]+4\n:5 5/5 3 0 cpu-clock [unknown]+4\n"
		":5 5/5 4 0 cpu-clock [unknown]+4\n:5 5/5 5 0 cpu-clock [unknown]+4\n"
		":5 5/5 6 0 cpu-clock [unknown]+4\n:5 5/5 11 0 cpu-clock [unknown]+4\n",
		&p, &log);
	assert_field(p, "cpu-clock", "cgroup", "/ /user.slice cgroup 12 / / /new");
	cr_profile_free(p);
}

/* Of a thread, from its record on; a new thread of the same number has none. */
static void
test_a_namespace_of_cgroups_is_a_field(void **state)
{
	const struct perf_attr a = clock_with(0);
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_attr(&m, &a, &(uint64_t){7}, 1);
	made_sample(&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 1, .ip = 4});
	made_namespaces(&m, 5, 2);
	made_sample(&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 3, .ip = 4});
	made_sample(&m, &(struct made_sample){.pid = 6, .tid = 6, .time = 4, .ip = 4});
	made_fork(&m, 5, 5, 6, 6, 5);
	made_sample(&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 6, .ip = 4});
	assert_reads(&m,
		":5 5/5 1 0 cpu-clock [unknown]+4\n:5 5/5 3 0 cpu-clock [unknown]+4\n"
		":6 6/6 4 0 cpu-clock [unknown]+4\n:5 5/5 6 0 cpu-clock [unknown]+4\n",
		&p, &log);
	assert_field(p, "cpu-clock", "cgroup_id", "- 4/0xf0000006 - -");
	cr_profile_free(p);
}

/* The bits of the kernel's struct; which words they become is said elsewhere. */
static void
test_a_data_source_becomes_words(void **state)
{
	const struct perf_attr a = clock_with(PERF_SAMPLE_DATA_SRC);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = i;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 1,
					.ip = 4,
					.data_src = 2 | (2 | 8) << 5});
		assert_reads(&m, ":5 5/5 1 0 cpu-clock [unknown]+4\n", &p, &log);
		made_foreign = false;
		assert_field(p, "cpu-clock", "data_src", "load, L1 hit");
		cr_profile_free(p);
	}
}

/* The fields of MADE_SCHED_SWITCH with these values. */
static void
put_switch(char raw[68], const char *prev, uint32_t prev_pid, uint64_t state, const char *next,
	uint32_t next_pid)
{
	struct cr_text t = {0};

	made_u16(&t, 316);
	cr_text_pad(&t, '\0', 6);
	cr_text_printf(&t, "%s", prev);
	cr_text_pad(&t, '\0', 24 - t.len);
	made_u32(&t, prev_pid);
	made_u32(&t, 120);
	made_u64(&t, state);
	cr_text_printf(&t, "%s", next);
	cr_text_pad(&t, '\0', 56 - t.len);
	made_u32(&t, next_pid);
	made_u32(&t, 110);
	cr_text_pad(&t, '\0', 68 - t.len);
	memcpy(raw, t.p, 68);
	cr_text_fini(&t);
}

static void
test_fields_of_a_tracepoint_become_details(void **state)
{
	static const struct made_format formats[] = {{"sched", MADE_SCHED_SWITCH}};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct perf_attr a = clock_with(PERF_SAMPLE_RAW);
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;
		char raw[68];

		made_foreign = i;
		a.type = 2;
		a.config = 316;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		made_string(&m.features[3], "box");
		made_tracing(&m.features[1], formats, 1);
		put_switch(raw, "prog", 5, 1, "swapper/0", 0);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 1,
					.period = 1,
					.ip = 4,
					.raw = raw,
					.raw_bytes = sizeof(raw)});
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 2,
					.period = 1,
					.ip = 4,
					.raw = raw,
					.raw_bytes = 28}); /* a record that is too short: what lies
							      in it counts */
		assert_reads(&m,
			":5 5/5 1 1 sched:sched_switch [unknown]+4\n:5 5/5 2 1 sched:sched_switch "
			"[unknown]+4\n",
			&p, &log);
		made_foreign = false;
		assert_field(p, "sched:sched_switch", "prev_comm", "prog prog");
		assert_field(p, "sched:sched_switch", "prev_pid", "5 5");
		assert_field(p, "sched:sched_switch", "prev_prio", "120 -");
		assert_field(p, "sched:sched_switch", "prev_state", "1 -");
		assert_field(p, "sched:sched_switch", "next_comm", "swapper/0 -");
		assert_field(p, "sched:sched_switch", "next_pid", "0 -");
		assert_field(p, "sched:sched_switch", "common_pid", "no such detail");
		cr_profile_free(p);
	}
}

/* perf record --off-cpu: the bytes of a BPF program are the sample, whoever was on the CPU then. */
static void
test_the_sample_in_the_bytes_of_a_program_is_the_one(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct perf_attr a = clock_with(PERF_SAMPLE_RAW);
		struct made_perf m = {0};
		struct cr_text raw = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = i == 1;
		a.config = 10;
		made_attr(&m, &a, &(uint64_t){7}, 1);
		made_string(&m.features[3], "box");
		made_u32(&m.features[12], 1);
		made_u32(&m.features[12], 0); /* bytes of the attr that is repeated here */
		made_u32(&m.features[12], 0);
		made_string(&m.features[12], "offcpu-time");
		map_prog(&m);
		made_u32(&raw, 5);
		made_u32(&raw, 6);
		made_u64(&raw, 70000);
		made_u64(&raw,
			i == 2 ? 1000
			       : 3); /* more addresses than there are bytes: no sample in it */
		made_u64(&raw, MADE_CHAIN_USER);
		made_u64(&raw, PROG + 8);
		made_u64(&raw, PROG + 16);
		made_u32(&raw, 0);
		made_sample(&m, &(struct made_sample){.pid = 1,
					.tid = 1,
					.time = 9,
					.period = 1,
					.ip = 4,
					.raw = raw.p,
					.raw_bytes = (uint32_t)raw.len});
		assert_reads(&m,
			i == 2 ? ":1 1/1 9 1 offcpu-time [unknown]+4\n"
			       : ":6 5/6 9 70000 offcpu-time prog+10 prog+8\n",
			&p, &log);
		assert_string_equal(p->events[0].unit.p, "ns");
		made_foreign = false;
		cr_profile_free(p);
		cr_text_fini(&raw);
	}
}

/* Two events of one name are one, whose samples have what the one or the other of them records. */
static void
test_events_of_one_name_have_the_details_of_both(void **state)
{
	const struct perf_attr first = clock_with(PERF_SAMPLE_CGROUP),
			       second = clock_with(PERF_SAMPLE_ADDR);
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_attr(&m, &first, &(uint64_t){7}, 1);
	made_attr(&m, &second, &(uint64_t){8}, 1);
	made_cgroup(&m, 1, 10, "/x");
	made_sample(
		&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 2, .ip = 4, .cgroup = 10});
	made_sample(&m,
		&(struct made_sample){
			.attr = 1, .id = 8, .pid = 5, .tid = 5, .time = 3, .ip = 4, .addr = 0x10});
	made_sample(
		&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 4, .ip = 4, .cgroup = 11});
	assert_reads(&m,
		":5 5/5 2 0 cpu-clock [unknown]+4\n:5 5/5 3 0 cpu-clock [unknown]+4\n"
		":5 5/5 4 0 cpu-clock [unknown]+4\n",
		&p, &log);
	assert_field(p, "cpu-clock", "cgroup", "/x - cgroup 11");
	assert_field(p, "cpu-clock", "addr", "- 0x10 -");
	cr_profile_free(p);
}

/* ---- records that are only counted */

static void
test_records_are_counted_by_type_and_losses_are_told(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_clock(&m);
	made_words(&m, MADE_LOST, 1, (const uint64_t[]){7, 30}, 2);
	made_words(&m, MADE_LOST, 2, (const uint64_t[]){7, 12}, 2);
	made_words(&m, MADE_LOST_SAMPLES, 3, (const uint64_t[]){5}, 1);
	made_words(&m, MADE_THROTTLE, 4, (const uint64_t[]){4, 7, 7}, 3);
	made_words(&m, MADE_READ, 5, (const uint64_t[]){5, 100}, 2);
	made_namespaces(&m, 5, 6);
	made_exit(&m, 5, 5, 7);
	sample(&m, 5, 5, 8, 4);
	made_round(&m);
	assert_reads(&m, ":5 5/5 8 10 cpu-clock [unknown]+4\n", &p, &log);
	assert_int_equal(log.n, 0);
	assert_str(cr_profile_fact(p, "records"),
		"LOST 2, EXIT 1, THROTTLE 1, READ 1, SAMPLE 1, LOST_SAMPLES 1, "
		"NAMESPACES 1, FINISHED_ROUND 1");
	assert_int_equal(quality_of(p, "records lost while recording"), 42);
	assert_int_equal(quality_of(p, "samples lost while recording"), 5);
	assert_int_equal(quality_of(p, "times the kernel throttled an event"), 1);
	cr_profile_free(p);
}

/* ---- stacks that come as registers and memory */

enum { WORDS = 8, SP = 0x7ff000 };

/* bp, sp and ip of x86-64, and so much of the stack. */
static void
unwinding(struct made_perf *m)
{
	struct perf_attr a = clock_with(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);

	a.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	a.sample_regs_user = 7u << 6;
	a.sample_stack_user = WORDS * 8;
	made_attr(m, &a, &(uint64_t){7}, 1);
	made_string(
		&m->features[3], "host"); /* tells in which words the bits of the features come */
	made_string(&m->features[6], "x86_64");
	map_prog(m);
}

static void
unwound_sample(struct made_perf *m, uint64_t abi, const uint64_t *regs, const uint64_t words[WORDS],
	uint64_t have)
{
	static const uint64_t kernel[] = {MADE_CHAIN_KERNEL, 0xf010};
	struct cr_text stack = {0};

	for (size_t i = 0; i < WORDS; i++)
		made_u64(&stack, words[i]);
	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = 5,
			       .time = 10,
			       .period = 1,
			       .ip = PROG + 1,
			       .chain = kernel,
			       .n_chain = 2,
			       .regs_abi = abi,
			       .regs = regs,
			       .stack = stack.p,
			       .stack_bytes = stack.len,
			       .stack_have = have});
	cr_text_fini(&stack);
}

/*
 * Nothing is known of the program: frame records, one at SP + 8 and one at SP + 40. Then one that
 * ends in the kernel.
 */
static void
records_to_follow(struct made_perf *m)
{
	static const uint64_t words[WORDS] = {
		0, SP + 40, PROG + 0x21, 0, 0, SP + 80, PROG + 0x31, 0};
	static const uint64_t regs[] = {SP + 8, SP, PROG + 0x10};

	unwinding(m);
	unwound_sample(m, 2, regs, words, WORDS * 8);
	unwound_sample(m, 2, regs, words, 48);
	unwound_sample(m, 2, regs, words, 0);
	unwound_sample(m, 0, NULL, words, WORDS * 8);
}

static void
test_a_stack_of_registers_and_memory_is_the_users_part(void **state)
{
	(void)state;
	for (int foreign = 0; foreign < 2; foreign++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = foreign;
		records_to_follow(&m);
		assert_reads(&m,
			"prog 5/5 10 1 cpu-clock prog+10 [unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock prog+10 [unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock [unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock [unknown]+f010\n",
			&p, &log);
		assert_int_equal(quality_of(p, "user stacks without unwind information: /bin/prog "
					       "(files are not looked for)"),
			2);
		assert_int_equal(quality_of(p, CR_QUALITY_COULD_GUESS), 2);
		assert_int_equal(quality_of(p, CR_QUALITY_GUESSED), 0);
		assert_null(cr_field_find(p, (cr_event_id){0}, CR_STR("guessed")));
		cr_profile_free(p);
	}
	made_foreign = false;
}

static void
test_callers_are_guessed_when_asked_for_and_marked(void **state)
{
	static const struct cr_symbol_opts guess = {.symfs = "/nonexistent", .guess_callers = true};

	(void)state;
	reading_symbols = &guess;
	for (int foreign = 0; foreign < 2; foreign++) {
		const uint64_t none = cr_form_none(CR_FORM_NUMBER), guessed[] = {2, 1, none, none};
		struct made_perf m = {0};
		const struct cr_field *d;
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = foreign;
		records_to_follow(&m);
		assert_reads(&m,
			"prog 5/5 10 1 cpu-clock [truncated]+0 prog+30 prog+20 prog+10 "
			"[unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock prog+20 prog+10 [unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock [unknown]+f010\n"
			"prog 5/5 10 1 cpu-clock [unknown]+f010\n",
			&p, &log);
		assert_int_equal(quality_of(p, "user stacks truncated"), 1);
		assert_int_equal(
			quality_of(p,
				"user stacks without unwind information: /bin/prog (no such file)"),
			1);
		assert_int_equal(quality_of(p, CR_QUALITY_GUESSED), 2);
		assert_int_equal(quality_of(p, CR_QUALITY_COULD_GUESS), 0);
		assert_non_null(d = cr_field_find(p, (cr_event_id){0}, CR_STR("guessed")));
		assert_int_equal(d->have, 2);
		assert_memory_equal(d->value, guessed, sizeof(guessed));
		for (uint32_t i = 0; i < p->n_locations; i++) /* none of them is a return address */
			assert_int_equal(p->locations[i].ordinal, 0);
		cr_profile_free(p);
	}
	made_foreign = false;
	reading_symbols = NULL;
}

static void
test_a_stack_that_makes_no_sense_is_told(void **state)
{
	static const uint64_t words[WORDS] = {0};
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	unwinding(&m);
	unwound_sample(&m, 2, (const uint64_t[]){0, SP, (uint64_t)-512}, words, WORDS * 8);
	assert_reads(&m, "prog 5/5 10 1 cpu-clock [unknown]+f010\n", &p, &log);
	assert_int_equal(quality_of(p, "user stacks that make no sense"), 1);
	cr_profile_free(p);
}

/* ---- what hostile chains may cost: seconds, not hours */

static void
test_many_waiting_samples_and_answers_to_others_are_soon_done(void **state)
{
	const clock_t start = clock();
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_text f;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	deferring(&m);
	for (uint32_t i = 0; i < 30000; i++)
		deferred_sample(&m, 1000 + i, 10, i);
	for (uint32_t i = 0; i < 300000; i++)
		made_deferred(&m, 5, 6, 11, i, NULL, 0);
	f = made_file(&m);
	assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	testing_cpu_within(start, 10);
	assert_int_equal(p->samples.n, 30000);
	cr_profile_free(p);
	cr_text_fini(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sample_of_a_group_is_one_of_each_member_that_counted),
		cmocka_unit_test(test_threads_that_inherit_their_counters_count_for_themselves),
		cmocka_unit_test(test_an_event_that_counts_while_it_samples_has_the_difference),
		cmocka_unit_test(test_values_without_ids_leave_the_period_as_it_is),
		cmocka_unit_test(test_values_of_an_unknown_event_are_told),
		cmocka_unit_test(test_a_group_larger_than_what_is_on_its_way_comes_whole),
		cmocka_unit_test(test_a_call_stack_of_branches_is_the_users_part),
		cmocka_unit_test(test_an_index_of_the_hardware_is_there_or_not),
		cmocka_unit_test(test_a_chain_that_is_completed_later_has_both_parts),
		cmocka_unit_test(test_a_chain_that_was_not_completed_has_its_first_part),
		cmocka_unit_test(test_the_mark_alone_defers_nothing),
		cmocka_unit_test(test_deferred_members_of_a_group_come_each),
		cmocka_unit_test(test_a_cpu_that_cannot_be_is_kept_as_such),
		cmocka_unit_test(test_numbers_become_details),
		cmocka_unit_test(test_branches_are_summed_up),
		cmocka_unit_test(test_least_and_most_cycles_of_a_branch),
		cmocka_unit_test(test_there_are_blocks_if_no_branch_is_missing),
		cmocka_unit_test(test_branches_join_the_stack_on_request),
		cmocka_unit_test(test_loops_of_branches_are_in_the_stack_once),
		cmocka_unit_test(test_cgroups_have_the_path_that_was_told_last),
		cmocka_unit_test(test_a_namespace_of_cgroups_is_a_field),
		cmocka_unit_test(test_a_data_source_becomes_words),
		cmocka_unit_test(test_fields_of_a_tracepoint_become_details),
		cmocka_unit_test(test_the_sample_in_the_bytes_of_a_program_is_the_one),
		cmocka_unit_test(test_events_of_one_name_have_the_details_of_both),
		cmocka_unit_test(test_records_are_counted_by_type_and_losses_are_told),
		cmocka_unit_test(test_a_stack_of_registers_and_memory_is_the_users_part),
		cmocka_unit_test(test_callers_are_guessed_when_asked_for_and_marked),
		cmocka_unit_test(test_a_stack_that_makes_no_sense_is_told),
		cmocka_unit_test(test_many_waiting_samples_and_answers_to_others_are_soon_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
