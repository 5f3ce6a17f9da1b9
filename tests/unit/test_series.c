#include "testing.h"

#include "query/time/series.h"

#define SECOND UINT64_C(1000000000)
#define FIRST (5 * SECOND)

/*
 * Samples at `at` tenths of a second after the first one; of two threads, two processors, two
 * events.
 */
static const struct made {
	uint64_t at;
	uint64_t weight;
	uint8_t task, cpu, event, leaf;
} rows[] = {
	{0, 5, 0, 0, 0, 1},
	{1, 7, 1, 1, 0, 2},
	{9, 1, 0, 0, 1, 1},
	{10, 2, 1, 0, 0, 3},
	{12, 3, 0, 1, 0, 1},
	{11, 4, 2, 1, 0, 2},
	{20, 6, 0, 0, 0, 0},
	{39, 8, 1, 1, 0, 1},
};

static struct cr_profile *
profile_of(const struct made *made, size_t n, uint64_t step_ns, uint32_t flags, const char *unit)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_event_id events[] = {cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles")),
		cr_builder_event(b, CR_STR("faults"), cr_str_of(unit))};
	const cr_task_id tasks[] = {cr_builder_task(b, 1, 1, CR_STR("x"), space),
		cr_builder_task(b, 1, 2, CR_STR("y"), space),
		cr_builder_task(b, 3, 3, CR_STR("x"), space)};
	const cr_node_id main_node =
		cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("main"), dso));
	const cr_node_id leaves[] = {CR_ROOT,
		cr_builder_push(b, main_node, cr_builder_named(b, CR_STR("f"), dso)),
		cr_builder_push(b, main_node, cr_builder_named(b, CR_STR("g"), CR_DSO_UNKNOWN)),
		cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("f"), dso))};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, flags);
	for (size_t i = 0; i < n; i++) {
		cr_builder_sample(
			b, &(struct cr_sample){.time_ns = made[i].at == UINT64_MAX
								  ? 0
								  : FIRST + made[i].at * step_ns,
				   .weight = made[i].weight,
				   .task = tasks[made[i].task],
				   .cpu = made[i].cpu,
				   .event = events[made[i].event],
				   .node = leaves[made[i].leaf]});
		if (made[i].event == 0 && i % 3)
			cr_builder_value(b,
				cr_builder_field(b, events[0], CR_STR("prio"), CR_FORM_NUMBER),
				i % 2);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

#define ALL_FLAGS (CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK)

static struct cr_profile *
few(void)
{
	return profile_of(rows, CR_LEN(rows), SECOND / 10, ALL_FLAGS, "faults");
}

/* "x 3/12: 5 1 6", a lane a line: its samples, its weight, that of its bins. */
static char *
as_text(const struct cr_series *s)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < s->n_lanes; i++) {
		const struct cr_series_lane *l = &s->lanes[i];

		if (l->is_rest)
			cr_text_printf(&t, "and %u", l->keys);
		cr_text_str(&t, l->name);
		cr_text_printf(&t, " %d/%d:", (int)l->samples, (int)l->weight);
		for (uint32_t k = 0; k < s->n_bins; k++)
			cr_text_printf(&t, " %d", (int)l->bin_weight[k]);
		cr_text_char(&t, '\n');
	}
	return t.p ? t.p : cr_strdup("");
}

static struct cr_query
query(const char *text)
{
	struct cr_query q = {0};
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_query_parse(&q, text, &err), CR_OK);
	return q;
}

static void
assert_series(const struct cr_profile *p, const char *text, const char *by, uint32_t bins,
	uint32_t top, const char *want)
{
	const struct cr_series_opts o = {.by = cr_lane_by_of(by), .bins = bins, .top = top};
	struct cr_query q = query(text);
	struct cr_err err = CR_ERR_INIT;
	struct cr_series s;
	char *have;

	assert_int_equal(cr_series_make(p, &q, &o, &s, &err), CR_OK);
	have = as_text(&s);
	assert_string_equal(have, want);
	free(have);
	cr_series_fini(&s);
	cr_query_fini(&q);
}

static void
test_samples_are_summed_in_equal_bins_by_every_key(void **state)
{
	/* 3.9 s and a nanosecond in 4 bins */
	static const struct {
		const char *by;
		uint32_t top;
		const char *want;
	} cases[] = {
		{"all", 0, "all 7/35: 12 9 6 8\n"},
		{"comm", 0, "x 4/18: 5 7 6 0\ny 3/17: 7 2 0 8\n"},
		{"pid", 0, "1 x 6/31: 12 5 6 8\n3 x 1/4: 0 4 0 0\n"},
		{"tid", 0, "2 y 3/17: 7 2 0 8\n1 x 3/14: 5 3 6 0\n3 x 1/4: 0 4 0 0\n"},
		{"tid", 1, "2 y 3/17: 7 2 0 8\nand 2 4/18: 5 7 6 0\n"},
		{"tid", 3, "2 y 3/17: 7 2 0 8\n1 x 3/14: 5 3 6 0\n3 x 1/4: 0 4 0 0\n"},
		{"cpu", 0, "cpu 1 4/22: 7 7 0 8\ncpu 0 3/13: 5 2 6 0\n"},
		{"function", 0, "f 4/18: 5 5 0 8\ng 2/11: 7 4 0 0\n[no stack] 1/6: 0 0 6 0\n"},
		{"object", 0,
			"/bin/x 4/18: 5 5 0 8\n[unknown] 2/11: 7 4 0 0\n[no stack] 1/6: 0 0 6 0\n"},
		/* of several units only samples can be counted */
		{"event", 0, "cycles 7/7: 2 3 1 1\nfaults 1/1: 1 0 0 0\n"},
		{"prio", 0, "prio=1 3/19: 7 4 0 8\nno prio 3/13: 5 2 6 0\nprio=0 1/3: 0 3 0 0\n"},
	};
	struct cr_profile *p = few();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_series(p, "", cases[i].by, 4, cases[i].top, cases[i].want);
	cr_profile_free(p);
}

static void
test_events_of_one_unit_are_added_up(void **state)
{
	struct cr_profile *p = profile_of(rows, CR_LEN(rows), SECOND / 10, ALL_FLAGS, "cycles");

	(void)state;
	assert_series(p, "", "event", 1, 0, "cycles 7/35: 35\nfaults 1/1: 1\n");
	assert_series(p, "event faults", "event", 1, 0, "faults 1/1: 1\n");
	cr_profile_free(p);
}

static void
test_the_span_is_the_recording_or_the_times_asked_for(void **state)
{
	static const struct {
		const char *query;
		uint64_t from_ns, len_ns;
		const char *want; /* in 2 bins */
	} cases[] = {
		{"", 0, 39 * SECOND / 10 + 1, "all 7/35: 21 14\n"},
		{"time 1s..2s", SECOND, SECOND, "all 3/9: 9 0\n"},
		{"time 1s..", SECOND, 29 * SECOND / 10 + 1, "all 5/23: 15 8\n"},
		{"time ..200ms; time 2s..3s", 0, 3 * SECOND, "all 3/18: 12 6\n"},
		{"time 50%..", 39 * SECOND / 20, 39 * SECOND / 20 + 1, "all 2/14: 6 8\n"},
		{"time 9s..99s", 39 * SECOND / 10, 1, ""},
	};
	struct cr_profile *p = few();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_series_opts o = {.bins = 2};
		struct cr_query q = query(cases[i].query);
		struct cr_err err = CR_ERR_INIT;
		struct cr_series s;

		assert_int_equal(cr_series_make(p, &q, &o, &s, &err), CR_OK);
		assert_int_equal(s.span.first_ns, FIRST);
		assert_int_equal(s.span.from_ns, cases[i].from_ns);
		assert_int_equal(s.span.len_ns, cases[i].len_ns);
		assert_true(s.bin_ns * s.n_bins >= s.span.len_ns &&
			    s.bin_ns * (s.n_bins - 1) < s.span.len_ns);
		cr_series_fini(&s);
		cr_query_fini(&q);
		assert_series(p, cases[i].query, "all", 2, 0, cases[i].want);
	}
	cr_profile_free(p);
}

static void
test_there_are_no_more_bins_than_nanoseconds(void **state)
{
	struct cr_profile *p = profile_of(rows, CR_LEN(rows), 1, ALL_FLAGS, "");
	const struct cr_series_opts o = {.bins = CR_SERIES_BINS_MOST};
	struct cr_err err = CR_ERR_INIT;
	struct cr_series s;

	(void)state;
	assert_int_equal(cr_series_make(p, &(struct cr_query){0}, &o, &s, &err), CR_OK);
	assert_int_equal(s.bin_ns, 1);
	assert_int_equal(s.n_bins, 40);
	assert_int_equal(s.lanes[0].bin_weight[39], 8);
	cr_series_fini(&s);
	cr_profile_free(p);
}

static void
test_samples_without_a_time_are_counted_and_in_no_bin(void **state)
{
	static const struct made two[] = {{UINT64_MAX, 3, 0, 0, 0, 1}, {0, 5, 0, 0, 0, 1}};
	struct cr_profile *p = profile_of(two, 2, 1, ALL_FLAGS, "");
	const struct cr_series_opts o = {.bins = 3};
	struct cr_err err = CR_ERR_INIT;
	struct cr_series s;
	struct cr_heat h;

	(void)state;
	assert_int_equal(cr_series_make(p, &(struct cr_query){0}, &o, &s, &err), CR_OK);
	assert_int_equal(s.untimed, 1);
	assert_int_equal(s.samples, 1);
	assert_int_equal(s.weight, 5);
	cr_series_fini(&s);
	assert_int_equal(cr_heat_make(p, &(struct cr_query){0}, 2, &h, &err), CR_OK);
	assert_int_equal(h.untimed, 1);
	assert_int_equal(h.whole, 1);
	cr_heat_fini(&h);
	cr_profile_free(p);
}

static void
test_what_was_not_recorded_is_refused(void **state)
{
	static const struct {
		uint32_t flags;
		uint64_t at;
		const char *by;
		enum cr_code code;
	} cases[] = {
		{0, 0, "all", CR_EUSAGE},
		{CR_PROFILE_HAS_TIME, UINT64_MAX, "all", CR_EUSAGE},
		{CR_PROFILE_HAS_TIME, 0, "comm", CR_EUSAGE},
		{CR_PROFILE_HAS_TIME, 0, "tid", CR_EUSAGE},
		{CR_PROFILE_HAS_TIME, 0, "cpu", CR_EUSAGE},
		{CR_PROFILE_HAS_TIME, 0, "nothing", CR_ENOTFOUND},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct made one = {.at = cases[i].at, .weight = 1};
		struct cr_profile *p = profile_of(&one, 1, 1, cases[i].flags, "");
		const struct cr_series_opts o = {.by = cr_lane_by_of(cases[i].by), .bins = 3};
		struct cr_err err = CR_ERR_INIT;
		struct cr_series s;

		assert_int_equal(
			cr_series_make(p, &(struct cr_query){0}, &o, &s, &err), cases[i].code);
		assert_null(s.lanes);
		cr_profile_free(p);
	}
}

static void
test_a_heat_map_has_seconds_and_parts_of_them(void **state)
{
	static const uint64_t want[] = {
		2, 0, /* second 0 */ 3, 0, /* 1 */ 1, 0, /* 2 */ 0, 1 /* 3 */};
	struct cr_query later = query("time 1300ms..");
	struct cr_profile *p = few();
	struct cr_err err = CR_ERR_INIT;
	struct cr_heat h;

	(void)state;
	assert_int_equal(cr_heat_make(p, &(struct cr_query){0}, 2, &h, &err), CR_OK);
	assert_int_equal(h.columns, 4);
	assert_memory_equal(h.samples, want, sizeof(want));
	assert_int_equal(h.most, 3);
	assert_int_equal(h.whole, 7);
	cr_heat_fini(&h);
	/* Columns are whole seconds after the first sample, whatever time is asked for. */
	assert_int_equal(cr_heat_make(p, &later, 2, &h, &err), CR_OK);
	assert_int_equal(h.span.from_ns, SECOND);
	assert_int_equal(h.columns, 3);
	assert_int_equal(h.samples[0] + h.samples[1], 0);
	assert_int_equal(h.samples[2], 1);
	assert_int_equal(h.samples[5], 1);
	cr_heat_fini(&h);
	cr_query_fini(&later);
	cr_profile_free(p);
}

static void
test_more_than_there_is_room_for_is_refused(void **state)
{
	static const struct made far[] = {{0, 1, 0, 0, 0, 1}, {UINT64_C(1) << 62, 1, 0, 0, 0, 1}};
	struct cr_profile *p = profile_of(far, 2, 1, ALL_FLAGS, "");
	const struct cr_series_opts o = {.bins = 7};
	struct cr_err err = CR_ERR_INIT;
	struct cr_series s;
	struct cr_heat h;

	(void)state;
	assert_int_equal(cr_heat_make(p, &(struct cr_query){0}, 50, &h, &err), CR_ELIMIT);
	assert_null(h.samples);
	assert_int_equal(cr_series_make(p, &(struct cr_query){0}, &o, &s, &err), CR_OK);
	assert_int_equal(s.lanes[0].bin_samples[0] + s.lanes[0].bin_samples[6], 2);
	cr_series_fini(&s);
	cr_profile_free(p);
}

/* The bin of a time, worked out for each on its own. */
static uint32_t
bin_at(const struct cr_series *s, uint64_t time_ns)
{
	uint32_t bin = 0;

	while (time_ns - s->span.first_ns - s->span.from_ns >= (bin + 1) * s->bin_ns)
		bin++;
	return bin;
}

static void
test_a_series_is_the_sum_of_its_samples_one_by_one(void **state)
{
	static const char *const keys[] = {
		"all", "comm", "pid", "tid", "cpu", "object", "function"};
	struct made made[500];
	uint64_t random = 7;

	(void)state;
	for (size_t i = 0; i < CR_LEN(made); i++) {
		const uint64_t r = testing_random(&random);

		made[i] = (struct made){.at = i * 3 + r % 40,
			.weight = r >> 8 & 1023,
			.task = (uint8_t)(r >> 20) % 3,
			.cpu = (uint8_t)(r >> 28) % 5,
			.leaf = (uint8_t)(r >> 36) % 4};
	}
	struct cr_profile *p = profile_of(made, CR_LEN(made), 1, ALL_FLAGS, "");

	for (size_t k = 0; k < CR_LEN(keys); k++) {
		const struct cr_series_opts o = {
			.by = cr_lane_by_of(keys[k]), .bins = 13, .top = (uint32_t)k % 3};
		struct cr_err err = CR_ERR_INIT;
		uint64_t samples[13] = {0}, weight[13] = {0};
		struct cr_series s;

		assert_int_equal(cr_series_make(p, &(struct cr_query){0}, &o, &s, &err), CR_OK);
		for (uint64_t i = 0; i < p->samples.n; i++) {
			const uint32_t bin = bin_at(&s, p->samples.time_ns[i]);

			samples[bin]++;
			weight[bin] += p->samples.weight[i];
		}
		for (uint32_t bin = 0; bin < s.n_bins; bin++)
			for (uint32_t i = 0; i < s.n_lanes; i++) {
				samples[bin] -= s.lanes[i].bin_samples[bin];
				weight[bin] -= s.lanes[i].bin_weight[bin];
			}
		for (uint32_t bin = 0; bin < s.n_bins; bin++)
			assert_true(samples[bin] == 0 && weight[bin] == 0);
		cr_series_fini(&s);
	}
	cr_profile_free(p);
}

/* main > f, main > g, f alone, no stack; comms x and y. */
static void
test_transforms_leave_samples_out_as_in_the_tree(void **state)
{
	static const char *const texts[] = {
		"focus ^f$",
		"focus main",
		"ignore ^g$",
		"ignore main",
		"drop f",
		"hide main",
		"hide main; focus main",
		"focus main; hide main",
		"merge main; ignore main",
		"prune main; focus ^f$",
		"focus ^f$; prune main",
		"show-from main",
		"show-from ^f$",
		"callees main",
		"root-at f; focus main",
		"focus main; root-at f",
		"callers f",
		"callers f; invert",
		"invert; recursion all",
		"callers f; focus main",
		"callers f; ignore main",
		"callers main; focus ^f$",
		"callers g; show-from main",
		"invert; prune f; focus g",
		"invert; prune main; focus ^f$",
		"invert; show-from ^f$; focus main",
		"focus ^x$",
		"ignore ^x$",
		"ignore ^y$; focus g",
		"hide ^x$",
		"show-from ^x$",
		"focus object:bin",
		"ignore =f; focus =g",
		"focus nothing",
		"recursion direct; focus main",
		"comm x; focus f; cpu 0",
		"focus group:^x$",
		"ignore group:y; focus ^f$",
		"focus group:=main",
	};
	struct cr_profile *p = few();

	(void)state;
	for (size_t i = 0; i < CR_LEN(texts); i++) {
		const struct cr_series_opts o = {.bins = 3};
		struct cr_query q = query(texts[i]);
		struct cr_err err = CR_ERR_INIT;
		struct cr_series s;
		struct cr_tree *t;

		assert_int_equal(cr_series_make(p, &q, &o, &s, &err), CR_OK);
		if (cr_query_run(p, &q, &t, &err) < 0)
			assert_int_equal(err.code, CR_EEMPTY);
		if (s.weight != (t ? t->total[0][0] : 0) ||
			s.samples != (t ? t->total_samples[0][0] : 0))
			fail_msg("%s: %d, in the tree %d", texts[i], (int)s.weight,
				t ? (int)t->total[0][0] : 0);
		cr_tree_free(t);
		cr_series_fini(&s);
		cr_query_fini(&q);
	}
	cr_profile_free(p);
}

static void
test_transforms_that_need_the_tree_are_refused(void **state)
{
	static const char *const texts[] = {"root-at main;f", "recursion all; show-from f"};
	struct cr_profile *p = few();

	(void)state;
	for (size_t i = 0; i < CR_LEN(texts); i++) {
		const struct cr_series_opts o = {.bins = 3};
		struct cr_query q = query(texts[i]);
		struct cr_err err = CR_ERR_INIT;
		struct cr_series s;

		assert_int_equal(cr_series_make(p, &q, &o, &s, &err), CR_EUSAGE);
		cr_query_fini(&q);
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_are_summed_in_equal_bins_by_every_key),
		cmocka_unit_test(test_events_of_one_unit_are_added_up),
		cmocka_unit_test(test_the_span_is_the_recording_or_the_times_asked_for),
		cmocka_unit_test(test_there_are_no_more_bins_than_nanoseconds),
		cmocka_unit_test(test_samples_without_a_time_are_counted_and_in_no_bin),
		cmocka_unit_test(test_what_was_not_recorded_is_refused),
		cmocka_unit_test(test_a_heat_map_has_seconds_and_parts_of_them),
		cmocka_unit_test(test_more_than_there_is_room_for_is_refused),
		cmocka_unit_test(test_a_series_is_the_sum_of_its_samples_one_by_one),
		cmocka_unit_test(test_transforms_leave_samples_out_as_in_the_tree),
		cmocka_unit_test(test_transforms_that_need_the_tree_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
