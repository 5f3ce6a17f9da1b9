#include "testing.h"

#include "bytes/wire.h"
#include "pprof_maker.h"
#include "testing_reader.h"

#define CPU_FOLD "main.main;0x400123 10000000\nmain.main;main.outer;main.inner 30000000\n"
#define SAMPLES_FOLD "main.main 2\nmain.main;0x400123 1\nmain.main;main.outer;main.inner 3\n"

static struct cr_profile *
read_made(struct cr_text *t, struct cr_log *log)
{
	struct cr_profile *p = testing_read("pprof", t->p, t->len, log);

	cr_text_fini(t);
	return p;
}

static struct cr_profile *
read_how(const struct made_how *how)
{
	struct cr_text t = {0};
	struct cr_log log;
	struct cr_profile *p;

	made_profile(&t, how);
	p = read_made(&t, &log);
	assert_non_null(p);
	assert_int_equal(log.n, 0);
	return p;
}

static void
test_the_order_of_messages_and_their_ids_do_not_matter(void **state)
{
	static const struct made_how hows[] = {
		{.packed = true},
		{.packed = false},
		{.strings_first = true},
		{.samples_last = true, .packed = true},
		{.id = UINT64_C(1) << 63},
		{.id = 1000000007, .strings_first = true, .samples_last = true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(hows); i++) {
		struct cr_profile *p = read_how(&hows[i]);

		assert_event(p, "cpu", "ns", CPU_FOLD);
		assert_event(p, "samples", "samples", SAMPLES_FOLD);
		cr_profile_free(p);
	}
}

static void
test_the_default_type_is_the_main_event_else_the_last(void **state)
{
	static const struct {
		uint64_t main;
		const char *event;
	} cases[] = {
		{0, "cpu"},
		{S_SAMPLES, "samples"},
		{S_CPU, "cpu"},
		{S_KEY, "cpu"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = read_how(&(struct made_how){.main = cases[i].main});

		assert_str(cr_profile_fact(p, "main event"), cases[i].event);
		assert_str(p->events[0].name, cases[i].event);
		cr_profile_free(p);
	}
}

static void
test_what_a_profile_says_is_in_the_model(void **state)
{
	struct cr_profile *p = read_how(&(struct made_how){.packed = true});
	const struct cr_location *l = &p->locations[p->node_location[p->samples.node[0]]];
	const struct cr_location *nameless = &p->locations[p->node_location[p->samples.node[2]]];

	(void)state;
	assert_int_equal(l->lines, 2);
	assert_int_equal(p->lines[l->first_line].line, 7);
	assert_int_equal(p->lines[l->first_line + 1].line, 9);
	assert_str(p->lines[l->first_line].file, "/src/a.go");
	assert_true(p->functions[p->lines[l->first_line].function.i].addr == CR_ADDR_INLINED);
	assert_str(p->dsos[l->dso.i].name, "/bin/prog");
	assert_int_equal(p->dsos[l->dso.i].kind, CR_KIND_USER);
	assert_int_equal(p->dsos[l->dso.i].build_id_len, 20);
	assert_int_equal(p->dsos[l->dso.i].build_id[1], 0x23);
	assert_int_equal(nameless->addr, 0x1123); /* in the file */
	assert_true(p->flags & CR_PROFILE_HAS_ADDR);
	assert_int_equal(cr_profile_ip(p, 2, p->samples.node[2]), 0x400123);
	assert_str(cr_profile_fact(p, "date"), "2026-11-20 11:02:33 UTC");
	assert_str(cr_profile_fact(p, "duration_ns"), "1500000000");
	assert_str(cr_profile_fact(p, "sampling"), "10000000 nanoseconds of cpu");
	assert_str(cr_profile_fact(p, "comments"), "a\\x0acomment\na\n");
	assert_field(p, "cpu", "thread", 0, "a worker");
	assert_field(p, "samples", "key", 0, "a b");
	assert_field(p, "cpu", "bytes", 0, "-5");
	assert_field(p, "cpu", "key", 1, "");
	assert_true(p->flags & CR_PROFILE_HAS_TASK && p->flags & CR_PROFILE_NO_COMM_ROOT);
	assert_str(p->tasks[p->samples.task[0]].comm, "a worker");
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 42);
	assert_int_equal(p->tasks[p->samples.task[2]].tid, -1);
	cr_profile_free(p);
}

/* ---- what may be wrong with one */

/* Types {samples, count} and their strings, and room for more. */
static void
begin(struct cr_text *t)
{
	made_strings(t, made_texts, CR_LEN(made_texts));
	MADE(t, 1, S_SAMPLES, S_COUNT);
}

#define SAMPLE(t, values, ...)                                                                    \
	made_sample(t, (const uint64_t[]){__VA_ARGS__},                                           \
		sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (const uint64_t[]){values}, \
		1, NULL, 0, true)

static void
assert_made(struct cr_text *t, const char *folded, const char *warning)
{
	struct cr_log log;
	struct cr_profile *p = read_made(t, &log);
	char *have = p ? testing_folded(p, NULL) : cr_strdup("");

	assert_string_equal(have, folded);
	assert_int_equal(log.n, warning ? 1 : 0);
	if (warning)
		assert_string_equal(log.entries[0].kind, warning);
	if (warning && p)
		assert_true(p->flags & CR_PROFILE_IN_PART);
	free(have);
	cr_profile_free(p);
}

static void
test_references_to_nothing_leave_a_frame(void **state)
{
	struct cr_text t = {0};

	(void)state;
	begin(&t);
	SAMPLE(&t, 5, 9);
	assert_made(&t, "[unknown] 5\n", "references to missing locations");
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, (const uint64_t[][2]){{7, 1}}, 1);
	assert_made(&t, "0x10 5\n", "references to missing functions");
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 3, 0x10, NULL, 0);
	assert_made(&t, "0x10 5\n", "references to missing mappings");
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, (const uint64_t[][2]){{1, 1}}, 1);
	MADE(&t, 5, 1, 1000);
	assert_made(&t, "0x10 5\n", "references to missing strings");
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, NULL, 0);
	made_location(&t, 1, 0, 0x20, NULL, 0);
	assert_made(&t, "0x10 5\n", "identifiers given twice");
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, (const uint64_t[][2]){{0, 1}, {1, 1}},
		2); /* one of two has no name */
	MADE(&t, 5, 1, S_MAIN);
	assert_made(&t, "main.main;[unknown] 5\n", NULL);
}

static void
test_functions_without_a_number_have_that_of_their_place(void **state)
{
	struct cr_text t = {0};

	(void)state;
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, (const uint64_t[][2]){{2, 1}}, 1);
	MADE(&t, 5, 0, S_MAIN);
	MADE(&t, 5, 0, S_OUTER);
	assert_made(&t, "main.outer 5\n", NULL);
}

static void
test_values_may_be_too_many_too_few_or_below_zero(void **state)
{
	struct cr_text t = {0};
	struct cr_log log;
	struct cr_profile *p;

	(void)state;
	begin(&t);
	made_sample(&t, NULL, 0, (const uint64_t[]){5, 6}, 2, NULL, 0, true);
	assert_made(&t, "[no stack] 5\n",
		"samples whose number of values differs from that of the types");
	begin(&t);
	made_sample(&t, NULL, 0, NULL, 0, NULL, 0, true);
	assert_made(&t, "", "samples whose number of values differs from that of the types");
	begin(&t);
	MADE(&t, 1, S_CPU, S_NANOSECONDS);
	MADE(&t, 1, S_CPU, S_COUNT);
	made_sample(&t, NULL, 0, (const uint64_t[]){(uint64_t)-5, 1, (uint64_t)INT64_MIN}, 3, NULL,
		0, false);
	p = read_made(&t, &log);
	assert_event(p, "negative samples", "samples", "[no stack] 5\n");
	assert_event(p, "negative", "count", "[no stack] 9223372036854775808\n");
	assert_event(p, "cpu", "ns", "[no stack] 1\n");
	assert_str(p->quality[0].what, "samples below zero: events of their own");
	assert_int_equal(p->quality[0].count, 2);
	cr_profile_free(p);
	made_strings(&t, made_texts, CR_LEN(made_texts));
	made_sample(&t, NULL, 0, (const uint64_t[]){5}, 1, NULL, 0, true);
	assert_made(&t, "[no stack] 5\n", "it names no sample type");
}

static void
test_a_profile_cut_off_keeps_what_came_before(void **state)
{
	struct cr_text t = {0};

	(void)state;
	begin(&t);
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, NULL, 0);
	SAMPLE(&t, 7, 1);
	t.len--;
	assert_made(&t, "0x10 5\n", "damaged: cannot be read to its end");
	begin(&t);
	made_bytes(
		&t, 2, "\x0a\x05\x01", 3); /* five bytes of packed numbers, of which there is one */
	SAMPLE(&t, 5, 1);
	made_location(&t, 1, 0, 0x10, NULL, 0);
	assert_made(&t, "0x10 5\n", "samples that cannot be read");
}

static void
test_bytes_changed_do_no_harm(void **state)
{
	struct cr_text t = {0};

	(void)state;
	made_profile(&t, &(struct made_how){.packed = true});
	assert_survives("pprof", t.p, t.len);
	cr_text_fini(&t);
}

static void
test_a_profile_is_known_by_nothing_but_its_fields(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		bool is;
	} cases[] = {
		{"\x0a\x02\x08\x01\x0a\x02\x08\x03\x32\x00", 10, true},
		{"\x0a\x02\x08\x01\x0a\x02\x08\x03\x32\x05", 10, false}, /* cut off after two */
		{"\x0a\x02\x08\x01\x0a\x02\x18\x03\x32\x00", 10,
			false},                                     /* a type has no third field */
		{"\x32\x00\x32\x00\x32\x00", 6, false},             /* strings alone */
		{"\x0a\x02\x08\x01\x32\x00\x82\x01\x00", 9, false}, /* field 16 */
		{"\n\n2\n", 4, false},
	};
	struct cr_text t = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_head head = {.p = testing_exact(cases[i].bytes, cases[i].len),
			.len = cases[i].len,
			.whole = true};
		uint64_t line;

		assert_int_equal(cr_reader_find("pprof")->probe(&head, &line) > 0, cases[i].is);
		free((void *)(uintptr_t)head.p);
	}
	made_profile(&t, &(struct made_how){0});
	for (size_t n = t.len / 2; n <= t.len; n++) { /* the head ends anywhere */
		const struct cr_head head = {.p = (const unsigned char *)t.p, .len = n};
		uint64_t line;

		assert_true(cr_reader_find("pprof")->probe(&head, &line) > 0);
	}
	cr_text_fini(&t);
}

/* ---- fields */

static void
test_fields_are_read_one_by_one_up_to_the_first_that_is_bad(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		unsigned fields;
		bool bad;
	} cases[] = {
		{"", 0, 0, false},
		{"\x08\x96\x01\x12\x01x\x1d\1\0\0\0\x21\1\0\0\0\0\0\0\0", 20, 4, false},
		{"\x08", 1, 0, true}, {"\x08\x01\x12\x02x", 5, 1, true},
		{"\x00\x01", 2, 0, true}, /* number 0 */
		{"\x0b", 1, 0, true},     /* a group */
		{"\x0e", 1, 0, true},
		{"\xf8\xff\xff\xff\x7f\x01", 6, 0, true}, /* a number past 32 bits */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *bytes = testing_exact(cases[i].bytes, cases[i].len);
		struct cr_wire_field f;
		struct cr_cursor c;
		unsigned n = 0;

		cr_cursor_init(&c, bytes, cases[i].len);
		while (cr_wire_next(&c, &f))
			n++;
		assert_int_equal(n, cases[i].fields);
		assert_int_equal(c.bad, cases[i].bad);
		free(bytes);
	}
}

/* ---- the same as text */

static const char raw[] = "PeriodType: cpu nanoseconds\nPeriod: 10000000\nTime: 2026-11-20 "
			  "11:02:33 +0000 UTC\nSamples:\n"
			  "samples/count cpu/nanoseconds\n"
			  "          3   30000000: 2 1 \n                key:[a b] thread:[a "
			  "worker]\n                bytes:[7] tid:[42]\n"
			  "          1   10000000: 3 1 \n          2          0: 1 \n"
			  "Locations\n     1: 0x400300 M=1 main.main /src/a.go:11 s=10\n"
			  "     2: 0x400200 M=1 [F] main.inner /src/a.go:7:3 s=2(_main s=1)\n      "
			  "       main.outer /src/a.go:9:0 s=1\n"
			  "     3: 0x400123 M=1 \nMappings\n1: 0x400000/0x500000/0x1000 /bin/prog "
			  "0123456789abcdef0123456789abcdef01234567 [FN]\n";

static const char traces[] =
	"File: prog\nType: cpu\nDuration: 1.50s, Total samples = 40ms ( 2.67%)\n"
	"-----------+-------------------------------------------------------\n       key:  a b\n   "
	" thread:  a worker\n"
	"      30ms   main.inner (inline)\n             main.outer\n             main.main\n"
	"-----------+-------------------------------------------------------\n"
	"      10ms   0000000000400123 [prog]\n             main.main\n"
	"-----------+-------------------------------------------------------\n"
	"         0   main.main\n"
	"-----------+-------------------------------------------------------\n";

static void
test_pprof_raw_and_traces_are_the_same_profile(void **state)
{
	struct cr_log log;
	struct cr_profile *p = testing_read("pprofraw", raw, sizeof(raw) - 1, &log);
	const struct cr_location *l = &p->locations[p->node_location[p->samples.node[0]]];

	(void)state;
	assert_int_equal(log.n, 0);
	assert_event(p, "cpu", "ns", CPU_FOLD);
	assert_event(p, "samples", "samples", SAMPLES_FOLD);
	assert_field(p, "cpu", "key", 0, "a b");
	assert_field(p, "cpu", "bytes", 0, "7");
	assert_field(p, "cpu", "key", 1, "");
	assert_str(p->tasks[p->samples.task[0]].comm, "a worker");
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 42);
	assert_int_equal(p->lines[l->first_line].line, 7);
	assert_int_equal(p->lines[l->first_line + 1].line, 9);
	assert_int_equal(p->dsos[l->dso.i].build_id_len, 20);
	cr_profile_free(p);
	p = testing_read("pproftraces", traces, sizeof(traces) - 1, &log);
	assert_int_equal(log.n, 0);
	assert_event(p, "cpu", "ns", CPU_FOLD);
	assert_field(p, "cpu", "key", 0, "a b");
	assert_str(p->tasks[p->samples.task[0]].comm, "a worker");
	assert_str(cr_profile_fact(p, "duration_ns"), "1500000000");
	assert_int_equal(p->locations[p->node_location[p->samples.node[0]]].lines, 2);
	cr_profile_free(p);
	assert_survives("pprofraw", raw, sizeof(raw) - 1);
	assert_survives("pproftraces", traces, sizeof(traces) - 1);
}

#define RAW(types, samples, locations) \
	"Period: 1\nSamples:\n" types "\n" samples "Locations\n" locations "Mappings\n"

static void
test_pprof_raw_as_it_may_be(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{RAW("a/count", "  12: 1 \n   -3: 1 \n",
			 "  1: 0x1 M=1 operator new(unsigned long) /x/new.cc:1:0 s=0(_Znwm)\n"),
			"operator new(unsigned long) 9\n", ""},
		{RAW("a/count[dflt] b/bytes", "  1 2: 1 \n", "  1: 0x1 f :0 s=0\n"), "f 1\n", ""},
		{RAW("a/count", "  1 2: 1 \n  x: 1\n  5: 1\n", "  1: 0x1 ??\n"), "0x1 5\n",
			"bad-count:4 bad-count:5"},
		{RAW("a/count", "  1: 7 1 \n", "  1: 0x1\n  1: 0x2\n"), "0x1;[unknown] 1\n",
			"dup-id:7 missing-ref:4"},
		{RAW("a/count", "  1: 1 \n", "  1: 0x1 M=1 nonsense\n"), "nonsense 1\n",
			"bad-frame:6"},
		{RAW("a/count", "  9223372036854775808: 1 \n", "  1: 0x1\n"),
			"0x1 9223372036854775807\n", ""},
		{"Period: 1\nSamples:\na/count\n  1: 1 \n", "[unknown] 1\n", "missing-ref:4"},
		{"Period: 1\nSamples:\n", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("pprofraw", cases[i].text, cases[i].folded, cases[i].reasons);
}

#define RULE "-----------+-------------------------------------------------------\n"

static void
test_values_of_pprof_traces_have_units(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{"Type: x\n" RULE "  1.50us   f\n" RULE "     2hrs   g\n" RULE
		 "   3mins   h\n" RULE,
			"f 1500\ng 7200000000000\nh 180000000000\n", ""},
		{"Type: x\n" RULE "  1.50kB   f\n" RULE "   2MB   g\n" RULE "   512B   h\n" RULE,
			"f 1536\ng 2097152\nh 512\n", ""},
		{"Type: x\n" RULE "       3   f\n" RULE "    -1   f\n" RULE, "f 2\n", ""},
		{"Type: x\n" RULE "    3furlongs   f\n             g\n" RULE "  1   h\n" RULE,
			"h 1\n", "bad-count:3 bad-count:4"},
		{"Type: x\n" RULE
		 "    10ms   operator new(unsigned long)\n             main /a b.c:12\n",
			"main /a;operator new(unsigned long) 10000000\n", "unclosed:4"},
		{"Type: x\n" RULE
		 "    10ms   <unknown>\n             0000000000000010 f /a.c:12\n" RULE,
			"f;<unknown> 10000000\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("pproftraces", cases[i].text, cases[i].folded, cases[i].reasons);
}

/* ---- gperftools */

static void
put_word(struct cr_text *t, uint64_t v, bool wide, bool big)
{
	for (unsigned i = 0, n = wide ? 8 : 4; i < n; i++)
		cr_text_char(t, (char)(v >> 8 * (big ? n - 1 - i : i)));
}

static void
test_gperftools_words_come_in_four_forms(void **state)
{
	static const uint64_t words[] = {
		0, 3, 0, 10000, 0, 2, 2, 0x400010, 0x400020, 1, 1, 0x400010, 0, 1, 0};

	(void)state;
	for (unsigned form = 0; form < 4; form++) {
		struct cr_text t = {0};
		struct cr_log log;
		struct cr_profile *p;

		for (size_t i = 0; i < CR_LEN(words); i++)
			put_word(&t, words[i], form & 1, form & 2);
		cr_text_puts(&t, "00400000-00500000 r-xp 00000000 fd:01 12 /bin/prog\n");
		p = testing_read("gperftools", t.p, t.len, &log);
		assert_int_equal(log.n, 0);
		assert_event(p, "cpu", "ns", "0x400010 10000000\n0x400020;0x400010 20000000\n");
		assert_event(p, "samples", "samples", "0x400010 1\n0x400020;0x400010 2\n");
		assert_str(p->dsos[p->locations[p->node_location[p->samples.node[0]]].dso.i].name,
			"/bin/prog");
		cr_profile_free(p);
		p = testing_read("gperftools", t.p, (size_t)(form & 1 ? 8 : 4) * 11,
			&log); /* in the second stack */
		assert_event(p, "samples", "samples", "0x400020;0x400010 2\n");
		assert_string_equal(log.entries[0].kind, "damaged: ends in the middle of a stack");
		cr_profile_free(p);
		assert_survives("gperftools", t.p, t.len);
		cr_text_fini(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_order_of_messages_and_their_ids_do_not_matter),
		cmocka_unit_test(test_the_default_type_is_the_main_event_else_the_last),
		cmocka_unit_test(test_what_a_profile_says_is_in_the_model),
		cmocka_unit_test(test_references_to_nothing_leave_a_frame),
		cmocka_unit_test(test_functions_without_a_number_have_that_of_their_place),
		cmocka_unit_test(test_values_may_be_too_many_too_few_or_below_zero),
		cmocka_unit_test(test_a_profile_cut_off_keeps_what_came_before),
		cmocka_unit_test(test_bytes_changed_do_no_harm),
		cmocka_unit_test(test_a_profile_is_known_by_nothing_but_its_fields),
		cmocka_unit_test(test_fields_are_read_one_by_one_up_to_the_first_that_is_bad),
		cmocka_unit_test(test_pprof_raw_and_traces_are_the_same_profile),
		cmocka_unit_test(test_pprof_raw_as_it_may_be),
		cmocka_unit_test(test_values_of_pprof_traces_have_units),
		cmocka_unit_test(test_gperftools_words_come_in_four_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
