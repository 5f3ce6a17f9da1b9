/* Debug info of small files that libdw would read for minutes is refused before it is read. */
#include "testing.h"

#include "symbol/dwarf/dwarf_cost_p.h"
#include "symbol/dwarf/dwarf_file_p.h"
#include "symbol/dwarf/dwp_p.h"
#include "testing_elf.h"

#include <dwarf.h>

enum { ABBREV, INFO, LISTS, SECTIONS };

struct file {
	struct testing_section s[SECTIONS];
};

static void
file_init(struct file *f, const char *lists)
{
	*f = (struct file){{{.name = ".debug_abbrev"}, {.name = ".debug_info"}, {.name = lists}}};
}

/* A unit of version 5 with one DIE of a code. */
static void
unit_put(struct file *f, uint32_t table, uint8_t address, uint8_t code)
{
	struct cr_text *t = &f->s[INFO].bytes;

	testing_put(t, 9, 4);
	testing_put(t, 5, 2);
	testing_put(t, DW_UT_compile, 1);
	testing_put(t, address, 1);
	testing_put(t, table, 4);
	testing_put(t, code, 1);
}

static void
abbrev_put(struct file *f, uint8_t code)
{
	testing_put(&f->s[ABBREV].bytes, code, 1);
	testing_put(&f->s[ABBREV].bytes, DW_TAG_compile_unit, 1);
	testing_put(&f->s[ABBREV].bytes, 0, 1);
}

/* Is it refused? Then it is not opened, either. */
static bool
is_refused(struct file *f)
{
	const struct cr_symbol_opts opts = {.home = "/"};
	struct testing_elf e = testing_elf_of(f->s, SECTIONS);
	const struct cr_debugfile files = {.debug = e.elf, .runtime = e.elf, .syms = e.elf};
	const bool costly = cr_dwarf_is_costly(e.elf, true);
	struct cr_dwarf d;

	if (cr_dwarf_open(&d, &opts, &files, CR_DWARF_VARIABLES)) {
		assert_false(costly);
		cr_dwarf_close(&d);
	}
	testing_elf_fini(&e);
	return costly;
}

/*
 * So many units that share one table of so many abbreviations, or whose tables are nested. cut: the
 * section ends within the table.
 */
static bool
is_shared_table_refused(uint32_t units, uint32_t abbreviations, bool nested, bool cut)
{
	struct file f;

	file_init(&f, ".debug_rnglists");
	for (uint32_t i = 0; i < abbreviations; i++) {
		abbrev_put(&f, (uint8_t)(i % 127 + 1));
		testing_put(&f.s[ABBREV].bytes, 0, 2);
	}
	if (cut)
		abbrev_put(&f, 1);
	else
		testing_put(&f.s[ABBREV].bytes, 0, 1);
	for (uint32_t i = 0; i < units; i++)
		unit_put(&f, nested ? i * 5 : 0, 8, 1);
	return is_refused(&f);
}

static void
test_units_may_share_small_tables_only(void **state)
{
	(void)state;
	assert_false(is_shared_table_refused(1, 100000, false, false));
	assert_false(is_shared_table_refused(5000, 100, false, false));
	assert_true(is_shared_table_refused(20000, 20000, false, false));
	assert_true(is_shared_table_refused(20000, 20000, true, false));
	assert_false(is_shared_table_refused(1, 100000, false, true));
	assert_true(is_shared_table_refused(20000, 20000, false, true));
}

/* A table with one abbreviation whose attributes are these bytes, n times. */
static bool
is_attribute_refused(const char *bytes, size_t len, uint32_t n)
{
	struct file f;

	file_init(&f, ".debug_rnglists");
	abbrev_put(&f, 1);
	for (uint32_t i = 0; i < n; i++)
		cr_text_put(&f.s[ABBREV].bytes, bytes, len);
	testing_put(&f.s[ABBREV].bytes, 0, 3);
	unit_put(&f, 0, 8, 1);
	return is_refused(&f);
}

static void
test_an_abbreviation_has_few_attributes_without_content(void **state)
{
	static const char flag[] = {DW_AT_external, DW_FORM_flag_present};
	static const char number[] = {DW_AT_decl_line, DW_FORM_data2};
	/* Two zero bytes in a row, which are no end. */
	static const char padded[] = {DW_AT_decl_line, DW_FORM_implicit_const | (char)0x80, 0, 0};

	(void)state;
	assert_false(is_attribute_refused(flag, sizeof(flag), 60));
	assert_true(is_attribute_refused(flag, sizeof(flag), 100));
	assert_false(is_attribute_refused(number, sizeof(number), 1000));
	assert_true(is_attribute_refused(number, sizeof(number), 100000));
	assert_false(is_attribute_refused(padded, sizeof(padded), 60));
	assert_true(is_attribute_refused(padded, sizeof(padded), 100000));
}

static bool
is_list_refused(const char *lists, uint8_t address, const char *entry, size_t len, uint32_t n)
{
	struct file f;

	file_init(&f, lists);
	abbrev_put(&f, 1);
	testing_put(&f.s[ABBREV].bytes, 0, 3);
	unit_put(&f, 0, address, 1);
	testing_put(&f.s[LISTS].bytes, 0x030303, 3); /* alignment means nothing */
	for (uint32_t i = 0; i < n; i++)
		cr_text_put(&f.s[LISTS].bytes, entry, len);
	testing_put(&f.s[LISTS].bytes, 0, 16);
	return is_refused(&f);
}

static void
test_lists_have_few_bases_in_a_row(void **state)
{
	static const char pair[] =
		"\xff\xff\xff\xff\xff\xff\xff\xff\x08\x07\x06\x05\x04\x03\x02\x01";
	static const char small[] = "\xff\xff\xff\xff\x04\x03\x02\x01";
	/* Addresses of a kernel, of 8 bytes, are no bases of 4 bytes. */
	static const char kernel[] = "\x10\x20\x30\x81\xff\xff\xff\xff";
	static const char base[] = "\5\x08\x07\x06\5\x04\x03\x02\1", index[] = "\1\x85\x01";
	static const char place[] = "\6\x08\x07\x06\x05\x04\x03\x02\x01", views[] = "\x09\1\2";
	static const char range[] = "\1\5\4\x10\x20\0";

	(void)state;
	assert_false(is_list_refused(".debug_ranges", 8, pair, 16, 10));
	assert_true(is_list_refused(".debug_ranges", 8, pair, 16, 40));
	assert_true(is_list_refused(".debug_ranges", 4, small, 8, 40));
	assert_false(is_list_refused(".debug_ranges", 8, kernel, 8, 1000));
	assert_true(is_list_refused(".debug_loc", 8, pair, 16, 300));
	assert_false(is_list_refused(".debug_rnglists", 8, base, 9, 10));
	assert_true(is_list_refused(".debug_rnglists", 8, base, 9, 40));
	assert_true(is_list_refused(".debug_rnglists", 8, index, 3, 40));
	assert_false(is_list_refused(".debug_rnglists", 8, range, 6, 1000));
	assert_true(is_list_refused(".debug_loclists", 8, place, 9, 300));
	assert_true(is_list_refused(".debug_loclists", 8, views, 3, 300));
}

static bool
is_text_refused(size_t bytes)
{
	struct file f;

	file_init(&f, ".debug_rnglists");
	abbrev_put(&f, 1);
	testing_put(&f.s[ABBREV].bytes, DW_AT_name | DW_FORM_string << 8, 2);
	testing_put(&f.s[ABBREV].bytes, 0, 3);
	unit_put(&f, 0, 8, 1);
	cr_text_pad(&f.s[INFO].bytes, 'x', bytes);
	cr_text_pad(&f.s[INFO].bytes, 0, 100000);
	return is_refused(&f);
}

static void
test_texts_in_dies_are_short(void **state)
{
	(void)state;
	assert_false(is_text_refused(30000));
	assert_true(is_text_refused(70000));
}

/* Each skeleton of a program may ask for the last of many units. */
static void
test_units_are_searched_within_a_budget(void **state)
{
	const uint32_t units = 1000;

	(void)state;
	for (uint16_t version = 4; version <= 5; version++) {
		struct testing_section s[] = {
			{.name = ".debug_info.dwo"}, {.name = ".debug_abbrev.dwo"}};
		const uint64_t enough = 1 << 20;
		uint64_t budget = enough;
		struct cr_unit_parts parts;
		struct testing_elf e;

		for (uint32_t i = 1; i <= units; i++) {
			struct cr_text *t = &s[0].bytes;

			testing_put(t, version < 5 ? 16 : 17, 4);
			testing_put(t, version, 2);
			testing_put(t, DW_UT_split_compile | 8 << 8, version < 5 ? 0 : 2);
			testing_put(t, 0, 4);
			testing_put(t, 8, version < 5 ? 1 : 0);
			testing_put(t, 1, version < 5 ? 1 : 0); /* the code comes before the id */
			testing_put(t, i, 8);
			testing_put(t, 1, version < 5 ? 0 : 1);
		}
		testing_put(&s[1].bytes, 0x001101, 3);
		testing_put(&s[1].bytes, 0x0742b1, 3); /* DW_AT_GNU_dwo_id, DW_FORM_data8 */
		testing_put(&s[1].bytes, 0, 3);
		e = testing_elf_of(s, CR_LEN(s));
		assert_true(cr_dwp_find(e.elf, units, &budget, &parts));
		assert_in_range(enough - budget, units * 32, units * 128);
		budget = enough - budget;
		assert_true(cr_dwp_find(e.elf, units, &budget, &parts));
		assert_int_equal(budget, 0);
		assert_false(cr_dwp_find(e.elf, units, &budget, &parts));
		testing_elf_fini(&e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units_may_share_small_tables_only),
		cmocka_unit_test(test_an_abbreviation_has_few_attributes_without_content),
		cmocka_unit_test(test_lists_have_few_bases_in_a_row),
		cmocka_unit_test(test_texts_in_dies_are_short),
		cmocka_unit_test(test_units_are_searched_within_a_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
