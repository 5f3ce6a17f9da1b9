#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "symbol/elf/elf_p.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A 64-bit little-endian shared object in one kilobyte, text at file offset 0x100 and address
 * 0x1100:
 *
 *	0x000 header    0x040 PT_LOAD   0x080 note    0x0a0 debuglink
 *	0x100 text      0x200 symbols   0x280 strings  0x2c0 section names  0x300 sections
 */
enum { SIZE = 0x500, TEXT = 0x100, BIAS = 0x1000 };

static void
put(unsigned char *p, size_t at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[at + i] = (unsigned char)(v >> 8 * i);
}

static void
put_symbol(unsigned char *p, unsigned row, uint32_t name, unsigned info, unsigned section,
	uint64_t value, uint64_t size)
{
	const size_t at = 0x200 + row * 24;

	put(p, at, name, 4);
	put(p, at + 4, info, 1);
	put(p, at + 6, section, 2);
	put(p, at + 8, value, 8);
	put(p, at + 16, size, 8);
}

struct section {
	uint32_t name, type, flags, offset, size, link, entry;
	uint64_t addr;
};

static void
make_small(unsigned char p[SIZE])
{
	static const char names[] = "\0.note\0.gnu_debuglink\0.text\0.symtab\0.strtab\0.shstrtab";
	static const struct section sections[] = {
		{0},
		{1, SHT_NOTE, SHF_ALLOC, 0x80, 32, 0, 0, 0},
		{7, SHT_PROGBITS, 0, 0xa0, 12, 0, 0, 0},
		{22, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, 0x100, 0, 0, TEXT + BIAS},
		{28, SHT_SYMTAB, 0, 0x200, 5 * 24, 5, 24, 0},
		{36, SHT_STRTAB, 0, 0x280, 0x20, 0, 0, 0},
		{44, SHT_STRTAB, 0, 0x2c0, sizeof(names), 0, 0, 0},
	};

	memset(p, 0, SIZE);
	memcpy(p, "\177ELF\2\1\1", 7);
	put(p, 16, ET_DYN, 2);
	put(p, 18, EM_X86_64, 2);
	put(p, 20, 1, 4);
	put(p, 32, 0x40, 8);
	put(p, 40, 0x300, 8);
	put(p, 52, 64, 2);
	put(p, 54, 56, 2);
	put(p, 56, 1, 2);
	put(p, 58, 64, 2);
	put(p, 60, CR_LEN(sections), 2);
	put(p, 62, 6, 2);

	put(p, 0x40, PT_LOAD, 4);
	put(p, 0x44, PF_R | PF_X, 4);
	put(p, 0x50, BIAS, 8); /* address of offset 0 */
	put(p, 0x60, SIZE, 8);
	put(p, 0x68, SIZE, 8);

	memcpy(p + 0x80, "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xde\xad\xbe\xef", 20);
	memcpy(p + 0xa0, "x.debug\0\1\2\3\4", 12);
	put_symbol(p, 1, 1, GELF_ST_INFO(STB_GLOBAL, STT_FUNC), 3, BIAS + TEXT, 0x10);
	put_symbol(p, 2, 6, GELF_ST_INFO(STB_LOCAL, STT_FUNC), 3, BIAS + TEXT + 0x10, 0);
	put_symbol(p, 3, 11, GELF_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_ABS, 5, 5);
	put_symbol(p, 4, 0x7fffffff, GELF_ST_INFO(STB_GLOBAL, STT_FUNC), 3, BIAS + TEXT + 0x80, 8);
	memcpy(p + 0x280, "\0main\0tail\0abs", 15);
	memcpy(p + 0x2c0, names, sizeof(names));
	for (size_t i = 0; i < CR_LEN(sections); i++) {
		const size_t at = 0x300 + i * 64;

		put(p, at, sections[i].name, 4);
		put(p, at + 4, sections[i].type, 4);
		put(p, at + 8, sections[i].flags, 8);
		put(p, at + 16, sections[i].addr, 8);
		put(p, at + 24, sections[i].offset, 8);
		put(p, at + 32, sections[i].size, 8);
		put(p, at + 40, sections[i].link, 4);
		put(p, at + 48, 4, 8);
		put(p, at + 56, sections[i].entry, 8);
	}
}

/* All that is ever asked of a file. */
static size_t
read_all(const void *p, size_t len)
{
	struct cr_elf *e = cr_elf_memory(p, len);
	struct cr_symtab t = {.demangle = true};
	struct cr_build_id id;
	char *link = NULL;
	uint32_t crc;
	size_t n;

	if (!e)
		return 0;
	cr_elf_build_id(e, &id);
	cr_elf_debuglink(e, &link, &crc);
	cr_elf_symbols(e, e, &t);
	cr_elf_plt(e, &t);
	cr_symtab_index(&t);
	n = t.all.n;
	free(link);
	cr_symtab_fini(&t);
	cr_elf_close(e);
	return n;
}

static void
test_a_small_object_gives_its_symbols_by_file_offset(void **state)
{
	unsigned char p[SIZE];
	struct cr_symtab t = {0};
	struct cr_build_id id;
	struct cr_elf *e;
	char *link;
	uint32_t crc;

	(void)state;
	make_small(p);
	e = cr_elf_memory(p, SIZE);
	assert_non_null(e);
	cr_elf_build_id(e, &id);
	assert_int_equal(id.len, 4);
	assert_memory_equal(id.p, "\xde\xad\xbe\xef", 4);
	assert_true(cr_elf_debuglink(e, &link, &crc));
	assert_string_equal(link, "x.debug");
	assert_int_equal(crc, 0x04030201);
	assert_false(cr_elf_hollow(e));
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	assert_string_equal(cr_symtab_find(&t, 0, TEXT + 0xf)->name, "main");
	assert_string_equal(cr_symtab_find(&t, 0, TEXT + 0x7f)->name, "tail");
	assert_string_equal(
		cr_symtab_find(&t, 0, TEXT + 0x80)->name, ""); /* its name is past the strings */
	assert_null(cr_symtab_find(&t, 0, 5));
	free(link);
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

static void
test_a_descriptor_of_a_function_leads_to_its_code(void **state)
{
	unsigned char p[SIZE];
	struct cr_symtab t = {0};
	struct cr_elf *e;

	(void)state;
	make_small(p);
	put(p, 18, EM_PPC64, 2);
	memcpy(p + 0x2c0 + 7, ".opd", 5); /* in the place of .gnu_debuglink */
	put(p, 0x300 + 2 * 64 + 8, SHF_ALLOC, 8);
	put(p, 0x300 + 2 * 64 + 16, BIAS + 0xa0, 8);
	put(p, 0x300 + 2 * 64 + 32, 0x18, 8);
	put(p, 0xa0, BIAS + TEXT + 0x40, 8);
	put_symbol(p, 1, 1, GELF_ST_INFO(STB_GLOBAL, STT_FUNC), 2, BIAS + 0xa0, 0x10);
	put_symbol(
		p, 2, 6, GELF_ST_INFO(STB_LOCAL, STT_FUNC), 2, BIAS + 0xb8, 8); /* past the end */
	e = cr_elf_memory(p, SIZE);
	assert_non_null(e);
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	assert_string_equal(cr_symtab_find(&t, 0, TEXT + 0x4f)->name, "main");
	assert_string_equal(cr_symtab_find(&t, 0, 0xb8)->name, "tail");
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

/*
 * Not to the end that the last symbol has, a page or two: what comes next is above all that is
 * asked.
 */
static void
test_one_without_a_size_reaches_to_the_next_also_when_little_is_asked(void **state)
{
	const struct cr_addrkey asked = {TEXT + 0x3000, 0, 0};
	unsigned char p[SIZE];
	struct cr_symtab t = {.asked = &asked, .n_asked = 1};
	struct cr_elf *e;
	uint32_t row;

	(void)state;
	make_small(p);
	put_symbol(p, 4, 1, GELF_ST_INFO(STB_GLOBAL, STT_FUNC), 3, BIAS + TEXT + 0x4000, 8);
	e = cr_elf_memory(p, SIZE);
	assert_non_null(e);
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	cr_symtab_find_each(&t, 0, 0, &asked, 1, &row);
	assert_false(t.short_of);
	assert_int_not_equal(row, UINT32_MAX);
	assert_string_equal(t.all.p[row].name, "tail");
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

static void
test_every_prefix_of_an_object_does_no_harm(void **state)
{
	unsigned char whole[SIZE];
	size_t most, n = 0;

	(void)state;
	make_small(whole);
	most = read_all(whole, SIZE);
	assert_in_range(most, 1, 4);
	for (size_t len = 0; len <= SIZE; len++) {
		unsigned char *exact = malloc(len ? len : 1);

		assert_non_null(exact);
		memcpy(exact, whole, len);
		n = read_all(exact, len);
		assert_in_range(n, 0, most);
		if (len < 64)
			assert_int_equal(n, 0); /* not even a header */
		free(exact);
	}
	assert_int_equal(n, most);
}

static void
test_changed_bytes_do_no_harm(void **state)
{
	unsigned char *p = malloc(SIZE);
	size_t n_named = 0;
	uint64_t seed = 5;

	(void)state;
	assert_non_null(p);
	for (int round = 0; round < 20000; round++) {
		size_t n;

		make_small(p);
		for (int i = 0; i < 4; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			/* Mostly headers: that is where counts and offsets are. */
			p[i & 1 ? 0x300 + (seed >> 33) % 0x1c0 : (seed >> 33) % 0x80] =
				(unsigned char)(seed >> 56);
		}
		n = read_all(p, SIZE);
		assert_in_range(n, 0, SIZE / 24); /* of 24 bytes each, and each is read once */
		n_named += n > 0;
	}
	print_message("%zu of 20000 have symbols\n", n_named);
	assert_in_range(n_named, 1000, 19000);
	free(p);
}

static void
test_a_count_of_sections_past_the_file_is_refused(void **state)
{
	unsigned char p[SIZE];

	(void)state;
	make_small(p);
	put(p, 60, 1000, 2);
	assert_null(cr_elf_memory(p, SIZE));
	make_small(p);
	put(p, 60, 0, 2);
	put(p, 0x300 + 32, 0xffffffff, 8); /* "too many for 16 bits": four thousand million */
	assert_null(cr_elf_memory(p, SIZE));
}

static void
test_a_debug_file_alone_takes_addresses_for_offsets(void **state)
{
	unsigned char p[SIZE];
	struct cr_elf *e;
	uint64_t offset = 0;

	(void)state;
	make_small(p);
	put(p, 0x60, 0, 8); /* no bytes of the segment in this file */
	e = cr_elf_memory(p, SIZE);
	assert_true(cr_elf_hollow(e));
	assert_true(cr_elf_offset(e, BIAS + TEXT, &offset));
	assert_int_equal(offset, BIAS + TEXT);
	assert_false(cr_elf_offset(e, BIAS + SIZE, &offset));
	cr_elf_close(e);
}

static void
test_notes_are_read_with_their_filling(void **state)
{
	static const char notes[] =
		"\5\0\0\0\3\0\0\0\1\0\0\0Linux\0\0\0abc\0" /* another's, name and descriptor filled
							      up to 4 */
		"\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\x12\x34";   /* the last one without filling */
	struct cr_build_id id = {.len = 0};

	(void)state;
	assert_true(cr_elf_note_build_id(notes, sizeof(notes) - 1, 4, false, &id));
	assert_int_equal(id.len, 2);
	assert_memory_equal(id.p, "\x12\x34", 2);
	for (size_t len = 0; len < sizeof(notes) - 1; len++) {
		char *exact = malloc(len ? len : 1);

		assert_non_null(exact);
		memcpy(exact, notes, len);
		assert_false(cr_elf_note_build_id(exact, len, 4, false, &id));
		free(exact);
	}
}

static void
test_this_program_finds_its_own_function(void **state)
{
	struct cr_elf *e = cr_elf_open(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	struct cr_symtab t = {0};
	bool seen = false;

	(void)state;
	assert_non_null(e);
	cr_elf_symbols(e, e, &t);
	cr_elf_plt(e, &t);
	cr_symtab_index(&t);
	for (size_t i = 0; i < t.all.n && !seen; i++) {
		const struct cr_symbol *s = &t.all.p[i];

		seen = strcmp(s->name, "cr_elf_symbols") == 0 &&
		       cr_symtab_find(&t, 0, s->start) == s;
	}
	assert_true(seen || t.all.n == 0); /* 0: stripped */
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

static void
test_what_is_not_elf_does_not_open(void **state)
{
	int fds[2];

	(void)state;
	assert_null(cr_elf_memory("\177ELF", 4));
	assert_null(cr_elf_memory(
		"#!/bin/sh\n# a script, longer than any header of an ELF file is, to be sure", 72));
	assert_int_equal(pipe(fds), 0);
	assert_null(cr_elf_open(fds[0]));
	close(fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_small_object_gives_its_symbols_by_file_offset),
		cmocka_unit_test(test_a_descriptor_of_a_function_leads_to_its_code),
		cmocka_unit_test(
			test_one_without_a_size_reaches_to_the_next_also_when_little_is_asked),
		cmocka_unit_test(test_every_prefix_of_an_object_does_no_harm),
		cmocka_unit_test(test_changed_bytes_do_no_harm),
		cmocka_unit_test(test_a_count_of_sections_past_the_file_is_refused),
		cmocka_unit_test(test_a_debug_file_alone_takes_addresses_for_offsets),
		cmocka_unit_test(test_notes_are_read_with_their_filling),
		cmocka_unit_test(test_this_program_finds_its_own_function),
		cmocka_unit_test(test_what_is_not_elf_does_not_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
