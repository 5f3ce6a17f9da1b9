#include "testing.h"

#include "read/reader.h"

static void
test_readers_are_found_by_their_names(void **state)
{
	(void)state;
	for (size_t i = 0; cr_reader_at(i); i++)
		assert_ptr_equal(cr_reader_find(cr_reader_at(i)->name), cr_reader_at(i));
	assert_non_null(cr_reader_find("perf.data"));
	assert_non_null(cr_reader_find("folded"));
	assert_non_null(cr_reader_find("perf"));
	assert_non_null(cr_reader_find("stap"));
	assert_null(cr_reader_find("fold"));
	assert_null(cr_reader_find(""));
}

struct detected {
	const struct cr_reader *reader;
	uint64_t line;
	struct cr_err err;
};

static struct detected
detect(const void *p, size_t len)
{
	void *bytes = testing_exact(p, len);
	const struct cr_input in = {.p = bytes, .len = len};
	struct detected d = {.err = CR_ERR_INIT};
	const int rc = cr_reader_detect(&in, &d.reader, &d.line, &d.err);

	assert_int_equal(rc, d.err.code);
	assert_int_equal(rc == CR_OK, d.reader != NULL);
	free(bytes);
	return d;
}

/* A table row that is right, or a message that says which is not. */
static void
assert_detected(const char *bytes, size_t len, const char *reader, uint64_t line)
{
	const struct detected d = detect(bytes, len);

	if (!d.reader || strcmp(d.reader->name, reader) != 0 || d.line != line)
		fail_msg("%s by line %llu (%s), not %s by line %llu: %s",
			d.reader ? d.reader->name : "nobody", (unsigned long long)d.line,
			d.err.text, reader, (unsigned long long)line, bytes);
}

static void
test_input_goes_to_the_reader_with_the_most_evidence(void **state)
{
	static const struct {
		const char *bytes, *reader;
		uint64_t line;
	} cases[] = {
		{"PERFILE2", "perf.data", 0},
		{"2ELIFREP", "perf.data", 0}, /* who knows it can say what is wrong with it */
		{"PERFFILE", "perf.data", 0},
		{"PERFILE2 is a word;of text 3\n", "perf.data", 0},
		{"a;b;c 12\n", "folded", 1},
		{"main 12\n", "folded", 1},
		{"# austin\na;b 1\n", "folded", 2},
		{"a;b\xff 1\r\n", "folded", 1},
		{"{main};f 1\n", "folded", 1}, /* begins like JSON */
		{"[main tid=12];f 1\n", "folded", 1},
		{"<main>;f 1\n", "folded", 1}, /* and like XML */
		{"\"f g\";h 1\n", "folded", 1},
		{"@a.lua;b 1\n", "folded", 1},
		{"w: x\np 12 1.500000: 7 cycles: \n\t7f12 main (/bin/p)\n\n", "perf", 2},
		{" 0x7f12 : main+0x1/0x2 [/bin/p]\n\t3\n", "stap", 1},
		{"main\n\t3\n", "stap", 2},
		{"\n\n   libc.so.1`read+0xa\n     3\n", "dtrace", 3},
		{"x.E: y\n\tat a.B.c(D.java:3)\n", "javaexc", 2},
		/* a line that names the format outweighs what most lines look like */
		{"Full thread dump X:\n\n\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable\n"
		 "   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(D.java:3)\n\tat "
		 "a.B.d(D.java:4)\n",
			"jstack", 1},
		{"goroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1d\n", "gotrace", 1},
		{"Function Stack,CPU Time:Self,Module\na,1.5,b\n", "vtune", 1},
		{"PID 7 - process\nTID 7:\n#0  0x00007f12 poll\n#1  0x00007f13 f(int)\n", "eustack",
			1},
		{"PID 7 - process\nTID 7:\n#0  0x00007f12 f(int)\n#1  0x00007f13 g(int)\n",
			"eustack", 1},
		{"#0  f (a=1) at a.c:3\n#1  0x00007f13 in main () from /lib/x\n", "gdb", 1},
		{"Thread 1 (LWP 7):\n#0  f (a=1) at a.c:3\nTraceback (most recent call first):\n  "
		 "File \"a\", line 1, in f\n",
			"gdb", 1},
		{"Thread 1 (LWP 7):\n#0  f (a=1) at a.c:3\n", "gdb", 1},
		{"@[\n    f+3\n]: 7\n", "bpftrace", 1},
		{"# callgrind format\n", "callgrind", 1},
		{"events: Ir\nfn=a;b 3\nfn=c;d 4\n", "callgrind", 2},
		{"x\nevents: Ir\nfn=a\n", "callgrind", 3},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_detected(
			cases[i].bytes, strlen(cases[i].bytes), cases[i].reader, cases[i].line);
}

static void
test_what_nobody_wants_is_called_by_its_name(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		int code;
		const char *why;
	} cases[] = {
		{"", 0, CR_EEMPTY, "is empty"},
		{"\n \r\n\n", 5, CR_EEMPTY, "is empty, except for blanks and comments"},
		{"# x\n#\n\n", 7, CR_EEMPTY, "is empty, except for blanks and comments"},
		{"#define A\n\n", 11, CR_EUNKNOWN,
			"unknown format: no line is typical of one, and the "
			"lines do not look like stacks with counts"},
		{"Dear all,\nthis is a letter\n", 27, CR_EUNKNOWN,
			"unknown format: no line is typical of one, and the "
			"lines do not look like stacks with counts"},
		{"\0\1\2\3", 4, CR_EFORMAT, "not a profile of a known format (binary data)"},
		{"\177ELF\2\1\1", 7, CR_EFORMAT, "not a profile but an ELF file"},
		{"BZh91AY&SY", 10, CR_EFORMAT,
			"not a profile but bzip2 data (gzip, xz and zstd are read)"},
		{"\x89"
		 "CRS\r\n\x1a\n",
			8, CR_EFORMAT,
			"not a profile but a stored profile, which has to be a file of its own"},
		{"#!/bin/sh\nexit\n", 15, CR_EFORMAT, "not a profile but a script"},
		{"<?xml version='1.0'?>\n", 22, CR_EFORMAT, "not a profile but an XML document"},
		{"<!doctype HTML>\n<html>", 22, CR_EFORMAT, "not a profile but an HTML page"},
		{"{\"a\": 1}", 8, CR_EFORMAT, "not a profile but another JSON document"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct detected d = detect(cases[i].bytes, cases[i].len);

		assert_null(d.reader);
		assert_int_equal(d.err.code, cases[i].code);
		assert_string_equal(d.err.text, cases[i].why);
	}
}

/* Lines in a string of JSON are not lines of the format that they are of. */
static void
test_json_and_markup_are_shown_to_their_own_readers_only(void **state)
{
	static const char *const cases[] = {
		"{\"log\": \"\nFull thread dump X:\n\"}\n",
		"[\n\"goroutine 1 [running]:\n\"]\n",
		"[1, 2]\n",
		"[ ]\n",
		"[\"a;b 1\"]\n",
		"<?xml version='1.0'?>\n<a>\ngoroutine 1 [running]:\n</a>\n",
		"<svg>\na;b 1\n</svg>\n",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(detect(cases[i], strlen(cases[i])).err.code, CR_EFORMAT);
}

static void
test_a_tie_names_all_that_it_could_be(void **state)
{
	static const char text[] = "goroutine 1 [running]:\nmain.main()\nFull thread dump X:\n";
	const struct detected d = detect(text, strlen(text));

	(void)state;
	assert_int_equal(d.err.code, CR_EUNSUPPORTED);
	assert_non_null(strstr(d.err.text, "gotrace"));
	assert_non_null(strstr(d.err.text, "jstack"));
	assert_non_null(strstr(d.err.text, "--input-format"));
}

/* The probe ends in the middle of a line, far before the input does. */
static void
test_a_long_text_is_known_by_its_beginning(void **state)
{
	struct cr_text text = {0};

	(void)state;
	while (text.len < 3 * CR_PROBE_BYTES)
		cr_text_puts(&text, "main;some_function;another_function 123\n");
	assert_detected(text.p, text.len, "folded", 1);
	cr_text_fini(&text);
}

static void
test_a_first_line_longer_than_the_probe_is_known_by_its_frames(void **state)
{
	static const struct {
		const char *start;
		int code;
	} cases[] = {
		{"main;", CR_OK},
		{"{\"a;b\":", CR_EFORMAT},
		{"", CR_EUNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};

		cr_text_puts(&text, cases[i].start);
		cr_text_pad(&text, 'x', 2 * CR_PROBE_BYTES);
		cr_text_puts(&text, " 1\n");
		assert_int_equal(detect(text.p, text.len).err.code, cases[i].code);
		cr_text_fini(&text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readers_are_found_by_their_names),
		cmocka_unit_test(test_input_goes_to_the_reader_with_the_most_evidence),
		cmocka_unit_test(test_what_nobody_wants_is_called_by_its_name),
		cmocka_unit_test(test_json_and_markup_are_shown_to_their_own_readers_only),
		cmocka_unit_test(test_a_tie_names_all_that_it_could_be),
		cmocka_unit_test(test_a_long_text_is_known_by_its_beginning),
		cmocka_unit_test(test_a_first_line_longer_than_the_probe_is_known_by_its_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
