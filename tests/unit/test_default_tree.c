#include "testing.h"

#include "model/tree/default_tree.h"
#include "model/tree/path_sums.h"

static void
test_an_outline_has_the_weights_of_every_event(void **state)
{
	struct cr_profile *p =
		testing_profile("@x;f;g 3\n@x;f 1\n@y;h 2\nevent misses\n@y;h 7\n@z;k 5\n");
	struct cr_tree *t;

	(void)state;
	cr_default_tree_make(p);
	assert_int_equal(p->default_tree->n_events, 2);
	t = cr_default_tree_fold(p, (cr_event_id){0});
	assert_tree(t, "all 6 0\n x 4 0\n  f 4 1\n   g 3 3\n y 2 0\n  h 2 2\n");
	assert_str(t->event, "cycles");
	cr_tree_free(t);
	t = cr_default_tree_fold(p, (cr_event_id){1});
	assert_tree(t, "all 12 0\n y 7 0\n  h 7 7\n z 5 0\n  k 5 5\n");
	assert_str(t->event, "misses");
	assert_int_equal(t->total_samples[0][0], 2);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_frames_of_an_outline_are_functions_or_comms(void **state)
{
	struct cr_profile *p = testing_profile("@x;f 3\n@x;f;f 1\n");
	const struct cr_default_tree *o;

	(void)state;
	cr_default_tree_make(p);
	o = p->default_tree;
	assert_int_equal(o->n_frames, 3); /* all, x, f */
	assert_int_equal(o->frame[0], 0);
	for (uint32_t i = 1; i < o->n_frames; i++) {
		if (o->frame_function[i] == CR_NO_ROW)
			assert_str(o->frame_comm[i], "x");
		else
			assert_str(p->functions[o->frame_function[i]].name, "f");
	}
	cr_profile_free(p);
}

static void
test_a_tree_has_few_nodes_for_each_sample(void **state)
{
	static const struct {
		uint64_t samples;
		uint32_t nodes;
		uint64_t most;
	} cases[] = {
		{0, 1, 65536},
		{10000, 100, 65536}, /* a small one is always made */
		{100000, 100, 400000},
		{300000, 1000000, 2000000}, /* no comms are needed for that */
		{UINT64_C(1) << 40, 100, 8388608},
	};
	struct cr_profile p = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		p.samples.n = cases[i].samples;
		p.n_nodes = cases[i].nodes;
		assert_int_equal(cr_default_tree_most_nodes(&p), cases[i].most);
	}
}

/* The root, two comms, and two functions below each of them. */
static void
test_a_tree_past_the_limit_is_left_out(void **state)
{
	const char *text = "@x;f;g 3\n@y;f;g 1\n";

	(void)state;
	for (uint64_t most = 1; most <= 9; most++) {
		struct cr_profile *p = testing_profile(text);

		p->default_tree = cr_default_tree_compute(p, most, &p->arena);
		assert_int_equal(p->default_tree != NULL, most >= 7);
		if (p->default_tree)
			assert_int_equal(p->default_tree->n, 7);
		cr_profile_free(p);
	}
}

static void
test_comms_are_left_out_where_tasks_are_not_known(void **state)
{
	struct cr_profile *p = testing_profile("f;g 3\nf 1\n");
	struct cr_tree *t;

	(void)state;
	cr_default_tree_make(p);
	t = cr_default_tree_fold(p, (cr_event_id){0});
	assert_tree(t, "all 4 0\n f 4 1\n  g 3 3\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_nameless_function_is_shown_as_its_object(void **state)
{
	static const struct {
		const char *dso, *shown;
	} cases[] = {
		{"/usr/lib/libc.so.6", "[libc.so.6]"},
		{"/memfd:jit (deleted)", "[memfd:jit]"},
		{"/tmp/x (deleted)", "[x]"},
		{"[vdso]", "[vdso]"},
		{"/dir/", "[/dir/]"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_builder *b = cr_builder_new(NULL);
		const struct cr_dso o = {.name = cr_str_of(cases[i].dso), .kind = CR_KIND_USER};
		const cr_location_id l = cr_builder_location(b, cr_builder_dso(b, &o), 4, 0);
		struct cr_arena names = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;

		cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
		cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
		cr_builder_sample(b,
			&(struct cr_sample){.weight = 1, .node = cr_builder_push(b, CR_ROOT, l)});
		assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
		cr_builder_free(b);
		assert_str(cr_path_sums_frame(p, 1, &names).name, cases[i].shown);
		assert_str(cr_path_sums_frame(p, 0, &names).name, "[unknown]");
		cr_arena_fini(&names);
		cr_profile_free(p);
	}
}

static void
test_many_events_and_stacks_stay_apart(void **state)
{
	struct cr_text lines = {0};
	struct cr_profile *p;

	(void)state;
	/* More nodes than the first room of the sums, event 3 with those that came last. */
	for (unsigned e = 0; e < 4; e++) {
		cr_text_printf(&lines, "event e%u\n", e);
		for (unsigned i = 0; i < 1500; i++)
			cr_text_printf(&lines, "@x;f%u;g%u %u\n", i % 40 + e, i, e + 1);
	}
	p = testing_profile(lines.p);
	cr_default_tree_make(p);
	for (unsigned e = 0; e < 4; e++) {
		struct cr_tree *t = cr_default_tree_fold(p, (cr_event_id){e});

		assert_int_equal(t->total[0][0], 1500 * (e + 1));
		assert_int_equal(t->total_samples[0][0], 1500);
		assert_int_equal(t->n, 1 + 1 + 40 + 1500);
		cr_tree_free(t);
	}
	cr_text_fini(&lines);
	cr_profile_free(p);
}

/* 3000 events, each on a stack of its own: the sums would take 144 MB. */
static void
test_very_many_events_get_no_outline(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char name[16];

	(void)state;
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint32_t i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "e%u", i);
		cr_builder_sample(
			b, &(struct cr_sample){.weight = 1,
				   .event = cr_builder_event(b, cr_str_of(name), CR_STR("")),
				   .node = cr_builder_push(b, CR_ROOT,
					   cr_builder_location(b, CR_DSO_UNKNOWN, i, 0))});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	cr_default_tree_make(p);
	assert_null(p->default_tree);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_outline_has_the_weights_of_every_event),
		cmocka_unit_test(test_frames_of_an_outline_are_functions_or_comms),
		cmocka_unit_test(test_a_tree_has_few_nodes_for_each_sample),
		cmocka_unit_test(test_a_tree_past_the_limit_is_left_out),
		cmocka_unit_test(test_comms_are_left_out_where_tasks_are_not_known),
		cmocka_unit_test(test_a_nameless_function_is_shown_as_its_object),
		cmocka_unit_test(test_many_events_and_stacks_stay_apart),
		cmocka_unit_test(test_very_many_events_get_no_outline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
