#include "testing.h"

#include <time.h>

#include "model/build/builder.h"
#include "query/diff/canonical_name.h"
#include "query/diff/diff.h"
#include "query/fold/fold.h"
#include "query/fold/select.h"
#include "read/reader.h"
#include "testing_tree.h"

static void
test_names_lose_what_the_compiler_made_up(void **state)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"f", "f"},
		{"f.isra.0", "f"},
		{"f.constprop.12", "f"},
		{"f.part.3.cold", "f"},
		{"f.cold", "f"},
		{"f.cold.1", "f"},
		{"f.isra.0.constprop.1.part.2", "f"},
		{"f.llvm.1234567890123456789", "f"},
		{"f.lto_priv.0", "f"},
		{"f.isra.x", "f.isra.x"},
		{"f.1", "f.1"}, /* a static of its own */
		{".cold", ".cold"},
		{".isra.0", ".isra.0"},
		{"uncold", "uncold"},
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"core::fmt::write::h0123456789abcdeg", "core::fmt::write::h0123456789abcdeg"},
		{"core::fmt::write::h0123456789ABCDEF", "core::fmt::write::h0123456789ABCDEF"},
		{"::h0123456789abcdef", "::h0123456789abcdef"},
		{"f(int) [clone .isra.0]", "f(int)"},
		{"f(int) [clone .isra.0] [clone .cold]", "f(int)"},
		{" [clone .x]", " [clone .x]"},
		{"operator[]", "operator[]"},
		{"[libc.so.6]", "[libc.so.6]"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint32_t len = (uint32_t)strlen(cases[i].name);
		char *name = testing_exact(cases[i].name, len);

		assert_str(cr_canonical_name((struct cr_str){name, len}), cases[i].want);
		free(name);
	}
}

static void
assert_diff(const char *before, const char *after, const char *want)
{
	struct cr_tree *a = testing_tree(1, before), *b = testing_tree(1, after), *d;
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_diff(a, b, NULL, &d, &err), CR_OK);
	cr_tree_free(a); /* a difference borrows nothing of the trees */
	cr_tree_free(b);
	assert_tree(d, want);
	cr_tree_free(d);
}

static void
test_what_is_on_one_side_only_stays_visible(void **state)
{
	(void)state;
	assert_diff("f;old 3\nf;g 7\n", "f;new 3\nf;g 7\n",
		"all 10 10 0 0\n f 10 10 0 0\n  g 7 7 7 7\n  new 0 3 0 3\n  old 3 0 3 0\n");
}

static void
test_frames_match_by_canonical_name_and_base_name_of_the_object(void **state)
{
	(void)state;
	assert_diff("f.isra.0!/usr/lib/x.so 3\n", "f.part.1!/opt/lib/x.so 4\n",
		"all 3 4 0 0\n f.part.1 3 4 3 4\n");
	assert_diff("f!x.so 3\n", "f!y.so 4\n", "all 3 4 0 0\n f 3 0 3 0\n f 0 4 0 4\n");
	/* What one build has inlined and the other calls is the same. */
	assert_diff("m;f 3\n", "m;~f 4\n", "all 3 4 0 0\n m 3 4 0 0\n  f 3 4 3 4\n");
	assert_diff("f!/old/server;g![server] 3\n", "f!/new/daemon;g![daemon] 4\n",
		"all 3 4 0 0\n f 3 4 0 0\n  g 0 4 0 4\n  g 3 0 3 0\n");
	assert_diff("f!/old/server;[server]!/old/server 3\n",
		"f!/new/daemon;[daemon]!/new/daemon 4\n",
		"all 3 4 0 0\n f 3 4 0 0\n  [daemon] 3 4 3 4\n");
	/* Names in brackets are names, if they are not the dso's. */
	assert_diff("[a]!x 3\n[b]!x 2\n[x]!x 1\n", "[a]!x 3\n[b]!x 2\n[unknown]!x 1\n",
		"all 6 6 0 0\n [a] 3 3 3 3\n [b] 2 2 2 2\n [unknown] 1 1 1 1\n");
	/* Two frames of a side that are one function become one. */
	assert_diff("m;f 3\nm;f.cold 2\n", "m;f 5\n", "all 5 5 0 0\n m 5 5 0 0\n  f 5 5 5 5\n");
}

static void
test_all_frames_of_a_dso_are_shown_in_the_one_of_the_side_after(void **state)
{
	struct cr_tree *a = testing_tree(1, "f!/a/x;g!/a/x 3\nh!/a/old.so 1\n"),
		       *b = testing_tree(1, "f!/b/y;k!/b/y 3\n"), *d;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_diff(a, b, NULL, &d, &err), CR_OK);
	assert_str(d->frames[d->frame[testing_node(d, "f;g")]].dso, "/b/y"); /* though g is gone */
	assert_str(d->frames[d->frame[testing_node(d, "f;k")]].dso, "/b/y");
	assert_str(d->frames[d->frame[testing_node(d, "h")]].dso, "/a/old.so");
	assert_str(d->paired[0], "/a/x");
	assert_str(d->paired[1], "/b/y");
	cr_tree_free(d);
	assert_int_equal(cr_diff(a, b, &(struct cr_diff_opts){.by_path = true}, &d, &err), CR_OK);
	assert_int_equal(d->paired[0].len, 0);
	cr_tree_free(a);
	cr_tree_free(b);
	cr_tree_free(d);
}

static void
test_comms_stay_if_both_sides_share_half_of_their_cost(void **state)
{
	struct cr_tree *a = testing_tree(1, "@old;f 6\n"), *b = testing_tree(1, "@new;f 6\n"), *d;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_diff("@x;f 6\n@y;f 4\n", "@x;f 5\n@z;f 5\n",
		"all 10 10 0 0\n x 6 5 0 0\n  f 6 5 6 5\n z 0 5 0 0\n  f 0 5 0 5\n y 4 0 0 0\n  f "
		"4 0 4 0\n");
	/* A program under a new name still matches itself. */
	assert_diff("@old;f 6\n@both;g 4\n", "@new;f 6\n@both;g 4\n",
		"all 10 10 0 0\n f 6 6 6 6\n g 4 4 4 4\n");
	assert_diff("@x;f 6\n", "f 6\n", "all 6 6 0 0\n f 6 6 6 6\n");
	assert_int_equal(
		cr_diff(a, b, &(struct cr_diff_opts){.keep_groups = true}, &d, &err), CR_OK);
	assert_tree(d, "all 6 6 0 0\n new 0 6 0 0\n  f 0 6 0 6\n old 6 0 0 0\n  f 6 0 6 0\n");
	cr_tree_free(a);
	cr_tree_free(b);
	cr_tree_free(d);
}

static void
test_against_itself_there_is_no_difference(void **state)
{
	struct cr_tree *t = testing_tree(1, "@x;f;g 3\n@x;f.cold 1\n@y;f;h 9\n@y;k.isra.0;k 5\n"),
		       *d, *dd;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_diff(t, t, NULL, &d, &err), CR_OK);
	for (uint32_t n = 0; n < d->n; n++) {
		assert_int_equal(d->total[0][n], d->total[1][n]);
		assert_int_equal(cr_diff_total_ppm(d, n), 0);
		assert_int_equal(cr_diff_self_ppm(d, n), 0);
	}
	assert_int_equal(d->extent[0], 18);
	assert_int_equal(cr_diff(d, t, NULL, &dd, &err), CR_EUSAGE);
	assert_null(dd);
	cr_tree_free(d);
	cr_tree_free(t);
}

static void
test_shares_are_compared_not_weights(void **state)
{
	struct cr_tree *a = testing_tree(1, "f 50\nf;g 50\n"),
		       *b = testing_tree(1, "f 300\nf;g 100\n"), *d;
	struct cr_err err = CR_ERR_INIT;

	(void)state;
	assert_int_equal(cr_diff(a, b, NULL, &d, &err), CR_OK);
	assert_int_equal(cr_diff_total_ppm(d, testing_node(d, "f")), 0);
	assert_int_equal(cr_diff_self_ppm(d, testing_node(d, "f")), 250000);
	assert_int_equal(cr_diff_total_ppm(d, testing_node(d, "f;g")), -250000);
	cr_tree_free(a);
	cr_tree_free(b);
	cr_tree_free(d);
}

/* Two recordings that have nothing but comms, none of them in both. */
static struct cr_tree *
many_comms(unsigned from, uint32_t n)
{
	struct cr_arena names = {0};
	struct cr_frame *frames = cr_alloc(n + 1, sizeof(*frames));
	struct cr_tree_builder *tb;
	char name[16];

	frames[0] = (struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP};
	for (uint32_t i = 1; i <= n; i++) {
		const int len = snprintf(name, sizeof(name), "%08u", from + i);

		frames[i].kind = CR_KIND_GROUP;
		frames[i].name =
			(struct cr_str){cr_arena_copy(&names, name, (size_t)len), (uint32_t)len};
	}
	tb = cr_tree_builder_new(1, frames, n + 1);
	cr_tree_builder_keep(tb, &names);
	for (uint32_t i = 1; i <= n; i++)
		cr_tree_builder_add(tb, cr_tree_builder_child(tb, 0, i), 0, 1, 1);
	free(frames);
	return cr_tree_builder_finish(tb, NULL);
}

static struct cr_profile *
folded_profile(const char *text)
{
	const struct cr_input in = {.p = (const void *)text, .len = strlen(text)};
	struct cr_log log = {0};
	const struct cr_read_opts opts = {.log = &log};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_reader_find("folded")->read(&in, b, &opts, &err), CR_OK);
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_a_profile_with_two_counts_is_a_difference(void **state)
{
	struct cr_profile *p = folded_profile("a;f.isra.0 3 0\na;f 1 2\na;g 0 2\n");
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	(void)state;
	assert_true(cr_diff_is(p));
	assert_int_equal(
		cr_diff_within(p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &t, &err), CR_OK);
	/* One profile's names are not those of two builds: f and f.isra.0 stay apart. */
	assert_tree(t, "all 4 4 0 0\n a 4 4 0 0\n  f.isra.0 3 0 3 0\n  f 1 2 1 2\n  g 0 2 0 2\n");
	cr_tree_free(t);
	cr_profile_free(p);
	p = folded_profile("a;f 3\na;g 1\n");
	assert_false(cr_diff_is(p));
	cr_profile_free(p);
}

static void
test_many_comms_take_no_longer_than_many_functions(void **state)
{
	struct cr_tree *a = many_comms(0, 200000), *b = many_comms(1000000, 200000), *d;
	struct cr_err err = CR_ERR_INIT;
	const clock_t start = clock();

	(void)state;
	assert_int_equal(cr_diff(a, b, NULL, &d, &err), CR_OK);
	testing_cpu_within(start, 10); /* compared one by one it is minutes */
	assert_int_equal(d->total[0][0], a->total[0][0]);
	assert_int_equal(d->total[1][0], b->total[0][0]);
	assert_int_equal(
		d->n, 1); /* both have other comms, which are left out then, and nothing else */
	cr_tree_free(a);
	cr_tree_free(b);
	cr_tree_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_lose_what_the_compiler_made_up),
		cmocka_unit_test(test_what_is_on_one_side_only_stays_visible),
		cmocka_unit_test(test_frames_match_by_canonical_name_and_base_name_of_the_object),
		cmocka_unit_test(test_all_frames_of_a_dso_are_shown_in_the_one_of_the_side_after),
		cmocka_unit_test(test_comms_stay_if_both_sides_share_half_of_their_cost),
		cmocka_unit_test(test_against_itself_there_is_no_difference),
		cmocka_unit_test(test_shares_are_compared_not_weights),
		cmocka_unit_test(test_a_profile_with_two_counts_is_a_difference),
		cmocka_unit_test(test_many_comms_take_no_longer_than_many_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
