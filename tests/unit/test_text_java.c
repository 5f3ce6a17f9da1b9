#include "testing.h"

#include "testing_reader.h"

/* ---- thread dumps */

#define HEADER(name) "\"" name "\" #1 prio=5 os_prio=0 tid=0x10 nid=0x2a runnable\n"
#define STATE(state) "   java.lang.Thread.State: " state "\n"

static void
test_a_thread_that_runs_is_a_stack_under_its_name(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{HEADER("main") STATE("RUNNABLE") "\tat a.B.c(B.java:1)\n\tat a.D.main(D.java)\n\n",
			"main;a.D.main;a.B.c 1\n", ""},
		/* the last one needs no blank line, and no line end */
		{HEADER("t") STATE("RUNNABLE") "        at a.B.c(Native Method)", "t;a.B.c 1\n",
			""},
		{HEADER("pool-1-thread-12") STATE("RUNNABLE") "\tat a.B.c(X)\n",
			"pool-1-thread;a.B.c 1\n", ""},
		{HEADER("7") STATE("RUNNABLE") "\tat a.B.c(X)\n", "7;a.B.c 1\n", ""},
		/* names hold quotes, semicolons, what looks like the rest of the line */
		{HEADER("a \"b\" c") STATE("RUNNABLE") "\tat a.B.c(X)\n", "a \"b\" c;a.B.c 1\n",
			""},
		{HEADER("a\" #2 prio=1 \"b;c") STATE("RUNNABLE") "\tat a.B.c(X)\n",
			"a\" #2 prio=1 \"b:c;a.B.c 1\n", ""},
		{HEADER("") STATE("RUNNABLE") "\tat a.B.c(X)\n", "-;a.B.c 1\n", ""},
		/* a module with a version goes, a hidden class stays */
		{HEADER("t") STATE("RUNNABLE") "\tat java.base@11/a.B.c(X)\n", "t;a.B.c 1\n", ""},
		{HEADER("t") STATE("RUNNABLE") "\tat app//java.base@11/a.B.c(X)\n", "t;a.B.c 1\n",
			""},
		{HEADER("t") STATE("RUNNABLE") "\tat A$$Lambda$1/0x08.run(Unknown Source)\n",
			"t;A$$Lambda$1/0x08.run 1\n", ""},
		/* the first state counts; locks, compilers and comments are no frames */
		{HEADER("t") STATE("RUNNABLE") STATE(
			 "WAITING") "\tat a.B.c(X)\n# x\n\t- locked <0x1> (a X)\n\tat a.D.e(X)\n",
			"t;a.D.e;a.B.c 1\n", ""},
		/* two dumps, and a program that prints on */
		{HEADER("t") STATE("RUNNABLE") "\tat a.B.c(X)\n\n" HEADER("t")
				STATE("RUNNABLE") "\tat a.B.c(X)\nhello\n\tat a.D.e(X)\n",
			"t;a.B.c 1\nt;a.D.e;a.B.c 1\n", "noise:8"},
		{HEADER("t") STATE("RUNNABLE") "\tat a.B.c(X)\n\n\tat a.D.e(X)\n", "t;a.B.c 1\n",
			"frame-outside-sample:5"},
		{HEADER("t") STATE("RUNNABLE") "\tat a.B.c(X)\n\tat broken\n", "t;a.B.c 1\n",
			"bad-frame:4"},
		/* what stands in a list of deadlocks is there already */
		{HEADER("t") STATE("RUNNABLE") "\tat a.B.c(X)\n\nFound one Java-level "
					       "deadlock:\n=====\n\"t\":\n\tat a.B.c(X)\n\nFound 1 "
					       "deadlock.\n",
			"t;a.B.c 1\n", ""},
		/* nothing but a name */
		{HEADER("t") STATE("RUNNABLE") "\n", "", ""},
		{"Full thread dump X:\r\n\r\n"
		 "\"m\" prio=1 tid=0x1 nid=0x1 runnable\r\n"
		 "   java.lang.Thread.State: RUNNABLE\r\n\tat a.B.c(X)\r\n",
			"m;a.B.c 1\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("jstack", cases[i].text, cases[i].folded, cases[i].reasons);
}

static void
test_what_a_thread_does_is_the_event(void **state)
{
	static const char text[] = "5120:\n2026-11-20 11:02:33\nFull thread dump X:\n\n" HEADER(
		"r") STATE("RUNNABLE") "\tat a.B.c(java.base@17/B.java:12)\n\n" HEADER("w")
		STATE("TIMED_WAITING (sleeping)") "\tat a.B.c(X)\n\n" HEADER("p") STATE(
			"RUNNABLE") "\tat sun.nio.ch.EPoll.wait(Native Method)\n\n" HEADER("n")
			STATE("RUNNABLE") "\tat java.net.SocketInputStream.socketRead0(Native "
					  "Method)\n\n" HEADER("C2 CompilerThread0") STATE(
						  "RUNNABLE") "\tat a.B.c(X)\n\n" HEADER("new")
						  STATE("NEW") "\tat a.B.c(X)\n\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("jstack", text, sizeof(text) - 1, &log);
	const struct cr_location *l;

	(void)state;
	assert_event(p, "RUNNABLE", "threads", "r;a.B.c 1\n");
	assert_event(p, "TIMED_WAITING", "threads", "w;a.B.c 1\n");
	assert_event(p, "WAITING", "threads", "p;sun.nio.ch.EPoll.wait 1\n");
	assert_event(p, "NETWORK", "threads", "n;java.net.SocketInputStream.socketRead0 1\n");
	assert_event(p, "BACKGROUND", "threads", "C2 CompilerThread0;a.B.c 1\n");
	assert_event(p, "OTHER", "threads", "new;a.B.c 1\n");
	assert_field(p, "TIMED_WAITING", "state", 0, "TIMED_WAITING (sleeping)");
	assert_field(p, "RUNNABLE", "java id", 0, "1");
	assert_field(p, "RUNNABLE", "java tid", 0, "0x10");
	assert_str(cr_profile_fact(p, "threads"),
		"6, RUNNABLE 1, WAITING 1, TIMED_WAITING 1, NETWORK 1, BACKGROUND 1, OTHER 1");
	assert_int_equal(
		p->flags & (CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT | CR_PROFILE_HAS_TIME),
		CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT | CR_PROFILE_HAS_TIME);
	assert_int_equal(p->samples.time_ns[0], 1795172553000000000u);
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 5120);
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 42);
	assert_str(p->tasks[p->samples.task[0]].comm, "r");
	l = &p->locations[p->node_location[p->samples.node[0]]];
	assert_str(p->dsos[l->dso.i].name, "java.base@17");
	assert_str(p->lines[l->first_line].file, "B.java");
	assert_int_equal(p->lines[l->first_line].line, 12);
	cr_profile_free(p);
	assert_survives("jstack", text, sizeof(text) - 1);
}

/* ---- the others */

static void
test_runs_of_frames_are_exceptions(void **state)
{
	static const char text[] = "12:00 ERROR x\njava.io.IOException: boom\n\tat "
				   "a.B.c(B.java:1)\n\t- locked <1>\n    at a.D.e(D.java:2)\n"
				   "Caused by: a.Cause\n\tat a.F.g(Native Method)\n\t... 2 "
				   "more\nmeet me at noon (sharp)\n";
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	assert_reads("javaexc", text, "a.D.e;a.B.c 1\na.F.g 1\n", "");
	assert_reads("javaexc", "no frames\nat all\n", "", "");
	p = testing_read("javaexc", text, sizeof(text) - 1, &log);
	assert_field(p, "samples", "exception", 0, "java.io.IOException");
	assert_field(p, "samples", "exception", 1, "a.Cause");
	cr_profile_free(p);
	assert_survives("javaexc", text, sizeof(text) - 1);
}

static void
test_threads_of_a_javacore_end_where_the_next_begins(void **state)
{
	static const char text[] =
		"0SECTION       THREADS subcomponent dump routine\nNULL\n"
		"3XMTHREADINFO      \"a \"q\" b-3\" J9VMThread:0x1, java/lang/Thread:0x3, "
		"state:CW, prio=5\n"
		"3XMTHREADINFO1            (native thread ID:0x4B7, native priority:0x5)\n"
		"4XESTACKTRACE                at a/B.c(B.java:20(Compiled Code))\n"
		"5XESTACKTRACE                   (entered lock: a/B@0x1, entry count: 1)\n"
		"4XESTACKTRACE                at a/D.e(Bytecode PC:8)\n"
		"3XMTHREADINFO      Anonymous native thread\n"
		"3XMTHREADINFO3           Native callstack:\n4XENATIVESTACK (0x7F)\n"
		"3XMTHREADINFO      \"b\" J9VMThread:0x1, state:R, prio=5\n"
		"4XESTACKTRACE                at a/F.g(F.java)\n4XESTACKTRACE                "
		"broken\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("ibm", text, sizeof(text) - 1, &log);

	(void)state;
	assert_field(p, "samples", "state", 0, "CW");
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 0x4b7);
	assert_int_equal(p->tasks[p->samples.task[1]].tid, -1);
	assert_str(p->tasks[p->samples.task[0]].comm, "a \"q\" b-3");
	assert_str(cr_profile_fact(p, "threads"), "3, without a stack 1");
	cr_profile_free(p);
	assert_reads("ibm", text, "a \"q\" b;a/D.e;a/B.c 1\nb;a/F.g 1\n", "bad-frame:13");
	assert_reads("ibm", "4XESTACKTRACE   at a/B.c(X)\n", "", "frame-outside-sample:1");
	assert_survives("ibm", text, sizeof(text) - 1);
}

static void
test_traces_of_ljp_have_a_count_and_a_depth(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{"31 2  a.B.c(B.java:1)\n      a.D.e(D.java:2)\n7 1 i(L.java:9)\nTotal trace count "
		 "= 38\n",
			"a.D.e;a.B.c 31\ni 7\n", ""},
		{"31 3  a.B.c(B.java:1)\n      a.D.e(D.java:2)\n", "a.D.e;a.B.c 31\n",
			"unclosed:2"},
		{"a.B.c(X)\n1 1 x(X)\n", "x 1\n", "frame-outside-sample:1"},
		{"1 2 x(X)\n  nothing\n", "x 1\n", "bad-frame:2 unclosed:2"},
		{"18446744073709551616 1 x(X)\n", "x 18446744073709551615\n", "overflow:1"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("ljp", cases[i].text, cases[i].folded, cases[i].reasons);
	assert_survives("ljp", cases[0].text, strlen(cases[0].text));
}

static void
test_each_is_known_by_its_lines(void **state)
{
	static const struct {
		const char *text, *reader;
	} cases[] = {
		{"x\nFull thread dump OpenJDK\n", "jstack"},
		{"\"main\" #1 daemon prio=5 tid=0x1 runnable\n", "jstack"},
		{"\"main\" #1\n", NULL},
		{"0SECTION       TITLE\n", "ibm"},
		{"java.lang.Error\n\tat a.B.c(X)\n", "javaexc"},
		{"31 1  a.B.c(B.java:1)\nTotal trace count = 31\n", "ljp"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *bytes = testing_exact(cases[i].text, strlen(cases[i].text));
		const struct cr_input in = {.p = bytes, .len = strlen(cases[i].text)};
		const struct cr_reader *r;
		struct cr_err err = CR_ERR_INIT;
		uint64_t line;

		if (cr_reader_detect(&in, &r, &line, &err) == CR_OK)
			assert_string_equal(r->name, cases[i].reader);
		else
			assert_null(cases[i].reader);
		free(bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_thread_that_runs_is_a_stack_under_its_name),
		cmocka_unit_test(test_what_a_thread_does_is_the_event),
		cmocka_unit_test(test_runs_of_frames_are_exceptions),
		cmocka_unit_test(test_threads_of_a_javacore_end_where_the_next_begins),
		cmocka_unit_test(test_traces_of_ljp_have_a_count_and_a_depth),
		cmocka_unit_test(test_each_is_known_by_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
