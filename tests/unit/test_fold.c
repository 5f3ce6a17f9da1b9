#include "testing.h"

#include "cresset/profile/outline.h"
#include "cresset/query/fold.h"

static const char lines[] = "@x;f;g 3\n@y;f;g 4\n@x;f 1\nevent misses\n@x;h 9\n";

static void
test_folding_gives_the_same_with_and_without_an_outline(void **state)
{
	static const struct { struct cr_filter filter; enum cr_group group; const char *want; } cases[] = {
		{{0}, CR_GROUP_COMM, "all 8 0\n x 4 0\n  f 4 1\n   g 3 3\n y 4 0\n  f 4 0\n   g 4 4\n"},
		{{0}, CR_GROUP_NONE, "all 8 0\n f 8 1\n  g 7 7\n"},
		{{.comm = "y"}, CR_GROUP_COMM, "all 4 0\n y 4 0\n  f 4 0\n   g 4 4\n"},
		{{.event = "misses"}, CR_GROUP_COMM, "all 9 0\n x 9 0\n  h 9 9\n"},
		{{.comm = "z"}, CR_GROUP_NONE, "all 0 0\n"},
	};

	(void)state;
	for (unsigned outlined = 0; outlined < 2; outlined++) {
		struct cr_profile *p = testing_profile(lines);

		if (outlined)
			cr_outline_make(p);
		for (size_t i = 0; i < CR_LEN(cases); i++) {
			struct cr_err err = CR_ERR_INIT;
			struct cr_tree *t;

			assert_int_equal(cr_fold(p, &cases[i].filter, CR_GRAIN_FUNCTION, cases[i].group, &t, &err), CR_OK);
			assert_tree(t, cases[i].want);
			assert_str(t->event, cases[i].filter.event ? cases[i].filter.event : "cycles");
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
	assert_int_equal(cr_fold(p, &(struct cr_filter){.event = "?"}, CR_GRAIN_FUNCTION, CR_GROUP_COMM, &t, &err), CR_ENOTFOUND);
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
	cr_outline_make(p);
	p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, CR_GRAIN_FUNCTION, CR_GROUP_COMM, &t, &err), CR_OK);
	assert_int_equal(t->total[0][0], 8);
	cr_tree_free(t);
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, CR_GRAIN_FUNCTION, CR_GROUP_NONE, &t, &err), CR_ENOTFOUND);
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
	const cr_node_id f = cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("f"), CR_OBJECT_UNKNOWN));
	const cr_node_id g = cr_builder_push(b, f, cr_builder_named(b, CR_STR("g"), CR_OBJECT_UNKNOWN));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_space(b));
	for (uint32_t i = 1; i <= 8; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 100, .node = g, .event = other});
		cr_builder_sample(b, &(struct cr_sample){.weight = i, .node = i % 2 ? g : f, .event = event, .cpu = i > 4});
		if (i % 4 == 0)
			continue;
		cr_builder_value(b, cr_builder_detail(b, event, CR_STR("n"), CR_FORM_HEX), i / 5);
		cr_builder_value(b, cr_builder_detail(b, event, CR_STR("t"), CR_FORM_TEXT),
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
	static const struct { struct cr_filter filter; const char *field, *want; } cases[] = {
		{{.event = "e"}, "n", "all 36 0\n n=0x1 18 0\n  f 18 6\n   g 12 12\n no n 12 0\n  f 12 12\n"
			" n=0x0 6 0\n  f 6 2\n   g 4 4\n"},
		{{.event = "e"}, "t", "all 36 0\n t= 23 0\n  f 23 8\n   g 15 15\n no t 12 0\n  f 12 12\n"
			" t=\x1b; 1 0\n  f 1 0\n   g 1 1\n"},
		{{.event = "e", .has_cpu = true, .cpu = 0}, "n", "all 10 0\n n=0x0 6 0\n  f 6 2\n   g 4 4\n no n 4 0\n  f 4 4\n"},
		{{.event = "e", .where = "t=x"}, "n", "all 0 0\n"},
	};
	struct cr_profile *p = fields_profile();

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *t;

		assert_int_equal(cr_fold_by(p, &cases[i].filter, CR_GRAIN_FUNCTION, cases[i].field, &t, &err), CR_OK);
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
	assert_int_equal(cr_fold_by(p, &(struct cr_filter){.event = "other"}, CR_GRAIN_FUNCTION, "n", &t, &err), CR_ENOTFOUND);
	assert_null(t);
	assert_int_equal(cr_fold_by(p, &(struct cr_filter){.event = "e"}, CR_GRAIN_FUNCTION, "nn", &t, &err), CR_ENOTFOUND);
	assert_string_equal(err.text, "no field nn in event e (cresset info lists them)");
	cr_profile_free(p);
}

static void
test_values_past_the_limit_share_a_group(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("e"), CR_STR(""));
	const cr_detail_id n = cr_builder_detail(b, event, CR_STR("n"), CR_FORM_NUMBER);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;

	(void)state;
	cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_space(b));
	for (uint32_t i = 0; i < 65540; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 1});
		cr_builder_value(b, n, i);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_fold_by(p, &(struct cr_filter){0}, CR_GRAIN_FUNCTION, "n", &t, &err), CR_OK);
	assert_int_equal(t->n, 1 + 65536 + 1);
	assert_str(t->frames[t->frame[1]].name, "other n"); /* the heaviest */
	assert_int_equal(t->total[0][1], 4);
	cr_tree_free(t);
	cr_profile_free(p);
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
		cmocka_unit_test(test_values_past_the_limit_share_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
