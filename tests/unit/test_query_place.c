#include "testing.h"

#include "base/hash.h"
#include "query/lang/query.h"

static const char two_events[] = "event cycles\n"
				 "@web;main;a;b 3\n"
				 "@db;main;a 4\n"
				 "event faults\n"
				 "@web;main;a;b 5\n"
				 "@web;main;c;c 1\n";

/* A line per sample: "a;b", its path in the tree, or "-". */
static char *
places(const struct cr_profile *p, const struct cr_tree *t, const uint32_t *place)
{
	struct cr_text out = {0};

	cr_text_puts(&out, "");
	for (uint64_t row = 0; row < p->samples.n; row++) {
		struct cr_text path = {0}, rest = {0};

		if (place[row] == CR_NO_ROW) {
			cr_text_puts(&path, "-");
		} else {
			assert_in_range(place[row], 0, t->n - 1);
			for (uint32_t n = place[row]; n; n = t->parent[n]) {
				cr_text_clear(&rest);
				cr_text_str(&rest, cr_text_view(&path));
				cr_text_clear(&path);
				cr_text_str(&path, t->frames[t->frame[n]].name);
				if (rest.len)
					cr_text_char(&path, ';');
				cr_text_str(&path, cr_text_view(&rest));
			}
		}
		cr_text_str(&out, cr_text_view(&path));
		cr_text_char(&out, '\n');
		cr_text_fini(&path);
		cr_text_fini(&rest);
	}
	return out.p;
}

static void
assert_places(const char *query, const char *want)
{
	struct cr_profile *p = testing_profile(two_events);
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	struct cr_tree *t;
	uint32_t *place;
	char *have;

	assert_int_equal(cr_query_parse(&q, query, &err), CR_OK);
	if (cr_query_place(p, &q, false, &t, &place, &err) != CR_OK)
		fail_msg("%s: %s", query, err.text);
	assert_int_equal(t->sides, 1);
	have = places(p, t, place);
	assert_string_equal(have, want);
	free(have);
	free(place);
	cr_tree_free(t);
	cr_query_fini(&q);
	cr_profile_free(p);
}

static void
test_samples_of_all_events_have_a_place(void **state)
{
	(void)state;
	assert_places("", "main;a;b\nmain;a\nmain;a;b\nmain;c;c\n");
}

static void
test_samples_that_are_not_selected_have_none(void **state)
{
	(void)state;
	assert_places("event faults", "-\n-\nmain;a;b\nmain;c;c\n");
	assert_places("comm db", "-\nmain;a\n-\n-\n");
}

static void
test_stacks_are_grouped_only_if_asked_for(void **state)
{
	(void)state;
	assert_places("group comm", "web;main;a;b\ndb;main;a\nweb;main;a;b\nweb;main;c;c\n");
}

/* Each step moves the samples where the one before had put them. */
static void
test_samples_move_with_the_steps(void **state)
{
	(void)state;
	assert_places("focus b", "main;a;b\n-\nmain;a;b\n-\n");
	assert_places("hide ^a$; invert", "b;main\nmain\nb;main\nc;c;main\n");
	assert_places("prune ^a$; root-at a", "a\na\na\n-\n");
	assert_places("recursion direct; drop b", "-\nmain;a\n-\nmain;c\n");
}

static void
test_without_samples_there_is_nothing_to_free(void **state)
{
	static const char *const queries[] = {
		"event nothing", "comm nobody", "focus nowhere", "hide ^a$; root-at a"};
	struct cr_profile *p = testing_profile(two_events);

	(void)state;
	for (size_t i = 0; i < CR_LEN(queries); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_query q = {0};
		struct cr_tree *t;
		uint32_t *place;

		assert_int_equal(cr_query_parse(&q, queries[i], &err), CR_OK);
		assert_true(cr_query_place(p, &q, false, &t, &place, &err) < 0);
		assert_null(t);
		assert_null(place);
		assert_true(err.text[0]);
		cr_query_fini(&q);
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_of_all_events_have_a_place),
		cmocka_unit_test(test_samples_that_are_not_selected_have_none),
		cmocka_unit_test(test_stacks_are_grouped_only_if_asked_for),
		cmocka_unit_test(test_samples_move_with_the_steps),
		cmocka_unit_test(test_without_samples_there_is_nothing_to_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
