#include "testing.h"

#include "testing_reader.h"

#define HEAD "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node>\n"
#define TAIL "</node>\n</trace-query-result>\n"
#define STACK(id, frames) "<row><backtrace id=\"" id "\">" frames "</backtrace></row>\n"

#ifdef HAVE_EXPAT

static void
test_rows_fold_as_the_format_says(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{HEAD STACK("1",
			 "<frame id=\"2\" name=\"a&lt;b&amp;c&gt;\"/><frame id=\"3\" "
			 "name=\"main\"/>") "<row><backtrace "
					    "ref=\"1\"/></row>\n<row><sentinel/></row>\n" TAIL,
			"main;a<b&c> 2\n", ""},
		/* newer exports */
		{HEAD "<row><tagged-backtrace id=\"9\"><backtrace id=\"1\"><frame id=\"2\" "
		      "name=\"f\"/></backtrace></tagged-backtrace></row>\n"
		      "<row><tagged-backtrace ref=\"9\"/></row>\n" TAIL,
			"f 2\n", ""},
		/* Rust names lose their hash; nameless frames bear their address */
		{HEAD STACK("1", "<frame id=\"2\" name=\"a::b::h0123456789abcdef\"/><frame "
				 "id=\"3\" name=\"0x10\" addr=\"0x10\"/>") TAIL,
			"0x10;a::b 1\n", ""},
		/*
		 * a frame and a stack that were never there; an id twice, of which the first counts
		 */
		{HEAD STACK("1",
			 "<frame ref=\"7\"/><frame id=\"3\" name=\"main\"/>") "<row><backtrace "
									      "ref=\"8\"/></"
									      "row>\n" TAIL,
			"[unknown] 1\nmain;[unknown] 1\n", "missing-ref:4 missing-ref:5"},
		{HEAD STACK("1", "<frame id=\"2\" name=\"a\"/>") STACK("1",
			 "<frame id=\"3\" name=\"b\"/>") "<row><backtrace ref=\"1\"/></row>\n" TAIL,
			"a 2\nb 1\n", "dup-id:5"},
		/* what stands before the damage is kept */
		{HEAD STACK("1", "<frame id=\"2\" name=\"a\"/>") "<row><backtr", "a 1\n",
			"unclosed:5"},
		{HEAD STACK("1", "<frame id=\"2\" name=\"a\"/>") "</row>", "a 1\n", "unclosed:5"},
		{HEAD TAIL, "", ""},
		{"<trace-query-result", "", "unclosed:1"},
		/* entities */
		{"<!DOCTYPE x [<!ENTITY a \"b\">]>" HEAD STACK(
			 "1", "<frame id=\"2\" name=\"&a;\"/>") TAIL,
			"", "unclosed:1"},
		{"<!DOCTYPE x [<!ENTITY a SYSTEM \"/etc/passwd\">]>" HEAD TAIL, "", "unclosed:1"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("xctrace", cases[i].text, cases[i].folded, cases[i].reasons);
}

static const char good[] =
	HEAD "<row><sample-time id=\"1\">57246708</sample-time>"
	     "<thread id=\"2\" fmt=\"worker  0x8480c1 (app, pid: 49374)\"><tid "
	     "id=\"3\">8683713</tid></thread>"
	     "<core id=\"7\" fmt=\"CPU 3\">3</core><thread-state id=\"8\" "
	     "fmt=\"Running\">Running</thread-state>"
	     "<weight id=\"9\" fmt=\"1.00 ms\">1000000</weight>"
	     "<backtrace id=\"10\"><frame id=\"11\" name=\"leaf\" addr=\"0x10\">"
	     "<binary id=\"12\" name=\"app\" UUID=\"00112233-4455-6677-8899-aabbccddeeff\" "
	     "path=\"/usr/bin/app\"/>"
	     "<source line=\"7\"><path id=\"23\">/src/a.c</path></source></frame>"
	     "<frame id=\"13\" name=\"start\"><binary ref=\"12\"/><source line=\"8\"><path "
	     "ref=\"23\"/></source></frame></backtrace></row>\n"
	     "<row><sample-time id=\"14\">58246708</sample-time><thread ref=\"2\"/><core "
	     "ref=\"7\"/><thread-state ref=\"8\"/>"
	     "<weight ref=\"9\"/><backtrace ref=\"10\"/></row>\n" TAIL;

static void
test_a_row_keeps_what_it_says(void **state)
{
	static const uint8_t uuid[] = {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
		0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
	struct cr_log log;
	struct cr_profile *p = testing_read("xctrace", good, sizeof(good) - 1, &log);
	const struct cr_task *task = &p->tasks[p->samples.task[0]];
	const struct cr_line *line = &p->lines[p->locations[p->node_location[2]].first_line];

	(void)state;
	assert_int_equal(log.n, 0);
	assert_event(p, "samples", "samples", "start;leaf 2\n");
	assert_event(p, "time", "ns", "start;leaf 2000000\n");
	assert_int_equal(p->samples.time_ns[0], 57246708);
	assert_int_equal(p->samples.cpu[0], 3);
	assert_int_equal(task->pid, 49374);
	assert_int_equal(task->tid, 8683713);
	assert_str(task->comm, "worker");
	assert_field(p, "samples", "state", 1, "Running");
	assert_int_equal(p->n_dsos, 2);
	assert_str(p->dsos[1].name, "/usr/bin/app");
	assert_int_equal(p->dsos[1].build_id_len, 16);
	assert_memory_equal(p->dsos[1].build_id, uuid, 16);
	assert_int_equal(line->line, 7);
	assert_str(cr_line_file(p, line), "/src/a.c");
	cr_profile_free(p);
}

static void
test_elements_lie_only_so_deep(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_text_puts(&t, HEAD STACK("1", "<frame id=\"2\" name=\"a\"/>"));
	for (int i = 0; i < 2000; i++)
		cr_text_puts(&t, "<x>");
	assert_reads("xctrace", t.p, "a 1\n", "unclosed:5");
	cr_text_fini(&t);
}

static void
test_a_damaged_export_does_no_harm(void **state)
{
	(void)state;
	assert_survives("xctrace", good, sizeof(good) - 1);
}

#else

static void
test_without_expat_it_is_said_so(void **state)
{
	const struct cr_input in = {.p = (const unsigned char *)HEAD, .len = sizeof(HEAD) - 1};
	struct cr_builder *b = cr_builder_new(NULL);
	const struct cr_reader *r = cr_reader_find("xctrace");
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};

	(void)state;
	assert_int_equal(
		r->read(&in, b, &(struct cr_read_opts){.log = &log}, &err), CR_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "expat"));
	cr_builder_free(b);
}

#endif

static void
test_it_is_known_by_its_element(void **state)
{
	const struct cr_input in = {
		.p = (const unsigned char *)HEAD TAIL, .len = sizeof(HEAD TAIL) - 1};
	const struct cr_reader *r;
	struct cr_err err = CR_ERR_INIT;
	uint64_t line;

	(void)state;
	assert_int_equal(cr_reader_detect(&in, &r, &line, &err), CR_OK);
	assert_string_equal(r->name, "xctrace");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_EXPAT
		cmocka_unit_test(test_rows_fold_as_the_format_says),
		cmocka_unit_test(test_a_row_keeps_what_it_says),
		cmocka_unit_test(test_elements_lie_only_so_deep),
		cmocka_unit_test(test_a_damaged_export_does_no_harm),
#else
		cmocka_unit_test(test_without_expat_it_is_said_so),
#endif
		cmocka_unit_test(test_it_is_known_by_its_element),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
