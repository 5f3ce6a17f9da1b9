/*
 * Units of small files that would take hours together: as they share a line table, have all
 * addresses of no unit, or refer to each other. Each file is read by the scan, and by libdw.
 */
#include "testing.h"

#include "model/build/add_fields.h"
#include "symbol/data/data_types_p.h"
#include "symbol/dwarf/dwarf_unit_p.h"
#include "testing_elf.h"

#include <dwarf.h>

#define CODE 0x1000u /* start of the code */

enum { TEXT, ABBREV, INFO, LINE, SECTIONS };

struct file {
	struct testing_section s[SECTIONS];
	struct testing_elf elf;
	struct cr_debugfile files;
	struct cr_symbol_opts opts;
	struct cr_dwarf dwarf;
	struct cr_dwarf_hits hits;
	CR_VEC(struct cr_addrkey) keys;
};

/* The attributes of an abbreviation, in pairs that end with two zeros. */
static void
abbrev_put(struct file *f, uint8_t code, uint8_t tag, bool children, const uint8_t *attributes)
{
	struct cr_text *t = &f->s[ABBREV].bytes;

	testing_put(t, code, 1);
	testing_put(t, tag, 1);
	testing_put(t, children, 1);
	for (; attributes[0]; attributes += 2) {
		testing_put(t, attributes[0], 1);
		testing_put(t, attributes[1], 1);
	}
	testing_put(t, 0, 2);
}

static void
file_init(struct file *f)
{
	*f = (struct file){
		.s = {{.name = ".text", .addr = CODE, .flags = SHF_ALLOC | SHF_EXECINSTR},
			{.name = ".debug_abbrev"}, {.name = ".debug_info"},
			{.name = ".debug_line"}},
		.opts = {.home = "/"}};
	cr_text_pad(&f->s[TEXT].bytes, (char)0x90, 1 << 16);
}

/* A unit of version 4: its DIEs follow. */
static size_t
unit_begin(struct file *f)
{
	struct cr_text *t = &f->s[INFO].bytes;

	testing_put(t, 0, 4);
	testing_put(t, 4, 2);
	testing_put(t, 0, 4);
	testing_put(t, 8, 1);
	return t->len - 11;
}

static void
unit_end(struct file *f, size_t start)
{
	const uint32_t len = (uint32_t)(f->s[INFO].bytes.len - start - 4);

	memcpy(f->s[INFO].bytes.p + start, &len, sizeof(len));
}

/* A line table of version 2: a name of a file for each of so many files, a row for each address. */
static void
line_table_put(struct file *f, uint32_t files, uint32_t rows)
{
	static const char machine[] = {
		1, 1, 0, 1, 1}; /* special opcodes from 1: opcode - 1 bytes */
	struct cr_text *t = &f->s[LINE].bytes;
	const size_t start = t->len;
	uint32_t len;

	testing_put(t, 0, 4);
	testing_put(t, 2, 2);
	testing_put(t, 0, 4);
	cr_text_put(t, machine, sizeof(machine));
	testing_put(t, 0, 1); /* no directories */
	for (uint32_t i = 0; i < files; i++)
		cr_text_put(t, "a.c\0\0\0\0", 7);
	testing_put(t, 0, 1);
	len = (uint32_t)(t->len - start - 10);
	memcpy(t->p + start + 6, &len, sizeof(len));
	testing_put(t, 0x020900, 3); /* DW_LNE_set_address */
	testing_put(t, CODE, 8);
	for (uint32_t i = 0; i < rows; i++)
		testing_put(t, 2, 1);
	len = (uint32_t)(t->len - start - 4);
	memcpy(t->p + start, &len, sizeof(len));
}

static void
ask(struct file *f, uint64_t addr)
{
	const uint32_t row = (uint32_t)f->keys.n;

	cr_vec_push(&f->keys, ((struct cr_addrkey){addr, row, 0}));
}

/* Find the units by the scan or with libdw. */
static void
find(struct file *f, bool scan)
{
	f->elf = testing_elf_of(f->s, SECTIONS);
	f->files = (struct cr_debugfile){
		.debug = f->elf.elf, .runtime = f->elf.elf, .syms = f->elf.elf};
	assert_true(cr_dwarf_open(&f->dwarf, &f->opts, &f->files, CR_DWARF_VARIABLES));
	if (scan)
		assert_true(cr_dwarf_units_scan(f->elf.elf, f->keys.p, f->keys.n, CODE, &f->hits));
	else
		cr_dwarf_units(&f->dwarf, f->keys.p, f->keys.n, CODE, &f->hits);
}

static void
file_fini(struct file *f)
{
	cr_dwarf_hits_fini(&f->hits);
	cr_dwarf_close(&f->dwarf);
	testing_elf_fini(&f->elf);
	cr_vec_fini(&f->keys);
}

static bool
has_line(struct file *f, size_t unit)
{
	struct cr_unit u = {.hit = &f->hits.units.p[unit]};
	bool has;

	cr_unit_read(&u, &f->dwarf, CODE, true, NULL);
	has = u.answers[0].line != 0;
	cr_unit_fini(&u);
	return has;
}

/* Each reads all of it. */
static void
test_few_units_share_a_long_line_table(void **state)
{
	static const uint8_t attributes[] = {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
		DW_FORM_data4, DW_AT_stmt_list, DW_FORM_sec_offset, 0};

	(void)state;
	for (int scan = 0; scan < 2; scan++) {
		struct file f;
		size_t with = 0;

		file_init(&f);
		abbrev_put(&f, 1, DW_TAG_compile_unit, false, attributes);
		testing_put(&f.s[ABBREV].bytes, 0, 1);
		line_table_put(&f, 1, 1 << 20);
		for (uint32_t i = 0; i < 64; i++) {
			const size_t unit = unit_begin(&f);

			testing_put(&f.s[INFO].bytes, 1, 1);
			testing_put(&f.s[INFO].bytes, CODE + i * 16, 8);
			testing_put(&f.s[INFO].bytes, 16, 4);
			testing_put(&f.s[INFO].bytes, 0, 4);
			unit_end(&f, unit);
			ask(&f, CODE + i * 16 + 8);
		}
		find(&f, scan);
		assert_int_equal(f.hits.units.n, 64);
		for (size_t i = 0; i < 64; i++)
			with += !f.hits.units.p[i].no_lines;
		assert_in_range(with, 16, 24);
		assert_true(has_line(&f, 0));
		assert_false(has_line(&f, 63));
		file_fini(&f);
	}
}

/* Each has the addresses of no unit. */
static void
test_few_units_without_ranges_have_many_addresses(void **state)
{
	static const uint8_t attributes[] = {DW_AT_language, DW_FORM_data1, 0};

	(void)state;
	for (int scan = 0; scan < 2; scan++) {
		struct file f;

		file_init(&f);
		abbrev_put(&f, 1, DW_TAG_compile_unit, false, attributes);
		testing_put(&f.s[ABBREV].bytes, 0, 1);
		for (uint32_t i = 0; i < 20000; i++) {
			const size_t unit = unit_begin(&f);

			testing_put(&f.s[INFO].bytes, 0x1301, 2);
			unit_end(&f, unit);
		}
		for (uint32_t i = 0; i < 4096; i++)
			ask(&f, CODE + i * 4);
		find(&f, scan);
		assert_int_equal(f.hits.units.n, 4096); /* times as many addresses */
		file_fini(&f);
	}
}

/* ---- a unit with a function, and what is inlined in it, defined in other units */

enum { OUTER = 1, FUNCTION, INLINED, OTHER, ABSTRACT };

static void
abbrevs_put(struct file *f)
{
	static const uint8_t unit[] = {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0},
			     function[] = {DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
				     DW_AT_high_pc, DW_FORM_data4, 0},
			     inlined[] = {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc,
				     DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0},
			     other[] = {DW_AT_stmt_list, DW_FORM_sec_offset, 0},
			     abstract[] = {
				     DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_data1, 0};

	abbrev_put(f, OUTER, DW_TAG_compile_unit, true, unit);
	abbrev_put(f, FUNCTION, DW_TAG_subprogram, true, function);
	abbrev_put(f, INLINED, DW_TAG_inlined_subroutine, true, inlined);
	abbrev_put(f, OTHER, DW_TAG_partial_unit, true, other);
	abbrev_put(f, ABSTRACT, DW_TAG_subprogram, false, abstract);
	testing_put(&f->s[ABBREV].bytes, 0, 1);
}

/* n units with a function each, whose name has so many bytes; then one that inlines all of them. */
static void
inlines_put(struct file *f, uint32_t n, uint32_t name_bytes)
{
	struct cr_text *t = &f->s[INFO].bytes;
	uint32_t *at = cr_alloc(n, sizeof(*at));
	size_t unit;

	abbrevs_put(f);
	line_table_put(f, 10000, 1);
	for (uint32_t i = 0; i < n; i++) {
		unit = unit_begin(f);
		testing_put(t, OTHER, 1);
		testing_put(t, 0, 4);
		at[i] = (uint32_t)t->len;
		testing_put(t, ABSTRACT, 1);
		cr_text_pad(t, 'x', name_bytes);
		testing_put(t, 0x0100, 2); /* end of the name; file 1 */
		testing_put(t, 0, 1);
		unit_end(f, unit);
	}
	unit = unit_begin(f);
	testing_put(t, OUTER, 1);
	testing_put(t, CODE, 8);
	testing_put(t, 64, 4);
	testing_put(t, FUNCTION, 1);
	testing_put(t, 'f', 2);
	testing_put(t, CODE, 8);
	testing_put(t, 64, 4);
	for (uint32_t i = 0; i < n; i++) {
		testing_put(t, INLINED, 1);
		testing_put(t, at[i], 4);
		testing_put(t, CODE, 8);
		testing_put(t, 64, 4);
	}
	cr_text_pad(t, 0, n + 2);
	unit_end(f, unit);
	ask(f, CODE + 8);
	free(at);
}

/* The functions that have a name, and how many of them have a file. */
static size_t
functions_of(struct file *f, uint64_t spare, size_t *with_file)
{
	struct cr_dwarf_hit hit;
	struct cr_unit u = {.hit = &hit};
	size_t n;

	assert_int_equal(f->hits.units.n, 1);
	hit = f->hits.units.p[0];
	hit.spare = spare;
	cr_unit_read(&u, &f->dwarf, CODE, true, NULL);
	n = u.functions.n;
	*with_file = 0;
	for (size_t i = 0; i < n; i++)
		*with_file += u.functions.p[i].file.len != 0;
	cr_unit_fini(&u);
	return n;
}

static void
test_a_unit_reads_few_tables_of_other_units(void **state)
{
	(void)state;
	for (int scan = 0; scan < 2; scan++) {
		struct file f;
		size_t with;

		file_init(&f);
		inlines_put(&f, 20, 5);
		find(&f, scan);
		assert_in_range(f.hits.units.p[0].spare, 1 << 20, 1 << 30);
		assert_int_equal(functions_of(&f, 1 << 20, &with), 21);
		assert_int_equal(with, 15); /* of 70 KB each */
		assert_int_equal(functions_of(&f, 2 << 20, &with), 21);
		assert_int_equal(with, 20);
		file_fini(&f);
	}
}

static void
test_a_unit_stores_few_long_names(void **state)
{
	struct file f;
	size_t with;

	(void)state;
	file_init(&f);
	inlines_put(&f, 20, 30000);
	find(&f, true);
	assert_int_equal(functions_of(&f, 1 << 30, &with), 1 + 9);
	file_fini(&f);
}

/* Each is disassembled as a whole. */
static void
test_few_functions_share_code(void **state)
{
	static const uint8_t unit[] = {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0};
	const uint32_t code = 1 << 16;
	const clock_t start = clock();
	struct cr_data_found found = {0};
	struct cr_profile *p = testing_profile("a 1\n");
	struct cr_add_fields add;
	struct file f;
	size_t at;

	(void)state;
	file_init(&f);
	abbrev_put(&f, 1, DW_TAG_compile_unit, true, unit);
	abbrev_put(&f, 2, DW_TAG_subprogram, false, unit);
	testing_put(&f.s[ABBREV].bytes, 0, 1);
	at = unit_begin(&f);
	for (uint32_t i = 0; i < 20000; i++) {
		testing_put(&f.s[INFO].bytes, i ? 2 : 1, 1);
		testing_put(&f.s[INFO].bytes, CODE, 8);
		testing_put(&f.s[INFO].bytes, code, 4);
	}
	testing_put(&f.s[INFO].bytes, 0, 1);
	unit_end(&f, at);
	ask(&f, CODE + 8);
	find(&f, true);
	f.keys.p[0].addr = f.elf.elf->loads[0].p_offset + 8;
	cr_add_fields_begin(&add, p);
	cr_data_types_of(&f.opts, &p->dsos[0], &f.files, f.keys.p, 1, &add, &found);
	cr_add_fields_end(&add);
	assert_int_equal(found.result, CR_DATA_NO_ACCESS);
	cr_profile_free(p);
	file_fini(&f);
	testing_cpu_within(start, 20); /* 240 without a limit */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_units_share_a_long_line_table),
		cmocka_unit_test(test_few_units_without_ranges_have_many_addresses),
		cmocka_unit_test(test_a_unit_reads_few_tables_of_other_units),
		cmocka_unit_test(test_a_unit_stores_few_long_names),
		cmocka_unit_test(test_few_functions_share_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
