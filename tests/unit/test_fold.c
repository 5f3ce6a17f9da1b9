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

			assert_int_equal(cr_fold(p, &cases[i].filter, cases[i].group, &t, &err), CR_OK);
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
	assert_int_equal(cr_fold(p, &(struct cr_filter){.event = "?"}, CR_GROUP_COMM, &t, &err), CR_ENOTFOUND);
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
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, CR_GROUP_COMM, &t, &err), CR_OK);
	assert_int_equal(t->total[0][0], 8);
	cr_tree_free(t);
	assert_int_equal(cr_fold(p, &(struct cr_filter){0}, CR_GROUP_NONE, &t, &err), CR_ENOTFOUND);
	assert_null(t);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folding_gives_the_same_with_and_without_an_outline),
		cmocka_unit_test(test_an_unknown_event_gives_no_tree),
		cmocka_unit_test(test_without_samples_the_outline_still_serves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
