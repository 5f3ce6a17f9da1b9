#include "testing.h"

#include "query/health/advice.h"
#include "testing_recording.h"

/*
 * The changed line, its pieces with blanks between them; "" where nothing is to be changed. free()
 * it.
 */
static char *
better(const char *lines)
{
	struct cr_profile *p = testing_recording(lines);
	struct cr_record_line line;
	struct cr_text out = {0};
	struct cr_advice a;
	struct cr_health h;

	cr_health_make(p, 0, &h);
	cr_record_line_parse(cr_profile_fact(p, "cmdline"), &line);
	cr_advice_make(p, &h, &line, &a);
	if (a.max_stack)
		cr_text_printf(&out, "[%u] ", a.max_stack);
	if (cr_advice_changes(&a))
		cr_advice_line(&a, &line, &out);
	for (size_t i = 0; i < out.len; i++)
		if (out.p[i] == '\0')
			out.p[i] = i + 1 < out.len ? ' ' : '\0';
	cr_text_puts(&out, "");
	cr_record_line_fini(&line);
	cr_health_fini(&h);
	cr_profile_free(p);
	return out.p;
}

#define GOOD "main!a;f!a 6000\n"
#define FP "call graph=frame pointers\n"

static void
test_the_line_is_changed_by_what_was_found(void **state)
{
	static const struct {
		const char *lines, *want;
	} cases[] = {
		{GOOD "cmdline=perf record -F 999 -g x\n", ""},
		/* no stacks */
		{"main!a 6000\ncmdline=/usr/bin/perf record -a sleep 1\n",
			"perf record --call-graph fp -a sleep 1"},
		/* broken stacks; samples with a dump are large, so fewer of them */
		{GOOD "f!lib 1000\ncmdline=perf record -g x\n" FP,
			"perf record --call-graph dwarf,16384 x"},
		{GOOD "f!lib 1000\ncmdline=perf record -F 4000 -g x -g\n" FP,
			"perf record -F 999 --call-graph dwarf,16384 x -g"},
		/* stacks longer than the dump, which has a largest size; a few are of no matter */
		{GOOD "[truncated];f!lib 1000\ncmdline=perf record --call-graph dwarf x\ncall "
		      "graph=dwarf, 8192 bytes\n",
			"perf record --call-graph dwarf,16384 x"},
		{GOOD "[truncated];f!lib 4000\ncmdline=perf record --call-graph dwarf x\n",
			"perf record --call-graph dwarf,32768 x"},
		{GOOD "[truncated];f!lib 4000\ncmdline=perf record -F 4000 --call-graph "
		      "dwarf,32768 x\n",
			"perf record -F 999 --call-graph dwarf,65528 x"},
		{GOOD "[truncated];f!lib 4000\ncmdline=perf record --call-graph dwarf,65528 x\n",
			""},
		{GOOD "[truncated];f!lib 100\ncmdline=perf record --call-graph dwarf x\n", ""},
		/* dumps that cannot be followed for want of tables: not for want of size */
		{GOOD "f!lib;g!lib 1000\ncmdline=perf record --call-graph dwarf x\n", ""},
		/* a few are always broken, and those of JIT code no dump can mend */
		{GOOD "f!lib 100\ncmdline=perf record -g x\n" FP, ""},
		{GOOD "?!jit;f!jit 1000\ncmdline=perf record -g x\n" FP, ""},
		/* lost */
		{GOOD "%records lost while recording 1000\ncmdline=perf record -F 20000 -z -m 1 -g "
		      "x\n",
			"perf record -F 999 -m 16M -g x"},
		{GOOD "%records lost while recording 1000\ncmdline=perf record -F 500 -m 16M,4M -g "
		      "x\n",
			"perf record -F 250 -m 128M,4M -g x"},
		{GOOD "%records lost while recording 1\ncmdline=perf record -m 512K -F 5000 -g x\n",
			"perf record -m 16M -F 5000 -g x"},
		{GOOD "%samples lost while recording 1000\ncmdline=perf record -c 50 -g "
		      "x\nsampling=every 50\n",
			"perf record -c 500 -m 16M -g x"},
		/* throttled */
		{GOOD "%times the kernel throttled an event 3\nsampling=4000 Hz\ncmdline=perf "
		      "record -g x\n",
			"perf record -F 999 -g x"},
		/* few */
		{"main!a;f!a 500\ncmdline=perf record -F 99 -g x\n", "perf record -F 999 -g x"},
		{"main!a;f!a 5\ncmdline=perf record -F 99 -g x\n", "perf record -F 9999 -g x"},
		{"main!a;f!a 500\ncmdline=perf record -F 9999 -g x\n", ""},
		{"main!a;f!a 50\ncmdline=perf record -F 99 --call-graph dwarf x\n",
			"perf record -F 999 --call-graph dwarf x"},
		{"main!a;f!a 500\ncmdline=perf record -c 1000000 -g x\n",
			"perf record -c 100000 -g x"},
		{"main!a;f!a 500\ncmdline=perf record -g x\nsampling=4000 Hz\n",
			"perf record -F 9999 -g x"},
		/* names and build-ids */
		{GOOD "main!a;?!jit 1000\ncmdline=perf record -g x\n", "perf record -k 1 -g x"},
		{GOOD "main!a;?!jit 1000\ncmdline=perf record -k mono -g x\n", ""},
		{GOOD "main!none 1000\ncmdline=perf record -Bg x\n", "perf record -g x"},
		{GOOD "main!a;f![none 1000\ncmdline=perf record -g -z x\n",
			"perf record --buildid-mmap -g -z x"},
		{GOOD "main!a;f![none 1000\ncmdline=perf record --buildid-mmap -g x\n", ""},
		/* no line of perf record */
		{"main!a 6000\ncmdline=simpleperf record x\n", ""},
		{"main!a 6000\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *have = better(cases[i].lines);

		if (strcmp(have, cases[i].want) != 0)
			fail_msg("%s: %s, not %s", cases[i].lines, have, cases[i].want);
		free(have);
	}
}

static void
test_truncated_stacks_want_a_setting_of_the_kernel(void **state)
{
	struct cr_text lines = {0};
	char *have;

	(void)state;
	cr_text_puts(&lines, GOOD "cmdline=perf record -g x\nf!a");
	for (unsigned i = 1; i < 127; i++)
		cr_text_puts(&lines, ";f!a");
	cr_text_puts(&lines, " 900\n");
	have = better(lines.p);
	assert_string_equal(have, "[1024] ");
	free(have);
	cr_text_fini(&lines);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_line_is_changed_by_what_was_found),
		cmocka_unit_test(test_truncated_stacks_want_a_setting_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
