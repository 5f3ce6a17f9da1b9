#include "testing_inlined.h"

#include "base/thread_pool.h"
#include "model/tree/default_tree.h"
#include "query/fold/fold.h"
#include "query/fold/stack_sums.h"

#define LIST(T, ...)                                             \
	{                                                        \
		(T[]){__VA_ARGS__}, CR_LEN(((T[]){__VA_ARGS__})) \
	}
#define STRS(...) LIST(const char *, __VA_ARGS__)
#define RANGES(...) LIST(struct cr_range, __VA_ARGS__)
#define USUAL                                               \
	{                                                   \
		.n_groups = 1, .groups = { CR_GROUP_USUAL } \
	}
#define BY_FIELD(name) \
	((struct cr_fold_opts){.n_groups = 1, .groups = {CR_GROUP_FIELD}, .fields = {(name)}})

static const char lines[] = "@x;f;g 3\n@y;f;g 4\n@x;f 1\nevent misses\n@x;h 9\n";

static void
test_folding_gives_the_same_with_and_without_an_outline(void **state)
{
	const struct {
		struct cr_filter filter;
		struct cr_fold_opts opts;
		const char *want;
	} cases[] = {
		{{0}, USUAL, "all 8 0\n x 4 0\n  f 4 1\n   g 3 3\n y 4 0\n  f 4 0\n   g 4 4\n"},
		{{0}, {0}, "all 8 0\n f 8 1\n  g 7 7\n"},
		{{.comms = STRS("y")}, USUAL, "all 4 0\n y 4 0\n  f 4 0\n   g 4 4\n"},
		{{.event = "misses"}, USUAL, "all 9 0\n x 9 0\n  h 9 9\n"},
		{{.comms = STRS("z")}, {0}, "all 0 0\n"},
	};

	(void)state;
	for (unsigned outlined = 0; outlined < 2; outlined++) {
		struct cr_profile *p = testing_profile(lines);

		if (outlined)
			cr_default_tree_make(p);
		for (size_t i = 0; i < CR_LEN(cases); i++) {
			struct cr_err err = CR_ERR_INIT;
			struct cr_tree *t;

			assert_int_equal(
				cr_fold(p, &cases[i].filter, &cases[i].opts, &t, &err), CR_OK);
			assert_tree(t, cases[i].want);
			assert_str(
				t->event, cases[i].filter.event ? cases[i].filter.event : "cycles");
			cr_tree_free(t);
		}
		cr_profile_free(p);
	}
}

static void
test_an_unknown_event_gives_no_tree(void **state)
{
	struct cr_profile *p = testing_profile(lines);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(cr_fold(p, &(struct cr_filter){.event = "?"}, &CR_FOLD_USUAL, &t, &err),
		CR_ENOTFOUND);
	assert_null(t);
	cr_profile_free(p);
}

static void
test_without_samples_the_outline_still_serves(void **state)
{
	struct cr_profile *p = testing_profile(lines);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	(void)state;
	cr_default_tree_make(p);
	p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &t, &err), CR_OK);
	assert_int_equal(t->total[0][0], 8);
	cr_tree_free(t);
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &(struct cr_fold_opts){0}, &t, &err),
		CR_EFORMAT);
	assert_null(t);
	cr_profile_free(p);
}

/* "f;g" and "f" in turns, weights 1 to 8, with a number, a text and no field at all. */
static struct cr_profile *
fields_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id other = cr_builder_event(b, CR_STR("other"), CR_STR(""));
	const cr_event_id event = cr_builder_event(b, CR_STR("e"), CR_STR(""));
	const cr_node_id f =
		cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("f"), CR_DSO_UNKNOWN));
	const cr_node_id g =
		cr_builder_push(b, f, cr_builder_named(b, CR_STR("g"), CR_DSO_UNKNOWN));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint32_t i = 1; i <= 8; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 100, .node = g, .event = other});
		cr_builder_sample(b,
			&(struct cr_sample){
				.weight = i, .node = i % 2 ? g : f, .event = event, .cpu = i > 4});
		if (i % 4 == 0)
			continue;
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("n"), CR_FORM_HEX), i / 5);
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("t"), CR_FORM_TEXT),
			cr_builder_text(b, i == 1 ? CR_STR("\x1b;") : CR_STR("")));
	}
	cr_builder_flags(b, CR_PROFILE_HAS_CPU);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_stacks_stand_under_the_values_of_a_field(void **state)
{
	const struct {
		struct cr_filter filter;
		const char *field, *want;
	} cases[] = {
		{{.event = "e"}, "n",
			"all 36 0\n n=0x1 18 0\n  f 18 6\n   g 12 12\n no n 12 0\n  f 12 12\n"
			" n=0x0 6 0\n  f 6 2\n   g 4 4\n"},
		{{.event = "e"}, "t",
			"all 36 0\n t= 23 0\n  f 23 8\n   g 15 15\n no t 12 0\n  f 12 12\n"
			" t=\x1b; 1 0\n  f 1 0\n   g 1 1\n"},
		{{.event = "e", .cpus = RANGES({0, 0})}, "n",
			"all 10 0\n n=0x0 6 0\n  f 6 2\n   g 4 4\n no n 4 0\n  f 4 4\n"},
		{{.event = "e", .wheres = STRS("t=x")}, "n", "all 0 0\n"},
	};
	struct cr_profile *p = fields_profile();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *t;

		assert_int_equal(
			cr_fold(p, &cases[i].filter, &BY_FIELD(cases[i].field), &t, &err), CR_OK);
		assert_tree(t, cases[i].want);
		assert_str(t->event, "e");
		cr_tree_free(t);
	}
	cr_profile_free(p);
}

static void
test_a_field_that_the_event_has_not_gives_no_tree(void **state)
{
	struct cr_profile *p = fields_profile();
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(
		cr_fold(p, &(struct cr_filter){.event = "other"}, &BY_FIELD("n"), &t, &err),
		CR_ENOTFOUND);
	assert_null(t);
	assert_int_equal(cr_fold(p, &(struct cr_filter){.event = "e"}, &BY_FIELD("nn"), &t, &err),
		CR_ENOTFOUND);
	assert_string_equal(err.text, "no field nn in event e (cresset info lists them)");
	cr_profile_free(p);
}

static void
test_groups_that_were_not_recorded_are_an_error(void **state)
{
	static const struct {
		enum cr_group group;
		uint32_t missing;
	} cases[] = {
		{CR_GROUP_COMM, CR_PROFILE_HAS_TASK},
		{CR_GROUP_PID, CR_PROFILE_HAS_TASK},
		{CR_GROUP_TID, CR_PROFILE_HAS_TASK},
		{CR_GROUP_CPU, CR_PROFILE_HAS_CPU},
	};
	struct cr_profile *p = fields_profile();

	(void)state;
	p->flags |= CR_PROFILE_HAS_TASK;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_fold_opts o = {.n_groups = 1, .groups = {(uint8_t)cases[i].group}};
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *t;

		assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &o, &t, &err), CR_OK);
		assert_int_equal(t->frames[t->frame[1]].group, cases[i].group);
		cr_tree_free(t);
		p->flags &= ~cases[i].missing;
		assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &o, &t, &err), CR_EUSAGE);
		assert_null(t);
		p->flags |= cases[i].missing;
	}
	cr_profile_free(p);
}

static void
test_all_events_beside_each_other_are_counted_where_their_units_differ(void **state)
{
	static const struct {
		const char *event, *want, *unit;
		bool same;
	} cases[] = {
		{NULL, "all 16 0\n e 8 0\n  f 8 4\n   g 4 4\n other 8 0\n  f 8 0\n   g 8 8\n",
			"samples", false},
		{NULL,
			"all 836 0\n other 800 0\n  f 800 0\n   g 800 800\n e 36 0\n  f 36 20\n   "
			"g 16 16\n",
			"", true},
		{"e", "all 36 0\n e 36 0\n  f 36 20\n   g 16 16\n", "", true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_fold_opts o = {.n_groups = 1, .groups = {CR_GROUP_EVENT}};
		struct cr_profile *p = fields_profile();
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *t;

		if (!cases[i].same)
			((struct cr_event *)(uintptr_t)p->events)[0].unit = CR_STR("ns");
		assert_int_equal(
			cr_fold(p, &(struct cr_filter){.event = cases[i].event}, &o, &t, &err),
			CR_OK);
		assert_tree(t, cases[i].want);
		assert_str(t->unit, cases[i].unit);
		assert_str(t->event, cases[i].event ? cases[i].event : "all events");
		assert_int_equal(t->left_out[0], 0);
		cr_tree_free(t);
		cr_profile_free(p);
	}
}

static void
test_what_was_not_selected_is_told(void **state)
{
	struct cr_profile *p = testing_profile(lines);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(
		cr_fold(p, &(struct cr_filter){.comms = STRS("y")}, &CR_FOLD_USUAL, &t, &err),
		CR_OK);
	assert_int_equal(t->left_out[0], 4);
	assert_int_equal(t->left_out_samples[0], 2);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_values_past_the_limit_share_a_group(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("e"), CR_STR(""));
	const cr_field_id n = cr_builder_field(b, event, CR_STR("n"), CR_FORM_NUMBER);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint32_t i = 0; i < 65540; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 1});
		cr_builder_value(b, n, i);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, &BY_FIELD("n"), &t, &err), CR_OK);
	assert_int_equal(t->n, 1 + 65536 + 1);
	assert_str(t->frames[t->frame[1]].name, "other n"); /* the heaviest */
	assert_int_equal(t->total[0][1], 4);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_frames_may_be_lines_of_functions(void **state)
{
	struct cr_profile *p = testing_inlined(true);
	struct cr_err err = CR_ERR_INIT;
	uint32_t sorts = 0;
	struct cr_tree *t;

	(void)state;
	assert_int_equal(
		cr_fold(p, &(struct cr_filter){0},
			&(struct cr_fold_opts){.granularity = CR_GRANULARITY_LINE}, &t, &err),
		CR_OK);
	assert_tree(t, "all 15 0\n main 14 0\n  work 8 0\n   sort 8 5\n    leaf 3 3\n  sort 4 4\n"
		       "  twice 2 0\n   helper 2 0\n    sort 2 2\n work 1 0\n  sort 1 1\n");
	for (uint32_t i = 1; i < t->n_frames; i++) {
		const struct cr_frame *frame = &t->frames[i];

		if (frame->line == 1 || frame->line == 0) {
			continue; /* of the function, which is no node here */
		} else if (cr_str_eq(frame->name, CR_STR("sort"))) {
			sorts++;
			assert_str(frame->file, "lib/sort.h");
			assert_true(frame->line == 10 || (frame->line == 11 && frame->inlined));
		} else if (cr_str_eq(frame->name, CR_STR("helper"))) {
			assert_str(frame->file, "src/work.c"); /* the line's, not the function's */
			assert_int_equal(frame->line, 31);
		} else if (cr_str_eq(frame->name, CR_STR("leaf"))) {
			assert_int_equal(frame->line + frame->file.len, 0);
		}
	}
	assert_int_equal(sorts, 3); /* line 10 inlined and called, line 11 */
	cr_tree_free(t);
	cr_profile_free(p);
}

enum { CPUS = 80, FUNCTIONS = 900, ROUNDS = 2 };

static uint64_t
weight_at(uint32_t cpu, uint32_t function, uint32_t most)
{
	return 1 + (cpu * 7 + function) % most;
}

/* Each function on each cpu, each time with the same weight: more sums than are looked up. */
static struct cr_profile *
scattered(uint32_t most)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char name[16];

	cr_builder_flags(b, CR_PROFILE_HAS_CPU);
	for (uint32_t i = 0; i < CPUS * FUNCTIONS * ROUNDS; i++) {
		const uint32_t function = i % FUNCTIONS, cpu = i / FUNCTIONS % CPUS;

		snprintf(name, sizeof(name), "%u", function);
		cr_builder_sample(
			b, &(struct cr_sample){.weight = weight_at(cpu, function, most),
				   .cpu = (uint16_t)cpu,
				   .event = event,
				   .node = cr_builder_push(b, CR_ROOT,
					   cr_builder_named(b, cr_str_of(name), (cr_dso_id){0}))});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_stacks_that_occur_in_all_groups_are_added_up(void **state)
{
	const struct cr_fold_opts opts = {.n_groups = 1, .groups = {CR_GROUP_CPU}};
	const struct cr_filter all = {0};

	(void)state;
	for (uint32_t most = 1; most <= 9; most += 8) {
		struct cr_profile *p = scattered(most);
		struct cr_plan *plan = cr_plan_new(p, &opts);
		struct cr_err err = CR_ERR_INIT;
		struct cr_stack_sums sums;
		struct cr_tree *t;

		/* so many sums are made to a tree in two threads, if there may be two */
		cr_thread_pool_limit(most == 1 ? 1 : 2);
		assert_int_equal(cr_fold(p, &all, &opts, &t, &err), CR_OK);
		assert_int_equal(t->n, 1 + CPUS + CPUS * FUNCTIONS);
		for (uint32_t i = 1; i < t->n; i++) {
			const struct cr_frame *f = &t->frames[t->frame[i]],
					      *up = &t->frames[t->frame[t->parent[i]]];

			if (t->depth[i] < 2)
				continue;
			assert_int_equal(t->samples[0][i], ROUNDS);
			assert_int_equal(t->weight[0][i],
				ROUNDS * weight_at((uint32_t)up->number,
						 (uint32_t)strtoul(f->name.p, NULL, 10), most));
		}
		assert_int_equal(cr_plan_sums(plan, &all, &sums, &err), CR_OK);
		assert_int_equal(sums.n, CPUS * FUNCTIONS);
		for (size_t i = 1, g = sums.sums[0].group; i < sums.n; i++) {
			assert_true(sums.sums[i].group >= g);
			assert_true(sums.sums[i].group > g ||
				    sums.sums[i].node > sums.sums[i - 1].node);
			assert_true(i == sums.ends[g] || sums.sums[i].group == g);
			g = sums.sums[i].group;
		}
		assert_int_equal(sums.ends[sums.sums[sums.n - 1].group], sums.n);
		cr_stack_sums_fini(&sums);
		cr_plan_free(plan);
		cr_tree_free(t);
		cr_profile_free(p);
	}
	cr_thread_pool_limit(0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folding_gives_the_same_with_and_without_an_outline),
		cmocka_unit_test(test_an_unknown_event_gives_no_tree),
		cmocka_unit_test(test_without_samples_the_outline_still_serves),
		cmocka_unit_test(test_stacks_stand_under_the_values_of_a_field),
		cmocka_unit_test(test_a_field_that_the_event_has_not_gives_no_tree),
		cmocka_unit_test(test_frames_may_be_lines_of_functions),
		cmocka_unit_test(test_stacks_that_occur_in_all_groups_are_added_up),
		cmocka_unit_test(test_groups_that_were_not_recorded_are_an_error),
		cmocka_unit_test(
			test_all_events_beside_each_other_are_counted_where_their_units_differ),
		cmocka_unit_test(test_what_was_not_selected_is_told),
		cmocka_unit_test(test_values_past_the_limit_share_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
