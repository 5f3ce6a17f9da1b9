#include "testing_inlined.h"

#include "model/tree/default_tree.h"
#include "model/tree/outermost.h"

static void
assert_default_tree(const struct cr_profile *p, const char *want)
{
	struct cr_tree *t = cr_default_tree_fold(p, (cr_event_id){0});

	assert_tree(t, want);
	cr_tree_free(t);
}

/* The same for a tree that is made from the samples anew. */
static void
assert_samples(struct cr_profile *p, const char *want)
{
	const struct cr_default_tree *before = p->default_tree;

	p->default_tree = cr_default_tree_compute(p, UINT32_MAX, &p->arena);
	assert_default_tree(p, want);
	p->default_tree = before;
}

#define WITH                                                                                      \
	"all 15 0\n x 14 0\n  main 14 0\n   work 8 0\n    sort 8 5\n     leaf 3 3\n   sort 4 4\n" \
	"   twice 2 0\n    helper 2 0\n     sort 2 2\n y 1 0\n  work 1 0\n   sort 1 1\n"
#define WITHOUT                                                                                   \
	"all 15 0\n x 14 0\n  main 14 0\n   work 8 5\n    leaf 3 3\n   sort 4 4\n   twice 2 2\n " \
	"y 1 0\n  work 1 1\n"

static void
test_what_inlined_functions_cost_is_their_callers(void **state)
{
	struct cr_profile *p = testing_inlined(true);

	(void)state;
	cr_default_tree_make(p);
	assert_default_tree(p, WITH);
	assert_samples(p, WITH);
	cr_outermost(p);
	assert_default_tree(p, WITHOUT);
	assert_samples(p, WITHOUT);
	cr_outermost(p); /* once more changes nothing */
	assert_default_tree(p, WITHOUT);
	cr_profile_free(p);
}

static void
test_it_is_as_if_named_without_them(void **state)
{
	struct cr_profile *p = testing_inlined(false);

	(void)state;
	cr_default_tree_make(p);
	assert_default_tree(p, WITHOUT);
	cr_outermost(p);
	assert_default_tree(p, WITHOUT);
	assert_samples(p, WITHOUT);
	cr_profile_free(p);
}

/* Called from the function itself and from what is inlined in it: afterwards that is one. */
static void
test_callees_that_become_one_are_added_up_in_every_event(void **state)
{
	struct cr_profile *p =
		testing_profile("@x;f;g 3\n@x;f2;g 4\nevent misses\n@x;f2;g 50\n@x;f2 6\n");
	struct cr_naming *n = cr_naming_new(p);
	const cr_location_id f2 = inlined_location(p, "f2"), f1 = inlined_location(p, "f");
	const cr_function_id f =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("f"), .addr = 1});
	const cr_function_id in = cr_naming_function(
		n, &(struct cr_function){.name = CR_STR("in"), .addr = CR_ADDR_INLINED});
	struct cr_tree *t;

	(void)state;
	cr_naming_line(n, f1, &(struct cr_line){.function = f});
	cr_naming_line(n, f2, &(struct cr_line){.function = in});
	cr_naming_line(n, f2, &(struct cr_line){.function = f});
	p = cr_naming_finish(n);
	cr_default_tree_make(p);
	assert_default_tree(p, "all 7 0\n x 7 0\n  f 7 0\n   in 4 0\n    g 4 4\n   g 3 3\n");
	cr_outermost(p);
	assert_default_tree(p, "all 7 0\n x 7 0\n  f 7 0\n   g 7 7\n");
	t = cr_default_tree_fold(p, (cr_event_id){1});
	assert_tree(t, "all 56 0\n x 56 0\n  f 56 6\n   g 50 50\n");
	assert_int_equal(t->total_samples[0][0], 2);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_a_profile_opened_without_its_locations_has_its_outline_changed(void **state)
{
	struct cr_profile *p = testing_inlined(true);

	(void)state;
	cr_default_tree_make(p);
	p->n_locations = p->n_lines = p->n_nodes = 0;
	p->locations = NULL;
	p->lines = NULL;
	p->samples.n = 0;
	cr_outermost(p);
	assert_default_tree(p, WITHOUT);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_inlined_functions_cost_is_their_callers),
		cmocka_unit_test(test_it_is_as_if_named_without_them),
		cmocka_unit_test(test_callees_that_become_one_are_added_up_in_every_event),
		cmocka_unit_test(
			test_a_profile_opened_without_its_locations_has_its_outline_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
