#include "testing.h"

#include "model/build/naming.h"

#include <time.h>

/* One dso, two locations in it, each the stack of a sample. */
static struct cr_builder *
builder(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});

	cr_builder_event(b, CR_STR("cycles"), CR_STR(""));
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	for (uint64_t addr = 1; addr < 3; addr++)
		cr_builder_sample(b, &(struct cr_sample){.weight = 1,
					     .node = cr_builder_push(b, CR_ROOT,
						     cr_builder_location(b, o, addr, 0))});
	return b;
}

static struct cr_profile *
nameless(void)
{
	struct cr_builder *b = builder();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_quality(b, CR_STR("lost"), 1);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_before_naming_a_location_has_the_nameless_function_of_its_object(void **state)
{
	struct cr_profile *p = nameless();

	(void)state;
	assert_int_equal(p->n_functions, 2);
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		assert_int_equal(l->lines, 1);
		assert_int_equal(p->lines[l->first_line].function.i, 1);
		assert_int_equal(p->functions[1].dso.i, 1);
		assert_int_equal(p->functions[1].name.len, 0);
	}
	cr_profile_free(p);
}

static void
test_names_are_given_and_the_rest_stays_as_it_was(void **state)
{
	struct cr_naming *n = cr_naming_new(nameless());
	char name[] = "inner";
	const cr_function_id inner =
		cr_naming_function(n, &(struct cr_function){.name = cr_str_of(name), .dso = {1}});
	const cr_function_id outer =
		cr_naming_function(n, &(struct cr_function){.name = CR_STR("outer"),
					      .linkage = CR_STR("_Z5outerv"),
					      .file = CR_STR("x.cc"),
					      .line = 3,
					      .dso = {1}});
	struct cr_profile *p;

	(void)state;
	memset(name, '?', sizeof(name) - 1); /* names are copied */
	cr_naming_line(n, (cr_location_id){1}, &(struct cr_line){inner, 10, {0}});
	cr_naming_line(n, (cr_location_id){1}, &(struct cr_line){outer, 20, {0}});
	cr_naming_quality(n, CR_STR("lost"), 2);
	cr_naming_quality(n, CR_STR("no symbols"), 1);
	cr_naming_build_id(n, (cr_dso_id){1}, (const uint8_t *)"abc", 3);
	p = cr_naming_finish(n);
	assert_int_equal(p->locations[1].lines, 2);
	assert_int_equal(p->lines[p->locations[1].first_line].function.i, inner.i);
	assert_int_equal(p->lines[p->locations[1].first_line].line, 10);
	assert_int_equal(p->lines[p->locations[1].first_line + 1].function.i, outer.i);
	assert_str(p->functions[inner.i].name, "inner");
	assert_str(p->functions[outer.i].linkage, "_Z5outerv");
	assert_int_equal(p->locations[0].lines, 1);
	assert_int_equal(p->lines[p->locations[0].first_line].function.i, 1);
	assert_int_equal(p->quality[0].count, 3);
	assert_str(p->quality[1].what, "no symbols");
	assert_memory_equal(p->dsos[1].build_id, "abc", 3);
	cr_profile_free(p);
}

static void
test_functions_are_interned_by_name_object_and_address(void **state)
{
	struct cr_naming *n = cr_naming_new(nameless());
	const struct cr_function f = {.name = CR_STR("f"), .dso = {1}, .addr = 8};
	struct cr_function g = f;
	const cr_function_id id = cr_naming_function(n, &f);

	(void)state;
	assert_int_equal(cr_naming_function(n, &f).i, id.i);
	g.addr = 9;
	assert_int_not_equal(cr_naming_function(n, &g).i, id.i);
	g = f;
	g.dso.i = 0;
	assert_int_not_equal(cr_naming_function(n, &g).i, id.i);
	g = (struct cr_function){.dso = {1}};
	assert_int_equal(cr_naming_function(n, &g).i, 1); /* the nameless one is there already */
	cr_profile_free(cr_naming_finish(n));
}

static void
test_an_inline_chain_without_end_is_cut(void **state)
{
	struct cr_naming *n = cr_naming_new(nameless());
	struct cr_profile *p;

	(void)state;
	for (uint32_t i = 0; i < 70000; i++)
		cr_naming_line(
			n, (cr_location_id){0}, &(struct cr_line){(cr_function_id){1}, i, {0}});
	p = cr_naming_finish(n);
	assert_int_equal(p->locations[0].lines, UINT16_MAX);
	assert_true(p->locations[0].first_line + p->locations[0].lines <= p->n_lines);
	assert_int_equal(p->lines[p->locations[1].first_line].function.i, 1);
	cr_profile_free(p);
}

static void
lose(struct cr_builder *b, struct cr_naming *n, unsigned which)
{
	char text[32];
	const int len = snprintf(text, sizeof(text), "no file of dso %u", which);
	const struct cr_str what = {text, (uint32_t)len};

	if (b)
		cr_builder_quality(b, what, 1);
	else
		cr_naming_quality(n, what, 1);
}

/*
 * A recording may have so many dsos that a search among all counts would take minutes for each
 * loop.
 */
static void
test_counts_of_very_many_dsos_are_found_by_an_index(void **state)
{
	const unsigned many = 400000;
	const clock_t start = clock();
	struct cr_builder *b = builder();
	struct cr_err err = CR_ERR_INIT;
	struct cr_naming *n;
	struct cr_profile *p;

	(void)state;
	for (unsigned i = 0; i < 2 * many; i++)
		lose(b, NULL, i % many);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(p->n_quality, many);
	n = cr_naming_new(p);
	for (unsigned i = 0; i < 2 * many; i++)
		lose(NULL, n, i % many);
	p = cr_naming_finish(n);
	assert_int_equal(p->n_quality, many);
	for (unsigned i = 0; i < many; i++)
		assert_int_equal(p->quality[i].count, 4);
	cr_profile_free(p);
	assert_true((clock() - start) / CLOCKS_PER_SEC <
		    60); /* of processor time; it needs about one */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_before_naming_a_location_has_the_nameless_function_of_its_object),
		cmocka_unit_test(test_names_are_given_and_the_rest_stays_as_it_was),
		cmocka_unit_test(test_functions_are_interned_by_name_object_and_address),
		cmocka_unit_test(test_an_inline_chain_without_end_is_cut),
		cmocka_unit_test(test_counts_of_very_many_dsos_are_found_by_an_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
