#include "testing.h"

#include "read/perf_data/perf_order_p.h"

/* Records are told apart by where they are: the i-th of the file. */
static const unsigned char file[8000];

static const unsigned char *
record(uint64_t i)
{
	return file + i;
}

/* What a round gives out, by number: "1 5 2 ". */
static void
assert_round(struct perf_order *o, bool all, const char *want)
{
	const struct perf_order_entry *due;
	struct cr_text have = {0};
	size_t n;

	cr_perf_order_round(o, all, &due, &n);
	cr_text_puts(&have, "");
	for (size_t i = 0; i < n; i++)
		cr_text_printf(&have, "%llu ", (unsigned long long)(due[i].p - file));
	assert_string_equal(have.p, want);
	cr_text_fini(&have);
}

static void
test_a_round_gives_what_the_round_before_it_has_closed(void **state)
{
	struct perf_order o = {0};

	(void)state;
	assert_round(&o, false, "");
	cr_perf_order_add(&o, 30, record(1));
	cr_perf_order_add(&o, 10, record(2));
	assert_round(&o, false, ""); /* the first round closes nothing */
	cr_perf_order_add(&o, 20, record(3));
	cr_perf_order_add(&o, 40, record(4));
	assert_round(&o, false, "2 3 1 "); /* up to 30 */
	assert_round(&o, false, "4 ");
	assert_round(&o, true, "");
	cr_perf_order_fini(&o);
}

static void
test_equal_times_keep_the_order_of_the_file(void **state)
{
	struct perf_order o = {0};

	(void)state;
	for (uint64_t i = 1; i <= 6; i++)
		cr_perf_order_add(&o, i % 2 ? 5 : 4, record(i));
	assert_round(&o, true, "2 4 6 1 3 5 ");
	cr_perf_order_fini(&o);
}

static void
test_a_record_that_comes_too_late_is_given_late(void **state)
{
	struct perf_order o = {0};

	(void)state;
	cr_perf_order_add(&o, 50, record(1));
	assert_round(&o, false, "");
	cr_perf_order_add(&o, 60, record(2));
	assert_round(&o, false, "1 ");
	cr_perf_order_add(&o, 10, record(3)); /* 50 is out already */
	assert_round(&o, false, "3 2 ");
	cr_perf_order_fini(&o);
}

/* The same by the plainest means: a list that is searched for the least each time. */
struct slow {
	struct perf_order_entry e[4000];
	size_t n;
	uint64_t limit, newest;
};

static size_t
slow_take(struct slow *s, bool all, struct perf_order_entry *out)
{
	size_t n = 0;

	for (;;) {
		size_t least = s->n;

		for (size_t i = 0; i < s->n; i++)
			if ((all || s->e[i].time <= s->limit) &&
				(least == s->n || s->e[i].time < s->e[least].time))
				least = i;
		if (least == s->n)
			break;
		out[n++] = s->e[least];
		memmove(s->e + least, s->e + least + 1, (s->n - least - 1) * sizeof(*s->e));
		s->n--;
	}
	s->limit = s->newest;
	return n;
}

static void
test_random_rounds_agree_with_a_slow_model(void **state)
{
	uint64_t random = 42;

	(void)state;
	for (unsigned run = 0; run < 60; run++) {
		struct slow *s = calloc(1, sizeof(*s));
		static struct perf_order_entry want[4000];
		struct perf_order o = {0};
		uint64_t base = 1000;

		for (uint64_t i = 0; i < 1500; i++) {
			const uint64_t time =
				base - testing_random(&random) % 900 % (run * 10 + 1) + i % 7;
			const bool all = i == 1499;

			cr_perf_order_add(&o, time, record(i));
			s->e[s->n++] = (struct perf_order_entry){time, record(i)};
			s->newest = CR_MAX(s->newest, time);
			base += testing_random(&random) % 5;
			if (all || testing_random(&random) % 40 == 0) {
				const struct perf_order_entry *due;
				const size_t n_want = slow_take(s, all, want);
				size_t n;

				cr_perf_order_round(&o, all, &due, &n);
				assert_int_equal(n, n_want);
				for (size_t k = 0; k < n; k++)
					assert_ptr_equal(due[k].p, want[k].p);
			}
		}
		cr_perf_order_fini(&o);
		free(s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_round_gives_what_the_round_before_it_has_closed),
		cmocka_unit_test(test_equal_times_keep_the_order_of_the_file),
		cmocka_unit_test(test_a_record_that_comes_too_late_is_given_late),
		cmocka_unit_test(test_random_rounds_agree_with_a_slow_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
