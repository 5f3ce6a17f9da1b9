#include "testing.h"

#include "model/tree/default_tree.h"
#include "query/fold/sketch/sketch.h"
#include "query/fold/sketch/wide_stacks.h"
#include "query/lang/query.h"
#include "query/table/sums/wide_table.h"

/*
 * What is made of the sums of stacks agrees with the complete tree: sketches in all that they have,
 * tables of functions of any node. A few stacks are hot, most are rare.
 */

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static const char *const names[] = {"main", "read", "g", "h", "poll", ""};

/* A location of up to three functions, inlined in one another. */
static cr_location_id
random_location(struct cr_builder *b, cr_dso_id dso, uint32_t *seed, bool hot, uint32_t deep)
{
	struct cr_named named[3];
	const uint32_t n = 1 + next(seed, 3);
	const uint64_t addr = 16 * next(seed, 40);

	for (uint32_t i = 0; i < n; i++)
		named[i] = (struct cr_named){
			cr_str_of(names[hot ? (deep + i) % 3 : next(seed, CR_LEN(names))]),
			CR_STR("a.c"), 1 + next(seed, 2)};
	return cr_builder_named_at(b, dso, addr, named, n);
}

static struct cr_profile *
random_profile(uint32_t seed, uint32_t rows)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/a"), .kind = CR_KIND_USER});
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TIME);
	for (uint32_t i = 0; i < rows; i++) {
		const int32_t tid = (int32_t)next(&seed, 7);
		const bool hot = next(&seed, 4) == 0;
		cr_node_id node = CR_ROOT;

		for (uint32_t deep = next(&seed, 9); deep; deep--)
			node = cr_builder_push(b, node, random_location(b, dso, &seed, hot, deep));
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000 + i,
					     .weight = hot ? 100000 : next(&seed, 2),
					     .task = cr_builder_task(b, tid / 2, tid,
						     tid % 3 ? CR_STR("x") : CR_STR("y"), space),
					     .cpu = (uint16_t)next(&seed, 3),
					     .event = event,
					     .node = node});
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
assert_same_node(const struct cr_tree *a, uint32_t m, const struct cr_tree *b, uint32_t n)
{
	assert_int_equal(a->frame[m], b->frame[n]);
	assert_int_equal(a->depth[m], b->depth[n]);
	assert_int_equal(a->total[0][m], b->total[0][n]);
	assert_int_equal(a->extent[m], b->extent[n]);
	assert_int_equal(a->total_samples[0][m], b->total_samples[0][n]);
	assert_int_equal(a->self[0][m], b->self[0][n]);
	assert_int_equal(a->self_samples[0][m], b->self_samples[0][n]);
}

static void
assert_same_table(const struct cr_table *a, const struct cr_table *b, uint32_t n_frames)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->whole[0], b->whole[0]);
	assert_int_equal(a->whole_samples[0], b->whole_samples[0]);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct cr_table_cost *x = a->rows[i].cost, *y = b->rows[i].cost;
		const struct cr_table_value *v = cr_table_value(a, i, CR_TABLE_FUNCTION),
					    *w = cr_table_value(b, i, CR_TABLE_FUNCTION);

		assert_true(cr_str_eq(v->text, w->text) && cr_str_eq(v->dso, w->dso));
		assert_int_equal(a->rows[i].inlined, b->rows[i].inlined);
		assert_memory_equal(x, y, sizeof(*x));
	}
	for (uint32_t f = 0; f < n_frames; f++)
		assert_int_equal(a->frame_row[f], b->frame_row[f]);
}

static void
check_table(const struct cr_wide_stacks *w, const struct cr_tree *sketch, uint32_t n,
	const struct cr_tree *whole, uint32_t m)
{
	struct cr_table a, b;

	cr_table_make(NULL, whole, m, cr_table_by(CR_TABLE_FUNCTION), &a);
	cr_table_make_wide(w, sketch, n, cr_table_by(CR_TABLE_FUNCTION), &b);
	assert_same_table(&a, &b, whole->n_frames);
	cr_table_fini(&a);
	cr_table_fini(&b);
}

/* The opened path, as a node of the complete tree, and what was seen of the sketch. */
struct seen {
	const struct cr_wide_stacks *w;
	uint32_t path; /* the last node of it */
	uint32_t closed, opened, tables;
};

static bool
is_on_path(const struct cr_tree *whole, uint32_t m, const struct seen *s)
{
	return s->path >= m && s->path < whole->end[m];
}

/* least: what is closed of less. */
static void
check_subtree(const struct cr_tree *sketch, uint32_t n, const struct cr_tree *whole, uint32_t m,
	uint64_t least, struct seen *s)
{
	uint32_t c = n + 1, d = m + 1;

	assert_same_node(whole, m, sketch, n);
	if (n % 7 == 0 || is_on_path(whole, m, s)) {
		check_table(s->w, sketch, n, whole, m);
		s->tables++;
	}
	if (is_on_path(whole, m, s))
		least = (whole->total[0][m] + CR_SKETCH_SHARE - 1) / CR_SKETCH_SHARE;
	if (whole->total[0][m] < least) {
		assert_int_equal(sketch->end[n], n + 1);
		assert_int_equal(cr_sketch_is_closed(sketch, n), whole->end[m] > m + 1);
		s->closed += cr_sketch_is_closed(sketch, n);
		return;
	}
	assert_false(cr_sketch_is_closed(sketch, n));
	s->opened++;
	for (; c < sketch->end[n]; c = sketch->end[c], d = whole->end[d]) {
		assert_true(d < whole->end[m]);
		check_subtree(sketch, c, whole, d, least, s);
	}
	assert_int_equal(d, whole->end[m]);
}

/* With the path to a node of the complete tree opened. */
static struct seen
check(const struct cr_wide_stacks *w, const struct cr_tree *whole, uint32_t node)
{
	struct seen s = {w, node, 0, 0, 0};
	struct cr_err err = CR_ERR_INIT;
	uint32_t path[64], n = whole->depth[node];
	struct cr_tree *sketch;

	for (uint32_t at = node, d = n; d > 0; at = whole->parent[at])
		path[--d] = whole->frame[at];
	assert_int_equal(cr_wide_stacks_sketch(w, CR_SKETCH_SHARE, path, n, &sketch, &err), CR_OK);
	assert_true(cr_str_eq(sketch->event, whole->event));
	assert_true(cr_str_eq(sketch->unit, whole->unit));
	assert_int_equal(sketch->left_out[0], whole->left_out[0]);
	assert_int_equal(sketch->left_out_samples[0], whole->left_out_samples[0]);
	assert_int_equal(sketch->n_frames, whole->n_frames);
	check_subtree(sketch, 0, whole, 0, 1, &s);
	assert_int_equal(sketch->is_sketch, s.closed != 0);
	assert_int_equal(sketch->is_wide, s.closed != 0);
	cr_tree_free(sketch);
	return s;
}

static uint32_t
count_of(const struct cr_tree *t, uint64_t least)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += t->total[0][i] >= least;
	return n;
}

/* A cut tree has the nodes of a total of `least` or more, with all their children. */
static void
assert_is_cut(const struct cr_tree *t, const struct cr_tree *whole, uint64_t least)
{
	uint32_t m = 0;

	for (uint32_t n = 0; n < t->n; n++) {
		assert_same_node(whole, m, t, n);
		m = whole->total[0][m] < least ? whole->end[m] : m + 1;
	}
	assert_int_equal(m, whole->n);
}

/* The tree without small nodes, of which more than `most` nodes are not small. */
static void
check_cut(const struct cr_wide_stacks *w, const struct cr_tree *whole, uint32_t most)
{
	struct cr_tree_cut cut = {.most = most}, none = {.most = most};
	struct cr_err err = CR_ERR_INIT;
	uint64_t least = whole->total[0][0] / 1000000 + 1;
	struct cr_tree *t;

	while (count_of(whole, least) > most)
		least *= 2;
	assert_int_equal(cr_wide_stacks_cut(w, 1, &cut, &t, &err), CR_OK);
	assert_int_equal(cut.least, least);
	assert_int_equal(cut.n, whole->n - t->n);
	assert_true(cr_str_eq(t->event, whole->event));
	assert_is_cut(t, whole, least);
	cr_tree_free(t);
	/* What would be drawn lies below it: nothing is made. */
	assert_int_equal(cr_wide_stacks_cut(w, 1000000, &none, &t, &err), CR_OK);
	assert_null(t);
	assert_int_equal(none.n, 0);
}

/* The same for a query; of few nodes all are there. */
static void
test_a_query_is_cut_if_it_has_many_nodes(void **state)
{
	struct cr_profile *p = random_profile(11, 3000);
	struct cr_tree_cut cut = {.most = 500}, none = {.most = 1u << 20};
	struct cr_query q = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *whole, *some, *all;

	(void)state;
	assert_int_equal(cr_query_run(p, &q, &whole, &err), CR_OK);
	assert_int_equal(cr_query_run_cut(p, &q, 1, &cut, &some, &err), CR_OK);
	assert_int_equal(cr_query_run_cut(p, &q, 1, &none, &all, &err), CR_OK);
	assert_true(some->is_sketch && cut.n > 0);
	assert_int_equal(some->n + cut.n, whole->n);
	assert_is_cut(some, whole, cut.least);
	assert_int_equal(none.n, 0);
	assert_int_equal(all->n, whole->n);
	cr_tree_free(some);
	cr_tree_free(all);
	/* Small nodes are wanted. */
	none.most = 500;
	assert_int_equal(cr_query_run_cut(p, &q, UINT32_MAX, &none, &all, &err), CR_OK);
	assert_int_equal(none.n, 0);
	assert_int_equal(all->n, whole->n);
	cr_tree_free(all);
	cr_tree_free(whole);
	cr_query_fini(&q);
	cr_profile_free(p);
}

static void
check_fold(const struct cr_profile *p, const struct cr_fold_opts *o, const struct cr_filter *f,
	uint32_t *seed, struct seen *all)
{
	struct cr_plan *plan = cr_plan_new(p, o);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *whole, *tree;
	struct cr_wide_stacks *w;

	assert_true(cr_plan_can_be_wide(plan, f));
	assert_int_equal(cr_plan_fold(plan, f, &whole, &err), CR_OK);
	assert_int_equal(cr_plan_fold_wide(plan, f, whole->n, &tree, &w, &err), CR_OK);
	assert_null(w);
	assert_int_equal(tree->n, whole->n);
	cr_tree_free(tree);
	assert_int_equal(cr_plan_fold_wide(plan, f, whole->n - 1, &tree, &w, &err), CR_OK);
	assert_null(tree);
	cr_plan_free(plan);
	assert_int_equal(w->unresolved, cr_tree_unresolved(whole, 0));
	for (uint32_t i = 0; i < 4; i++) {
		const struct seen s = check(w, whole, i ? next(seed, whole->n) : 0);

		all->closed += s.closed;
		all->opened += s.opened;
		all->tables += s.tables;
	}
	for (uint32_t most = 50; most < 2000; most *= 3)
		check_cut(w, whole, most);
	cr_wide_stacks_free(w);
	cr_tree_free(whole);
}

static void
test_sketches_and_tables_are_those_of_the_tree(void **state)
{
	static const struct cr_fold_opts opts[] = {{.n_groups = 0}, CR_FOLD_USUAL,
		{.n_groups = 1, .groups = {CR_GROUP_TID}},
		{.n_groups = 1, .groups = {CR_GROUP_CPU}, .outermost = true},
		{.granularity = CR_GRANULARITY_LINE}, {.granularity = CR_GRANULARITY_ADDRESS},
		{.apart = true}};
	const struct cr_filter all = {0}, some = {.cpus = {&(struct cr_range){1, 1}, 1}};
	struct seen seen = {0};

	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		struct cr_profile *p = random_profile(seed, 3000);
		uint32_t draw = seed;

		for (size_t i = 0; i < CR_LEN(opts); i++) {
			check_fold(p, &opts[i], &all, &draw, &seen);
			check_fold(p, &opts[i], &some, &draw, &seen);
		}
		cr_profile_free(p);
	}
	assert_true(seen.closed > 1000);
	assert_true(seen.opened > 1000);
	assert_true(seen.tables > 1000);
}

/* A path that is not there opens as much of it as is there. */
static void
test_a_path_may_end_in_nothing(void **state)
{
	static const uint32_t path[] = {UINT32_MAX, 0, 7};
	const struct cr_fold_opts opts = {.n_groups = 0};
	const struct cr_filter all = {0};
	struct cr_profile *p = random_profile(9, 3000);
	struct cr_plan *plan = cr_plan_new(p, &opts);
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *a, *b;
	struct cr_wide_stacks *w;

	(void)state;
	assert_int_equal(cr_plan_fold_wide(plan, &all, 0, &a, &w, &err), CR_OK);
	assert_int_equal(cr_wide_stacks_sketch(w, CR_SKETCH_SHARE, NULL, 0, &a, &err), CR_OK);
	assert_int_equal(cr_wide_stacks_sketch(w, CR_SKETCH_SHARE, path, 3, &b, &err), CR_OK);
	assert_int_equal(a->n, b->n);
	cr_tree_free(a);
	cr_tree_free(b);
	cr_wide_stacks_free(w);
	cr_plan_free(plan);
	cr_profile_free(p);
}

static void
test_some_queries_have_none(void **state)
{
	static const struct cr_fold_opts others[] = {{.granularity = CR_GRANULARITY_DSO},
		{.granularity = CR_GRANULARITY_FILE}, {.bare = true},
		{.n_groups = 1, .groups = {CR_GROUP_DSO}},
		{.n_groups = 2, .groups = {CR_GROUP_PID, CR_GROUP_CPU}}, CR_FOLD_USUAL};
	const struct cr_filter all = {0};
	struct cr_profile *p = random_profile(6, 100);

	(void)state;
	cr_default_tree_make(p);
	for (size_t i = 0; i < CR_LEN(others); i++) {
		struct cr_plan *plan = cr_plan_new(p, &others[i]);

		assert_false(cr_plan_can_be_wide(plan, &all));
		cr_plan_free(plan);
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sketches_and_tables_are_those_of_the_tree),
		cmocka_unit_test(test_a_query_is_cut_if_it_has_many_nodes),
		cmocka_unit_test(test_a_path_may_end_in_nothing),
		cmocka_unit_test(test_some_queries_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
