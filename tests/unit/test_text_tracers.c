#include "testing.h"

#include "testing_reader.h"

/* DTrace, bpftrace, bcc. */

static const struct cr_dso *
dso(const struct cr_profile *p, uint64_t sample, unsigned callers)
{
	return &p->dsos[testing_caller(p, sample, callers)->dso.i];
}

/* ---- DTrace */

#define HEAD                                                                              \
	"CPU     ID                    FUNCTION:NAME\n  0  64091                        " \
	":tick-60s \n\n"
#define F "              "   /* before a frame */
#define N "                " /* before a count */

static void
test_what_stands_before_the_stacks_of_dtrace_is_passed_over(void **state)
{
	static const struct example cases[] = {
		{HEAD "\n" F "a`f+0x1\n" F "a`g\n" N "4\n", "a`g;a`f 4\n", ""},
		{"\n\n" F "a`f+0x1\n" N "4\n", "a`f 4\n", ""},
		{F "a`f+0x1\n" N "4\n", "a`f 4\n", ""},
		{"a`f\n4\n", "a`f 4\n", ""},
		{HEAD HEAD F "a`f\n" N "4\n\n  1  64091                        :tick-60s \n\n" F
			     "a`f\n" N "4\n",
			"a`f 8\n", ""},
		{"A script.\nIt samples.\n\nIt has\nrun:\n\n" F "a`f\n" N "4\n", "a`f 4\n",
			"noise:4 noise:5"},
		{HEAD "dtrace: 12 drops on CPU 0\n" F "a`f\n" N "4\n^C\n", "a`f 4\n",
			"noise:4 noise:7"},
	};

	(void)state;
	assert_examples("dtrace", cases, CR_LEN(cases));
}

static void
test_counts_end_stacks_of_dtrace_and_keys_stand_at_their_root(void **state)
{
	static const struct example cases[] = {
		{F "u`f\n\n" F "l`g\n" N "4\n", "l`g;u`f 4\n", ""},
		{"  my sh                                             \n" F "a`f\n" N "4\n" F
		 "a`f\n" N "5\n",
			"a`f 5\nmy_sh;a`f 4\n", ""},
		{"  sh                                                      1234\n\n" F "a`f\n" N
		 "4\n",
			"sh;1234;a`f 4\n", ""},
		{"     1234\n" F "a`f\n" N "4\n", "1234;a`f 4\n", ""},
		{F "a`f\n  sh                                                               4\n",
			"sh;a`f 4\n", ""},
		{F "a`f\n     1234                4\n", "1234;a`f 4\n", ""},
		{"\nbash\n" F "a`f\n" N "4\n", "bash;a`f 4\n", ""},
		{"\n" N "4\n  sh         \n\n" N "5\n", "[no stack] 4\nsh 5\n", ""},
		{"  sh                                                               4\n  ls       "
		 "   5\n" F "a`f\n" N "4\n",
			"ls;5;a`f 4\n", "noise:1"},
		{"sh 12 99: p:\n" F "a`f\n\nsh 12 98: p:\n" F "a`g\n" F "0x3 JS:x\nsh 12 97: p:\n" F
		 "a`f\n",
			"0x3 JS:x;a`g 1\na`f 2\n", "no-count:2"},
		{F "a`f\n" N "-4\n" F "a`g\n" N "5\n", "a`g 5\n", ""},
		{F "a`f\n" N "18446744073709551616\n", "a`f 18446744073709551615\n", "overflow:2"},
		{F "a`f\n" N "4\n" F "a`g\n" F "a`h\n", "a`f 4\n", "stack-without-count:3"},
		{F "a`f\n\n           value  ------------- Distribution ------------- count    \n  "
		   "             1 |@@@ 1\n               2 |    0\n\n" F "a`g\n" N "4\n",
			"a`g 4\n", "not-a-number:3"},
	};

	(void)state;
	assert_examples("dtrace", cases, CR_LEN(cases));
}

static void
test_names_of_dtrace_lose_offsets_and_arguments(void **state)
{
	static const struct {
		const char *frame, *name;
	} cases[] = {
		{"AppKit`+[NSView foo]", "AppKit`+[NSView foo]"},
		{"AppKit`+[NSView foo]+0x20", "AppKit`+[NSView foo]"},
		{"p`operator+", "p`operator+"},
		{"p`A::operator+(A const&)+0x3", "p`A::operator+"},
		{"p`f(int)+0x3", "p`f(int)"},
		{"p`a::b(int)::c", "p`a::b"},
		{"p`std::vector<int, A >::push_back(int&&)", "p`std::vector<int, A >::push_back"},
		{"p`a::b<int>::c", "p`a::b"},
		{"p`net.(*netFD).dial+0x433", "p`net.(*netFD).dial"},
		{"p`f->g->h", "p`f;g_[i];h_[i]"},
		{"p`A::operator->()", "p`A::operator->"},
		{"p`<fn() -> i32 as F>::call+0x3", "p`<fn() -> i32 as F>::call"},
		{"Ljava/lang/Thread;::run+0x3", "java/lang/Thread:::run"},
		{"f->Ljava/lang/Thread;::run", "f;java/lang/Thread:::run_[i]"},
		{"LibFoo`bar", "LibFoo`bar"},
		{"Local;x", "ocal:x"}, /* what else could it be */
		{"p`_$LT$a..B$u20$as$u20$C$GT$::f::h0123456789abcdef+0x20", "p`<a::B as C>::f"},
		{"p`f::h0123456789abcdef (.llvm.123)+0x20", "p`f"},
		{"p`a;b", "p`a:b"},
		{"0x104d08831", "0x104d08831"},
		{"unix`0xfffffffffb8001d6", "unix`0xfffffffffb8001d6"},
		{"StubRoutines (1)", "StubRoutines (1)"},
		{"p`", "p`"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text in = {0}, out = {0};

		cr_text_printf(&in, F "%s\n" N "1\n", cases[i].frame);
		cr_text_printf(&out, "%s 1\n", cases[i].name);
		assert_reads("dtrace", in.p, out.p, "");
		cr_text_fini(&in);
		cr_text_fini(&out);
	}
}

static void
test_dtrace_keeps_modules_and_offsets(void **state)
{
	static const char text[] = F "genunix`f+0x20\n" F "libc.so.1`g+0x7\n" F "app`h->i+0x1f\n" F
				     "0x104d08831\n" N "1\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("dtrace", text, sizeof(text) - 1, &log);

	(void)state;
	assert_non_null(p);
	assert_str(dso(p, 0, 0)->name, "genunix");
	assert_int_equal(dso(p, 0, 0)->kind, CR_KIND_KERNEL);
	assert_int_equal(testing_caller(p, 0, 0)->addr, 0x20);
	assert_int_equal(dso(p, 0, 1)->kind, CR_KIND_USER);
	assert_int_equal(dso(p, 0, 2)->kind, CR_KIND_UNKNOWN);
	assert_int_equal(testing_caller(p, 0, 2)->addr, 0x1f);
	assert_int_equal(testing_caller(p, 0, 2)->lines, 2);
	assert_int_equal(testing_caller(p, 0, 3)->dso.i, 0);
	cr_profile_free(p);
}

/* ---- bpftrace */

static void
test_entries_of_bpftrace_are_read_with_all_keys(void **state)
{
	static const struct example cases[] = {
		{"Attaching 2 probes...\n^C\n\n@[\n    f+1\n    g+2\n]: 3\n@s_1[\n    f+9\n    "
		 "g+2\n]: 4\n",
			"g;f 7\n", ""},
		{"Attached 1 probe\n@[\n    k+0\n, \n    u+0\n, my app, 12]: 5\n",
			"my_app;12;u;k 5\n", ""},
		{"@[sh, \n    k+0\n, 12, \n    u+0\n]: 5\n", "sh;12;u;k 5\n", ""},
		{"@[sh,\n    k+0\n,\n    u+0\n]: 5\n", "sh;u;k 5\n", ""},
		{"@[, swapper/0]: 12\n@[]: 5\n@c[a, b]: 6\n", "[no stack] 5\na;b 6\nswapper/0 12\n",
			""},
		{"@[\n    f+0\n]: -3\n@[\n    g+0\n]: 4\n", "g 4\n", ""},
		{"@[\n    f]: bar+1\n]: 3\n", "f]: bar 3\n", ""},
		{"@[a]: 3, b]: 4\n", "a]:_3;b 4\n", ""},
	};

	(void)state;
	assert_examples("bpftrace", cases, CR_LEN(cases));
}

static void
test_entries_of_bpftrace_without_a_number_are_left_out(void **state)
{
	static const struct example cases[] = {
		{"@[\n    f+0\n]: \n[1, 2)  1 |@@ |\n[2, 4)  2 |@@@|\n\n@c[\n    g+0\n]: 5\n",
			"g 5\n", "not-a-number:3"},
		{"@[\n    f+0\n]: count 2, average 3, total 6\n@[\n    f+0\n]: (1, 2)\n@[\n    "
		 "f+0\n]: 7\n",
			"f 7\n", "not-a-number:3 not-a-number:6"},
		{"@[\n    f+0\n@[\n    g+0\n]: 5\n@[\n    h+0\n", "g 5\n", "unclosed:1 unclosed:6"},
		{"@[\n    g+0\n]: 5\n    h+0\n@x: 3\nlost 3 events\n@h: \n[1]  3 |@|\n", "g 5\n",
			"frame-outside-sample:4 noise:5 noise:6 not-a-number:7"},
		{"@[\n    g+0\n]: 99999999999999999999\n", "g 18446744073709551615\n",
			"overflow:3"},
	};

	(void)state;
	assert_examples("bpftrace", cases, CR_LEN(cases));
}

static void
test_frames_of_bpftrace_have_many_forms(void **state)
{
	static const struct {
		const char *frame, *name, *file;
		uint32_t line;
		uint64_t addr;
		const char *dso;
	} cases[] = {
		{"    f+808", "f", "", 0, 808, "[unknown]"},
		{"f+808", "f", "", 0, 808, "[unknown]"},
		{"    f+30@/src/m.c:12", "f", "/src/m.c", 12, 30, "[unknown]"},
		{"    f(int, A+1)+30@/src/@x/m.c:12", "f(int, A+1)", "/src/@x/m.c", 12, 30,
			"[unknown]"},
		{"    read@@GLIBC_2.2.5+7", "read@@GLIBC_2.2.5", "", 0, 7, "[unknown]"},
		{"    operator+", "operator+", "", 0, 0, "[unknown]"},
		{"    [inlined] f@/src/m.c:3", "f_[i]", "/src/m.c", 3, 0, "[unknown]"},
		{"    [inlined] f", "f_[i]", "", 0, 0, "[unknown]"},
		{"\tffffffffb4019501 do_mmap+1", "do_mmap", "", 0, 1, "[kernel]"},
		{"\t7f12ab main+17 (/bin/my (x))", "main", "", 0, 17, "/bin/my (x)"},
		{"\t7f12ab main+17 (/bin/x)", "main", "", 0, 17, "/bin/x"},
		{"\t7f12ab g+17 (inlined)", "g_[i]", "", 0, 0, "[unknown]"},
		{"\t7f12ac 0x7f12ac ([unknown])", "0x7f12ac", "", 0, 0, "[unknown]"},
		{"7f12ac", "0x7f12ac", "", 0, 0, "[unknown]"},
		{"    0x7f12ac", "0x7f12ac", "", 0, 0, "[unknown]"},
		{"    <unwind failure>", "<unwind failure>", "", 0, 0, "[unknown]"},
		{"0102030405060708090a0b0c0d0e0f1011121314 0x1b51",
			"[0102030405060708090a0b0c0d0e0f1011121314]", "", 0, 0x1b51,
			"0102030405060708090a0b0c0d0e0f1011121314"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text in = {0}, out = {0};
		const struct cr_location *l;
		struct cr_profile *p;
		struct cr_log log;
		char *have;

		cr_text_printf(&in, "@[\n%s\n]: 1\n", cases[i].frame);
		cr_text_printf(&out, "%s 1\n", cases[i].name);
		p = testing_read("bpftrace", in.p, in.len, &log);
		assert_non_null(p);
		have = testing_folded(p, NULL);
		assert_string_equal(have, out.p);
		l = testing_caller(p, 0, 0);
		assert_int_equal(l->addr, cases[i].addr);
		assert_str(dso(p, 0, 0)->name, cases[i].dso);
		assert_int_equal(p->lines[l->first_line].line, cases[i].line);
		assert_str(cr_line_file(p, &p->lines[l->first_line]), cases[i].file);
		assert_int_equal(log.n_places, 0);
		free(have);
		cr_text_fini(&in);
		cr_text_fini(&out);
		cr_profile_free(p);
	}
}

static void
test_bpftrace_keeps_maps_kernel_build_ids_and_inlining(void **state)
{
	static const char text[] =
		"@a[\n    k+1\n, \n    [inlined] i@/x.c:3\n    "
		"u+4@/x.c:9\n0102030405060708090a0b0c0d0e0f1011121314 0x1b51\n]: 7\n"
		"@b[\n    u+4\n]: 1\n"
		"@b[\n    u+4\n]: -2\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("bpftrace", text, sizeof(text) - 1, &log);

	(void)state;
	assert_non_null(p);
	assert_event(p, "@a", "weight", "[0102030405060708090a0b0c0d0e0f1011121314];u;i_[i];k 7\n");
	assert_event(p, "@b", "weight", "u 1\n");
	assert_event(p, "negative", "weight", "u 2\n");
	assert_true(p->flags & CR_PROFILE_HAS_ADDR);
	assert_int_equal(dso(p, 0, 0)->kind, CR_KIND_KERNEL);
	assert_int_equal(testing_caller(p, 0, 1)->lines, 2);
	assert_int_equal(testing_caller(p, 0, 1)->addr, 4);
	assert_int_equal(dso(p, 0, 2)->build_id_len, 20);
	assert_int_equal(dso(p, 0, 2)->build_id[0], 1);
	cr_profile_free(p);
}

/* ---- bcc */

static void
test_stacks_of_bcc_tools_have_the_thread_at_the_root(void **state)
{
	static const struct example cases[] = {
		{"Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to "
		 "end.\n^C\n"
		 "    f+0x12 [kernel]\n    --\n    0x00007f0012345678 g+0x7 [libc-2.31.so]\n    "
		 "[unknown]\n    -                my sh (12)\n        4\n\n",
			"my_sh;[unknown];g;f 4\n", ""},
		{"    ffffffff81189249 f\n    00007fed989afcc0 [unknown]\n    -                cp "
		 "(9036)\n        1\n",
			"cp;[unknown];f 1\n", ""},
		{"    f\n    sh\n        13\n\n    g\n    ls\n        7\n", "ls;g 7\nsh;f 13\n",
			""},
		{"Tracing 1 functions for \"f\"... Hit Ctrl-C to end.\n  f\n  g\n    --\n  h\n    "
		 "sshd [15015]\n    5\n\n\n    sh [1]\n  f\n    7\n\nDetaching...\n",
			"sh;f 7\nsshd;h;g;f 5\n", ""},
		{"    target:          vm stat\n    ffffffff810df082 f\n    waker:           "
		 "swapper/1\n        40\n",
			"swapper/1;f;vm stat 40\n", ""},
		{"    waker:           a 12\n    f\n    --               --\n    g\n    target:    "
		 "      b 13\n        40\n",
			"b;g;f;a 40\n", ""},
		{"    [unknown] [libx.so]\n    f [libc.so]\n    -                sh (1)\n        "
		 "2\n",
			"sh;f;[libx.so] 2\n", ""},
		{"    -                swapper/0 (0)\n        2\n", "swapper/0 2\n", ""},
	};

	(void)state;
	assert_examples("bcc", cases, CR_LEN(cases));
}

static void
test_what_is_no_stack_of_bcc_is_told(void **state)
{
	static const struct example cases[] = {
		{"WARNING: 3 stack traces could not be displayed.\n    f\n    -                sh "
		 "(1)\n        2\n",
			"sh;f 2\n", "noise:1"},
		{"    f\n\n    g\n    -                sh (1)\n        2\n    h\n", "sh;g 2\n",
			"stack-without-count:1 stack-without-count:6"},
		{"        2\n    f\nprose\n", "", "noise:1 stack-without-count:2 noise:3"},
		{"    [Missed User Stack]\n    -                sh (1)\n        2\n",
			"sh;[Missed User Stack] 2\n", "truncated-frame:1"},
		{"    f\n    -                sh (1)\n        99999999999999999999\n",
			"sh;f 18446744073709551615\n", "overflow:3"},
	};

	(void)state;
	assert_examples("bcc", cases, CR_LEN(cases));
}

static void
test_bcc_keeps_units_threads_and_addresses(void **state)
{
	static const char text[] =
		"Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to "
		"end.\n"
		"    f+0x12 [kernel]\n    schedule\n    --\n    0x00007f0012345678 g "
		"[libc-2.31.so]\n"
		"    00007f0012345679 [unknown]\n    -                my sh (12)\n        4\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("bcc", text, sizeof(text) - 1, &log);

	(void)state;
	assert_non_null(p);
	assert_event(p, "off-cpu", "us", "my_sh;[unknown];g;schedule;f 4\n");
	assert_str(p->tasks[p->samples.task[0]].comm, "my sh");
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 12);
	assert_int_equal(dso(p, 0, 0)->kind, CR_KIND_KERNEL);
	assert_int_equal(testing_caller(p, 0, 0)->addr, 0x12);
	assert_int_equal(dso(p, 0, 1)->kind, CR_KIND_KERNEL);
	assert_str(dso(p, 0, 2)->name, "libc-2.31.so");
	assert_int_equal(testing_caller(p, 0, 3)->addr, UINT64_C(0x7f0012345679));
	cr_profile_free(p);
}

static void
test_tracers_are_told_from_formats_that_look_alike(void **state)
{
	static const struct {
		const char *text, *format;
	} cases[] = {
		{HEAD, "dtrace"},
		{F "prog`main+0x1\n" F "prog`start+0x2\n" N "4\n", "dtrace"},
		{F "prog`main+0x1\n" F "prog`start+0x2\n", NULL},
		{"Use `foo` for it.\n4\n", NULL},
		{" 0x12 : main+0x1/0x2 [prog]\n\t4\n", "stap"},
		{"Attaching 1 probe...\n\n@[\n    f+1\n]: 4\n", "bpftrace"},
		{"@stacks_1[bash, \n    f+1\n]: 4\n", "bpftrace"},
		{"@param x[\n]: 4\n", NULL},
		{"    f\n    -                sh (12)\n        4\n", "bcc"},
		{"    - an item (12)\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_detected(cases[i].text, cases[i].format);
}

static void
test_input_that_is_cut_or_damaged_does_no_harm(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{"dtrace", HEAD "  sh        \n" F "a`f::g(int)+0x1f\n" F "p`x->y\n\n" F "0x12\n" N
				"4\n" F "value --- Distribution --- count\n"},
		{"bpftrace", "@a[sh, \n    k+1\n, \n    [inlined] i@/x.c:3\n\t12 u+4 (/x)\n7f\n, "
			     "12]: 7\n@[]: -5\n@h[]: \n[1] 2 |@|\n"},
		{"bcc", "Sampling at\n    f+0x12 [kernel]\n    --\n    0x00007f0012345678 g\n    "
			"waker: a\n    -                my sh (12)\n        4\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_survives(cases[i].format, cases[i].text, strlen(cases[i].text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_stands_before_the_stacks_of_dtrace_is_passed_over),
		cmocka_unit_test(test_counts_end_stacks_of_dtrace_and_keys_stand_at_their_root),
		cmocka_unit_test(test_names_of_dtrace_lose_offsets_and_arguments),
		cmocka_unit_test(test_dtrace_keeps_modules_and_offsets),
		cmocka_unit_test(test_entries_of_bpftrace_are_read_with_all_keys),
		cmocka_unit_test(test_entries_of_bpftrace_without_a_number_are_left_out),
		cmocka_unit_test(test_frames_of_bpftrace_have_many_forms),
		cmocka_unit_test(test_bpftrace_keeps_maps_kernel_build_ids_and_inlining),
		cmocka_unit_test(test_stacks_of_bcc_tools_have_the_thread_at_the_root),
		cmocka_unit_test(test_what_is_no_stack_of_bcc_is_told),
		cmocka_unit_test(test_bcc_keeps_units_threads_and_addresses),
		cmocka_unit_test(test_tracers_are_told_from_formats_that_look_alike),
		cmocka_unit_test(test_input_that_is_cut_or_damaged_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
