#include "testing.h"

#include "testing_reader.h"

/* gdb, eu-stack, macOS sample, faulthandler, procstack, wallClockProfiler. */

/* The functions of a location, the innermost first, "f x.c:3 [lib]"; free() it. */
static char *
described(const struct cr_profile *p, const struct cr_location *l)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < l->lines; i++) {
		const struct cr_line *line = &p->lines[l->first_line + i];
		const struct cr_function *f = &p->functions[line->function.i];

		cr_text_puts(&t, i ? ", " : "");
		cr_text_str(&t, f->name);
		if (line->line) {
			cr_text_char(&t, ' ');
			cr_text_str(&t, cr_line_file(p, line));
			cr_text_printf(&t, ":%u", line->line);
		}
	}
	if (l->dso.i) {
		cr_text_puts(&t, " [");
		cr_text_str(&t, p->dsos[l->dso.i].name);
		cr_text_char(&t, ']');
	}
	if (l->addr)
		cr_text_printf(&t, " at 0x%llx", (unsigned long long)l->addr);
	return t.p;
}

static void
assert_caller(const struct cr_profile *p, uint64_t k, unsigned n, const char *want)
{
	char *have = described(p, testing_caller(p, k, n));

	assert_string_equal(have, want);
	free(have);
}

static void
assert_task(const struct cr_profile *p, uint64_t k, int32_t pid, int32_t tid, const char *comm)
{
	const struct cr_task *t = &p->tasks[p->samples.task[k]];

	assert_int_equal(t->pid, pid);
	assert_int_equal(t->tid, tid);
	assert_str(t->comm, comm);
}

/* ---- gdb */

static void
test_stacks_of_gdb_end_where_numbers_threads_or_the_input_do(void **state)
{
	static const struct example cases[] = {
		{"#0  a () at x.c:1\n#1  b () at x.c:2\n#0  a () at x.c:1\n", "a 1\nb;a 1\n", ""},
		{"#0  a ()\n#1  b ()\n#1  c ()\n#2  d ()\n#7  e ()\n", "b;a 1\ne;d;c 1\n", ""},
		{"Thread 2 (Thread 0x7f (LWP 2)):\n#0  a () from /l\nThread 1 (Thread 0x7e (LWP "
		 "1)):\n#0  b () from /l\n",
			"a 1\nb 1\n", ""},
		{"Thread 2 (Thread 0x7f (LWP 2)):\nThread 1 (Thread 0x7e (LWP 1)):\n#0  b ()\n",
			"b 1\n", "no-frames:1"},
		{"#0  a ()\n\n#1  b ()\n", "b;a 1\n", ""},
		{"(gdb) bt\n(gdb) (gdb) #0  a ()\n#1  b ()\n(gdb) quit\n", "b;a 1\n", ""},
		{"[New LWP 12]\nwarning: no\n#0  a ()\nBacktrace stopped: previous frame "
		 "identical\n",
			"a 1\n", ""},
		{"#0\n#1  \n#2  b ()\n", "b 1\n", "bad-frame:1 bad-frame:2"},
		{"#99999999999999999999  a ()\n#1  b ()\n", "b 1\n", "bad-frame:1"},
		{"no frames\n", "", ""},
	};

	(void)state;
	assert_examples("gdb", cases, CR_LEN(cases));
}

static void
test_of_very_deep_stacks_the_innermost_frames_are_kept(void **state)
{
	struct cr_text text = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	for (int i = 0; i < 10000; i++)
		cr_text_printf(&text, "#%d  f%d ()\n", i, i);
	p = testing_read("gdb", text.p, text.len, &log);
	assert_non_null(p);
	assert_int_equal(log.n_places, 1);
	assert_string_equal(log.places[0].why, "truncated-frame");
	assert_caller(p, 0, 0, "f0");
	assert_int_equal(p->n_nodes, 8192 + 1);
	cr_text_fini(&text);
	cr_profile_free(p);
}

static void
test_names_of_gdb_end_before_their_arguments(void **state)
{
	static const struct {
		const char *frame, *name;
	} cases[] = {
		{"0x12 in main () at x.c:1", "main"},
		{"main (argc=1, argv=0x7f) at x.c:1", "main"},
		{"0x12 in (anonymous namespace)::f (x=1) at x.c:1", "(anonymous namespace)::f"},
		{"0x12 in n::(anonymous namespace)::f<int (*)(int)> (x=1) at x.c:1",
			"n::(anonymous namespace)::f<int (*)(int)>"},
		{"0x12 in S::operator() (this=0x1, x=1) at x.c:1", "S::operator()"},
		{"0x12 in S::operator()(int) const () from /l", "S::operator()(int) const"},
		{"0x12 in S::operator< (o=..., this=0x1) at x.c:1", "S::operator<"},
		{"0x12 in S::operator-> (this=0x1) at x.c:1", "S::operator->"},
		{"0x12 in operator<< <int> (s=...) at x.c:1", "operator<< <int>"},
		{"0x12 in std::function<void (int)>::operator()(int) const (this=0x1) at x.c:1",
			"std::function<void (int)>::operator()(int) const"},
		{"0x12 in std::__invoke<main()::<lambda()> > (f=...) at x.c:1",
			"std::__invoke<main()::<lambda()> >"},
		{"0x12 in main()::{lambda(int)#1}::operator() (a=1) at x.c:1",
			"main()::{lambda(int)#1}::operator()"},
		{"0x12 in decltype (a(1)) f<int> (a=1) at x.c:1", "decltype (a(1)) f<int>"},
		{"0x12 in <T as core::ops::FnOnce<fn() -> i32>>::call_once () at x.rs:1",
			"<T as core::ops::FnOnce<fn() -> i32>>::call_once"},
		{"0x12 in net/http.(*Client).Do (c=0xc0) at x.go:1", "net/http.(*Client).Do"},
		{"0x12 in -[NSFoo bar:] (self=0x1) at x.m:1", "-[NSFoo bar:]"},
		{"0x12 in std::thread::join() () from /l/libstdc++.so.6", "std::thread::join()"},
		{"0x12 in void f<void (*)()>(void (*&&)()) at x.h:196:13",
			"void f<void (*)()>(void (*&&)())"},
		{"0x12 in __poll from /l/libc.so.6", "__poll"},
		{"0x12 in ?? () from /l/libc.so.6", "[libc.so.6]"},
		{"0x12 in ?? ()", "[unknown]"},
		{"0x12 in  ()", "[unknown]"},
		{"<signal handler called>", "<signal handler called>"},
		{"0xdead () at x.c:1", "0xdead"},
		{"0x12 in broken<(x=1) at x.c:1", "broken<(x=1)"},
		{"0x12 in broken< (x=1) at x.c:1", "broken<"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text in = {0}, out = {0};

		cr_text_printf(&in, "#0  %s\n", cases[i].frame);
		cr_text_printf(&out, "%s 1\n", cases[i].name);
		assert_reads("gdb", in.p, out.p, "");
		cr_text_fini(&in);
		cr_text_fini(&out);
	}
}

static void
test_arguments_of_gdb_may_hold_anything_and_be_wrapped(void **state)
{
	static const struct {
		const char *text, *leaf;
	} cases[] = {
		{"#0  0x12 in f (s=0x1 \"a) at y.c:9\", n=2) at x.c:3\n", "f x.c:3 at 0x12"},
		{"#0  0x12 in f (s=0x1 \"a\\\") at y.c:9\", n=2) at x.c:3\n", "f x.c:3 at 0x12"},
		{"#0  0x12 in f (c=40 '(', d=34 '\"', e=39 '\\'', g=0 '\\000') at x.c:3\n",
			"f x.c:3 at 0x12"},
		{"#0  0x12 in f (a=<g(int)+5>, b={x = (1)}) at x.c:3\n", "f x.c:3 at 0x12"},
		{"#0  0x12 in f (a=1, \n    b=2) at x.c:3\n        at = 5\n        x = \"#1  g "
		 "()\"\nNo locals.\n",
			"f x.c:3 at 0x12"},
		{"#0  0x12 in f (s=0x1 \"a\",\n    t=0x2 \"(\",\n    u=1)\n    at ../x y/x.c:3\n",
			"f ../x y/x.c:3 at 0x12"},
		{"#0  0x12 in f (a=1)\n    from /l/libc.so.6\n", "f [/l/libc.so.6] at 0x12"},
		{"#0  0x12 in f () at x.c:3:14\n", "f x.c:3 at 0x12"},
		{"#0  0x12 in f () at /l/libx.so.3\n", "f [/l/libx.so.3] at 0x12"},
		{"#0  0x12 in f (a=1, b=\n", "f at 0x12"},
		{"#0  f ()\n", "f"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_log log;
		struct cr_profile *p =
			testing_read("gdb", cases[i].text, strlen(cases[i].text), &log);

		assert_non_null(p);
		assert_int_equal(p->samples.n, 1);
		assert_caller(p, 0, 0, cases[i].leaf);
		cr_profile_free(p);
	}
}

static void
test_gdb_tells_threads_dumps_and_what_was_inlined(void **state)
{
	static const char text[] = "Thread 2 (Thread 0x7f461a93c6c0 (LWP 8846) \"a (b\"):\n"
				   "#0  0x10 in read () from /l/libc.so.6\n"
				   "#1  0x20 in inner (n=1) at x.h:1\n"
				   "#2  middle (n=2) at x.h:2\n"
				   "#3  outer (n=3) at x.c:3\n"
				   "#4  0x30 in ?? () from /l/libt.so\n"
				   "#5  <signal handler called>\n"
				   "#6  kill (n=3) at k.c:4\n"
				   "Thread 1 (Thread 19965):\n"
				   "#0  0x10 in main () at x.c:9\n"
				   "[Inferior 1 (process 8843) detached]\n"
				   "Thread 1 (process 8843):\n"
				   "#0  0x10 in main () at x.c:9\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("gdb", text, sizeof(text) - 1, &log);

	(void)state;
	assert_non_null(p);
	assert_true(p->flags & CR_PROFILE_HAS_TASK && p->flags & CR_PROFILE_NO_COMM_ROOT);
	assert_int_equal(p->samples.n, 3);
	assert_caller(p, 0, 0, "read [/l/libc.so.6] at 0x10");
	assert_caller(p, 0, 1, "inner x.h:1, middle x.h:2, outer x.c:3 at 0x20");
	assert_caller(p, 0, 2, " [/l/libt.so] at 0x30");
	assert_caller(p, 0, 3, "<signal handler called>");
	assert_caller(p, 0, 4, "kill k.c:4");
	assert_task(p, 0, -1, 8846, "a (b");
	assert_task(p, 1, -1, 19965, "");
	assert_task(p, 2, 8843, -1, "");
	assert_field(p, "samples", "thread", 0, "2");
	assert_field(p, "samples", "dump", 1, "");
	assert_field(p, "samples", "dump", 2, "2");
	cr_profile_free(p);
}

/* ---- eu-stack */

static void
test_eu_stack_is_read_with_all_of_its_options(void **state)
{
	static const struct example cases[] = {
		{"PID 1 - process\nTID 1:\n#0  0x10 f(int)\n#1  0x20\nTID 2:\n#0  0x10 f(int)\n",
			"[unknown];f(int) 1\nf(int) 1\n", ""},
		{"TID 1:\n#0  0x10     f - /l/libx.so\n#1  0x20 - 1 g - /bin/a b\n#2  0x30 - 1 - "
		 "/l/liby.so\n#3  0x40 - 1\n",
			"[unknown];[liby.so];g;f 1\n", ""},
		{"TID 1:\n#0  0x10 f - x - /l/libx.so\n", "f - x 1\n", ""},
		{"TID 1:\n#0  0x10 f - /l/libx.so   ../a/b.c:3:4\n", "f 1\n", ""},
		{"TID 1:\n#0  0x10 __vdso_time - [vdso: 12]\n#1  0x11 - 1 - [vdso: 12]\n",
			"[[vdso: 12]];__vdso_time 1\n", ""},
		{"TID 1:\n#0  0x10\n    [12ab34]@0x0+0x5\n", "[unknown] 1\n", ""},
		{"TID 1:\nTID 2:\n#0  0x10 f\neu-stack: no\n\n", "f 1\n", "no-frames:1 noise:4"},
		{"TID 1:\n#0 f\n#1  0x10 g\n  what\n", "g 1\n", "bad-frame:2 noise:4"},
		{"    x.c:3\nTID 1:\n", "", "noise:1 no-frames:2"},
	};

	(void)state;
	assert_examples("eustack", cases, CR_LEN(cases));
}

static void
test_eu_stack_keeps_what_names_its_nameless_frames(void **state)
{
	static const char text[] = "PID 7 - process\n"
				   "TID 8:\n"
				   "#0  0x00007f10 - 1 inner - /l/libx.so\n"
				   "    [0102030405060708090a0b0c0d0e0f1011121314]@0x7f00+0x0f\n"
				   "    x.h:1:2\n"
				   "#1  0x00007f10 - 1 outer - /l/libx.so\n"
				   "    [0102030405060708090a0b0c0d0e0f1011121314]@0x7f00+0x0f\n"
				   "    x.c:3\n"
				   "#2  0x00007f20 - 1 - /l/libx.so\n"
				   "    [0102030405060708090a0b0c0d0e0f1011121314]@0x7f00+0x1f\n"
				   "#3  0x00007f30 main\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("eustack", text, sizeof(text) - 1, &log);
	const struct cr_location *nameless;

	(void)state;
	assert_non_null(p);
	assert_true(p->flags & CR_PROFILE_HAS_ADDR);
	assert_task(p, 0, 7, 8, "");
	assert_caller(p, 0, 0, "inner x.h:1, outer x.c:3 [/l/libx.so] at 0x7f10");
	assert_caller(p, 0, 1, " [/l/libx.so] at 0x1f");
	assert_caller(p, 0, 2, "main at 0x7f30");
	nameless = testing_caller(p, 0, 1);
	assert_int_equal(p->dsos[nameless->dso.i].build_id_len, 20);
	assert_int_equal(p->dsos[nameless->dso.i].build_id[19], 0x14);
	cr_profile_free(p);
}

/* ---- macOS sample */

#define GRAPH "Analysis of sampling app (pid 7) every 1 millisecond\nCall graph:\n"
#define TOTAL "Total number in stack (recursive counted multiple, when >=5):\n"

static void
test_rows_of_sample_have_what_their_children_lack(void **state)
{
	static const struct example cases[] = {
		{GRAPH "    5 Thread_1\n    + 3 f  (in app) + 1  [0x1]\n    + ! 1 g  (in app) + 2  "
		       "[0x2]\n    + 2 f  (in app) + 3  [0x3]\n" TOTAL
		       "        9  f  (in app) + 0  [0x1]\n",
			"Thread_1;app`f 4\nThread_1;app`f;app`g 1\n", ""},
		{GRAPH "    5 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)\n    4 "
		       "Thread_2: some name\n" TOTAL,
			"Thread_1 5\nThread_2 4\n", ""},
		{GRAPH "    1 Thread_1\n      1 operator new(unsigned long)  (in libc++.1.dylib) + "
		       "3  [0x1]\n" TOTAL,
			"Thread_1;libc++.1`operator new 1\n", ""},
		{GRAPH "    1 Thread_1\n      1 (anonymous namespace)::f(int)  (in app)  load "
		       "address 0x1 + 0x2  [0x3]\n" TOTAL,
			"Thread_1;app`(anonymous namespace)::f 1\n", ""},
		{GRAPH "    1 Thread_1\n      1 -[NSFoo(Bar) baz:]  (in AppKit) + 3,7,...  "
		       "[0x1,0x5,...]  foo.m:10\n" TOTAL,
			"Thread_1;AppKit`-[NSFoo(Bar) baz:] 1\n", ""},
		{GRAPH "    1 Thread_1\n      1 ???  (in <unknown binary>)  [0x1]\n" TOTAL,
			"Thread_1;<unknown binary>`??? 1\n", ""},
		{GRAPH "    1 Thread_1\n      1 _$LT$a..B$GT$::f::h0123456789abcdef  (in app) + 3  "
		       "[0x1]\n" TOTAL,
			"Thread_1;app`<a::B>::f 1\n", ""},
		{GRAPH "    1 Thread_1\n      1 f\n" TOTAL, "Thread_1;f 1\n", ""},
	};

	(void)state;
	assert_examples("sample", cases, CR_LEN(cases));
}

static void
test_rows_of_sample_that_cannot_be_read_go_with_what_is_below(void **state)
{
	static const struct example cases[] = {
		{GRAPH "    5 Thread_1\n    +  3 f  (in app)\n    +   3 g  (in app)\n    + 2 h  "
		       "(in app)\n" TOTAL,
			"Thread_1 3\nThread_1;app`h 2\n", "odd-indent:4"},
		{GRAPH "    5 Thread_1\n    +   3 f  (in app)\n    +     3 g  (in app)\n    + 2 h  "
		       "(in app)\n" TOTAL,
			"Thread_1 3\nThread_1;app`h 2\n", "skipped-depth:4"},
		{GRAPH "    5 Thread_1\n    + BAD\n    +   3 g  (in app)\n    + 2 h  (in "
		       "app)\n" TOTAL,
			"Thread_1 3\nThread_1;app`h 2\n", "bad-count:4"},
		{GRAPH "    5 Thread_1\noh\n      2 h  (in app)\n" TOTAL, "Thread_1 5\n",
			"odd-indent:4"},
		{GRAPH "    5 Thread_1\n", "Thread_1 5\n", "unclosed:2"},
		{GRAPH "    18446744073709551616 Thread_1\n" TOTAL,
			"Thread_1 18446744073709551615\n", "overflow:3"},
		{"Analysis of sampling app (pid 7)\n" TOTAL, "", ""},
	};

	(void)state;
	assert_examples("sample", cases, CR_LEN(cases));
}

static void
test_sample_keeps_threads_images_and_what_waits(void **state)
{
	static const char text[] = GRAPH
		"    9 Thread_11   DispatchQueue_1: main  (serial)\n"
		"      9 f  (in libx.dylib) + 16,20  [0x1010,0x1014]  f.c:3\n"
		"        6 __psynch_cvwait  (in libsystem_kernel.dylib) + 10  [0x7]\n"
		"        3 my_read  (in libx.dylib) + 10  [0x7]\n"
		"    4 Thread_12: worker\n"
		"      4 read  (in libsystem_kernel.dylib) + 10  [0x7]\n" TOTAL "Binary Images:\n"
		"       0x1000 -        0x1fff +libx.dylib (0) "
		"<01020304-0506-0708-090A-0B0C0D0E0F10> /opt/my app/libx.dylib\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("sample", text, sizeof(text) - 1, &log);
	const struct cr_dso *o;

	(void)state;
	assert_non_null(p);
	assert_event(p, "samples", "samples", "Thread_11;libx`f;libx`my_read 3\n");
	assert_event(p, "waiting", "samples",
		"Thread_11;libx`f;libsystem_kernel`__psynch_cvwait "
		"6\nThread_12;libsystem_kernel`read 4\n");
	assert_str(cr_profile_fact(p, "main event"), "samples");
	assert_caller(p, 0, 1, "libx`f f.c:3 [/opt/my app/libx.dylib] at 0x10");
	o = &p->dsos[testing_caller(p, 0, 1)->dso.i];
	assert_int_equal(o->build_id_len, 16);
	assert_int_equal(o->build_id[15], 0x10);
	assert_task(p, 0, 7, 11, "app");
	assert_task(p, 2, 7, 12, "worker");
	assert_field(p, "samples", "queue", 0, "main  (serial)");
	cr_profile_free(p);
}

/* ---- the others */

static void
test_threads_of_faulthandler_need_no_blank_line(void **state)
{
	static const struct example cases[] = {
		{"Timeout (0:00:01)!\nThread 0x1 [w] (most recent call first):\n  File \"a.py\", "
		 "line 3 in f\n  File \"b.py\", line 1 in <module>\n"
		 "Current thread 0x2 (most recent call first):\n  File \"c, line 3 in x\", line 4 "
		 "in g\n  ...\n",
			"b.py:1:<module>;a.py:3:f 1\nc, line 3 in x:4:g 1\n", ""},
		{"Stack (most recent call first):\n  File \"???\", line ??? in ???\n",
			"???:?\?\?:??? 1\n", ""},
		{"Thread 0x1 (most recent call first):\n  <no Python frame>\n\n  File \"a.py\", "
		 "line 3 in f\nhello\n",
			"", "no-frames:1 frame-outside-sample:4 noise:5"},
		{"Thread 0x1 (most recent call first):\n  File \"a.py\"\n  File \"a.py\", line 3 "
		 "in f\n",
			"a.py:3:f 1\n", "bad-frame:2"},
	};

	(void)state;
	assert_examples("faulthandler", cases, CR_LEN(cases));
}

static void
test_procstack_has_the_program_at_the_root(void **state)
{
	static const struct example cases[] = {
		{"12: /bin/foo -x\n---------- tid# 3 (pthread ID: 1) ----------\n0x0900  read(??, "
		 "0x1) + 0xd4\n0x0abc  a::b(int)(0x1) + 0x10\n"
		 "---------- tid# 4 ----------\n0x0901  [unknown] + 0xd4\n",
			"/bin/foo;0x0901 1\n/bin/foo;a::b;read 1\n", ""},
		{"12: /bin/foo\n0x10  f() + 0x1\n13: /bin/bar\n0x10  f() + 0x1\n",
			"/bin/bar;f 1\n/bin/foo;f 1\n", ""},
		{"12: /bin/foo\n0x10\nwhat\n0x10  f\n", "/bin/foo;f 1\n", "bad-frame:2 noise:3"},
	};

	(void)state;
	assert_examples("aix", cases, CR_LEN(cases));
}

static void
test_stacks_of_the_wall_clock_profiler_need_no_blank_line(void **state)
{
	static const struct example cases[] = {
		{"1: x   (at a.nim:1)\nFull stacks:\n\n88.1% ==== (905 samples)\n1: w   (at "
		 "/s/io.nim:34)\n2: main\n0.2% = (3 samples)\n1: x   (at d)\n",
			"main;w 905\nx 3\n", ""},
		{"Full stacks\n1% = (x samples)\n1: y\nz\n2% = (4 samples)\n1: y\n", "y 4\n",
			"bad-header:2 frame-outside-sample:3 noise:4"},
	};

	(void)state;
	assert_examples("wcp", cases, CR_LEN(cases));
}

static void
test_dumps_are_told_from_texts_that_quote_them(void **state)
{
	static const struct {
		const char *text, *format;
	} cases[] = {
		{"Thread 2 (Thread 0x7f (LWP 2)):\n#0  0x1 in f ()\n", "gdb"},
		{"#0  0x1 in f () at x.c:3\n        a = 1\n        b = 1\n        c = 1\n        d "
		 "= 1\n        e = 1\n",
			"gdb"},
		{"[New LWP 12]\n[New LWP 13]\n", "gdb"},
		{"It fails:\n#0  0x1 in f () at x.c:3\nwhy\ndoes\nit\nfail\n", NULL},
		{"#1 issue\n#2 other\n", NULL},
		{"PID 1 - process\nTID 1:\n#0  0x10 f() from (x)\n", "eustack"},
		{"TID 1:\n", NULL},
		{GRAPH "    5 Thread_1\n", "sample"},
		{"Call graph:\n    5 Thread_1\n", "sample"},
		{"Call graph:\n    5 nodes\n", NULL},
		{"Thread 0x1 (most recent call first):\n  File \"a.py\", line 3 in f\n",
			"faulthandler"},
		{"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n", NULL},
		{"12: /bin/foo -x\n---------- tid# 3 (p) ----------\n", "aix"},
		{"Full stacks:\n\n88.1% ==== (905 samples)\n1: w   (at a:3)\n", "wcp"},
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
		{"gdb", "Thread 2 (Thread 0x7f (LWP 2) \"w\"):\n#0  0x1 in f (a=\"x\\\"\",\n    "
			"b='(') at x.c:3\n#1  g<int> () from /l\n[Inferior 1 (process 3) "
			"detached]\n"},
		{"eustack", "PID 1 - p\nTID 1:\n#0  0x10 - 1 f(int) - /l/x\n    "
			    "[0a0b]@0x7f00+0x0f\n    x.c:3:4\n#1  0x20\n"},
		{"sample", GRAPH "    9 Thread_1: w\n    + 9 f(int)  (in x) + 1,2  [0x1]  f.c:3\n  "
				 "  + ! 2 read  (in y)\n" TOTAL "Binary Images:\n 0x1 - 0x2 +x (0) "
				 "<01020304-0506-0708-090A-0B0C0D0E0F10> /o/x\n"},
		{"faulthandler", "Thread 0x1 [w] (most recent call first):\n  File \"a.py\", line "
				 "3 in f\n  ...\n"},
		{"aix", "12: /bin/foo -x\n---------- tid# 3 (p) ----------\n0x0900  read(??, 0x1) "
			"+ 0xd4\n"},
		{"wcp", "Full stacks:\n88.1% ==== (905 samples)\n1: w   (at /s/io.nim:34)\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_survives(cases[i].format, cases[i].text, strlen(cases[i].text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_of_gdb_end_where_numbers_threads_or_the_input_do),
		cmocka_unit_test(test_of_very_deep_stacks_the_innermost_frames_are_kept),
		cmocka_unit_test(test_names_of_gdb_end_before_their_arguments),
		cmocka_unit_test(test_arguments_of_gdb_may_hold_anything_and_be_wrapped),
		cmocka_unit_test(test_gdb_tells_threads_dumps_and_what_was_inlined),
		cmocka_unit_test(test_eu_stack_is_read_with_all_of_its_options),
		cmocka_unit_test(test_eu_stack_keeps_what_names_its_nameless_frames),
		cmocka_unit_test(test_rows_of_sample_have_what_their_children_lack),
		cmocka_unit_test(test_rows_of_sample_that_cannot_be_read_go_with_what_is_below),
		cmocka_unit_test(test_sample_keeps_threads_images_and_what_waits),
		cmocka_unit_test(test_threads_of_faulthandler_need_no_blank_line),
		cmocka_unit_test(test_procstack_has_the_program_at_the_root),
		cmocka_unit_test(test_stacks_of_the_wall_clock_profiler_need_no_blank_line),
		cmocka_unit_test(test_dumps_are_told_from_texts_that_quote_them),
		cmocka_unit_test(test_input_that_is_cut_or_damaged_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
