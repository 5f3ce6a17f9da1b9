#include "testing.h"

#include "model/tree/default_tree.h"
#include "query/fold/fold.h"
#include "query/fold/select.h"

#define LIST(T, ...)                                             \
	{                                                        \
		(T[]){__VA_ARGS__}, CR_LEN(((T[]){__VA_ARGS__})) \
	}
#define STRS(...) LIST(const char *, __VA_ARGS__)
#define RANGES(...) LIST(struct cr_range, __VA_ARGS__)
#define TIMES(...) LIST(struct cr_time, __VA_ARGS__)

/* Six samples: time 1000, 1010 ... of two events, three tasks and two cpus. */
static struct cr_profile *
samples(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id events[] = {
		cr_builder_event(b, CR_STR("cycles"), CR_STR("")),
		cr_builder_event(b, CR_STR("misses"), CR_STR("")),
		cr_builder_event(b, CR_STR("never"), CR_STR("")),
	};
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_task_id tasks[] = {
		cr_builder_task(b, 1, 1, CR_STR("x"), space),
		cr_builder_task(b, 1, 2, CR_STR("y"), space),
		cr_builder_task(b, 3, 3, CR_STR("x"), space),
	};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	for (uint32_t i = 0; i < 6; i++) {
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000 + 10 * i,
					     .weight = 1,
					     .task = tasks[i % 3],
					     .event = events[i == 5],
					     .cpu = (uint16_t)(i % 2)});
		if (i == 1)
			continue; /* a sample without fields */
		cr_builder_value(b,
			cr_builder_field(b, events[i == 5], CR_STR("addr"), CR_FORM_HEX),
			0x10 + i / 3);
		if (i == 5)
			continue;
		cr_builder_value(b, cr_builder_field(b, events[0], CR_STR("prio"), CR_FORM_SIGNED),
			(uint64_t)i - 2);
		cr_builder_value(b, cr_builder_field(b, events[0], CR_STR("name"), CR_FORM_TEXT),
			cr_builder_text(b, i % 2 ? CR_STR("a=b") : CR_STR("")));
	}
	cr_builder_fact(b, "cpu ids",
		CR_STR("cpu 0: core 0, socket 3\ncpus 1-7: cores 1-7, die 0, socket 4\nbroken\n"));
	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_the_main_event_is_the_one_that_the_recording_names(void **state)
{
	static const struct {
		const char *said, *event;
	} cases[] = {
		{NULL, "many"},
		{"few", "few"},
		{"never", "many"},
		{"", "many"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = cr_builder_new(NULL);
		const cr_event_id few = cr_builder_event(b, CR_STR("few"), CR_STR("")),
				  many = cr_builder_event(b, CR_STR("many"), CR_STR(""));
		const cr_task_id task =
			cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;
		cr_event_id event;

		for (int k = 0; k < 3; k++)
			cr_builder_sample(
				b, &(struct cr_sample){
					   .weight = 1, .task = task, .event = k ? many : few});
		if (cases[i].said)
			cr_builder_fact(b, "main event", cr_str_of(cases[i].said));
		assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
		assert_int_equal(cr_filter_event(p, &(struct cr_filter){0}, &event, &err), CR_OK);
		assert_str(p->events[event.i].name, cases[i].event);
		cr_builder_free(b);
		cr_profile_free(p);
	}
}

static void
test_samples_are_chosen_by_every_condition(void **state)
{
	const struct {
		struct cr_filter filter;
		const char *chosen;
		bool needs_samples;
	} cases[] = {
		{{0}, "\1\1\1\1\1\0", false},
		{{.event = "cycles"}, "\1\1\1\1\1\0", false},
		{{.event = "misses"}, "\0\0\0\0\0\1", false},
		{{.comms = STRS("x")}, "\1\0\1\1\0\0", true},
		{{.comms = STRS("xx")}, "\0\0\0\0\0\0", true},
		{{.comms = STRS("y", "x")}, "\1\1\1\1\1\0", true}, /* any of them */
		{{.all_events = true}, "\1\1\1\1\1\1", true},
		{{.all_events = true, .tids = RANGES({2, 3})}, "\0\1\1\0\1\1", true},
		{{.pids = RANGES({9, 9}, {2, 7})}, "\0\0\1\0\0\0", true},
		{{.cpus = RANGES({1, 65535})}, "\0\1\0\1\0\0", true},
		{{.times = TIMES({0, 10, false}, {40, 41, false})}, "\1\0\0\0\1\0", true},
		{{.times = TIMES({200000, 600000, true})}, "\0\1\1\0\0\0", true},
		{{.times = TIMES({800000, 1000000, true}), .all_events = true}, "\0\0\0\0\1\1",
			true}, /* the last one too */
		{{.wheres = STRS("addr=0x10", "addr=17")}, "\1\0\1\1\1\0", true},
		{{.wheres = STRS("addr=0x10", "prio=0", "prio=1")}, "\0\0\1\0\0\0",
			true}, /* of two fields: both */
		{{.pids = RANGES({1, 1})}, "\1\1\0\1\1\0", true},
		{{.tids = RANGES({2, 2})}, "\0\1\0\0\1\0", true},
		{{.cpus = RANGES({1, 1})}, "\0\1\0\1\0\0", true},
		{{.times = TIMES({20, UINT64_MAX, false})}, "\0\0\1\1\1\0", true},
		{{.times = TIMES({0, 20, false})}, "\1\1\0\0\0\0", true},
		{{.times = TIMES({10, 30, false})}, "\0\1\1\0\0\0", true},
		{{.comms = STRS("x"), .pids = RANGES({3, 3}), .cpus = RANGES({0, 0})},
			"\0\0\1\0\0\0", true},
		{{.wheres = STRS("addr=0x10")}, "\1\0\1\0\0\0", true},
		{{.wheres = STRS("addr=17")}, "\0\0\0\1\1\0", true},
		{{.wheres = STRS("addr=17"), .event = "misses"}, "\0\0\0\0\0\1", true},
		{{.wheres = STRS("addr=18")}, "\0\0\0\0\0\0", true},
		{{.wheres = STRS("addr=0xffffffffffffffff")}, "\0\0\0\0\0\0",
			true}, /* not the one without */
		{{.wheres = STRS("prio=-2")}, "\1\0\0\0\0\0", true},
		{{.wheres = STRS("prio=0")}, "\0\0\1\0\0\0", true},
		{{.wheres = STRS("name=a=b")}, "\0\0\0\1\0\0", true},
		{{.wheres = STRS("name=")}, "\1\0\1\0\1\0", true},
		{{.wheres = STRS("name=c")}, "\0\0\0\0\0\0", true},
		{{.wheres = STRS("name=a=b"), .cpus = RANGES({0, 0})}, "\0\0\0\0\0\0", true},
		{{.sockets = RANGES({4, 4})}, "\0\1\0\1\0\0", true},
		{{.sockets = RANGES({0, 3})}, "\1\0\1\0\1\0", true},
		{{.sockets = RANGES({4, 4}), .cpus = RANGES({0, 0})}, "\0\0\0\0\0\0", true},
		{{.switch_on = "misses"}, "\0\0\0\0\0\0", true},
		{{.switch_off = "misses"}, "\1\1\1\1\1\0", true},
		{{.switch_off = "misses", .event = "misses"}, "\0\0\0\0\0\0", true},
		{{.switch_off = "misses", .event = "misses", .show_switches = true}, "\0\0\0\0\0\1",
			true},
		/* Every sample of the event begins or ends a part. */
		{{.switch_on = "cycles", .switch_off = "cycles", .show_switches = true},
			"\1\1\1\1\1\0", true},
		{{.switch_on = "cycles", .switch_off = "cycles", .all_events = true},
			"\0\0\0\0\0\1", true},
	};
	struct cr_profile *p = samples();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_filter_needs_samples(&cases[i].filter), cases[i].needs_samples);
		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_OK);
		assert_memory_equal(chosen, cases[i].chosen, 6);
		free(chosen);
	}
	cr_profile_free(p);
}

static void
test_an_event_that_is_not_there_is_told_with_those_that_are(void **state)
{
	const struct cr_filter f = {.event = "cycle"};
	struct cr_profile *p = samples();
	struct cr_err err = CR_ERR_INIT;
	uint8_t *chosen;

	(void)state;
	assert_int_equal(cr_select(p, &f, &chosen, &err), CR_ENOTFOUND);
	assert_null(chosen);
	assert_string_equal(err.text, "no event cycle; the events are: cycles, misses");
	cr_profile_free(p);
}

static void
test_what_was_not_recorded_cannot_be_filtered_by(void **state)
{
	const struct {
		struct cr_filter filter;
		uint32_t missing;
	} cases[] = {
		{{.times = TIMES({1, 2, false})}, CR_PROFILE_HAS_TIME},
		{{.cpus = RANGES({0, 0})}, CR_PROFILE_HAS_CPU},
		{{.comms = STRS("x")}, CR_PROFILE_HAS_TASK},
		{{.pids = RANGES({0, 0})}, CR_PROFILE_HAS_TASK},
		{{.tids = RANGES({0, 0})}, CR_PROFILE_HAS_TASK},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = samples();
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_OK);
		free(chosen);
		p->flags &= ~cases[i].missing;
		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_EUSAGE);
		assert_null(chosen);
		cr_profile_free(p);
	}
}

static void
test_fields_and_values_that_cannot_be_are_told(void **state)
{
	static const struct {
		const char *where, *event;
		int code;
	} cases[] = {
		{"none=1", NULL, CR_ENOTFOUND},
		{"add=1", NULL, CR_ENOTFOUND},
		{"prio=1", "misses", CR_ENOTFOUND},
		{"addr=", NULL, CR_EUSAGE},
		{"addr=-1", NULL, CR_EUSAGE},
		{"addr=1x", NULL, CR_EUSAGE},
		{"addr= 1", NULL, CR_EUSAGE},
		{"addr=18446744073709551616", NULL, CR_EUSAGE},
		{"prio=--1", NULL, CR_EUSAGE},
		{"prio=9223372036854775808", NULL, CR_EUSAGE},
	};
	struct cr_profile *p = samples();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(cr_select(p,
					 &(struct cr_filter){.wheres = STRS(cases[i].where),
						 .event = cases[i].event},
					 &chosen, &err),
			cases[i].code);
		assert_null(chosen);
	}
	cr_profile_free(p);
}

/* Leaves in a program, its library, the kernel, a module, nowhere, and no stack at all. */
static struct cr_profile *
leaves(void)
{
	static const struct cr_dso dsos[] = {
		{.name = {"/bin/a", 6}, .kind = CR_KIND_USER},
		{.name = {"/lib/a", 6}, .kind = CR_KIND_VDSO},
		{.name = {"[kernel]", 8}, .kind = CR_KIND_KERNEL},
		{.name = {"[m]", 3}, .kind = CR_KIND_MODULE},
	};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	const cr_node_id top = cr_builder_push(
		b, CR_ROOT, cr_builder_location(b, cr_builder_dso(b, &dsos[0]), 1, 0));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	for (uint32_t i = 0; i < 6; i++) {
		const cr_dso_id o = i < 4 ? cr_builder_dso(b, &dsos[i]) : CR_DSO_UNKNOWN;
		const cr_node_id node =
			i == 5 ? CR_ROOT : cr_builder_push(b, top, cr_builder_location(b, o, 2, 0));

		cr_builder_sample(
			b, &(struct cr_sample){
				   .weight = 1, .task = task, .event = event, .node = node});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_samples_are_chosen_by_where_they_were_taken(void **state)
{
	const struct {
		struct cr_filter filter;
		const char *chosen;
	} cases[] = {
		{{.dsos = STRS("/lib/a")}, "\0\1\0\0\0\0"},
		{{.dsos = STRS("a")}, "\1\1\0\0\0\0"},
		{{.dsos = STRS("[m]", "/bin/a")}, "\1\0\0\1\0\0"},
		{{.dsos = STRS("lib/a")}, "\0\0\0\0\0\0"},
		{{.modes = CR_MODE_KERNEL}, "\0\0\1\1\0\0"},
		{{.modes = CR_MODE_USER}, "\1\1\0\0\0\0"},
		{{.modes = CR_MODE_UNKNOWN}, "\0\0\0\0\1\1"},
		{{.modes = CR_MODE_USER | CR_MODE_KERNEL}, "\1\1\1\1\0\0"},
		{{.modes = CR_MODE_KERNEL, .dsos = STRS("a", "[m]")}, "\0\0\0\1\0\0"},
	};
	struct cr_profile *p = leaves();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t *chosen;

		assert_int_equal(
			cr_filter_needs(&cases[i].filter), 1u << CR_SAMPLE_NODE | CR_NEEDS_TREE);
		assert_int_equal(cr_select(p, &cases[i].filter, &chosen, &err), CR_OK);
		assert_memory_equal(chosen, cases[i].chosen, 6);
		free(chosen);
	}
	cr_profile_free(p);
}

/* Sums of the default tree are those of the samples, or are not used. */
static void
test_stacks_are_chosen_by_their_leaf_without_samples(void **state)
{
	const struct cr_filter filters[] = {
		{.dsos = STRS("/lib/a")},
		{.dsos = STRS("[m]", "/bin/a")},
		{.modes = CR_MODE_KERNEL},
		{.modes = CR_MODE_USER},
		{.modes = CR_MODE_UNKNOWN},
		{.modes = CR_MODE_KERNEL, .comms = STRS("y")},
	};
	struct cr_profile *p = leaves();
	struct cr_err err = CR_ERR_INIT;
	struct cr_line *lines;
	struct cr_tree *t;

	(void)state;
	p->flags |= CR_PROFILE_HAS_TASK;
	cr_default_tree_make(p);
	for (size_t i = 0; i < CR_LEN(filters); i++) {
		char *want;

		assert_true(cr_fold_is_by_leaf(p, &filters[i], &CR_FOLD_USUAL));
		assert_int_equal(cr_fold(p, &filters[i], &CR_FOLD_USUAL, &t, &err), CR_OK);
		want = testing_tree_text(t);
		cr_tree_free(t);
		assert_true(cr_fold_by_leaf(p, &filters[i], &t));
		assert_tree(t, want);
		cr_tree_free(t);
		free(want);
	}
	assert_false(cr_fold_is_by_leaf(p,
		&(struct cr_filter){.modes = CR_MODE_USER, .pids = RANGES({1, 1})},
		&CR_FOLD_USUAL));
	assert_false(cr_fold_is_by_leaf(p, &filters[0], &(struct cr_fold_opts){.bare = true}));
	/* A function of another dso than its code. */
	lines = cr_arena_array(&p->arena, p->n_lines, sizeof(*lines));
	memcpy(lines, p->lines, p->n_lines * sizeof(*lines));
	for (uint32_t i = 0; i < p->n_lines; i++)
		lines[i].function.i = 0;
	p->lines = lines;
	assert_false(cr_fold_by_leaf(p, &filters[2], &t));
	cr_profile_free(p);
}

/*
 * Rows two by two: what lies between what is told by the zone, and rows of a zone that cannot have
 * any are not looked at.
 */
static void
test_zones_that_cannot_have_any_are_passed_over(void **state)
{
	const struct {
		struct cr_filter filter;
		const char *want;
	} cases[] = {
		{{0}, "\1\1\1"},
		{{.times = TIMES({20, 30, false})}, "\0\1\0"},
		{{.times = TIMES({10, 21, false})}, "\1\1\0"},
		{{.times = TIMES({900000, 1000000, true})}, "\0\0\1"},
		{{.event = "misses"}, "\0\0\1"},
		{{.pids = RANGES({3, 3})}, "\0\1\1"},
		{{.cpus = RANGES({2, 9})}, "\0\0\0"},
		{{.times = TIMES({20, 30, false}), .wheres = STRS("prio=0")}, "\1\1\1"},
	};
	struct cr_profile *p = samples();
	struct cr_sample_zone zones[3] = {{0}};
	uint64_t time[6];

	(void)state;
	memcpy(time, p->samples.time_ns, sizeof(time));
	for (uint32_t z = 0; z < 3; z++) {
		const uint32_t a = 2 * z, b = a + 1;

		zones[z].first = a;
		zones[z].least[CR_SAMPLE_TIME] = time[a];
		zones[z].most[CR_SAMPLE_TIME] = time[b];
		zones[z].least[CR_SAMPLE_TASK] = CR_MIN(p->samples.task[a], p->samples.task[b]);
		zones[z].most[CR_SAMPLE_TASK] = CR_MAX(p->samples.task[a], p->samples.task[b]);
		zones[z].most[CR_SAMPLE_CPU] = 1;
		zones[z].least[CR_SAMPLE_EVENT] = p->samples.event[a];
		zones[z].most[CR_SAMPLE_EVENT] = p->samples.event[b];
	}
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		uint8_t want[3], *with, *without;

		p->samples.zones = NULL;
		p->samples.n_zones = 0;
		assert_int_equal(cr_select(p, &cases[i].filter, &without, &err), CR_OK);
		p->samples.zones = zones;
		p->samples.n_zones = 3;
		assert_int_equal(cr_filter_zones(p, &cases[i].filter, want, &err), CR_OK);
		assert_memory_equal(want, cases[i].want, 3);
		assert_int_equal(cr_select(p, &cases[i].filter, &with, &err), CR_OK);
		assert_memory_equal(with, without, 6);
		free(with);
		free(without);
	}
	cr_profile_free(p);
}

static void
test_without_its_samples_a_profile_cannot_be_filtered(void **state)
{
	struct cr_profile *p = samples();
	struct cr_err err = CR_ERR_INIT;
	uint8_t *chosen;

	(void)state;
	p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	assert_int_equal(
		cr_select(p, &(struct cr_filter){.comms = STRS("x")}, &chosen, &err), CR_EFORMAT);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_are_chosen_by_every_condition),
		cmocka_unit_test(test_the_main_event_is_the_one_that_the_recording_names),
		cmocka_unit_test(test_an_event_that_is_not_there_is_told_with_those_that_are),
		cmocka_unit_test(test_what_was_not_recorded_cannot_be_filtered_by),
		cmocka_unit_test(test_fields_and_values_that_cannot_be_are_told),
		cmocka_unit_test(test_samples_are_chosen_by_where_they_were_taken),
		cmocka_unit_test(test_stacks_are_chosen_by_their_leaf_without_samples),
		cmocka_unit_test(test_zones_that_cannot_have_any_are_passed_over),
		cmocka_unit_test(test_without_its_samples_a_profile_cannot_be_filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
