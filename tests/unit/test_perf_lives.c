#include "perf_reading.h"

#include "query/time/syscall_names.h"
#include "read/perf_data/perf_offcpu_p.h"

/* What perf_offcpu.c knows of threads, apart from the times off the CPU themselves. */
struct fixture {
	struct cr_builder *b;
	struct perf_offcpu o;
	struct cr_sample sample; /* of thread 5 on cpu 3 */
	struct cr_profile *p;
};

static void
fixture_init(struct fixture *f)
{
	*f = (struct fixture){.b = cr_builder_new(NULL), .o.wide = true};
	f->sample.task =
		cr_builder_task(f->b, 5, 5, CR_STR("prog"), cr_builder_address_space(f->b));
	f->sample.cpu = 3;
}

static void
leave(struct fixture *f, uint32_t tid, uint64_t time, int64_t state)
{
	struct cr_sample s = f->sample;

	s.time_ns = time;
	cr_perf_offcpu_leave(&f->o, f->b, PERF_OFF_BY_SAMPLE, tid, &s, state);
}

static void
back(struct fixture *f, uint64_t time)
{
	cr_perf_offcpu_return(&f->o, f->b, 5, time);
}

static void
wake(struct fixture *f, uint64_t time)
{
	cr_perf_offcpu_wake(&f->o, 5, time, cr_builder_text(f->b, CR_STR("waker")), 9);
}

/* The recording ends at 1000. */
static void
finish(struct fixture *f)
{
	struct cr_err err = CR_ERR_INIT;

	cr_perf_offcpu_end(&f->o, f->b, 1000);
	cr_perf_offcpu_lives(&f->o, f->b, 1000);
	assert_int_equal(cr_builder_finish(f->b, NULL, &f->p, &err), CR_OK);
	cr_builder_free(f->b);
	cr_perf_offcpu_fini(&f->o);
}

/* Times and weights of the samples of an event. */
static void
assert_event_times(const struct fixture *f, const char *event, const char *want)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (uint64_t i = 0; i < f->p->samples.n; i++)
		if (cr_str_eq(f->p->events[f->p->samples.event[i]].name, cr_str_of(event)))
			cr_text_printf(&t, "%s%llu:%llu", t.len ? " " : "",
				(unsigned long long)f->p->samples.time_ns[i],
				(unsigned long long)f->p->samples.weight[i]);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
test_a_wait_ends_in_the_run_queue_once_the_thread_is_woken(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	back(&f, 100);
	leave(&f, 5, 130, 1);
	wake(&f, 150);
	wake(&f, 155); /* the first counts */
	back(&f, 160);
	leave(&f, 5, 200, 0x10);
	finish(&f);
	assert_event_times(&f, "off-cpu", "160:30");
	assert_field(f.p, "off-cpu", "queued", "10");
	assert_field(f.p, "off-cpu", "waker", "waker");
	assert_field(f.p, "off-cpu", "waker_tid", "9");
	assert_field(f.p, "off-cpu", "ran", "30");
	assert_event_times(&f, "lifetime", "200:100");
	assert_field(f.p, "lifetime", "ran", "40");
	assert_str(cr_profile_fact(f.p, "derived events"), "off-cpu, lifetime");
	cr_profile_free(f.p);
}

static void
test_a_waking_while_it_runs_is_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	back(&f, 100);
	wake(&f, 120);
	leave(&f, 5, 130, 1);
	back(&f, 160);
	finish(&f);
	assert_event_times(&f, "off-cpu", "160:30");
	assert_null(cr_field_find(f.p, (cr_event_id){0}, CR_STR("queued")));
	cr_profile_free(f.p);
}

static void
test_the_first_wait_is_for_a_cpu_only(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	cr_perf_offcpu_fork(&f.o, f.b, 5, 90);
	wake(&f, 95);
	back(&f, 100);
	leave(&f, 5, 130, 1);
	finish(&f);
	assert_event_times(&f, "lifetime", "1000:910");
	assert_field(f.p, "lifetime", "queued", "5");
	assert_field(f.p, "lifetime", "open", "870");
	assert_field(f.p, "lifetime", "state", "S");
	cr_profile_free(f.p);
}

static void
test_a_missed_return_was_at_the_switch_or_waking_before(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	back(&f, 100);
	leave(&f, 5, 130, 1);
	leave(&f, 6, 150, 1); /* another one leaves the cpu; nobody says who follows */
	leave(&f, 5, 180, 1);
	wake(&f, 200);
	leave(&f, 5, 210, 1);
	back(&f, 230);
	finish(&f);
	assert_event_times(&f, "off-cpu", "150:20 200:20 230:20 1000:850");
	assert_field(f.p, "off-cpu", "ran", "30 30 10 20");
	assert_field(f.p, "off-cpu", "open", "- - - 1");
	cr_profile_free(f.p);
}

/* It slept and ran in between; for how long is unknown. */
static void
test_a_missed_return_without_a_trace_is_counted(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	back(&f, 100);
	leave(&f, 5, 130, 1);
	leave(&f, 5, 180, 1);
	back(&f, 190);
	finish(&f);
	assert_event_times(&f, "off-cpu", "190:10");
	assert_null(cr_field_find(f.p, (cr_event_id){0}, CR_STR("ran")));
	assert_int_equal(quality_of(f.p, "times off the CPU whose end was not recorded"), 1);
	cr_profile_free(f.p);
}

static void
test_a_tid_used_again_is_a_second_life(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	back(&f, 100);
	leave(&f, 5, 130, 1);
	back(&f, 140);
	cr_perf_offcpu_exit(&f.o, 5, 150);
	leave(&f, 5, 155, 0x10); /* its last way */
	cr_perf_offcpu_fork(&f.o, f.b, 5, 300);
	back(&f, 310);
	leave(&f, 5, 320, 0x20);
	finish(&f);
	assert_event_times(&f, "lifetime", "155:55");
	assert_field(f.p, "lifetime", "ran", "15");
	cr_profile_free(f.p);
}

static void
test_system_calls_have_the_names_of_their_machine(void **state)
{
	static const struct {
		const char *arch, *name;
		uint64_t number;
	} cases[] = {
		{"x86_64", "read", 0},
		{"x86_64", "rseq", 334},
		{"x86_64", "", 336},
		{"x86_64", "pidfd_send_signal", 424},
		{"x86_64", "cachestat", 451},
		{"x86_64", "fchmodat2", 452},
		{"x86_64", "", UINT64_MAX},
		{"i686", "restart_syscall", 0},
		{"i386", "read", 3},
		{"aarch64", "read", 63},
		{"aarch64", "newfstatat", 79},
		{"s390x", "", 3},
		{"", "", 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_str(
			cr_syscall_name(cr_str_of(cases[i].arch), cases[i].number), cases[i].name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_wait_ends_in_the_run_queue_once_the_thread_is_woken),
		cmocka_unit_test(test_a_waking_while_it_runs_is_none),
		cmocka_unit_test(test_the_first_wait_is_for_a_cpu_only),
		cmocka_unit_test(test_a_missed_return_was_at_the_switch_or_waking_before),
		cmocka_unit_test(test_a_missed_return_without_a_trace_is_counted),
		cmocka_unit_test(test_a_tid_used_again_is_a_second_life),
		cmocka_unit_test(test_system_calls_have_the_names_of_their_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
