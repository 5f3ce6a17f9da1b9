#include "testing.h"

#include "cresset/read/reader.h"

static void
test_readers_are_found_by_their_names(void **state)
{
	(void)state;
	for (size_t i = 0; cr_reader_at(i); i++)
		assert_ptr_equal(cr_reader_find(cr_reader_at(i)->name), cr_reader_at(i));
	assert_non_null(cr_reader_find("perf.data"));
	assert_non_null(cr_reader_find("folded"));
	assert_null(cr_reader_find("fold"));
	assert_null(cr_reader_find(""));
}

static void
test_input_goes_to_the_reader_with_the_most_evidence(void **state)
{
	static const struct { const char *bytes; size_t len; const char *reader, *why; } cases[] = {
		{"PERFILE2", 8, "perf.data", NULL},
		{"2ELIFREP", 8, "perf.data", NULL},       /* who knows it can say what is wrong with it */
		{"PERFFILE", 8, "perf.data", NULL},
		{"PERFILE2 is a word;of text 3\n", 29, "perf.data", NULL},
		{"a;b;c 12\n", 9, "folded", NULL},
		{"main 12\n", 8, "folded", NULL},
		{"# austin\na;b 1\n", 15, "folded", NULL},
		{"a;b\xff 1\r\n", 8, "folded", NULL},
		{"", 0, NULL, "is empty"},
		{"\n\n\n", 3, NULL, "not a profile of a known format"},
		{"Dear all,\nthis is a letter\n", 27, NULL, "not a profile of a known format"},
		{"\0\1\2\3", 4, NULL, "not a profile of a known format (binary data)"},
		{"\177ELF\2\1\1", 7, NULL, "not a profile but an ELF file"},
		{"BZh91AY&SY", 10, NULL, "not a profile but bzip2 data (gzip, xz and zstd are read)"},
		{"\x89" "CRS\r\n\x1a\n", 8, NULL, "not a profile but a stored profile, which has to be a file of its own"},
		{"#!/bin/sh\nexit\n", 15, NULL, "not a profile but a script"},
		{"<?xml version='1.0'?>\n", 22, NULL, "not a profile but an XML document"},
		{"P", 1, NULL, "not a profile of a known format"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		void *bytes = testing_exact(cases[i].bytes, cases[i].len);
		const struct cr_input in = {.p = bytes, .len = cases[i].len};
		const struct cr_reader *r;
		struct cr_err err = CR_ERR_INIT;
		const int rc = cr_reader_detect(&in, &r, &err);

		if (cases[i].reader) {
			assert_int_equal(rc, CR_OK);
			assert_string_equal(r->name, cases[i].reader);
		} else {
			assert_int_equal(rc, CR_EFORMAT);
			assert_null(r);
			assert_string_equal(err.text, cases[i].why);
		}
		free(bytes);
	}
}

/* The probe ends in the middle of a line, far before the input does. */
static void
test_a_long_text_is_known_by_its_beginning(void **state)
{
	struct cr_text text = {0};
	const struct cr_reader *r;
	struct cr_err err = CR_ERR_INIT;
	struct cr_input in;

	(void)state;
	while (text.len < 3 * CR_PROBE_BYTES)
		cr_text_puts(&text, "main;some_function;another_function 123\n");
	in = (struct cr_input){.p = (unsigned char *)text.p, .len = text.len};
	assert_int_equal(cr_reader_detect(&in, &r, &err), CR_OK);
	assert_string_equal(r->name, "folded");
	cr_text_fini(&text);
}

static void
test_a_first_line_longer_than_the_probe_is_known_by_its_frames(void **state)
{
	static const struct { const char *start; int code; } cases[] = {
		{"main;", CR_OK}, {"{\"a;b\":", CR_EFORMAT}, {"", CR_EFORMAT},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};
		const struct cr_reader *r;
		struct cr_err err = CR_ERR_INIT;
		struct cr_input in;

		cr_text_puts(&text, cases[i].start);
		cr_text_pad(&text, 'x', 2 * CR_PROBE_BYTES);
		cr_text_puts(&text, " 1\n");
		in = (struct cr_input){.p = (unsigned char *)text.p, .len = text.len};
		assert_int_equal(cr_reader_detect(&in, &r, &err), cases[i].code);
		cr_text_fini(&text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readers_are_found_by_their_names),
		cmocka_unit_test(test_input_goes_to_the_reader_with_the_most_evidence),
		cmocka_unit_test(test_a_long_text_is_known_by_its_beginning),
		cmocka_unit_test(test_a_first_line_longer_than_the_probe_is_known_by_its_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
