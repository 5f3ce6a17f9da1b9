#include "testing.h"

#include "base/hash.h"
#include "query/diff/match_p.h"
#include "testing_tree.h"

static void
test_a_dso_has_a_name_without_what_differs_between_builds(void **state)
{
	static const struct {
		const char *name;
		uint8_t kind;
		const char *want;
	} cases[] = {
		{"/usr/bin/x", CR_KIND_USER, "x"},
		{"/usr/bin/x (deleted)", CR_KIND_USER, "x"},
		{"x", CR_KIND_USER, "x"},
		{"", CR_KIND_UNKNOWN, ""},
		{"/usr/lib/libx.so.1.2.3", CR_KIND_USER, "libx.so"},
		{"/usr/lib/libx.so.6", CR_KIND_USER, "libx.so"},
		{"/usr/lib/libx.so", CR_KIND_USER, "libx.so"},
		{"libx.so.1-debug", CR_KIND_USER, "libx.so.1-debug"},
		{"libx.so1", CR_KIND_USER, "libx.so1"},
		{"server.1.2", CR_KIND_USER, "server.1.2"}, /* no library */
		{".5", CR_KIND_USER, ".5"},
		{"/tmp/perf-12.map", CR_KIND_USER, "[jit]"},
		{"/tmp/perf-12.map (deleted)", CR_KIND_USER, "[jit]"},
		{"/tmp/perf-.map", CR_KIND_USER, "perf-.map"},
		{"/tmp/perf-x.map", CR_KIND_USER, "perf-x.map"},
		{"[JIT] tid 12", CR_KIND_USER, "[jit]"},
		{"[JIT] tid ", CR_KIND_USER, "[JIT] tid "},
		{"/tmp/jit-12.dump", CR_KIND_USER, "[jit]"},
		{"/tmp/jitted-12-3.so", CR_KIND_USER, "[jit]"},
		{"/tmp/jitted-12.so", CR_KIND_USER, "jitted-12.so"},
		{"/tmp/jitted--.so", CR_KIND_USER, "jitted--.so"},
		{"//anon", CR_KIND_JIT, "[jit]"},
		{"[kernel.kallsyms]", CR_KIND_KERNEL, "[kernel]"},
		{"/usr/lib/debug/boot/vmlinux-6.1.0", CR_KIND_KERNEL, "[kernel]"},
		{"[guest.kernel.kallsyms]", CR_KIND_KERNEL, "[guest.kernel.kallsyms]"},
		{"[ext4]", CR_KIND_MODULE, "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4.ko", CR_KIND_MODULE, "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4.ko.xz", CR_KIND_MODULE, "ext4"},
		{"[vdso]", CR_KIND_VDSO, "[vdso]"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint32_t len = (uint32_t)strlen(cases[i].name);
		char *name = testing_exact(cases[i].name, len);

		assert_str(cr_match_canonical((struct cr_str){name, len}, cases[i].kind),
			cases[i].want);
		free(name);
	}
}

static const struct cr_profile *const no_profiles[CR_SIDES];

static struct cr_match *
match_of_two(const char *before, const char *after, const struct cr_profile *const p[CR_SIDES],
	bool by_path, struct cr_tree *t[CR_SIDES])
{
	t[0] = testing_tree(1, before);
	t[1] = testing_tree(1, after);
	return cr_match_new(p, (const struct cr_tree *const *)t, by_path);
}

static bool
are_same(const struct cr_match *m, const char *a, const char *b)
{
	const struct cr_match_of x = cr_match_dso(m, cr_str_of(a)),
				 y = cr_match_dso(m, cr_str_of(b));

	assert_int_not_equal(x.class, CR_NO_ROW);
	assert_int_not_equal(y.class, CR_NO_ROW);
	if (x.class == y.class)
		assert_true(cr_str_eq(x.shown, y.shown));
	return x.class == y.class;
}

static void
end(struct cr_match *m, struct cr_tree *t[CR_SIDES])
{
	cr_match_free(m);
	cr_tree_free(t[0]);
	cr_tree_free(t[1]);
}

static void
test_dsos_of_one_name_are_one_and_shown_as_after(void **state)
{
	struct cr_tree *t[CR_SIDES];
	struct cr_match *m = match_of_two("f!/a/x;g!/a/liby.so.1 3\n",
		"f!/b/x;g!/b/liby.so.2 3\nf!/b/x;h!/c/liby.so.3 4\n", no_profiles, false, t);
	struct cr_str main[CR_SIDES];

	(void)state;
	assert_true(are_same(m, "/a/x", "/b/x"));
	assert_true(are_same(m, "/a/liby.so.1", "/b/liby.so.2"));
	assert_true(are_same(m, "/a/liby.so.1", "/c/liby.so.3"));
	assert_false(are_same(m, "/a/x", "/a/liby.so.1"));
	assert_false(are_same(m, "/a/x", ""));
	assert_str(cr_match_dso(m, CR_STR("/a/x")).shown, "/b/x");
	assert_str(cr_match_dso(m, CR_STR("/a/liby.so.1")).shown,
		"/c/liby.so.3"); /* which costs most */
	cr_match_main(m, main);
	assert_int_equal(main[0].len + main[1].len, 0);
	end(m, t);
	m = match_of_two("f!/a/x 3\n", "f!/b/x 3\n", no_profiles, true, t);
	assert_false(are_same(m, "/a/x", "/b/x"));
	end(m, t);
}

static void
test_code_of_jit_compilers_is_one_dso(void **state)
{
	struct cr_tree *t[CR_SIDES];
	struct cr_match *m =
		match_of_two("f!/tmp/perf-1.map 3\n", "f![JIT] tid 2 3\n", no_profiles, false, t);

	(void)state;
	assert_true(are_same(m, "/tmp/perf-1.map", "[JIT] tid 2"));
	assert_str(cr_match_dso(m, CR_STR("/tmp/perf-1.map")).shown, "[JIT] tid 2");
	end(m, t);
	m = match_of_two("f!/tmp/perf-1.map 3\n", "f!/tmp/perf-2.map 3\nf!/tmp/perf-3.map 3\n",
		no_profiles, false, t);
	assert_str(cr_match_dso(m, CR_STR("/tmp/perf-1.map")).shown, "[jit]");
	end(m, t);
}

static struct cr_profile *
with_build_id(const char *name, uint8_t id)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_dso o = {.name = cr_str_of(name), .build_id_len = 20, .kind = CR_KIND_USER};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	memset(o.build_id, id, sizeof(o.build_id));
	cr_builder_sample(
		b, &(struct cr_sample){.weight = 1,
			   .cpu = CR_CPU_NONE,
			   .node = cr_builder_push(b, CR_ROOT,
				   cr_builder_named(b, CR_STR("f"), cr_builder_dso(b, &o))),
			   .event = cr_builder_event(b, CR_STR("cycles"), CR_STR(""))});
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_one_build_id_is_one_dso(void **state)
{
	struct cr_profile *a = with_build_id("/usr/lib/a.so", 1),
			  *b = with_build_id("/overlay/12/b.so", 1);
	struct cr_profile *c = with_build_id("/overlay/12/b.so", 2);
	struct cr_tree *t[CR_SIDES];
	struct cr_match *m = match_of_two("f!/usr/lib/a.so 3\n", "f!/overlay/12/b.so 3\n",
		(const struct cr_profile *const[]){a, b}, false, t);

	(void)state;
	assert_true(are_same(m, "/usr/lib/a.so", "/overlay/12/b.so"));
	end(m, t);
	m = match_of_two("f!/usr/lib/a.so 3\n", "f!/overlay/12/b.so 3\n",
		(const struct cr_profile *const[]){a, c}, false, t);
	assert_false(are_same(m, "/usr/lib/a.so", "/overlay/12/b.so"));
	end(m, t);
	cr_profile_free(a);
	cr_profile_free(b);
	cr_profile_free(c);
}

/* want: "x y" where they are made one, else "". */
static void
assert_main(const char *before, const char *after, const char *want)
{
	struct cr_tree *t[CR_SIDES];
	struct cr_match *m = match_of_two(before, after, no_profiles, false, t);
	struct cr_str main[CR_SIDES];
	struct cr_text got = {0};

	cr_match_main(m, main);
	cr_text_str(&got, main[0]);
	cr_text_puts(&got, main[0].len ? " " : "");
	cr_text_str(&got, main[1]);
	assert_string_equal(got.p ? got.p : "", want);
	cr_text_fini(&got);
	end(m, t);
}

static void
test_main_executables_are_one_if_each_has_no_other_like_it(void **state)
{
	(void)state;
	assert_main("f!x 3\n", "f!y 3\n", "x y");
	assert_main("f!/a/x 3\n", "f!/b/x 3\n", ""); /* by name already */
	assert_main("f!x;g!libc.so.6 3\n", "f!y;g!libc.so.6 3\n", "x y");
	assert_main("f!x 3\nf!z 2\n", "f!y 3\n", "x y");
	assert_main("f!x 3\nf!z 2\nf!w 2\n", "f!y 3\n", ""); /* x is not half */
	assert_main("f!x 3\n", "f!y 3\nf!x 1\n", "");
	assert_main("f!x 3\nf!y 1\n", "f!y 3\n", "");
	assert_main("f!libx.so 3\n", "f!liby.so 3\n", "");
	assert_main("f![vdso] 3\n", "f!y 3\n", "");
	assert_main("f!/memfd:x 3\n", "f!y 3\n", "");
	assert_main("f!/tmp/perf-3.map 3\n", "f!y 3\n", "");
	assert_main("f 3\n", "f!y 3\n", "");
}

/* A tree of source files, one a word. */
static struct cr_tree *
files(const char *text)
{
	struct cr_tree *t = testing_tree(1, text);
	struct cr_frame *frames =
		cr_arena_copy(&t->arena, t->frames, t->n_frames * sizeof(*frames));

	for (uint32_t f = 1; f < t->n_frames; f++)
		frames[f].file = frames[f].name;
	t->frames = frames;
	return t;
}

static bool
are_one_file(const struct cr_match *m, const struct cr_tree *const t[CR_SIDES], const char *a,
	const char *b)
{
	const struct cr_match_of none = {.class = CR_NO_ROW};
	struct cr_match_of of[CR_SIDES] = {none, none};
	const char *name[CR_SIDES] = {a, b};

	for (int s = 0; s < CR_SIDES; s++)
		for (uint32_t f = 1; f < t[s]->n_frames; f++)
			if (cr_str_eq(t[s]->frames[f].name, cr_str_of(name[s])))
				assert_true(cr_match_file(m, &t[s]->frames[f], &of[s]));
	assert_int_not_equal(of[0].class, CR_NO_ROW);
	assert_int_not_equal(of[1].class, CR_NO_ROW);
	return of[0].class == of[1].class;
}

static void
test_files_are_one_whose_paths_end_alike(void **state)
{
	struct cr_tree *t[CR_SIDES] = {
		files("/a/src/x.c 1\n/a/core/util.c 1\n/a/net/util.c 1\n/usr/include/h.h "
		      "1\n/a/one/z.c 1\n/a/two/z.c 1\n"),
		files("/b/1/src/x.c 1\n/b/1/core/util.c 1\n/b/1/net/util.c 1\n/usr/include/h.h "
		      "1\n/b/1/z.c 1\n"),
	};
	const struct cr_tree *const both[CR_SIDES] = {t[0], t[1]};
	struct cr_match *m = cr_match_new(no_profiles, both, false);
	struct cr_match_of of;

	(void)state;
	assert_true(are_one_file(m, both, "/a/src/x.c", "/b/1/src/x.c"));
	assert_true(are_one_file(m, both, "/a/core/util.c", "/b/1/core/util.c"));
	assert_true(are_one_file(m, both, "/a/net/util.c", "/b/1/net/util.c"));
	assert_false(are_one_file(m, both, "/a/net/util.c", "/b/1/core/util.c"));
	assert_true(are_one_file(m, both, "/usr/include/h.h", "/usr/include/h.h"));
	assert_false(are_one_file(
		m, both, "/a/one/z.c", "/b/1/z.c")); /* which of the two it is nobody can tell */
	assert_true(cr_match_file(m, &t[0]->frames[1], &of));
	assert_str(of.shown, "/b/1/src/x.c");
	assert_false(cr_match_file(m, &t[0]->frames[0], &of));
	cr_match_free(m);
	m = cr_match_new(no_profiles, both, true);
	assert_false(are_one_file(m, both, "/a/src/x.c", "/b/1/src/x.c"));
	cr_match_free(m);
	cr_tree_free(t[0]);
	cr_tree_free(t[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_dso_has_a_name_without_what_differs_between_builds),
		cmocka_unit_test(test_dsos_of_one_name_are_one_and_shown_as_after),
		cmocka_unit_test(test_code_of_jit_compilers_is_one_dso),
		cmocka_unit_test(test_one_build_id_is_one_dso),
		cmocka_unit_test(test_main_executables_are_one_if_each_has_no_other_like_it),
		cmocka_unit_test(test_files_are_one_whose_paths_end_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
