#include "testing.h"

#include "testing_reader.h"

static const struct cr_location *
leaf_location(const struct cr_profile *p, uint64_t row)
{
	return &p->locations[p->node_location[p->samples.node[row]]];
}

/* ---- stacks of goroutines */

static void
test_goroutines_are_stacks_of_two_lines_a_frame(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{"panic: x\n\ngoroutine 1 [running]:\nmain.f(0x1, {0x2, 0x3})\n\t/a.go:7 "
		 "+0x25\nmain.main()\n\t/a.go:9 +0x1\nexit status 2\n",
			"main.main;main.f 1\n", ""},
		{"goroutine 1 [running]:\nmain.(*T).Spin(0xc000)\n\t/a.go:7 "
		 "+0x25\nmain.gen[...].func1({0x1}, ...)\n\t/a.go:7 +0x1\n",
			"main.gen[...].func1;main.(*T).Spin 1\n", ""},
		/* who made it is no frame; blocks end at a blank line, or where the next begins */
		{"goroutine 1 [select, 5 minutes]:\nmain.f()\n\t/a.go:7 +0x25\ncreated by main.g "
		 "in goroutine 7\n\t/a.go:1 +0x1\n"
		 "goroutine 2 gp=0xc0 m=0 mp=0x5 [running]:\nmain.f()\n\t/a.go:7 +0x25 fp=0x1 "
		 "sp=0x2 pc=0x3\n",
			"main.f 2\n", ""},
		{"goroutine 1 [running]:\nmain.f()\nmain.g()\n\t/a.go:7 +0x25\n",
			"main.g;main.f 1\n", "bad-frame:3"},
		{"goroutine 1 [running]:\nmain.f()\n", "main.f 1\n", "bad-frame:2"},
		{"goroutine 1 [running]:\n\tgoroutine running on other thread; stack "
		 "unavailable\n\n",
			"", "no-frames:3"},
		{"goroutine 1 [running]:\nmain.f()\n\t/a.go:7 +0x25\n...additional frames "
		 "elided...\nmain.g()\n\t/a.go:7 +0x25\n",
			"main.g;main.f 1\n", "truncated-frame:4"},
		{"goroutine 1 [running]:\nmain.f()\n\t/a.go:7 +0x25\n\nmain.g()\n\t/a.go:7 +0x25\n",
			"main.f 1\n", "frame-outside-sample:6"},
		{"goroutine 1 [running]:\nmain.f()\n\t/a.go:7 +0x25\n[originating from goroutine "
		 "7]:\nmain.g()\n\t/a.go:7 +0x25\n",
			"main.f 1\n", ""},
		{"runtime stack:\nruntime.throw({0x1?, 0x2?})\n\t/p.go:1 +0x5d\n\ngoroutine 1 "
		 "[running]:\nmain.f()\n\t/a.go:7 +0x25\n",
			"main.f 1\nruntime.throw 1\n", ""},
		{"goroutine x [running]:\nmain.f()\n\t/a.go:7 +0x25\n", "",
			"bad-header:1 frame-outside-sample:3"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("gotrace", cases[i].text, cases[i].folded, cases[i].reasons);
}

static void
test_a_goroutine_keeps_what_is_said_of_it(void **state)
{
	static const char text[] = "goroutine 18 [select (no cases), 5 minutes, locked to "
				   "thread]:\nmain.in(...)\n\t/a.go:3\n"
				   "main.f(0x1)\n\t/dir with blank/a.go:7 +0x25\ncreated by main.g "
				   "in goroutine 7\n\t/a.go:1 +0x1\n\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("gotrace", text, sizeof(text) - 1, &log);
	const struct cr_location *l = leaf_location(p, 0);

	(void)state;
	assert_event(p, "samples", "goroutines", "main.f;main.in 1\n");
	assert_field(p, "samples", "goroutine", 0, "18");
	assert_field(p, "samples", "state", 0, "select (no cases)");
	assert_field(p, "samples", "minutes", 0, "5");
	assert_field(p, "samples", "locked to thread", 0, "1");
	assert_field(p, "samples", "created by", 0, "main.g");
	assert_int_equal(l->lines, 2);
	assert_int_equal(l->addr, 0x25);
	assert_int_equal(p->lines[l->first_line].line, 3);
	assert_int_equal(
		p->functions[p->lines[l->first_line].function.i].addr == CR_ADDR_INLINED, true);
	assert_str(p->lines[l->first_line + 1].file, "/dir with blank/a.go");
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 18);
	cr_profile_free(p);
	assert_survives("gotrace", text, sizeof(text) - 1);
}

/* ---- counts, heaps, contention */

static void
test_entries_are_named_by_their_lines_or_by_addresses(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{"goroutine profile: total 3\n2 @ 0x10 "
		 "0x20\n#\t0xf\tmain.f+0x1\t/a.go:8\n#\t0x1f\tmain.main+0x2\t\t/a.go:9\n\n1 @ 0x30 "
		 "0x40\n",
			"0x40;0x30 1\nmain.main;main.f 2\n", ""},
		{"threadcreate profile: total 5\n5 @\n#\t0x0\n\n", "[no stack] 5\n", ""},
		{"block profile: total 1\n1 @ 0x1 zzz\n2 @ 0x1\nx @ 0x1\n1 2 @ 0x1\n", "0x1 2\n",
			"bad-frame:2 bad-count:4 bad-count:5"},
		{"x profile: total 1\n#\t0x1\tf+0x1\t/a:1\n1 @ 0x1\n#\t0x5\t\n", "0x1 1\n",
			"frame-outside-sample:2 bad-frame:4"},
		{"x profile: total 1\n18446744073709551616 @ 0x1\n", "0x1 18446744073709551615\n",
			"overflow:2"},
		{"x profile: total 1\n-2 @ 0x1\n3 @ 0x2\n", "0x2 3\n", ""},
		{"1 @ 0x1\n", "", "bad-header:1"},
		{"heap profile: 1: 2 [3: 4] @ heap/8\n  1:  2 [ 3:  4] @ 0x1\n0: 0 [1: 9] @ "
		 "0x2\n\n# runtime.MemStats\n# Alloc = 1\n",
			"0x1 2\n", ""},
		/* nothing is left of the heap */
		{"heap profile: 0: 0 [3: 4] @ heap/8\n0: 0 [3: 4] @ 0x1\n", "0x1 4\n", ""},
		{"--- contentionz 1 ---\nformat = java\nresolution = microseconds\n 14  1 @ "
		 "0x0000000d 0x0000000e\n\n 0x000000d c.f (s.java:03)\n 0x00e c.g (/lib/x.so)\n",
			"c.g;c.f 14\n", ""},
		{"--- heapz 1 ---\nresolution = bytes\n 70  2 @ 0x3\n 0x3 GC\n", "GC 70\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("gocount", cases[i].text, cases[i].folded, cases[i].reasons);
}

static void
test_every_value_of_an_entry_is_an_event(void **state)
{
	static const char heap[] =
		"heap profile: 1: 2 [3: 4] @ heap/8\n1: 2 [3: 4] @ 0x500010 0x400020\n"
		"# labels: {\"a\":\"x \\\"y\", \"b\":\"z\"}\n\nMAPPED_LIBRARIES:\n"
		"00400000-00500000 r-xp 00001000 fd:01 12 /bin/my prog\n00600000-00700000 rw-p 0 "
		"0:0 0 /bin/data\n"
		"00500000-00600000: /lib/x.so (@2000) 0123456789abcdef\n";
	static const char mutex[] =
		"--- mutex:\ncycles/second=2600000000\nsampling period=1\n5000 2 @ 0x1\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("gocount", heap, sizeof(heap) - 1, &log);
	const struct cr_location *l = leaf_location(p, 0);

	(void)state;
	assert_event(p, "inuse_space", "bytes", "0x400020;0x500010 2\n");
	assert_event(p, "inuse_objects", "count", "0x400020;0x500010 1\n");
	assert_event(p, "alloc_space", "bytes", "0x400020;0x500010 4\n");
	assert_event(p, "alloc_objects", "count", "0x400020;0x500010 3\n");
	assert_str(cr_profile_fact(p, "main event"), "inuse_space");
	assert_str(cr_profile_fact(p, "sampling"), "heap/8");
	assert_field(p, "alloc_space", "a", 0, "x \\\"y");
	assert_field(p, "alloc_space", "b", 0, "z");
	assert_str(p->dsos[l->dso.i].name, "/lib/x.so");
	assert_int_equal(p->dsos[l->dso.i].build_id_len, 8);
	assert_int_equal(l->addr, 0x2010);
	l = &p->locations[p->node_location[p->node_parent[p->samples.node[0]]]];
	assert_str(p->dsos[l->dso.i].name, "/bin/my prog");
	assert_int_equal(l->addr, 0x400020); /* nothing tells which build it is */
	cr_profile_free(p);
	p = testing_read("gocount", mutex, sizeof(mutex) - 1, &log);
	assert_event(p, "delay", "cycles", "0x1 5000\n");
	assert_event(p, "contentions", "count", "0x1 2\n");
	assert_str(cr_profile_fact(p, "cycles/second"), "2600000000");
	cr_profile_free(p);
	assert_survives("gocount", heap, sizeof(heap) - 1);
}

/*
 * A function called again from the same place is a frame of its own, another one of the same
 * address is inlined.
 */
static void
test_lines_of_one_address_are_inlined_functions(void **state)
{
	static const char text[] = "goroutine profile: total 1\n1 @ 0x10 "
				   "0x10\n#\t0xf\tin+0x1\t/a.go:1\n#\t0xf\tout+0x1\t/a.go:2\n"
				   "#\t0xf\tout+0x1\t/a.go:2\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("gocount", text, sizeof(text) - 1, &log);
	const struct cr_location *l = leaf_location(p, 0);

	(void)state;
	assert_event(p, "goroutine", "count", "out;out;in 1\n");
	assert_int_equal(l->lines, 2);
	cr_profile_free(p);
}

/* ---- threads */

static void
test_threads_of_threadz_have_names_or_addresses(void **state)
{
	static const char named[] = "--- threadz 1 ---\n\n--- Thread 7f (name: main/14748) stack: "
				    "---\n  PC:  0x00bc8f1c: helper(arg *)\n"
				    "  0x0040be31: main\n--- Thread 7e (name: a/b/3) stack: ---\n  "
				    "[same as previous thread]\n--- Memory map: ---\n"
				    "  00400000-00fcb000: /bin/server\n";
	static const char bare[] = "--- Thread 7f (name: t/1) stack: ---\n  PC: 0xbc8f1c "
				   "0xbcae55\n      0x1\n      creator: 0x5 0x6\n"
				   "--- Thread 7e (name: u/2) stack: ---\n---\n--- Thread 7d "
				   "(name: v/2) stack: ---\n  nonsense\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("threadz", named, sizeof(named) - 1, &log);

	(void)state;
	assert_event(p, "samples", "threads", "main;helper(arg *) 2\n");
	assert_str(p->tasks[p->samples.task[0]].comm, "main");
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 14748);
	assert_str(p->tasks[p->samples.task[1]].comm, "a/b");
	assert_str(p->dsos[leaf_location(p, 0)->dso.i].name, "/bin/server");
	cr_profile_free(p);
	assert_reads("threadz", bare, "0x1;0xbcae55;0xbc8f1c 1\n",
		"no-frames:6 bad-frame:8 no-frames:8");
	assert_survives("threadz", named, sizeof(named) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goroutines_are_stacks_of_two_lines_a_frame),
		cmocka_unit_test(test_a_goroutine_keeps_what_is_said_of_it),
		cmocka_unit_test(test_entries_are_named_by_their_lines_or_by_addresses),
		cmocka_unit_test(test_every_value_of_an_entry_is_an_event),
		cmocka_unit_test(test_lines_of_one_address_are_inlined_functions),
		cmocka_unit_test(test_threads_of_threadz_have_names_or_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
