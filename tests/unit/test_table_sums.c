#include "testing.h"

#include "query/fold/stack_sums.h"
#include "query/table/sums/table_sums.h"

/*
 * A table of sums is that of a tree of the same samples: stacks of a few functions, inlined ones
 * and such without names, so that they recur in them, of three events, in several threads.
 */

#define ROWS 3000u

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static cr_location_id
location(struct cr_builder *b, const cr_dso_id *dsos, uint32_t *seed)
{
	static const char *const names[] = {"main", "read", "g", ""};
	const struct cr_str file = CR_STR("a.c");
	struct cr_named named[3];
	const uint32_t n = next(seed, 4) ? 1 : 2 + next(seed, 2);

	for (uint32_t i = 0; i < n; i++)
		named[i] = (struct cr_named){
			cr_str_of(names[next(seed, CR_LEN(names))]), file, 1 + next(seed, 3)};
	return cr_builder_named_at(b, dsos[next(seed, 3)], 16 * next(seed, 4), named, n);
}

/* weights: they are less than so many; 1: all are 1; 0: a few of them are too much to add up. */
static struct cr_profile *
random_profile(uint32_t seed, uint32_t weights)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dsos[] = {CR_DSO_UNKNOWN,
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/a"), .kind = CR_KIND_USER}),
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("k"), .kind = CR_KIND_KERNEL})};
	const cr_event_id events[] = {cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles")),
		cr_builder_event(b, CR_STR("faults"), CR_STR("faults"))};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TIME);
	for (uint32_t i = 0; i < ROWS; i++) {
		const int32_t tid = (int32_t)next(&seed, 5);
		cr_node_id node = CR_ROOT;

		for (uint32_t deep = next(&seed, 7); deep; deep--)
			node = cr_builder_push(b, node, location(b, dsos, &seed));
		cr_builder_sample(b,
			&(struct cr_sample){.time_ns = 1000 + i,
				.weight = weights ? next(&seed, weights) + (weights == 1)
						  : UINT64_MAX / (1 + next(&seed, 9)),
				.task = cr_builder_task(b, tid / 2, tid,
					tid % 3 ? CR_STR("x") : CR_STR("y"), space),
				.cpu = (uint16_t)(next(&seed, 20) ? next(&seed, 3) : CR_CPU_NONE),
				.event = events[next(&seed, 4) == 0],
				.node = node});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
assert_same_values(const struct cr_table *a, const struct cr_table *b, uint32_t row)
{
	for (uint32_t k = 0; k < a->spec->n_keys; k++) {
		const enum cr_table_column key = (enum cr_table_column)a->spec->keys[k];
		const struct cr_table_value *v = cr_table_value(a, row, key),
					    *w = cr_table_value(b, row, key);

		assert_true(cr_str_eq(v->text, w->text));
		assert_true(cr_str_eq(v->dso, w->dso));
		assert_int_equal(v->number, w->number);
		assert_int_equal(v->inlined, w->inlined);
		assert_int_equal(v->nameless, w->nameless);
	}
}

static void
assert_same_tables(const struct cr_table *a, const struct cr_table *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->whole[0], b->whole[0]);
	assert_int_equal(a->whole_samples[0], b->whole_samples[0]);
	assert_int_equal(a->tree_whole, b->tree_whole);
	for (uint32_t i = 0; i < a->n; i++) {
		assert_memory_equal(a->rows[i].cost, b->rows[i].cost, sizeof(*a->rows[i].cost));
		assert_int_equal(a->rows[i].depth, b->rows[i].depth);
		assert_same_values(a, b, i);
	}
}

/* If the first rows are asked for, these are the same, and the others are counted. */
static void
check_first(const struct cr_stack_sums *sums, const struct cr_table *all, uint32_t first)
{
	struct cr_table_spec spec = *all->spec;
	struct cr_table some;

	spec.first = first;
	cr_table_make_sums(sums, &spec, &some);
	assert_int_equal((uint64_t)some.n + some.n_unmade, all->n);
	assert_true(some.n >= CR_MIN(all->n, spec.first));
	for (uint32_t i = 0; i < CR_MIN(all->n, spec.first); i++) {
		assert_memory_equal(
			some.rows[i].cost, all->rows[i].cost, sizeof(*all->rows[i].cost));
		assert_int_equal(some.rows[i].depth, all->rows[i].depth);
		assert_same_values(all, &some, i);
	}
	cr_table_fini(&some);
}

/* sort, fields: see cr_table_parse(). */
static void
check_table(const struct cr_profile *p, const char *sort, const char *fields, bool children,
	const struct cr_filter *f)
{
	struct cr_fold_opts opts = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_table of_tree, of_sums;
	struct cr_stack_sums sums;
	struct cr_table_spec spec;
	struct cr_plan *plan;
	struct cr_tree *t;

	assert_int_equal(cr_table_parse(sort, fields, children, &spec, &err), CR_OK);
	cr_table_fold(p, &spec, &opts);
	assert_int_equal(cr_fold(p, f, &opts, &t, &err), CR_OK);
	plan = cr_plan_new(p, &opts);
	assert_true(cr_plan_can_sum(plan, f));
	assert_int_equal(cr_plan_sums(plan, f, &sums, &err), CR_OK);
	cr_table_make(p, t, 0, &spec, &of_tree);
	cr_table_make_sums(&sums, &spec, &of_sums);
	assert_same_tables(&of_tree, &of_sums);
	for (uint32_t first = 1; first < 100; first *= 5)
		check_first(&sums, &of_sums, first);
	assert_int_equal(cr_tree_unresolved(t, 0), cr_table_sums_unresolved(&sums));
	assert_int_equal(t->left_out[0], sums.root->left_out[0]);
	assert_true(cr_str_eq(t->event, sums.root->event));
	cr_table_fini(&of_tree);
	cr_table_fini(&of_sums);
	cr_stack_sums_fini(&sums);
	cr_plan_free(plan);
	cr_tree_free(t);
}

static void
check(const struct cr_profile *p, const char *sort, const struct cr_filter *f)
{
	check_table(p, sort, NULL, true, f);
	check_table(p, sort, NULL, false, f);
}

static void
test_tables_of_sums_are_those_of_trees(void **state)
{
	static const char *const sorts[] = {"comm,dso,sym", "sym", "dso", "srcline", "srcfile,sym",
		"cpu,sym", "pid,tgid,dso", "event,addr", "cpu,tid,comm,sym,addr,srcline"};
	const char *faults[] = {"faults"};

	(void)state;
	for (uint32_t seed = 1; seed <= 6; seed++) {
		struct cr_profile *p = random_profile(seed, seed % 2 ? 1 : 1000);

		for (size_t i = 0; i < CR_LEN(sorts); i++) {
			check(p, sorts[i], &(struct cr_filter){0});
			check(p, sorts[i], &(struct cr_filter){.event = faults[0]});
			check(p, sorts[i],
				&(struct cr_filter){.cpus = {&(struct cr_range){1, 1}, 1}});
		}
		cr_profile_free(p);
	}
}

/* Rows may be sorted by each of their costs. */
static void
test_the_first_rows_by_any_cost_are_the_same(void **state)
{
	static const char *const fields[] = {"sample,sym", "overhead_sys,sym,dso",
		"overhead_us,comm,sym", "period,overhead_children,sym", "sym,overhead"};
	struct cr_profile *p = random_profile(7, 1000);

	(void)state;
	for (size_t i = 0; i < CR_LEN(fields); i++)
		check_table(p, NULL, fields[i], false, &(struct cr_filter){0});
	cr_profile_free(p);
}

/* Weights add up to the largest number and no further. */
static void
test_sums_that_are_too_large_stay_at_the_most(void **state)
{
	struct cr_profile *p = random_profile(9, 0);

	(void)state;
	check(p, "comm,dso,sym", &(struct cr_filter){0});
	cr_profile_free(p);
}

/* A frame that is no code, such as the mark of a truncated stack, needs a tree. */
static void
test_marks_need_a_tree(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_fold_opts opts = {.apart = true};
	struct cr_err err = CR_ERR_INIT;
	struct cr_plan *plan;
	struct cr_profile *p;

	(void)state;
	cr_builder_sample(b, &(struct cr_sample){.weight = 1,
				     .event = cr_builder_event(b, CR_STR("e"), CR_STR("")),
				     .node = cr_builder_push(b, CR_ROOT, cr_builder_truncated(b))});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	plan = cr_plan_new(p, &opts);
	assert_false(cr_plan_can_sum(plan, &(struct cr_filter){0}));
	cr_plan_free(plan);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_of_sums_are_those_of_trees),
		cmocka_unit_test(test_the_first_rows_by_any_cost_are_the_same),
		cmocka_unit_test(test_sums_that_are_too_large_stay_at_the_most),
		cmocka_unit_test(test_marks_need_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
