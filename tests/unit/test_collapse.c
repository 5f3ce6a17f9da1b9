#include "testing.h"

#include "query/fold/collapse.h"
#include "query/fold/select.h"
#include "testing_writer.h"

#include <stdio.h>

/* ---- profiles as readers make them */

enum { TEXT = 0, SYMBOLS = CR_PROFILE_SYMBOL_NAMES };

struct frame {
	const char *name, *dso;
	uint8_t kind;
	uint64_t addr;
	const char *file;
	uint32_t line;
	const char *inlined; /* a function inlined in it */
};

static void
add_stack(struct cr_builder *b, const struct frame *frames, size_t n, const char *comm, int32_t pid,
	int32_t tid, const char *event, uint64_t weight)
{
	struct cr_sample s = {.weight = weight,
		.cpu = CR_CPU_NONE,
		.event = cr_builder_event(b, cr_str_of(event), CR_STR("count")),
		.task = cr_builder_task(b, pid, tid, cr_str_of(comm), cr_builder_address_space(b))};

	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &frames[i];
		const struct cr_dso o = {.name = cr_str_of(f->dso ? f->dso : ""), .kind = f->kind};
		const struct cr_named outer = {
			cr_str_of(f->name), cr_str_of(f->file ? f->file : ""), f->line};
		const struct cr_named both[2] = {
			{.name = cr_str_of(f->inlined ? f->inlined : "")}, outer};
		const cr_dso_id dso =
			f->dso || f->kind == CR_KIND_GROUP ? cr_builder_dso(b, &o) : CR_DSO_UNKNOWN;

		s.node = cr_builder_push(b, s.node,
			cr_builder_named_at(
				b, dso, f->addr, f->inlined ? both : &outer, f->inlined ? 2 : 1));
	}
	cr_builder_sample(b, &s);
}

static struct cr_profile *
finished(struct cr_builder *b, uint32_t flags)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, flags);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static char *
written(const struct cr_tree *t)
{
	return testing_written("folded", &(struct cr_write_in){.tree = t}, NULL);
}

/* Whether the tree is whole or only to be written, the text is the same. */
static void
assert_written(const struct cr_profile *p, const struct cr_collapse_opts *o, const char *want,
	uint64_t nothing)
{
	struct cr_collapse_opts mine = *o;

	for (int to_write = 0; to_write < 2; to_write++) {
		struct cr_err err = CR_ERR_INIT;
		uint64_t nothing_left;
		struct cr_tree *t;
		char *got;

		mine.to_write = to_write;
		assert_int_equal(
			cr_collapse(p, &(struct cr_filter){0}, &mine, &t, &nothing_left, &err),
			CR_OK);
		got = written(t);
		assert_string_equal(got, want);
		assert_int_equal(nothing_left, nothing);
		free(got);
		cr_tree_free(t);
	}
}

/* p is freed. */
static void
assert_collapsed(struct cr_profile *p, const struct cr_collapse_opts *o, const char *want)
{
	assert_written(p, o, want, 0);
	cr_profile_free(p);
}

static void
test_equal_stacks_of_several_places_and_threads_are_one_line(void **state)
{
	static const struct frame at[] = {{.name = "main", .addr = 1}, {.name = "f", .addr = 1},
		{.name = "f", .addr = 2}, {.name = "g", .addr = 1}};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_profile *p;

	(void)state;
	add_stack(b, (struct frame[]){at[0], at[1], at[3]}, 3, "x", 1, 1, "e", 1);
	add_stack(b, (struct frame[]){at[0], at[2], at[3]}, 3, "x", 1, 2, "e", 2);
	add_stack(b, (struct frame[]){at[0], at[2]}, 2, "y", 2, 3, "e", 4);
	add_stack(b, (struct frame[]){at[0], at[1]}, 2, "x", 1, 1, "e", 8);
	add_stack(b, (struct frame[]){at[0], at[2], at[1]}, 3, "y", 2, 3, "e", 16);
	add_stack(b, NULL, 0, "y", 2, 3, "e", 32);
	p = finished(b, CR_PROFILE_HAS_TASK);
	assert_written(p, &(struct cr_collapse_opts){0},
		"x;main;f 8\nx;main;f;g 3\ny 32\ny;main;f 4\ny;main;f;f 16\n", 0);
	assert_written(p, &(struct cr_collapse_opts){.offsets = true},
		"x;main+0x1;f 8\nx;main+0x1;f+0x1;g 1\nx;main+0x1;f+0x2;g 2\ny 32\n"
		"y;main+0x1;f 4\ny;main+0x1;f+0x2;f 16\n",
		0);
	assert_written(p, &(struct cr_collapse_opts){.recursive = true},
		"x;main;f 8\nx;main;f;g 3\ny 32\ny;main;f 20\n", 0);
	cr_profile_free(p);
}

/* One stack of weight 1 in a task "comm" that no text has at its root. */
static struct cr_profile *
one_stack(const struct frame *frames, size_t n, const char *comm, uint32_t flags)
{
	struct cr_builder *b = cr_builder_new(NULL);

	add_stack(b, frames, n, comm, 7, 8, "e", 1);
	return finished(b, flags | (*comm ? CR_PROFILE_HAS_TASK : 0));
}

/* ---- names */

#define MAP "/tmp/perf-7.map"

static void
test_names_of_symbol_tables_become_what_collapsers_write(void **state)
{
	static const struct {
		const char *comm, *name, *dso;
		uint8_t kind;
		const char *want;
	} cases[] = {
		{"x", "main", "/bin/x", CR_KIND_USER, "x;main 1\n"},
		{"x", "ns::f(int) const", "/bin/x", CR_KIND_USER, "x;ns::f 1\n"},
		{"x", "LazyCompile:*fn (a) /x/\"y\".js:3", MAP, CR_KIND_JIT,
			"x;LazyCompile:*fn 1\n"},
		{"x", "say \"hi\"", "/bin/x", CR_KIND_USER, "x;say \"hi\" 1\n"},
		{"x", "<[u8; 8] as D>::fmt", "/bin/x", CR_KIND_USER, "x;<[u8: 8] as D>::fmt 1\n"},
		{"x", "_$LT$$u5b$T$u3b$4$u5d$$GT$::f::h0123456789abcdef", "/bin/x", CR_KIND_USER,
			"x;<[T:4]>::f 1\n"},
		/* no name */
		{"x", "", "/lib/libc.so.6", CR_KIND_USER, "x;[libc.so.6] 1\n"},
		{"x", "[unknown]", "/lib/libc.so.6", CR_KIND_USER, "x;[libc.so.6] 1\n"},
		{"x", "", "/bin/gone (deleted)", CR_KIND_USER, "x;[gone] 1\n"},
		{"x", "", NULL, CR_KIND_UNKNOWN, "x;[unknown] 1\n"},
		{"x", "", "[kernel.kallsyms]", CR_KIND_KERNEL, "x;[[kernel.kallsyms]] 1\n"},
		{"x", "", "[vdso]", CR_KIND_VDSO, "x;[[vdso]] 1\n"},
		/* inlined into one another: in programs that are Java, and in what was compiled at
		   run time */
		{"java", "La/B;::f->Lc/D;::g", MAP, CR_KIND_JIT, "java;a/B:::f;c/D:::g_[i] 1\n"},
		{"x", "La/B;::f->Lc/D;::g", MAP, CR_KIND_JIT, "x;La/B:::f;Lc/D:::g_[i] 1\n"},
		{"java-12", "f->g", "/bin/java", CR_KIND_USER, "java-12;f;g_[i] 1\n"},
		{"x", "f->g", "/bin/x", CR_KIND_USER, "x;f->g 1\n"},
		{"javac", "[unknown]->b", "/x/y.so", CR_KIND_USER, "javac;[y.so];b_[i] 1\n"},
		{"java", "P<X>::operator->() const", "/bin/x", CR_KIND_USER,
			"java;P<X>::operator-> 1\n"},
		{"java", "<fn() -> i32 as F>::f", "/bin/x", CR_KIND_USER,
			"java;<fn() -> i32 as F>::f 1\n"},
		/* L is Java's only there */
		{"java", "Launcher/x", "/lib/libjvm.so", CR_KIND_USER, "java;Launcher/x 1\n"},
		{"java", "LBusy;::main", MAP, CR_KIND_JIT, "java;LBusy:::main 1\n"},
		{"java", "Lorg/m/X;.<init>(I)V", MAP, CR_KIND_JIT, "java;org/m/X:.<init> 1\n"},
		/* comms */
		{"my prog 1", "f", "/bin/x", CR_KIND_USER, "my_prog_1;f 1\n"},
		{"a;b", "f", "/bin/x", CR_KIND_USER, "a:b;f 1\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct frame f = {
			.name = cases[i].name, .dso = cases[i].dso, .kind = cases[i].kind};

		assert_collapsed(one_stack(&f, 1, cases[i].comm, SYMBOLS),
			&(struct cr_collapse_opts){0}, cases[i].want);
	}
}

static void
test_names_of_texts_stay(void **state)
{
	static const struct frame frames[] = {{.name = "main(int)->x"}, {.name = "La/b;"},
		{.name = "f::h0123456789abcdef"},
		{.name = "", .dso = "/x/y.so", .kind = CR_KIND_USER}};

	(void)state;
	assert_collapsed(one_stack(frames, CR_LEN(frames), "", TEXT), &(struct cr_collapse_opts){0},
		"main(int)->x;La/b:;f::h0123456789abcdef;[y.so] 1\n");
}

/* ---- options */

static void
test_annotations_say_what_code_is(void **state)
{
	static const struct frame frames[] = {
		{.name = "u", .dso = "/bin/x", .kind = CR_KIND_USER},
		{.name = "J->I", .dso = MAP, .kind = CR_KIND_JIT},
		{.name = "K_[j]", .dso = MAP, .kind = CR_KIND_JIT},
		{.name = "v", .dso = "[vdso]", .kind = CR_KIND_VDSO},
		{.name = "k", .dso = "[kernel.kallsyms]", .kind = CR_KIND_KERNEL, .inlined = "i"},
		{.name = "m", .dso = "[nf]", .kind = CR_KIND_MODULE},
		{.name = "", .dso = "bpf", .kind = CR_KIND_BPF},
	};

	(void)state;
	assert_collapsed(one_stack(frames, CR_LEN(frames), "x", SYMBOLS),
		&(struct cr_collapse_opts){0}, "x;u;J;I_[i];K_[j];v;k;i;m;[bpf] 1\n");
	assert_collapsed(one_stack(frames, CR_LEN(frames), "x", SYMBOLS),
		&(struct cr_collapse_opts){.kernel = true},
		"x;u;J;I_[i];K_[j];v;k_[k];i;m_[k];[bpf]_[k] 1\n");
	assert_collapsed(one_stack(frames, CR_LEN(frames), "x", SYMBOLS),
		&(struct cr_collapse_opts){.jit = true}, "x;u;J_[j];I_[i];K_[j];v;k;i;m;[bpf] 1\n");
}

static void
test_options_that_add_to_names(void **state)
{
	static const struct frame frames[] = {
		{.name = "m`f", .addr = 0x1f, .file = "/src/f.c", .line = 3},
		{.name = "m`g", .addr = 0},
		{.name = "", .dso = "/lib/y.so", .kind = CR_KIND_USER, .addr = 0xabc},
		{.name = "m`h", .addr = 0x2},
	};
	static const struct {
		struct cr_collapse_opts o;
		const char *want;
	} cases[] = {
		{{0}, "m`f;m`g;[y.so];m`h 1\n"},
		{{.addrs = true}, "m`f;m`g;[y.so <abc>];m`h 1\n"},
		{{.offsets = true}, "m`f+0x1f;m`g;[y.so];m`h 1\n"},
		{{.lines = true}, "m`f:f.c:3;m`g;[y.so];m`h 1\n"},
		{{.lines = true, .whole_paths = true}, "m`f:/src/f.c:3;m`g;[y.so];m`h 1\n"},
		{{.no_modules = true}, "f;g;[y.so];h 1\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_collapsed(
			one_stack(frames, CR_LEN(frames), "", TEXT), &cases[i].o, cases[i].want);
}

static void
test_the_innermost_frame_alone_has_no_offset(void **state)
{
	static const struct frame frames[] = {{.name = "f", .addr = 1}, {.name = "g", .addr = 2}};
	struct cr_builder *b = cr_builder_new(NULL);

	(void)state;
	add_stack(b, frames, 2, "", -1, -1, "e", 1);
	add_stack(b, frames, 1, "", -1, -1, "e", 2);
	assert_collapsed(
		finished(b, 0), &(struct cr_collapse_opts){.offsets = true}, "f 2\nf+0x1;g 1\n");
}

static struct cr_profile *
threads(uint32_t flags)
{
	static const struct frame f = {.name = "f"};
	struct cr_builder *b = cr_builder_new(NULL);

	add_stack(b, &f, 1, "my prog", 7, 8, "e", 1);
	add_stack(b, &f, 1, "my prog", 7, 9, "e", 2);
	add_stack(b, &f, 1, "my prog", -1, 9, "e", 4);
	add_stack(b, NULL, 0, "x", 1, 1, "e", 8);
	return finished(b, flags);
}

static void
test_what_stands_at_the_root(void **state)
{
	static const struct {
		uint32_t flags;
		struct cr_collapse_opts o;
		const char *want;
	} cases[] = {
		{CR_PROFILE_HAS_TASK, {0}, "my_prog;f 7\nx 8\n"},
		{CR_PROFILE_HAS_TASK, {.pid = true}, "my_prog-7;f 3\nmy_prog-?;f 4\nx-1 8\n"},
		{CR_PROFILE_HAS_TASK, {.tid = true},
			"my_prog-7/8;f 1\nmy_prog-7/9;f 2\nmy_prog-?/9;f 4\nx-1/1 8\n"},
		{CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT, {0}, "[no stack] 8\nf 7\n"},
		{CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT, {.pid = true, .tid = true},
			"PID=1;TID=1 8\nPID=7;TID=8;f 1\nPID=7;TID=9;f 2\nPID=?;TID=9;f 4\n"},
		{CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT, {.tid = true},
			"TID=1 8\nTID=8;f 1\nTID=9;f 6\n"},
		{0, {.pid = true}, "[no stack] 8\nf 7\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_collapsed(threads(cases[i].flags), &cases[i].o, cases[i].want);
}

/* As jstack has them: the root is a group of the input's own. */
static void
test_threads_that_the_input_has_at_the_root(void **state)
{
	static const struct frame frames[] = {{.name = "pool 1", .kind = CR_KIND_GROUP},
		{.name = "java.lang.Thread.run"}, {.name = "A.spin"}, {.name = "org/x/Y.f"},
		{.name = "main"}, {.name = "a.b.C$$Lambda$1/0x0.run"}};
	static const struct {
		struct cr_collapse_opts o;
		const char *want;
	} cases[] = {
		{{0}, "pool 1;java.lang.Thread.run;A.spin;org/x/Y.f;main;a.b.C$$Lambda$1/0x0.run "
		      "1\n"},
		{{.no_threads = true},
			"java.lang.Thread.run;A.spin;org/x/Y.f;main;a.b.C$$Lambda$1/0x0.run 1\n"},
		{{.whole_threads = true}, "pool "
					  "1-12;java.lang.Thread.run;A.spin;org/x/"
					  "Y.f;main;a.b.C$$Lambda$1/0x0.run 1\n"},
		{{.short_packages = true},
			"pool 1;j.l.Thread.run;A.spin;o/x/Y.f;main;a.b.C$$Lambda$1/0x0.run 1\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_collapsed(
			one_stack(frames, CR_LEN(frames), "pool 1-12", CR_PROFILE_NO_COMM_ROOT),
			&cases[i].o, cases[i].want);
}

static void
test_skip_after_begins_stacks_at_the_innermost_such_function(void **state)
{
	static const struct frame frames[] = {{.name = "start(int)"}, {.name = "loop"},
		{.name = "call"}, {.name = "loop"}, {.name = "leaf"}};
	static const char *const names[] = {"nothing", "loop"}, *const bare[] = {"start"},
				 *const full[] = {"start(int)"};
	static const struct {
		struct cr_collapse_opts o;
		const char *want;
	} cases[] = {
		{{.skip_after = names, .n_skip_after = 2}, "loop;leaf 1\n"},
		{{.skip_after = names, .n_skip_after = 1}, "x;start;loop;call;loop;leaf 1\n"},
		{{.skip_after = bare, .n_skip_after = 1}, "start;loop;call;loop;leaf 1\n"},
		{{.skip_after = full, .n_skip_after = 1}, "start;loop;call;loop;leaf 1\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_collapsed(one_stack(frames, CR_LEN(frames), "x", SYMBOLS), &cases[i].o,
			cases[i].want);
}

static void
test_a_function_that_calls_itself_is_one_frame(void **state)
{
	(void)state;
	assert_collapsed(testing_profile("a;a;b;b;b;a 3\na;b;a 4\nb;b 5\n"),
		&(struct cr_collapse_opts){.recursive = true}, "a;b;a 7\nb 5\n");
}

/* ---- events */

static void
test_the_event_of_the_first_sample_is_folded(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = testing_profile("event page-faults\na 1\nevent cycles\na 2\nb 3\n");
	uint64_t nothing_left;
	struct cr_tree *t;
	char *got;

	(void)state;
	assert_int_equal(cr_collapse(p, &(struct cr_filter){.event = "cycles"},
				 &(struct cr_collapse_opts){0}, &t, &nothing_left, &err),
		CR_OK);
	got = written(t);
	assert_string_equal(got, "a 2\nb 3\n");
	assert_str(t->event, "cycles");
	free(got);
	cr_tree_free(t);
	assert_int_equal(cr_collapse(p, &(struct cr_filter){.event = "cycle"},
				 &(struct cr_collapse_opts){0}, &t, &nothing_left, &err),
		CR_ENOTFOUND);
	assert_null(t);
	assert_string_equal(err.text, "no event cycle; the events are: page-faults, cycles");
	assert_collapsed(p, &(struct cr_collapse_opts){0}, "a 1\n");
}

static void
test_what_is_negative_is_taken_off(void **state)
{
	static const struct {
		const char *lines, *want;
		uint64_t nothing;
	} cases[] = {
		{"event negative\na 2\nevent samples\na 5\nb 1\nevent negative\nb 1\nc 3\n",
			"a 3\n", 2},
		{"event negative\na 2\n", "", 1},
		{"event samples\na 0\nb 0\nc 1\n", "c 1\n", 2},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = testing_profile(cases[i].lines);

		assert_written(p, &(struct cr_collapse_opts){0}, cases[i].want, cases[i].nothing);
		cr_profile_free(p);
	}
}

static struct cr_profile *
before_after(void)
{
	static const struct frame f = {.name = "f"}, g = {.name = "g"};
	struct cr_builder *b = cr_builder_new(NULL);

	add_stack(b, &f, 1, "", -1, -1, "before", 1);
	add_stack(b, &f, 1, "", -1, -1, "after", 2);
	add_stack(b, &g, 1, "", -1, -1, "before", 0);
	add_stack(b, &g, 1, "", -1, -1, "after", 3);
	cr_builder_fact(b, "differential", CR_STR("before, after"));
	return finished(b, 0);
}

static void
test_a_difference_has_two_counts(void **state)
{
	struct cr_profile *p = before_after();
	struct cr_err err = CR_ERR_INIT;
	uint64_t nothing_left;
	struct cr_tree *t;
	char *got;

	(void)state;
	assert_int_equal(cr_collapse(p, &(struct cr_filter){.event = "after"},
				 &(struct cr_collapse_opts){0}, &t, &nothing_left, &err),
		CR_OK);
	got = written(t);
	assert_string_equal(got, "f 2\ng 3\n");
	free(got);
	cr_tree_free(t);
	assert_collapsed(p, &(struct cr_collapse_opts){0}, "f 1 2\ng 0 3\n");
}

/* ---- several */

static void
test_several_are_added_up(void **state)
{
	struct cr_profile *p[3] = {
		testing_profile("a;b 1\nc 2\n"), testing_profile("c;d 4\na;b 8\n"), before_after()};
	struct cr_tree *t[3], *all;
	struct cr_err err = CR_ERR_INIT;
	uint64_t nothing_left;
	char *got;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(cr_collapse(p[i], &(struct cr_filter){0},
					 &(struct cr_collapse_opts){0}, &t[i], &nothing_left, &err),
			CR_OK);
	assert_int_equal(cr_collapse_join(t, 2, &all, &err), CR_OK);
	got = written(all);
	assert_string_equal(got, "a;b 9\nc 2\nc;d 4\n");
	free(got);
	cr_tree_free(all);
	t[1]->unit = CR_STR("millionths"); /* fractions: 4 and 8 of them, and whole ones */
	assert_int_equal(cr_collapse_join(t, 2, &all, &err), CR_OK);
	got = written(all);
	assert_string_equal(got, "a;b 1.000008\nc 2\nc;d 0.000004\n");
	free(got);
	cr_tree_free(all);
	assert_int_equal(cr_collapse_join(t, 3, &all, &err), CR_EUSAGE);
	assert_null(all);
	for (size_t i = 0; i < 3; i++) {
		cr_tree_free(t[i]);
		cr_profile_free(p[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_symbol_tables_become_what_collapsers_write),
		cmocka_unit_test(test_names_of_texts_stay),
		cmocka_unit_test(test_annotations_say_what_code_is),
		cmocka_unit_test(test_options_that_add_to_names),
		cmocka_unit_test(test_the_innermost_frame_alone_has_no_offset),
		cmocka_unit_test(test_what_stands_at_the_root),
		cmocka_unit_test(test_threads_that_the_input_has_at_the_root),
		cmocka_unit_test(test_skip_after_begins_stacks_at_the_innermost_such_function),
		cmocka_unit_test(test_a_function_that_calls_itself_is_one_frame),
		cmocka_unit_test(test_the_event_of_the_first_sample_is_folded),
		cmocka_unit_test(test_what_is_negative_is_taken_off),
		cmocka_unit_test(test_a_difference_has_two_counts),
		cmocka_unit_test(test_several_are_added_up),
		cmocka_unit_test(test_equal_stacks_of_several_places_and_threads_are_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
