#include "perf_reading.h"

#include "read/perf_data/perf_offcpu_p.h"
#include "testing_writer.h"
#include "tracing_maker.h"

#define PROG 0x400000u

/* ---- perf_offcpu alone */

struct fixture {
	struct cr_builder *b;
	struct perf_offcpu o;
	struct cr_sample sample; /* of thread 5, somewhere */
};

static void
fixture_init(struct fixture *f)
{
	const struct cr_dso prog = {.name = CR_STR("/bin/prog"), .kind = CR_KIND_USER};

	*f = (struct fixture){.b = cr_builder_new(NULL)};
	f->sample.task =
		cr_builder_task(f->b, 5, 5, CR_STR("prog"), cr_builder_address_space(f->b));
	f->sample.node = cr_builder_push(
		f->b, CR_ROOT, cr_builder_location(f->b, cr_builder_dso(f->b, &prog), 0x10, 0));
	f->sample.cpu = 3;
}

static void
leave(struct fixture *f, enum perf_off_source by, uint32_t tid, uint64_t time, int64_t state)
{
	struct cr_sample s = f->sample;

	s.time_ns = time;
	if (by == PERF_OFF_BY_SWITCH)
		s.node = CR_ROOT;
	cr_perf_offcpu_leave(&f->o, f->b, by, tid, &s, state);
}

/* The recording ends at 1000. NULL where nothing came of it. */
static void
assert_off(struct fixture *f, const char *want, const char *states, uint64_t ends_missed)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_perf_offcpu_end(&f->o, f->b, 1000);
	cr_builder_finish(f->b, NULL, &p, &err);
	cr_builder_free(f->b);
	cr_perf_offcpu_fini(&f->o);
	assert_int_equal(p != NULL, want != NULL);
	if (!p)
		return;
	assert_text(p, want);
	assert_field(p, "off-cpu", "state", states);
	assert_int_equal(
		quality_of(p, "times off the CPU whose end was not recorded"), ends_missed);
	assert_str(p->events[0].unit, "ns");
	assert_true(cr_event_is_derived(p, (cr_event_id){0}));
	for (uint64_t i = 0; i < p->samples.n; i++)
		assert_int_equal(p->samples.cpu[i], 3);
	cr_profile_free(p);
}

static void
test_off_the_cpu_is_from_leaving_to_coming_back(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	cr_perf_offcpu_return(&f.o, f.b, 5, 50); /* it was away, but nobody knows since when */
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1);
	cr_perf_offcpu_return(&f.o, f.b, 6, 150); /* somebody else */
	cr_perf_offcpu_return(&f.o, f.b, 5, 170);
	cr_perf_offcpu_return(&f.o, f.b, 5, 180); /* told twice */
	leave(&f, PERF_OFF_BY_SWITCH, 5, 200, -1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 201);
	assert_off(&f, "prog 5/5 170 70 off-cpu prog+10\nprog 5/5 201 1 off-cpu\n", "S -", 0);
}

static void
test_leaving_told_by_both_counts_once(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct fixture f;

		fixture_init(&f);
		leave(&f, i ? PERF_OFF_BY_SWITCH : PERF_OFF_BY_SAMPLE, 5, 100, i ? -1 : 2);
		leave(&f, i ? PERF_OFF_BY_SAMPLE : PERF_OFF_BY_SWITCH, 5, 101, i ? 2 : -1);
		cr_perf_offcpu_return(&f.o, f.b, 5, 170);
		assert_off(&f, "prog 5/5 170 70 off-cpu prog+10\n", "D",
			0); /* since the first, with the stack */
	}
}

static void
test_states_have_the_letters_of_ps(void **state)
{
	static const struct {
		int64_t state;
		const char *name;
	} cases[] = {
		{0, "R"},
		{0x100, "R+"},
		{1, "S"},
		{2, "D"},
		{4, "T"},
		{8, "t"},
		{0x40, "P"},
		{0x80, "I"},
		{-1, "-"},
		{0x1000, "-"},
		{0x101, "S"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct fixture f;
		char states[16];

		snprintf(states, sizeof(states), "S %s", cases[i].name);
		fixture_init(&f);
		leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1); /* so that there is a field */
		cr_perf_offcpu_return(&f.o, f.b, 5, 101);
		leave(&f, PERF_OFF_BY_SAMPLE, 5, 200, cases[i].state);
		cr_perf_offcpu_return(&f.o, f.b, 5, 201);
		assert_off(&f, "prog 5/5 101 1 off-cpu prog+10\nprog 5/5 201 1 off-cpu prog+10\n",
			states, 0);
	}
}

static void
test_the_dead_and_the_idle_do_not_wait(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	leave(&f, PERF_OFF_BY_SAMPLE, 0, 100, 1); /* the idle task */
	cr_perf_offcpu_return(&f.o, f.b, 0, 110);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 0x10); /* it exits: nobody hears of it again */
	leave(&f, PERF_OFF_BY_SAMPLE, 6, 100, 0x20); /* a zombie */
	cr_perf_offcpu_exit(&f.o, 7, 0);
	leave(&f, PERF_OFF_BY_SWITCH, 7, 100, -1); /* on its last way */
	leave(&f, PERF_OFF_BY_SAMPLE, 8, 100, 1);
	cr_perf_offcpu_exit(&f.o, 8, 0);
	cr_perf_offcpu_exit(&f.o, 0, 0);
	assert_off(&f, NULL, NULL, 0);
}

static void
test_a_tid_that_is_used_again_may_wait_again(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	cr_perf_offcpu_exit(&f.o, 5, 0);
	leave(&f, PERF_OFF_BY_SWITCH, 5, 100, -1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 300);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 310, 1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 330);
	assert_off(&f, "prog 5/5 330 20 off-cpu prog+10\n", "S", 0);
}

static void
test_an_end_that_was_missed_is_told_and_open_ones_are_left(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 200, 2); /* it was back in between */
	cr_perf_offcpu_return(&f.o, f.b, 5, 230);
	leave(&f, PERF_OFF_BY_SAMPLE, 6, 300, 1);
	assert_off(&f, "prog 5/5 230 30 off-cpu prog+10\n", "D", 1);
}

static void
test_who_is_still_off_at_the_end_was_so_until_then(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	leave(&f, PERF_OFF_BY_SAMPLE, 6, 100, 1);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 200, 1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 230);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 1000, 1); /* left as it ended: no time at all */
	assert_off(&f, "prog 5/5 230 30 off-cpu prog+10\nprog 5/5 1000 900 off-cpu prog+10\n",
		"S S", 0);
}

/* Where no thread was ever seen to come back, nothing is known of how long they were away. */
static void
test_without_any_coming_back_there_is_no_event(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1);
	assert_off(&f, NULL, NULL, 0);
}

static void
test_time_that_goes_back_is_no_time(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 90);
	leave(&f, PERF_OFF_BY_SAMPLE, 5, 100, 1);
	cr_perf_offcpu_return(&f.o, f.b, 5, 100);
	assert_off(&f, NULL, NULL, 0);
}

/* ---- through the reader */

static void
sched_switch(struct made_perf *m)
{
	static const struct made_format formats[] = {{"sched", MADE_SCHED_SWITCH}};

	made_attr(m,
		&(struct perf_attr){.type = 2,
			.config = 316,
			.sample_type = MADE_TYPE | PERF_SAMPLE_RAW,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){7}, 1);
	made_tracing(&m->features[1], formats, 1);
	made_string(&m->features[3], "box");
	made_comm(m, 5, 5, 1, "prog");
	made_comm(m, 6, 6, 1, "other");
	made_mmap(m, 5, 2, PROG, 0x1000, 0, "/bin/prog");
}

/* A sample of the switch from one to the other, with a stack. */
static void
switches(struct made_perf *m, uint64_t time, uint32_t from, uint64_t state, uint32_t to)
{
	static const uint64_t chain[] = {MADE_CHAIN_USER, PROG + 0x20, PROG + 0x10};
	struct cr_text raw = {0};

	made_u16(&raw, 316);
	cr_text_pad(&raw, '\0', 6 + 16);
	made_u32(&raw, from);
	made_u32(&raw, 120);
	made_u64(&raw, state);
	cr_text_pad(&raw, '\0', 16);
	made_u32(&raw, to);
	made_u32(&raw, 120);
	cr_text_pad(&raw, '\0', 4);
	made_sample(m, &(struct made_sample){.pid = from,
			       .tid = from,
			       .time = time,
			       .period = 1,
			       .ip = PROG,
			       .raw = raw.p,
			       .raw_bytes = (uint32_t)raw.len,
			       .chain = chain,
			       .n_chain = from == 5 ? 3 : 0});
	cr_text_fini(&raw);
}

static void
test_switches_tell_how_long_a_thread_was_away(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_foreign = i;
		sched_switch(&m);
		switches(&m, 10, 5, 1, 0);
		switches(&m, 40, 6, 0x10, 5);
		assert_reads(&m,
			"prog 5/5 10 1 sched:sched_switch prog+10 prog+20\n"
			"other 6/6 40 1 sched:sched_switch [unknown]+400000\n"
			"prog 5/5 40 30 off-cpu prog+10 prog+20\n",
			&p, &log);
		made_foreign = false;
		assert_int_equal(log.n, 0);
		assert_field(p, "off-cpu", "state", "S");
		assert_str(cr_profile_fact(p, "derived events"), "off-cpu, lifetime");
		cr_profile_free(p);
	}
}

static void
test_switch_records_alone_tell_it_without_a_stack(void **state)
{
	static const struct {
		uint16_t misc;
		const char *state;
	} cases[] = {
		{MADE_SWITCH_OUT, "no such detail"},
		{MADE_SWITCH_OUT | MADE_PREEMPTED, "R"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases) * 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_clock(&m);
		made_comm(&m, 5, 5, 1, "prog");
		sample(&m, 5, 5, 5, 4);
		if (i % 2) {
			made_switch_wide(&m, cases[i / 2].misc, 5, 5, 6, 10);
			made_switch_wide(&m, 0, 5, 5, 6, 25);
		} else {
			made_switch(&m, cases[i / 2].misc, 5, 5, 10);
			made_switch(&m, 0, 5, 5, 25);
		}
		sample(&m, 5, 5, 30, 4);
		assert_reads(&m,
			"prog 5/5 5 10 cpu-clock [unknown]+4\nprog 5/5 25 15 off-cpu\n"
			"prog 5/5 30 10 cpu-clock [unknown]+4\n",
			&p, &log);
		assert_field(p, "off-cpu", "state", cases[i / 2].state);
		assert_str(cr_profile_fact(p, "duration_ns"), "25");
		cr_profile_free(p);
	}
}

/* The wall's clock is time on the CPU and off it, and there is one only if both were seen. */
static void
test_the_two_halves_make_the_wall_clock(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;

		made_clock(&m);
		made_comm(&m, 5, 5, 1, "prog");
		if (i < 2)
			sample(&m, 5, 5, 5, 4);
		made_switch(&m, MADE_SWITCH_OUT, 5, 5, 10);
		made_switch(&m, 0, 5, 5, i == 1 ? 10 : 25); /* or away for no time */
		assert_reads(&m,
			i == 0   ? "prog 5/5 5 10 cpu-clock [unknown]+4\nprog 5/5 25 15 off-cpu\n"
			: i == 1 ? "prog 5/5 5 10 cpu-clock [unknown]+4\n"
				 : "prog 5/5 25 15 off-cpu\n",
			&p, &log);
		assert_str(cr_profile_fact(p, "wall"), i == 0 ? "cpu-clock + off-cpu" : "");
		assert_int_equal(p->n_events, i == 0 ? 4 : i);
		if (i == 0)
			assert_int_equal(p->events[3].weight, 25);
		cr_profile_free(p);
	}
}

static void
test_switches_and_switch_records_count_once(void **state)
{
	struct made_perf m = {0};

	(void)state;
	sched_switch(&m);
	switches(&m, 10, 5, 1, 0);
	made_switch(&m, MADE_SWITCH_OUT, 5, 5, 11);
	made_switch(&m, 0, 5, 5, 40);
	switches(&m, 40, 6, 0x10, 5);
	assert_samples(&m, "prog 5/5 10 1 sched:sched_switch prog+10 prog+20\n"
			   "prog 5/5 40 30 off-cpu prog+10 prog+20\n"
			   "other 6/6 40 1 sched:sched_switch [unknown]+400000\n");
}

/* A switch that leads a group is one switch, although it is a sample of each member. */
static void
test_a_switch_that_leads_a_group_counts_once(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;
	struct cr_text raw = {0};

	(void)state;
	sched_switch(&m);
	m.attrs[0].sample_type |= PERF_SAMPLE_READ;
	m.attrs[0].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	made_attr(&m,
		&(struct perf_attr){.type = 1,
			.sample_type = m.attrs[0].sample_type,
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){8}, 1);
	made_u16(&raw, 316);
	cr_text_pad(&raw, '\0', 66);
	for (uint64_t i = 1; i < 4; i++)
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 10 * i,
					.ip = PROG,
					.raw = raw.p,
					.raw_bytes = 68,
					.read = (const uint64_t[]){2, i, 7, 100 * i, 8},
					.n_read = 5});
	made_switch(&m, 0, 5, 5, 40);
	assert_reads(&m,
		"prog 5/5 10 1 sched:sched_switch prog+0\nprog 5/5 10 100 cpu-clock prog+0\n"
		"prog 5/5 20 1 sched:sched_switch prog+0\nprog 5/5 20 100 cpu-clock prog+0\n"
		"prog 5/5 30 1 sched:sched_switch prog+0\nprog 5/5 30 100 cpu-clock prog+0\n"
		"prog 5/5 40 10 off-cpu prog+0\n",
		&p, &log);
	assert_int_equal(quality_of(p, "times off the CPU whose end was not recorded"), 2);
	cr_profile_free(p);
	cr_text_fini(&raw);
}

static char *
script_of(const struct cr_profile *p, const uint8_t *select)
{
	return testing_written("script", &(struct cr_write_in){.p = p, .select = select}, NULL);
}

static void
test_the_event_is_no_record_and_is_exported_only_if_asked_for(void **state)
{
	uint8_t all[16];
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;
	char *plain, *asked;

	(void)state;
	sched_switch(&m);
	switches(&m, 10, 5, 1, 0);
	switches(&m, 40, 6, 0x10, 5);
	made_switch(&m, 0, 5, 5, 41);
	assert_reads(&m,
		"prog 5/5 10 1 sched:sched_switch prog+10 prog+20\n"
		"other 6/6 40 1 sched:sched_switch [unknown]+400000\n"
		"prog 5/5 40 30 off-cpu prog+10 prog+20\n",
		&p, &log);
	assert_str(cr_profile_fact(p, "records"), "COMM 2, SAMPLE 2, MMAP2 1, SWITCH 1");
	plain = script_of(p, NULL);
	assert_true(p->samples.n <= sizeof(all));
	memset(all, 1, sizeof(all));
	asked = script_of(p, all);
	assert_null(strstr(plain, "off-cpu"));
	assert_non_null(strstr(plain, "sched:sched_switch"));
	assert_non_null(strstr(asked, "off-cpu"));
	free(plain);
	free(asked);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off_the_cpu_is_from_leaving_to_coming_back),
		cmocka_unit_test(test_leaving_told_by_both_counts_once),
		cmocka_unit_test(test_states_have_the_letters_of_ps),
		cmocka_unit_test(test_the_dead_and_the_idle_do_not_wait),
		cmocka_unit_test(test_a_tid_that_is_used_again_may_wait_again),
		cmocka_unit_test(test_an_end_that_was_missed_is_told_and_open_ones_are_left),
		cmocka_unit_test(test_who_is_still_off_at_the_end_was_so_until_then),
		cmocka_unit_test(test_without_any_coming_back_there_is_no_event),
		cmocka_unit_test(test_time_that_goes_back_is_no_time),
		cmocka_unit_test(test_switches_tell_how_long_a_thread_was_away),
		cmocka_unit_test(test_switch_records_alone_tell_it_without_a_stack),
		cmocka_unit_test(test_the_two_halves_make_the_wall_clock),
		cmocka_unit_test(test_switches_and_switch_records_count_once),
		cmocka_unit_test(test_a_switch_that_leads_a_group_counts_once),
		cmocka_unit_test(test_the_event_is_no_record_and_is_exported_only_if_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
