#include "testing.h"

#include "testing_reader.h"

#define VTUNE "Function Stack,CPU Time:Self,Module\n"
#define VS "Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,\n"
#define GHC "COST CENTRE MODULE SRC      no. entries %time %alloc %time %alloc ticks bytes\n\n"
#define XT "TRACE START [2026-01-01 00:00:00]\n"

static void
test_tables_fold_as_their_formats_say(void **state)
{
	/* folded "": there is no sample; reasons: with their lines */
	static const struct {
		const char *format, *text, *folded, *reasons;
	} cases[] = {
		/* VTune: by the names of columns, in milliseconds, halves up; a row two deeper is
		   left out with those below */
		{"vtune", "war:x\n" VTUNE "T,0,[Unknown]\n f,1.5,a.so\n f,0.0005,a.so\n",
			"[Unknown]`T;a.so`f 1501\n", ""},
		{"vtune", "Function Stack;Module;CPU Time:Self\nT;;0,25\n", "T 250\n", ""},
		{"vtune", "Function Stack\tCPU Time:Self\n\"T\"\t0.1\n \"a,b\"\t0.2\n",
			"\"T\" 100\n\"T\";\"a,b\" 200\n", ""},
		{"vtune", VTUNE "T,1,m\n \"f<int, \"\"x\"\">\",2,m\n",
			"m`T 1000\nm`T;m`f<int, \"x\"> 2000\n", ""},
		{"vtune", VTUNE "T,1,m\n   f,2,m\n    g,3,m\n h,4,m\n", "m`T 1000\nm`T;m`h 4000\n",
			"skipped-depth:3 skipped-depth:4"},
		{"vtune", VTUNE "T,x,m\n f,-1,m\n g,1,m\n \"h,1,m\n ,1,m\n", "m`T;m`g 1000\n",
			"bad-count:2 bad-count:3 bad-frame:5 bad-frame:6"},
		{"vtune", "Function Stack,Module\nT,m\n", "", ""},
		{"vtune",
			"Function Stack,Allocation Size:Self,Allocations:Self,Module\nT,9,,\n "
			"f,\"1,024\",3,m\n",
			"T;m`f 3\n", ""},
		/* Visual Studio: what is a function's own; groups of digits; levels from 0 or 1 */
		{"vsprof", VS "1,\"a\",\"6,400\",\"1.024\",\"m\",\n2,\"b, c\",5,5,\"m\",\n",
			"a 1024\na;b, c 5\n", ""},
		{"vsprof", VS "0,a,1,1\n2,b,1,1\nx,c,1,1\n1,d,1,1\n1\n", "a 1\na;d 1\n",
			"skipped-depth:3 bad-frame:4 bad-frame:6"},
		{"vsprof",
			"Level;Function Name;Number of Calls;Elapsed Exclusive Time "
			"%\n0;a;7;\"95,31\"\n",
			"a 9531\n", ""},
		{"vsprof", "Level,Function Name,Number of Calls\n0,a,7\n", "a 7\n", ""},
		/*
		 * GHC: tenths of a percent; characters, not bytes; the table ends at a blank line
		 */
		{"ghcprof",
			"x\n" GHC "MAIN        Main   M.hs:1  1 0 30.4 0.0 100.0 1.0 7 9\n"
			" é          Main   M.hs:2  2 5 1.0 0.0 1.0 0.0 0 0\n\nrest\n",
			"Main.MAIN 304\nMain.MAIN;Main.\xc3\xa9 10\n", ""},
		{"ghcprof",
			GHC "MAIN        Main   M.hs:1  1 0 1.0 0.0 1.0 1.0 7 9\n   f        Main  "
			    " M.hs:1  1 0 1.0 0.0 1.0 1.0 7 9\nbroken\n",
			"Main.MAIN 10\n", "skipped-depth:4 bad-frame:5"},
		{"ghcprof",
			"COST CENTRE MODULE no. entries %time %alloc %time %alloc\nf           M   "
			"   1   2 50.0 0.0 50.0 0.0\n",
			"M.f 500\n", ""},
		/* Instruments: own time in milliseconds; else what rows below leave of the total */
		{"instruments",
			"Weight\tSelf Weight\tSymbol Names\n2 s 100%\t1.00 s\t  a\n1 s 50%\t1.00 "
			"min\t   b\n",
			"a 1000\na;b 60000\n", ""},
		{"instruments",
			"Running Time\tSelf\t\tSymbol Name\n1 ms\t1.5 ms\t\ta\n1 ms\t250 us\t\t "
			"b\n",
			"a 1.5\na;b 0.25\n", ""},
		{"instruments",
			"Bytes Used\tCount\t\tSymbol Name\n2.00 KB 100%\t5\t\ta\n1.00 KB "
			"50%\t2\t\t b\n",
			"a 1024\na;b 1024\n", ""},
		{"instruments",
			"Running Time\tSelf\t\tSymbol Name\n1 ms\tx\t\ta\nnothing\n1 ms\t2 ms\t\t "
			"b\n",
			"a;b 2\n", "bad-count:2 bad-frame:3"},
		{"instruments", "Running Time\tSymbol Name\n", "", ""},
		/*
		 * pmcstat: the outermost rows are leaves; what callers leave of a count ends there
		 */
		{"pmc",
			"@ ev [9 samples]\n\n90.0%  [9]  a @ /boot/kernel/kernel\n 50.0%  [5]   "
			"b\n  50.0%  [5]    c\n10.0%  [1]  d\n",
			"a 4\nc;b;a 5\nd 1\n", ""},
		{"pmc", "1.0%  [1]  a\n   1.0%  [1]  b\nx\n1.0%  [99999999999999999999]  c\n",
			"a 1\nc 18446744073709551615\n", "skipped-depth:2 bad-frame:3 overflow:4"},
		/* callgrind: costs relative to the line above, numbers without a name, too many
		   costs */
		{"callgrind", "events: A\nfn=f\n1 10\n+1 +5\n* *\n-9 -20\n", "f 40\n", ""},
		{"callgrind", "events: A\nfn=(1) f\n1 10\nfn=(2)\n1 2 3\n1 x\nfoo\n1\n0x2 0x3\n",
			"- 3\nf 10\n", "bad-frame:4 bad-count:5 bad-count:6 bad-frame:7"},
		/* Xdebug: own time in microseconds, to the end of the trace; calls that end unsaid,
		   ends of no call */
		{"xdebug",
			XT "1\t0\t0\t0.001\t10\tmain\t1\t\t/a.php\t0\n2\t1\t0\t0.002\t20\tf\t1\t\t/"
			   "a.php\t7\n"
			   "2\t1\t1\t0.0025\t15\n2\t1\tR\t\t\t1\n1\t0\t1\t0.003\t15\nTRACE END   "
			   "[x]\n",
			"main 1500\nmain;f 500\n", ""},
		{"xdebug",
			XT "1\t0\t0\t0.001\t10\tmain\n2\t1\t0\t0.002\t10\tf\n2\t9\t1\t0."
			   "003\t10\n1\t5\t0\t0.004\t10\tg\nx\n1\t5\t0\tz\t10\th\n",
			"main 1000\nmain;f 2000\n",
			"missing-ref:4 bad-frame:6 bad-count:7 unclosed:7"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads(cases[i].format, cases[i].text, cases[i].folded, cases[i].reasons);
}

static struct cr_profile *
read_good(const char *format, const char *text)
{
	struct cr_log log;
	struct cr_profile *p = testing_read(format, text, strlen(text), &log);

	assert_non_null(p);
	assert_int_equal(log.n, 0);
	return p;
}

static const char vtune[] =
	"Function Stack,CPU Time:Self,Wait Time:Self,CPI Rate:Self,Module,Source File\n"
	"Total,0.0,0,1.5,[Unknown],\n main,0.0004,2,1,/bin/app,main.c\n";

static void
test_vtune_keeps_microseconds_other_times_modules_and_files(void **state)
{
	struct cr_profile *p = read_good("vtune", vtune);

	(void)state;
	assert_int_equal(p->n_events, 2); /* nothing is left of milliseconds */
	assert_event(p, "CPU Time (us)", "us", "[Unknown]`Total;/bin/app`main 400\n");
	assert_event(p, "Wait Time", "us", "[Unknown]`Total;/bin/app`main 2000000\n");
	assert_int_equal(p->n_dsos, 2);
	assert_str(p->dsos[1].name, "/bin/app");
	assert_int_equal(p->dsos[1].kind, CR_KIND_USER);
	assert_str(p->lines[p->locations[p->node_location[2]].first_line].file, "main.c");
	cr_profile_free(p);
}

static const char vsprof[] = "Level,Function Name,Inclusive Samples,Exclusive Samples,Number of "
			     "Calls,Module Name,Source File Name,"
			     "Line Number,Process Name,Process ID\n"
			     "1,f,10,4,2,app.exe,a.cs,12,app,77\n2,g,6,6,3,app.exe,,,app,77\n";

static void
test_vsprof_keeps_inclusive_values_calls_lines_and_the_process(void **state)
{
	struct cr_profile *p = read_good("vsprof", vsprof);
	const struct cr_line *line = &p->lines[p->locations[p->node_location[1]].first_line];

	(void)state;
	assert_event(p, "Exclusive Samples", "samples", "f 4\nf;g 6\n");
	assert_event(p, "Number of Calls", "calls", "f 2\nf;g 3\n");
	assert_field(p, "Exclusive Samples", "Inclusive Samples", 0, "10");
	assert_int_equal(line->line, 12);
	assert_str(cr_line_file(p, line), "a.cs");
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 77);
	assert_str(p->tasks[p->samples.task[0]].comm, "app");
	cr_profile_free(p);
}

static void
test_ghc_keeps_ticks_bytes_entries_and_where(void **state)
{
	struct cr_profile *p = read_good("ghcprof",
		GHC "MAIN        Main   src/M.hs:(3,1)-(4,2)  1 6 30.4 1.2 100.0 1.0 7 900\n");
	const struct cr_line *line = &p->lines[p->locations[p->node_location[1]].first_line];

	(void)state;
	assert_event(p, "time", "1/10 %", "Main.MAIN 304\n");
	assert_event(p, "alloc", "1/10 %", "Main.MAIN 12\n");
	assert_event(p, "ticks", "ticks", "Main.MAIN 7\n");
	assert_event(p, "bytes", "bytes", "Main.MAIN 900\n");
	assert_event(p, "entries", "entries", "Main.MAIN 6\n");
	assert_int_equal(line->line, 3);
	assert_str(cr_line_file(p, line), "src/M.hs");
	cr_profile_free(p);
}

static void
test_instruments_keeps_counts_beside_bytes(void **state)
{
	struct cr_profile *p = read_good("instruments",
		"Bytes Used\tCount\t\tSymbol Name\n3 Bytes 100%\t5\t\ta\n1 Bytes 50%\t2\t\t b\n");

	(void)state;
	assert_event(p, "bytes used", "bytes", "a 2\na;b 1\n");
	assert_event(p, "count", "count", "a 3\na;b 2\n");
	cr_profile_free(p);
}

static void
test_pmc_keeps_events_and_objects_which_rows_take_from_above(void **state)
{
	struct cr_profile *p =
		read_good("pmc", "@ one [1 samples]\n\n1.0%  [1]  a @ /boot/kernel/zfs.ko\n 1.0%  "
				 "[1]   b\n\n@ two [2 samples]\n\n9.9%  [2]  c @ /bin/x\n");

	(void)state;
	assert_event(p, "one", "samples", "b;a 1\n");
	assert_event(p, "two", "samples", "c 2\n");
	for (uint32_t i = 1; i < p->n_functions; i++)
		if (p->functions[i].name.len)
			assert_str(p->dsos[p->functions[i].dso.i].name,
				cr_str_eq(p->functions[i].name, CR_STR("c"))
					? "/bin/x"
					: "/boot/kernel/zfs.ko");
	assert_int_equal(p->dsos[1].kind, CR_KIND_MODULE);
	cr_profile_free(p);
}

static void
test_xdebug_keeps_times_memory_calls_and_where_they_were(void **state)
{
	struct cr_profile *p = read_good("xdebug", XT
		"1\t0\t0\t0.001\t10\tmain\t1\t\t/a.php\t0\n2\t1\t0\t0.002\t25\tf\t1\t\t/a.php\t7\n"
		"2\t1\t1\t0.003\t5\n1\t0\t1\t0.004\t5\nTRACE END\n");

	(void)state;
	assert_event(p, "time", "us", "main 2000\nmain;f 1000\n");
	assert_event(p, "memory", "bytes", "main 15\n");
	assert_event(p, "memory freed", "bytes", "main;f 20\n");
	assert_event(p, "calls", "calls", "main 1\nmain;f 1\n");
	assert_true(p->flags & CR_PROFILE_HAS_TIME);
	assert_int_equal(p->samples.time_ns[0], 1000000);
	assert_field(p, "time", "file", 1, "/a.php");
	assert_field(p, "time", "line", 1, "7");
	cr_profile_free(p);
}

/*
 * Numbers stand for names, also before a call names them; positions are relative; the costs of
 * calls belong to no stack, and the file of an inlined function is that of its lines.
 */
static const char callgrind[] =
	"# callgrind format\nversion: 1\ncmd: ./a b\npositions: instr line\nevents: Ir Dr\n"
	"summary: 107 4\n\nob=(1) /lib/x.so\nfl=(1) x.c\nfn=(1) main\n0x10 7 5 4\n+3 +1 90\n"
	"cob=(2) ???\ncfi=(2) y.c\ncfn=(2) f\ncalls=3 0x90 2\n* * 1000 9\nfi=(3) z.h\n-1 9 7\n"
	"fe=(1)\njump=4 0x10 7\n0x11 8\n\nob=(2)\nfl=(2)\nfn=(2)\n0x90 2 5\ntotals: 107 4\n";

static void
test_callgrind_has_self_costs_by_line_and_counts_calls(void **state)
{
	struct cr_profile *p = read_good("callgrind", callgrind);
	const struct cr_profile *q = p;
	bool inlined = false;

	(void)state;
	assert_event(p, "Ir", "events", "f 5\nmain 102\n");
	assert_event(p, "Dr", "events", "main 4\n");
	assert_str(cr_profile_fact(q, "cmdline"), "./a b");
	assert_str(cr_profile_fact(q, "main event"), "Ir");
	assert_int_equal(p->n_quality, 1);
	assert_int_equal(p->quality[0].count, 1);
	for (uint32_t i = 0; i < p->n_lines; i++)
		inlined |= p->lines[i].line == 9;
	assert_true(inlined);
	cr_profile_free(p);
}

/* The positions come after the events, when it is too late to leave room for them. */
static void
test_callgrind_keeps_sixty_events_however_many_positions_follow(void **state)
{
	struct cr_text in = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	cr_text_puts(&in, "events:");
	for (int i = 0; i < 63; i++)
		cr_text_printf(&in, " E%d", i);
	cr_text_puts(&in, "\npositions: instr bb line other\nfn=f\n");
	for (int i = 0; i < 64; i++)
		cr_text_puts(&in, "1 ");
	cr_text_puts(&in, "\n");
	for (int i = 0; i < 67; i++)
		cr_text_puts(&in, "1 ");
	cr_text_puts(&in, "\n");
	p = testing_read("callgrind", in.p, in.len, &log);
	assert_non_null(p);
	assert_int_equal(p->n_events, 60);
	assert_event(p, "E59", "events", "f 1\n");
	assert_int_equal(log.n, 1); /* the second line has too many */
	cr_profile_free(p);
	cr_text_fini(&in);
}

static void
test_damaged_tables_do_no_harm(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{"vtune", vtune},
		{"callgrind", callgrind},
		{"vsprof", vsprof},
		{"ghcprof", GHC "MAIN        Main   M.hs:1  1 0 1.0 0.0 1.0 1.0 7 9\n"},
		{"instruments", "Running Time\tSelf\t\tSymbol Name\n1.5 ms 2%\t1.5 ms\t\ta\n1 "
				"ms\t250 us\t\t b\n"},
		{"pmc", "@ ev [9 samples]\n\n90.0%  [9]  a @ /b/kernel\n 50.0%  [5]   b\n"},
		{"xdebug", XT
			"1\t0\t0\t0.001\t10\tmain\t1\t\t/a.php\t0\n1\t0\t1\t0.002\t5\nTRACE END\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_survives(cases[i].format, cases[i].text, strlen(cases[i].text));
}

static void
test_a_table_is_known_by_its_header(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{"vtune", "war:x\n" VTUNE "T,1,m\n"},
		{"vtune", "\"Function Stack\";\"CPU Time:Self\"\nT;1\n"},
		{"vsprof", VS "1,a,1,1\n"},
		{"ghcprof", "x\n\n" GHC "MAIN        M     M.hs 1 0 1.0 0.0 1.0 1.0 7 9\n"},
		{"instruments", "Weight\tSelf Weight\tSymbol Names\n2 s\t1 s\ta\n"},
		{"pmc", "@ ev [9 samples]\n\n90.0%  [9]  a\n"},
		{"xdebug", "Version: 3\n" XT "1\t0\t0\t0.1\t1\tmain\n"},
	};
	const struct cr_reader *r;
	struct cr_err err = CR_ERR_INIT;
	uint64_t line;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_input in = {
			.p = (const unsigned char *)cases[i].text, .len = strlen(cases[i].text)};

		assert_int_equal(cr_reader_detect(&in, &r, &line, &err), CR_OK);
		assert_string_equal(r->name, cases[i].format);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_fold_as_their_formats_say),
		cmocka_unit_test(test_vtune_keeps_microseconds_other_times_modules_and_files),
		cmocka_unit_test(test_vsprof_keeps_inclusive_values_calls_lines_and_the_process),
		cmocka_unit_test(test_ghc_keeps_ticks_bytes_entries_and_where),
		cmocka_unit_test(test_instruments_keeps_counts_beside_bytes),
		cmocka_unit_test(test_pmc_keeps_events_and_objects_which_rows_take_from_above),
		cmocka_unit_test(test_callgrind_has_self_costs_by_line_and_counts_calls),
		cmocka_unit_test(test_callgrind_keeps_sixty_events_however_many_positions_follow),
		cmocka_unit_test(test_xdebug_keeps_times_memory_calls_and_where_they_were),
		cmocka_unit_test(test_damaged_tables_do_no_harm),
		cmocka_unit_test(test_a_table_is_known_by_its_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
