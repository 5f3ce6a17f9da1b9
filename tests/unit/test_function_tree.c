#include "testing.h"

#include "base/hash.h"
#include "model/build/naming.h"
#include "model/tree/default_tree.h"
#include "model/tree/function_tree_p.h"

/* The tree of all samples, made as the default tree is. */
static struct cr_tree *
folded(struct cr_profile *p, bool by_comm)
{
	if (!by_comm)
		p->flags |= CR_PROFILE_NO_COMM_ROOT;
	p->default_tree = cr_default_tree_compute(p, UINT32_MAX, &p->arena);
	assert_non_null(p->default_tree);
	return cr_default_tree_fold(p, cr_event_main(p));
}

static void
test_stacks_stand_under_their_comm_or_not(void **state)
{
	struct cr_profile *p = testing_profile("@x;f;g 3\n@y;f;g 4\n@x;f 1\n@y 2\n");
	struct cr_tree *t;

	(void)state;
	t = folded(p, true);
	assert_tree(t, "all 10 0\n y 6 2\n  f 4 0\n   g 4 4\n x 4 0\n  f 4 1\n   g 3 3\n");
	assert_int_equal(t->frames[t->frame[1]].kind, CR_KIND_GROUP);
	cr_tree_free(t);
	t = folded(p, false);
	assert_tree(t, "all 10 2\n f 8 1\n  g 7 7\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_comm_of_the_name_of_a_function_is_another_frame(void **state)
{
	struct cr_profile *p = testing_profile("@f;f 1\n@g;g 1\n");
	struct cr_tree *t = folded(p, true);

	(void)state;
	assert_tree(t, "all 2 0\n f 1 0\n  f 1 1\n g 1 0\n  g 1 1\n");
	assert_int_not_equal(t->frame[1], t->frame[2]);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_inlined_functions_stand_below_their_callers(void **state)
{
	struct cr_profile *p = testing_profile("main;f 5\nmain 1\n");
	struct cr_naming *n = cr_naming_new(p);
	const cr_function_id inner =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("inner")});
	const cr_function_id outer =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("outer")});
	struct cr_tree *t;

	(void)state;
	cr_naming_line(n, (cr_location_id){p->node_location[2]}, &(struct cr_line){inner, 0, {0}});
	cr_naming_line(n, (cr_location_id){p->node_location[2]}, &(struct cr_line){outer, 0, {0}});
	p = cr_naming_finish(n);
	t = folded(p, false);
	assert_tree(t, "all 6 0\n main 6 1\n  outer 5 0\n   inner 5 5\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

/* All events at once, frame by frame and without any order: what the walk must come to. */
static struct cr_tree *
plainly(const struct cr_profile *p, cr_event_id event)
{
	struct cr_frame *frames = cr_alloc(1 + p->n_functions + p->n_tasks, sizeof(*frames));
	struct cr_arena names = {0};
	struct cr_tree_builder *tb;
	uint32_t path[64];

	frames[0] = (struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP};
	for (uint32_t i = 0; i < p->n_functions; i++)
		frames[1 + i] = cr_path_sums_frame(p, i, &names);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		frames[1 + p->n_functions + i] = (struct cr_frame){
			.name = p->tasks[i].comm, .kind = CR_KIND_GROUP, .group = CR_GROUP_COMM};
	tb = cr_tree_builder_new(1, frames, 1 + p->n_functions + p->n_tasks);
	cr_tree_builder_keep(tb, &names);
	free(frames);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		uint32_t n = 0, at;

		if (p->samples.event[i] != event.i)
			continue;
		at = cr_tree_builder_child(tb, 0, 1 + p->n_functions + p->samples.task[i]);
		for (uint32_t node = p->samples.node[i]; node; node = p->node_parent[node]) {
			const struct cr_location *l = &p->locations[p->node_location[node]];

			for (uint32_t k = 0; k < l->lines; k++)
				path[n++] = 1 + p->lines[l->first_line + k].function.i;
		}
		while (n)
			at = cr_tree_builder_child(tb, at, path[--n]);
		cr_tree_builder_add(tb, at, 0, p->samples.weight[i], 1);
	}
	return cr_tree_builder_finish(tb, NULL);
}

/* A random profile, in which many addresses are of the same functions, also by inlining. */
static struct cr_profile *
random_profile(uint64_t *seed)
{
	const uint64_t shapes = testing_random(seed) % 3, functions = shapes == 2 ? 60 : 4;
	const uint64_t most_deep = shapes == 1 ? 12 : 4;
	struct cr_text text = {0};
	struct cr_profile *p;
	struct cr_naming *n;

	for (uint64_t i = testing_random(seed) % 300 + 1; i-- > 0;) {
		if (i == 99)
			cr_text_printf(&text, "event other\n");
		cr_text_printf(&text, "@%c", (char)('u' + (int)(testing_random(seed) % 5 % 4)));
		for (uint64_t k = testing_random(seed) % (most_deep + 1); k-- > 0;)
			cr_text_printf(&text, ";f%u", (unsigned)(testing_random(seed) % functions));
		cr_text_printf(&text, " %u\n", (unsigned)(testing_random(seed) % 4));
	}
	p = testing_profile(text.p);
	cr_text_fini(&text);
	n = cr_naming_new(p);
	for (uint32_t i = 0; i < p->n_locations; i++)
		for (uint64_t k = testing_random(seed) % 4; k-- > 0;) {
			char name[16];

			snprintf(name, sizeof(name), "g%u",
				(unsigned)(testing_random(seed) % (functions / 2)));
			cr_naming_line(n, (cr_location_id){i},
				&(struct cr_line){
					.function = cr_naming_function(
						n, &(struct cr_function){.name = cr_str_of(name),
							   .addr = k ? CR_ADDR_INLINED : 1})});
		}
	return cr_naming_finish(n);
}

static void
test_any_profile_has_the_tree_of_its_stacks(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct cr_profile *p = random_profile(&seed);

		cr_tree_free(folded(p, true));
		for (uint32_t e = 0; e < p->n_events; e++) {
			struct cr_tree *want = plainly(p, (cr_event_id){e}),
				       *have = cr_default_tree_fold(p, (cr_event_id){e});
			char *text = testing_tree_text(want);

			assert_tree(have, text);
			assert_memory_equal(have->total_samples[0], want->total_samples[0],
				want->n * sizeof(*want->total_samples[0]));
			free(text);
			cr_tree_free(want);
			cr_tree_free(have);
		}
		cr_profile_free(p);
	}
}

/* One more node than the limit, for each limit: the comm and every function count. */
static void
test_the_limit_is_exact(void **state)
{
	(void)state;
	for (uint64_t most = 0; most < 9; most++) {
		struct cr_profile *p = testing_profile("@x;f;g 3\n@x;f;h 1\n@y 1\n@x;k;k 1\n");
		struct cr_path_sums *f = cr_path_sums_new(p, true, 1);
		struct cr_path_sums_sorted sums;
		struct cr_function_tree t;

		for (uint64_t i = 0; i < p->samples.n; i++)
			cr_path_sums_add(f, i, 0);
		cr_path_sums_sort(f, &sums);
		assert_int_equal(
			cr_function_tree_make(p, &sums, 0, most, &p->arena, &t), most >= 8);
		if (most >= 8)
			assert_int_equal(t.n, 8);
		cr_path_sums_sorted_fini(&sums);
		cr_profile_free(p);
	}
}

/* Totals that do not fit in 64 bits are capped, wherever they are. */
static void
test_totals_are_capped(void **state)
{
	struct cr_profile *p = testing_profile(
		"@x;f 18446744073709551615\n@x;g 18446744073709551615\n@x;g;h 5\n@x;g;i 6\n"
		"@x;g;h;h 18446744073709551615\n@y;a 7\n@y;b 8\n@x;k 9\n@x;j 10\n");
	struct cr_tree *t = folded(p, true);

	(void)state;
	assert_tree(t, "all 18446744073709551615 0\n"
		       " x 18446744073709551615 0\n"
		       "  f 18446744073709551615 18446744073709551615\n"
		       "  g 18446744073709551615 18446744073709551615\n"
		       "   h 18446744073709551615 5\n"
		       "    h 18446744073709551615 18446744073709551615\n"
		       "   i 6 6\n"
		       "  j 10 10\n"
		       "  k 9 9\n"
		       " y 15 0\n"
		       "  b 8 8\n"
		       "  a 7 7\n");
	cr_tree_free(t);
	cr_profile_free(p);
}

/* One stack under very many names: looking for a name must not walk through all others. */
static void
test_many_comms_of_one_stack_take_no_longer_than_many_stacks(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const clock_t start = clock();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;
	cr_node_id node;
	char comm[16];

	(void)state;
	cr_builder_flags(b, CR_PROFILE_HAS_TASK);
	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	node = cr_builder_push(b, CR_ROOT, cr_builder_location(b, CR_DSO_UNKNOWN, 1, 0));
	for (int32_t i = 0; i < 200000; i++) {
		snprintf(comm, sizeof(comm), "%d", i);
		cr_builder_sample(
			b, &(struct cr_sample){.weight = 1,
				   .node = node,
				   .task = cr_builder_task(b, 1, 1, cr_str_of(comm), space)});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	t = folded(p, true);
	assert_int_equal(t->n, 400001);
	for (uint32_t most = 400000; most <= 400001; most++) {
		struct cr_arena arena = {0};

		assert_int_equal(cr_default_tree_compute(p, most, &arena) != NULL, most > 400000);
		cr_arena_fini(&arena);
	}
	testing_cpu_within(start, 10);
	cr_tree_free(t);
	cr_profile_free(p);
}

/* Very many stacks of few functions, which are walked by rows. */
static void
test_many_addresses_of_few_functions_are_few_nodes(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/lib/a"), .kind = CR_KIND_USER});
	struct cr_err err = CR_ERR_INIT;
	cr_task_id task[2];
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	cr_builder_flags(b, CR_PROFILE_HAS_TASK);
	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	task[0] = cr_builder_task(b, 1, 1, CR_STR("x"), space);
	task[1] = cr_builder_task(b, 2, 2, CR_STR("y"), space);
	for (uint64_t i = 0; i < 500; i++) {
		const cr_node_id up =
			cr_builder_push(b, CR_ROOT, cr_builder_location(b, dso, i, 0));

		for (uint64_t k = 0; k < 400; k++)
			cr_builder_sample(b,
				&(struct cr_sample){.weight = 1 + k % 2,
					.task = task[i % 4 == 0],
					.node = cr_builder_push(b, up,
						cr_builder_location(b, k % 3 ? dso : CR_DSO_UNKNOWN,
							1000 + k, 0))});
		cr_builder_sample(b, &(struct cr_sample){.weight = 3, .task = task[0], .node = up});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	t = folded(p, true);
	assert_tree(t, "all 301500 0\n x 226500 0\n  [a] 226500 1500\n   [a] 149625 149625\n"
		       "   [unknown] 75375 75375\n y 75000 0\n  [a] 75000 0\n"
		       "   [a] 49875 49875\n   [unknown] 25125 25125\n");
	assert_int_equal(t->total_samples[0][0], 200500);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_deep_stack_is_walked_without_recursion(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	cr_node_id node = CR_ROOT;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint64_t i = 0; i < 8192; i++)
		node = cr_builder_push(b, node, cr_builder_location(b, CR_DSO_UNKNOWN, i, 0));
	cr_builder_sample(b, &(struct cr_sample){.weight = 1, .node = node});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	t = folded(p, false);
	assert_int_equal(t->max_depth, 8192);
	cr_tree_free(t);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_stand_under_their_comm_or_not),
		cmocka_unit_test(test_a_comm_of_the_name_of_a_function_is_another_frame),
		cmocka_unit_test(test_inlined_functions_stand_below_their_callers),
		cmocka_unit_test(test_any_profile_has_the_tree_of_its_stacks),
		cmocka_unit_test(test_the_limit_is_exact),
		cmocka_unit_test(test_totals_are_capped),
		cmocka_unit_test(test_many_comms_of_one_stack_take_no_longer_than_many_stacks),
		cmocka_unit_test(test_many_addresses_of_few_functions_are_few_nodes),
		cmocka_unit_test(test_a_deep_stack_is_walked_without_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
