#include "testing.h"

#include <math.h>

#include "query/diff/comparable.h"
#include "query/diff/evidence.h"
#include "testing_inlined.h"

/* The evidence adds up parts of a profile; here they must come to what the whole tree says. */

static const char before[] = "@app;main;f;g 300\n"
			     "@app;main;f;g;f 200\n" /* recursion, direct and through g */
			     "@app;main;f;f 50\n"
			     "@app;main;h 100\n"
			     "@idle;main;h;malloc 40\n"
			     "@app;main 7\n";
static const char after[] = "@app;main;f;g 200\n"
			    "@app;main;f;g;f 250\n"
			    "@app;main;h 90\n"
			    "@app;main;k;f 60\n"
			    "@idle;main;h;malloc 45\n";

/* A share is that of the whole tree of its side. */
static void
check_shares(const struct cr_tree *t, const struct cr_table *table, const struct cr_judged *j)
{
	for (uint32_t s = 0; s < CR_SIDES; s++)
		for (uint32_t i = 0; i < table->n; i++) {
			const struct cr_table_cost *c = &table->rows[i].cost[s];
			const double whole = (double)t->total[s][0];

			assert_true(fabs(j->self[i].share[s] - (double)c->self / whole) < 1e-9);
			assert_true(fabs(j->total[i].share[s] - (double)c->total / whole) < 1e-9);
		}
}

static void
judge(const struct cr_profile *const p[CR_SIDES], const char *words, enum cr_table_column key)
{
	static const struct cr_norm share = {CR_NORM_SHARE, NULL};
	const struct cr_diff_opts opts = {.profile = {p[0], p[1]}};
	struct cr_err err = CR_ERR_INIT;
	struct cr_query query = {0};
	struct cr_tree *tree[CR_SIDES], *both;
	struct cr_table table;
	struct cr_judged judged;

	assert_int_equal(cr_query_parse(&query, words, &err), CR_OK);
	for (int s = 0; s < CR_SIDES; s++)
		assert_int_equal(cr_query_fold(p[s], &query, &tree[s], &err), CR_OK);
	assert_int_equal(cr_diff(tree[0], tree[1], &opts, &both, &err), CR_OK);
	assert_int_equal(cr_query_transform(&query, &both, &err), CR_OK);
	cr_table_make(NULL, both, 0, cr_table_by(key), &table);
	assert_int_equal(cr_evidence_judge((struct cr_evidence_side[]){{p[0], &query, tree[0]},
						   {p[1], &query, tree[1]}},
				 &opts, both, &table, &share, 0, &judged, &err),
		CR_OK);
	check_shares(both, &table, &judged);
	cr_judged_fini(&judged);
	cr_table_fini(&table);
	cr_tree_free(both);
	for (int s = 0; s < CR_SIDES; s++)
		cr_tree_free(tree[s]);
	cr_query_fini(&query);
}

static const char *const queries[] = {"", "comm app", "hide ^g$", "focus ^h", "recursion all",
	"recursion direct", "invert", "callers f", "callees f", "prune ^f$", "granularity dso",
	"granularity file", "granularity line", "group none", "group tid,comm",
	"merge g; recursion direct; ignore malloc", "tidy rust-async", "tidy python; invert"};

static void
test_parts_add_up_to_the_tree(void **state)
{
	struct cr_profile *p[CR_SIDES] = {testing_profile(before), testing_profile(after)};
	const struct cr_profile *const both[CR_SIDES] = {p[0], p[1]};

	(void)state;
	for (size_t i = 0; i < CR_LEN(queries); i++) {
		judge(both, queries[i], CR_TABLE_FUNCTION);
		judge(both, queries[i], CR_TABLE_DSO_PATH);
	}
	judge(both, "", CR_TABLE_GROUP);
	for (int s = 0; s < CR_SIDES; s++)
		cr_profile_free(p[s]);
}

static void
test_rows_that_are_inlined_and_called_are_one(void **state)
{
	struct cr_profile *p = testing_inlined(true);
	const struct cr_profile *const both[CR_SIDES] = {p, p};

	(void)state;
	for (size_t i = 0; i < CR_LEN(queries); i++)
		if (!strstr(queries[i], "comm") && !strstr(queries[i], "tid"))
			judge(both, queries[i], CR_TABLE_FUNCTION);
	cr_profile_free(p);
}

/* A profile of one program, with the facts of its recording. */
static struct cr_profile *
recorded(const char *program, const char *build_id, const char *kernel, uint64_t lost)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_dso dso = {.name = cr_str_of(program),
		.kind = CR_KIND_USER,
		.build_id_len = (uint8_t)strlen(build_id)};

	memcpy(dso.build_id, build_id, dso.build_id_len);
	cr_builder_sample(b,
		&(struct cr_sample){.weight = 1,
			.event = cr_builder_event(b, CR_STR("cycles"), CR_STR("")),
			.cpu = UINT16_MAX,
			.task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b)),
			.node = cr_builder_push(b, CR_ROOT,
				cr_builder_named(b, CR_STR("f"), cr_builder_dso(b, &dso)))});
	cr_builder_fact(b, "osrelease", cr_str_of(kernel));
	if (lost)
		cr_builder_quality(b, CR_STR("samples lost while recording"), lost);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
check_warnings(struct cr_profile *p, struct cr_profile *q, const char *want)
{
	const struct cr_profile *const both[CR_SIDES] = {p, q};
	const struct cr_tree none = {.sides = CR_SIDES};
	struct cr_text text = {0};

	cr_comparable_put(both, &none, &text);
	assert_string_equal(text.p ? text.p : "", want);
	cr_text_fini(&text);
	cr_profile_free(p);
	cr_profile_free(q);
}

static void
test_what_makes_a_comparison_doubtful(void **state)
{
	(void)state;
	check_warnings(recorded("/a/x", "1234", "6.1", 0), recorded("/b/x", "1234", "6.1", 0), "");
	check_warnings(recorded("/a/x", "1234", "6.1", 0), recorded("/b/y", "9876", "6.1", 0), "");
	check_warnings(recorded("/a/x", "", "6.1", 0), recorded("/b/x", "9876", "", 0), "");
	check_warnings(recorded("/a/x", "1234", "6.1", 0), recorded("/b/x", "9876", "6.2", 1),
		"two builds of x: functions whose source is the same may differ by code placement "
		"alone\n"
		"kernels differ: 6.1 and 6.2\n"
		"after: more than 1 % of the samples were lost\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_add_up_to_the_tree),
		cmocka_unit_test(test_rows_that_are_inlined_and_called_are_one),
		cmocka_unit_test(test_what_makes_a_comparison_doubtful),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
