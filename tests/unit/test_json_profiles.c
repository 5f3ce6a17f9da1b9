#include "testing.h"

#include "testing_reader.h"

#define FRAMES                                                                                    \
	"\"shared\":{\"frames\":[{\"name\":\"a\",\"file\":\"a.c\",\"line\":3},{\"name\":\"b\"},{" \
	"\"name\":\"\\u0063\\n\"}]}"
#define EVENT(type, frame, at) "{\"type\":\"" type "\",\"frame\":" frame ",\"at\":" at "}"
#define EVENTED(unit, events)                                   \
	"{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"" unit \
	"\",\"startValue\":0,\"endValue\":9,\"events\":[" events "]}"
#define SAMPLED(unit, samples, weights)                         \
	"{\"type\":\"sampled\",\"name\":\"q\",\"unit\":\"" unit \
	"\",\"startValue\":1,\"endValue\":9,\"samples\":[" samples "],\"weights\":[" weights "]}"
#define SPEEDSCOPE(profiles)                                                            \
	"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n" FRAMES \
	",\n\"profiles\":[\n" profiles "\n]}\n"

#define TRACE(ph, name, ts, more) \
	"{\"ph\":\"" ph "\",\"name\":\"" name "\",\"ts\":" ts ",\"pid\":1,\"tid\":2" more "}"
#define BEGIN(name, ts) TRACE("B", name, ts, "")
#define END(name, ts) TRACE("E", name, ts, "")
#define WHOLE(name, ts, dur) TRACE("X", name, ts, ",\"dur\":" dur)
#define NAMED TRACE("M", "thread_name", "0", ",\"args\":{\"name\":\"t\"}")

/* A profile of the Firefox Profiler: frame 1 is inlined into frame 0. */
#define FIREFOX_SHARED                                                                     \
	"\"shared\":{\"stringArray\":[\"a\",\"b\",\"a.c\",\"\\u0063\"],"                   \
	"\"stackTable\":{\"frame\":[0,1,2],\"prefixOffset\":[0,1,2]},"                     \
	"\"frameTable\":{\"func\":[0,1,2],\"line\":[7,null,9],\"inlineDepth\":[0,1,0]},"   \
	"\"funcTable\":{\"name\":[0,1,3],\"resource\":[0,0,-1],\"source\":[0,null,null]}," \
	"\"resourceTable\":{\"lib\":[0]},\"sources\":{\"filename\":[2]}}"
#define FIREFOX_META "\"meta\":{\"preprocessedProfileVersion\":66,\"startTime\":1000}"
#define FIREFOX_LIBS "\"libs\":[{\"path\":\"/bin/x\",\"codeId\":\"0a0b\"}]"
#define FIREFOX_THREAD(samples) \
	"{\"name\":\"t\",\"pid\":\"7\",\"tid\":\"8.2\",\"samples\":{" samples "}}"
#define FIREFOX(threads)                                             \
	"{" FIREFOX_META "," FIREFOX_LIBS ",\n" FIREFOX_SHARED ",\n" \
	"\"threads\":[\n" threads "\n]}\n"

#define NODE(id, name, more)                                     \
	"{\"id\":" id ",\"callFrame\":{\"functionName\":\"" name \
	"\",\"url\":\"u.js\",\"lineNumber\":4}" more "}"

static void
test_profiles_fold_as_their_formats_say(void **state)
{
	static const struct {
		const char *format, *text, *folded, *reasons;
	} cases[] = {
		/* members in any order; the frame's own time between events; a unit
		   that is told */
		{"speedscope",
			"{\"profiles\":[" EVENTED(
				"none", EVENT("O", "0", "0") "," EVENT("O", "1", "2") "," EVENT("C",
						"1", "5") "," EVENT("C", "0", "6")) "]," FRAMES "}",
			"a 3\na;b 3\n", ""},
		{"speedscope", SPEEDSCOPE(SAMPLED("seconds", "[0,2],[0],[]", "0.5,2e-9,1")),
			"[no stack] 1000000000\na 2\na;c 500000000\n", ""},
		{"speedscope", SPEEDSCOPE(SAMPLED("none", "[0],[1]", "0.5,1")), "a 0.5\nb 1\n", ""},
		/* the names of profiles stand at the root when there are several */
		{"speedscope",
			SPEEDSCOPE(SAMPLED("bytes", "[0]", "7") "," SAMPLED("bytes", "[1]", "1")),
			"q;a 7\nq;b 1\n", ""},
		{"speedscope",
			"{\"profiles\":[{\"type\":\"sampled\",\"name\":\"q\","
			"\"unit\":\"none\",\"samples\":[[0],[0]]}]," FRAMES "}",
			"a 2\n", ""},
		{"speedscope", SPEEDSCOPE(SAMPLED("none", "[9],[0],[1]", "1,2")),
			"[unknown] 1\na 2\n", "missing-ref:4 stack-without-count:4"},
		{"speedscope",
			SPEEDSCOPE(EVENTED("none", EVENT("O", "0", "4") ",\n" EVENT("C", "1",
							   "5") ",\n" EVENT("O", "1", "3") ",\n7")),
			"a 1\na;b 4\n", "missing-ref:5 bad-count:6 bad-frame:7 unclosed:7"},
		{"speedscope", SPEEDSCOPE("{\"type\":\"other\"}"), "", "bad-header:4"},
		{"speedscope", SPEEDSCOPE(SAMPLED("none", "[0]", "3") ",\n{\"type\":"), "q;a 3\n",
			"bad-header:5 unclosed:7"},
		{"speedscope", "{\"shared\":", "", "unclosed:1"},

		/* values are totals; the root is a function unless it is "all" */
		{"d3",
			"{\"name\":\"all\",\"value\":9,\"children\":[{\"value\":9,"
			"\"children\":[{\"name\":\"\\u0062\",\"value\":4}],\"name\":\"a\"}]}",
			"a 5\na;b 4\n", ""},
		{"d3", "{\"n\":\"f\",\"v\":9,\"c\":[{\"n\":\"b\",\"v\":4}]}", "f 5\nf;b 4\n", ""},
		/* or self costs, if some node has less than its children */
		{"d3",
			"{\"name\":\"root\",\"children\":[{\"name\":\"a\",\"value\":0,"
			"\"children\":[{\"name\":\"b\",\"value\":4}]},{\"name\":\"c\",\"value\":2."
			"5}]}",
			"a;b 4\nc 2.5\n", ""},
		{"d3",
			"{\"name\":\"all\",\"children\":[{\"name\":\"a\",\"value\":-1},\n"
			"{\"name\":\"b\",\"value\":true},\n3,{\"value\":2}]}",
			"- 2\n", "negative:1 bad-count:2 bad-frame:3"},
		{"d3", "{\"name\":\"all\",\"children\":[{\"name\":\"a\",\"value\":3},\n", "a 3\n",
			"unclosed:2"},

		{"firefox",
			FIREFOX(FIREFOX_THREAD("\"stack\":[0,1,null,1],\"timeDeltas\":[0,1,1,1]")),
			"t 1\nt;a 1\nt;a;b 2\n", ""},
		{"firefox",
			FIREFOX(FIREFOX_THREAD("\"stack\":[1,2],\"time\":[0,1],"
					       "\"weightType\":\"tracing-ms\",\"weight\":[0.5,2]")),
			"t;a;b 500000\nt;a;c 2000000\n", ""},
		/* older files have tables in each thread, and stacks with a prefix */
		{"firefox",
			"{" FIREFOX_META ",\"threads\":[{\"name\":\"t\",\"samples\":{\"stack\":[1],"
			"\"weight\":[3],\"weightType\":\"samples\"},\"stringArray\":[\"a\",\"b\"],"
			"\"stackTable\":{\"frame\":[0,1],\"prefix\":[null,0]},"
			"\"frameTable\":{\"func\":[0,1]},\"funcTable\":{\"name\":[0,1]}}]}",
			"t;a;b 3\n", ""},
		{"firefox",
			FIREFOX(FIREFOX_THREAD("\"stack\":[9,-1,0,0,0],"
					       "\"weight\":[1,1,-2,true,5],\"time\":[]")),
			"t 2\nt;a 5\n",
			"missing-ref:4 missing-ref:4 negative:4 stack-without-count:4"},

		/* whole spans lie in each other; the longer one is outside; begins
		   and ends are one span */
		{"chrometrace",
			"[" NAMED "," WHOLE("a", "0", "10") "," WHOLE("b", "1", "2") "," WHOLE(
				"c", "1", "1.5") "]",
			"t;a 8000\nt;a;b 500\nt;a;b;c 1500\n", ""},
		{"chrometrace", "[" BEGIN("a", "0") "," WHOLE("x", "0", "2") "," END("a", "5"),
			"thread_2;a 3000\nthread_2;a;x 2000\n", ""},
		{"chrometrace",
			"{\"traceEvents\":[" END("a", "5") "," BEGIN("a", "1") "," NAMED "]}",
			"t;a 4000\n", ""},
		/* ends of other names are passed over; what does not end does so
		   with the last of its thread */
		{"chrometrace",
			"[" BEGIN("a", "0") ",\n" BEGIN("b", "1") ",\n" END("a", "9") ",\n" END(
				"b", "10") "]",
			"thread_2;a 1000\nthread_2;a;b 9000\n", "missing-ref:3 unclosed:1"},
		{"chrometrace",
			"[" BEGIN("a", "1") "," END("c", "2") "," BEGIN("c", "2") "," END(
				"a", "4") "]",
			"thread_2;a 3000\n", ""},
		{"chrometrace", "[" BEGIN("a", "1") "," TRACE("E", "", "3", "") "]",
			"thread_2;a 2000\n", ""},
		/* what belongs to no thread */
		{"chrometrace",
			"[{\"ph\":\"b\",\"cat\":\"net\",\"id\":1,\"name\":\"get\","
			"\"ts\":1,\"pid\":1},{\"ph\":\"e\",\"cat\":\"net\",\"id\":"
			"1,\"name\":\"get\",\"ts\":3,\"pid\":1}]",
			"net;get 2000\n", ""},
		/*
		 * V8's samples come before spans; chunks go on where the last ended
		 */
		{"chrometrace",
			"[" WHOLE("span", "0", "10") "," TRACE("P", "Profile", "5",
				",\"id\":\"0x1\",\"args\":{\"data\":{\"startTime\":"
				"5}}") ","
				       "{\"ph\":\"P\",\"name\":\"ProfileChunk\","
				       "\"pid\":1,\"tid\":9,\"id\":\"0x1\","
				       "\"args\":{\"data\":{\"cpuProfile\":{"
				       "\"nodes\":[" NODE("1", "(root)", "") "," NODE("2", "f",
					       ",\"parent\":1") "],\"samples\":[2,"
								"2]},"
								"\"timeDeltas\":[1,"
								"4]}}},"
								"{\"ph\":\"P\","
								"\"name\":"
								"\"ProfileChunk\","
								"\"pid\":1,\"tid\":"
								"9,\"id\":\"0x1\","
								"\"args\":{"
								"\"data\":{"
								"\"cpuProfile\":{"
								"\"nodes\":[" NODE("3", "",
									",\"parent"
									"\":2") "],"
										"\""
										"sa"
										"mp"
										"le"
										"s"
										"\""
										":["
										"3,"
										"2,"
										"8]"
										"},"
										"\""
										"ti"
										"me"
										"De"
										"lt"
										"as"
										"\""
										":["
										"2,"
										"3,"
										"1]"
										"}}"
										"}"
										"]",
			"thread_2;f 6000\nthread_2;f;(anonymous) 3000\n", "missing-ref:1"},
		{"chrometrace",
			"{\"traceEvents\":[],\"stackFrames\":{\"1\":{\"name\":"
			"\"r\"},\"2\":{\"name\":\"f\",\"parent\":1}},\"samples\":["
			"{\"pid\":1,\"tid\":\"2\",\"ts\":\"5\",\"sf\":2},{\"pid\":"
			"1,\"tid\":2,\"ts\":8,\"sf\":1},{\"pid\":1,\"tid\":2,"
			"\"ts\":9,\"sf\":7}]}",
			"thread_2;r;f 3000\n", "missing-ref:1"},
		{"chrometrace",
			"[7," WHOLE("a", "0", "1") ",{\"ph\":\"X\",\"name\":\"b\","
						   "\"ts\":3,\"dur\":9",
			"thread_2;a 1000\n", "bad-frame:1 unclosed:1"},
		{"chrometrace", "[]", "", ""},

		/*
		 * nodes by their children's ids, in any order, or within each other
		 */
		{"cpuprofile",
			"{\"nodes\":[" NODE("1", "(root)", ",\"children\":[2]") "," NODE(
				"3", "g", "") "," NODE("2", "f",
				",\"children\":[3]") "],\"startTime\":10,"
						     "\"endTime\":30,\"samples\":["
						     "3,2,3],\"timeDeltas\":[1,4,5]"
						     "}",
			"f 5000\nf;g 14000\n", ""},
		{"cpuprofile",
			"{\"head\":{\"functionName\":\"(root)\",\"id\":1,"
			"\"hitCount\":0,\"children\":[{\"children\":[{"
			"\"functionName\":\"g\",\"id\":3,\"hitCount\":2}],"
			"\"functionName\":\"f\",\"id\":2,\"hitCount\":1}]},"
			"\"samples\":[2,3,3],\"timestamps\":[1,2,4]}",
			"f 1000\nf;g 2000\n", ""},
		{"cpuprofile",
			"{\"head\":{\"functionName\":\"(root)\",\"id\":1,"
			"\"children\":[{\"functionName\":\"f\",\"id\":2,"
			"\"hitCount\":4}]}}",
			"f 4\n", ""},
		{"cpuprofile",
			"{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},"
			"\"selfSize\":0,\"children\":[{\"callFrame\":{"
			"\"functionName\":\"f\"},\"selfSize\":512}]}}",
			"f 512\n", ""},
		{"cpuprofile",
			"{\"nodes\":[" NODE(
				"1", "a", ",\"children\":[2,9],\"hitCount\":1") ",\n" NODE("2", "b",
				",\"children\":[1],\"hitCount\":1") ",\n" NODE("2", "c",
				"") "],\n\"samples\":[2,1,5]}",
			"a 1\na;b 1\n", "dup-id:3 missing-ref:4 missing-ref:4 missing-ref:4"},
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

static void
test_speedscope_keeps_times_threads_units_and_lines(void **state)
{
	struct cr_profile *p = read_good("speedscope",
		SPEEDSCOPE(
			EVENTED("milliseconds", EVENT("O", "0", "1") "," EVENT("C", "0",
							"2.5")) "," SAMPLED("bytes", "[1]", "7")));
	const struct cr_line *line = &p->lines[p->locations[p->node_location[1]].first_line];

	(void)state;
	assert_event(p, "time", "ns", "p;a 1500000\n");
	assert_event(p, "bytes", "bytes", "q;b 7\n");
	assert_int_equal(p->samples.time_ns[0], 1000000);
	assert_str(cr_profile_fact(p, "main event"), "time");
	assert_str(p->tasks[p->samples.task[0]].comm, "p");
	assert_str(p->tasks[p->samples.task[1]].comm, "q");
	assert_int_equal(line->line, 3);
	assert_str(cr_line_file(p, line), "a.c");
	cr_profile_free(p);
}

static void
test_firefox_keeps_times_threads_lines_and_inlining(void **state)
{
	struct cr_profile *p = read_good(
		"firefox", FIREFOX(FIREFOX_THREAD("\"stack\":[1],\"time\":[2.5],\"weight\":null")));
	const struct cr_location *location = &p->locations[p->node_location[p->samples.node[0]]];
	const struct cr_line *line = &p->lines[location->first_line];
	const struct cr_dso *dso = &p->dsos[location->dso.i];

	(void)state;
	assert_int_equal(p->samples.time_ns[0], 1002500000);
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 7);
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 8);
	assert_int_equal(location->lines, 2);
	assert_str(p->functions[line[0].function.i].name, "b");
	assert_str(p->functions[line[1].function.i].name, "a");
	assert_int_equal(line[1].line, 7);
	assert_str(cr_line_file(p, &line[1]), "a.c");
	assert_str(dso->name, "/bin/x");
	assert_int_equal(dso->build_id_len, 2);
	cr_profile_free(p);
}

static void
test_traces_keep_times_and_threads(void **state)
{
	struct cr_profile *p = read_good("chrometrace",
		"[" TRACE("M", "process_name", "0", ",\"args\":{\"name\":\"proc\"}") "," TRACE("X",
			"a", "3.5", ",\"dur\":1,\"args\":{\"url\":\"/a.js\",\"line\":12}") "]");
	const struct cr_line *line = &p->lines[p->locations[p->node_location[1]].first_line];

	(void)state;
	assert_event(p, "spans", "ns", "proc;a 1000\n");
	assert_int_equal(p->samples.time_ns[0], 3500);
	assert_int_equal(p->tasks[p->samples.task[0]].pid, 1);
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 2);
	assert_int_equal(line->line, 12);
	assert_str(cr_line_file(p, line), "/a.js");
	cr_profile_free(p);
}

static void
test_v8_profiles_keep_times_and_lines(void **state)
{
	struct cr_profile *p = read_good("cpuprofile",
		"{\"nodes\":[" NODE("1", "f", "") "],\"startTime\":10,\"endTime\":30,\"samples\":["
						  "1],\"timeDeltas\":[5]}");
	const struct cr_line *line = &p->lines[p->locations[p->node_location[1]].first_line];

	(void)state;
	assert_event(p, "time", "ns", "f 15000\n");
	assert_int_equal(p->samples.time_ns[0], 15000);
	assert_int_equal(line->line, 5); /* they count from 0 */
	assert_str(cr_line_file(p, line), "u.js");
	cr_profile_free(p);
}

static void
test_a_format_is_known_by_its_members(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{"speedscope", SPEEDSCOPE(SAMPLED("none", "[0]", "1"))},
		{"speedscope", "{\"profiles\":[" SAMPLED("none", "[0]", "1") "]}"},
		{"speedscope", "{" FRAMES},
		{NULL, "{\"shared\":{\"frames\":[1]}}"},
		{"chrometrace", "\n [ " BEGIN("a", "0")},
		{"chrometrace", "{\"metadata\":{},\"traceEvents\":[]}"},
		{"cpuprofile", "{\"nodes\":[" NODE("1", "f", "") "]}"},
		{"cpuprofile", "{\"title\":\"x\",\"head\":{\"functionName\":\"f\"}}"},
		{"d3", "{\"name\":\"x\",\"children\":[{\"name\":\"y\",\"value\":1}]}"},
		{"d3", "{\"v\":2,\"n\":\"x\",\"c\":[{\"n\":\"y\",\"c\":[]}]}"},
		{"firefox", FIREFOX("")},
		{NULL, "{\"meta\":{\"version\":3}}"},
		{NULL, "{\"name\":\"x\",\"children\":[{\"id\":1}]}"},
		{NULL, "{\"name\":\"x\",\"value\":1}"},
		{NULL, "{\"nodes\":[1]}"},
		{NULL, "[{\"name\":\"x\"}]"},
		{NULL, "{\"profiles\":[{\"type\":\"x\"}]}"},
		{NULL, "[[1]]"},
	};
	const struct cr_reader *r;
	struct cr_err err = CR_ERR_INIT;
	uint64_t line;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_input in = {
			.p = (const unsigned char *)cases[i].text, .len = strlen(cases[i].text)};
		const int rc = cr_reader_detect(&in, &r, &line, &err);

		assert_int_equal(rc == CR_OK, cases[i].format != NULL);
		if (cases[i].format)
			assert_string_equal(r->name, cases[i].format);
	}
}

static void
test_damaged_profiles_do_no_harm(void **state)
{
	static const char speedscope[] = SPEEDSCOPE(EVENTED("none",
		EVENT("O", "0", "1") "," EVENT("C", "0", "2")) "," SAMPLED("bytes", "[1]", "7"));
	static const char d3[] = "{\"name\":\"all\",\"value\":9,\"event\":\"e\",\"unit\":\"u\","
				 "\"children\":[{\"name\":"
				 "\"a\",\"value\":9,\"children\":[{\"name\":\"b\",\"value\":4,"
				 "\"libtype\":\"inlined\"},"
				 "{\"name\":\"k\",\"value\":2,\"libtype\":\"kernel\"}]}]}";
	static const char firefox[] = FIREFOX(FIREFOX_THREAD(
		"\"stack\":[1,2],\"time\":[0,1],\"weightType\":\"bytes\",\"weight\":[5,2]"));
	static const char trace[] =
		"[" NAMED "," BEGIN("a", "0") "," WHOLE("x", "0", "2") "," END("a", "5") "]";
	static const char v8[] = "{\"nodes\":[" NODE("1", "a", ",\"children\":[2]") "," NODE(
		"2", "b", "") "],\"samples\":[1,2],\"timeDeltas\":[5,6]}";

	(void)state;
	assert_survives("d3", d3, sizeof(d3) - 1);
	assert_survives("firefox", firefox, sizeof(firefox) - 1);
	assert_survives("speedscope", speedscope, sizeof(speedscope) - 1);
	assert_survives("chrometrace", trace, sizeof(trace) - 1);
	assert_survives("cpuprofile", v8, sizeof(v8) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profiles_fold_as_their_formats_say),
		cmocka_unit_test(test_speedscope_keeps_times_threads_units_and_lines),
		cmocka_unit_test(test_firefox_keeps_times_threads_lines_and_inlining),
		cmocka_unit_test(test_traces_keep_times_and_threads),
		cmocka_unit_test(test_v8_profiles_keep_times_and_lines),
		cmocka_unit_test(test_a_format_is_known_by_its_members),
		cmocka_unit_test(test_damaged_profiles_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
