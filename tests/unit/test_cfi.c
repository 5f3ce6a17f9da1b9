#include "testing.h"

#include "cfi_maker.h"
#include "symbol/elf/elf_p.h"
#include "symbol/unwind/cfi_p.h"

#include <elfutils/libdw.h>
#include <fcntl.h>

enum { VADDR = 0x8000, CODE = 0x1000, RBX = 3, RBP = 6, RSP = 7, RIP = 16 };

#define PROGRAM(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
/* On entry: CFA = rsp + 8, return address at CFA - 8. */
#define ENTRY PROGRAM(DW_CFA_def_cfa, RSP, 8, DW_CFA_offset + RIP, 1)

static const struct cr_unwind_arch *
x86_64(void)
{
	return cr_unwind_arch_find(CR_STR("x86_64"), 2);
}

/* The section's bytes are taken, and freed with what is returned. */
struct made {
	struct cr_cfi c;
	void *bytes;
};

static struct made
open_made(struct cr_text *t, bool eh)
{
	struct made m = {.bytes = testing_exact(t->p, t->len)};
	struct cr_cursor all;

	cr_cursor_init(&all, m.bytes, t->len);
	cr_cfi_init(&m.c, x86_64(), all, VADDR, eh);
	cr_text_fini(t);
	return m;
}

static void
close_made(struct made *m)
{
	cr_cfi_fini(&m->c);
	free(m->bytes);
}

static void
put_rule(struct cr_text *t, const struct cr_cfi_rule *r)
{
	static const char *const how[] = {"same", "none", "at", "is", "in", "at-expr", "is-expr"};

	cr_text_printf(t, " %u:%s", r->slot, how[r->how]);
	if (r->how == CR_CFI_AT || r->how == CR_CFI_VALUE)
		cr_text_printf(t, "%+lld", (long long)r->n);
	if (r->how == CR_CFI_REGISTER)
		cr_text_printf(t, "%u", r->reg);
}

/* "7+16 6:at-16 16:at-8", then S and U for the flags; "-" where there is no row. */
static void
assert_row(struct cr_cfi *c, uint64_t addr, const char *want)
{
	struct cr_cfi_row row;
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	if (!cr_cfi_find(c, addr, &row)) {
		cr_text_puts(&t, "-");
	} else {
		if (row.cfa.how == CR_CFI_VALUE)
			cr_text_printf(&t, "%u%+lld", row.cfa.reg, (long long)row.cfa.n);
		else
			cr_text_printf(&t, "expr%u", row.cfa.expr_len);
		for (unsigned i = 0; i < row.n_rules; i++)
			put_rule(&t, &row.rules[i]);
		cr_text_puts(&t, row.flags & CR_CFI_SIGNAL ? " S" : "");
		cr_text_puts(&t, row.flags & CR_CFI_OLDEST ? " U" : "");
	}
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

/* A function of 64 bytes that pushes rbp and makes it its frame pointer, and one behind it. */
static struct cr_text
two_functions(void)
{
	struct cr_text t = {0};

	made_cie(&t, "zR", RIP, ENTRY);
	made_fde(&t, VADDR, CODE, CODE + 64,
		PROGRAM(DW_CFA_advance_loc + 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset + RBP, 2,
			DW_CFA_advance_loc + 3, DW_CFA_def_cfa_register, RBP, DW_CFA_remember_state,
			DW_CFA_advance_loc1, 50, DW_CFA_restore + RBP, DW_CFA_def_cfa, RSP, 8,
			DW_CFA_advance_loc + 1, DW_CFA_restore_state));
	made_fde(&t, VADDR, CODE + 64, CODE + 100, NULL, 0);
	made_cfi_end(&t);
	return t;
}

static void
assert_two_functions(struct cr_cfi *c)
{
	assert_row(c, CODE - 1, "-");
	assert_row(c, CODE, "7+8 16:at-8");
	assert_row(c, CODE + 1, "7+16 6:at-16 16:at-8");
	assert_row(c, CODE + 3, "7+16 6:at-16 16:at-8");
	assert_row(c, CODE + 4, "6+16 6:at-16 16:at-8");
	assert_row(c, CODE + 53, "6+16 6:at-16 16:at-8");
	assert_row(c, CODE + 54, "7+8 16:at-8");
	assert_row(c, CODE + 55, "6+16 6:at-16 16:at-8");
	assert_row(c, CODE + 63, "6+16 6:at-16 16:at-8");
	assert_row(c, CODE + 64, "7+8 16:at-8");
	assert_row(c, CODE + 99, "7+8 16:at-8");
	assert_row(c, CODE + 100, "-");
}

static void
test_rows_are_found_with_and_without_a_table(void **state)
{
	struct cr_text t = two_functions(), hdr = {0};
	const size_t first = 4 + (size_t)t.p[0], second = t.len - 4 - 20;
	struct made m = open_made(&t, true);
	struct cr_cursor c;
	void *bytes;

	(void)state;
	assert_two_functions(&m.c);
	cr_text_put(&hdr, "\1\x1b\3\x3b", 4);
	made_word(&hdr, 0, 4);
	made_word(&hdr, 2, 4);
	made_word(&hdr, (uint64_t)CODE - 0x9000, 4);
	made_word(&hdr, VADDR + first - 0x9000, 4);
	made_word(&hdr, (uint64_t)CODE + 64 - 0x9000, 4);
	made_word(&hdr, VADDR + second - 0x9000, 4);
	bytes = testing_exact(hdr.p, hdr.len);
	cr_cursor_init(&c, bytes, hdr.len);
	cr_cfi_table(&m.c, c, 0x9000);
	assert_int_equal(cr_cursor_left(&m.c.table), 16);
	m.c.index.n = 0; /* from here on the table alone */
	assert_two_functions(&m.c);
	cr_text_fini(&hdr);
	close_made(&m);
	free(bytes);
}

static void
test_each_instruction_says_what_it_should(void **state)
{
	static const struct {
		uint8_t program[24];
		size_t len;
		const char *row;
	} cases[] = {
		{{DW_CFA_undefined, RIP}, 2, "7+8 16:none U"},
		{{DW_CFA_same_value, RIP}, 2, "7+8"},
		{{DW_CFA_register, RIP, 2}, 3, "7+8 16:in2"},
		{{DW_CFA_offset_extended, RBX, 3}, 3, "7+8 3:at-24 16:at-8"},
		{{DW_CFA_offset_extended_sf, RBX, 0x7e}, 3, "7+8 3:at+16 16:at-8"},
		{{DW_CFA_GNU_negative_offset_extended, RBX, 2}, 3, "7+8 3:at+16 16:at-8"},
		{{DW_CFA_val_offset, RSP, 2}, 3, "7+8 16:at-8 7:is-16"},
		{{DW_CFA_val_offset_sf, RSP, 0x7f}, 3, "7+8 16:at-8 7:is+8"},
		{{DW_CFA_def_cfa_sf, RBX, 0x7e}, 3, "3+16 16:at-8"},
		{{DW_CFA_def_cfa_offset_sf, 0x7c}, 2, "7+32 16:at-8"},
		{{DW_CFA_def_cfa_expression, 2, DW_OP_breg0 + RSP, 0}, 4, "expr2 16:at-8"},
		{{DW_CFA_expression, RBX, 2, DW_OP_breg0 + RSP, 0}, 5, "7+8 16:at-8 3:at-expr"},
		{{DW_CFA_val_expression, RBX, 1, DW_OP_lit5}, 4, "7+8 16:at-8 3:is-expr"},
		{{DW_CFA_offset + RBX, 2, DW_CFA_restore_extended, RBX}, 4, "7+8 16:at-8"},
		{{DW_CFA_GNU_args_size, 0x80, 1, DW_CFA_nop}, 4, "7+8 16:at-8"},
		{{DW_CFA_advance_loc2, 0xff, 0xff, DW_CFA_undefined, RIP}, 5, "7+8 16:at-8"},
		{{DW_CFA_advance_loc4, 1, 0, 0, 0, DW_CFA_undefined, RIP}, 7, "7+8 16:at-8"},
		/*
		 * Registers that nobody follows, whatever their number: nothing is made room for.
		 */
		{{DW_CFA_offset_extended, 0xff, 0xff, 0xff, 0x3f, 1}, 6, "7+8 16:at-8"},
		{{DW_CFA_def_cfa, 0xff, 0xff, 0xff, 0x3f, 1}, 6, "-"},
		{{DW_CFA_restore_state}, 1, "-"},
		{{0x3e}, 1, "-"},
		{{DW_CFA_def_cfa_expression, 20, 0}, 3, "-"},
		{{DW_CFA_def_cfa_expression, 1, DW_OP_lit1, DW_CFA_def_cfa_offset, 8}, 5, "-"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};
		struct made m;

		made_cie(&t, "zR", RIP, ENTRY);
		made_fde(&t, VADDR, CODE, CODE + 1, cases[i].program, cases[i].len);
		m = open_made(&t, true);
		assert_row(&m.c, CODE, cases[i].row);
		close_made(&m);
	}
}

static void
test_states_are_remembered_to_a_depth(void **state)
{
	uint8_t program[64];

	(void)state;
	for (size_t n = 16; n <= 17; n++) {
		struct cr_text t = {0};
		struct made m;

		memset(program, DW_CFA_remember_state, n);
		made_cie(&t, "zR", RIP, ENTRY);
		made_fde(&t, VADDR, CODE, CODE + 1, program, n);
		m = open_made(&t, true);
		assert_row(&m.c, CODE, n == 16 ? "7+8 16:at-8" : "-");
		close_made(&m);
	}
}

static void
test_frames_of_signals_are_marked(void **state)
{
	struct cr_text t = {0};
	struct made m;

	(void)state;
	made_cie(&t, "zRS", RIP, ENTRY);
	made_fde(&t, VADDR, CODE, CODE + 9, NULL, 0);
	m = open_made(&t, true);
	assert_row(&m.c, CODE + 8, "7+8 16:at-8 S");
	close_made(&m);
}

/* DWARF 4: version, letters, sizes of address and segment; addresses as they are. */
static void
test_debug_frame_is_read(void **state)
{
	static const uint8_t cie[] = {
		4, 0, 8, 0, 1, 0x78, RIP, DW_CFA_def_cfa, RSP, 8, DW_CFA_offset + RIP, 1};
	struct cr_text t = {0};
	struct made m;

	(void)state;
	made_word(&t, 4 + sizeof(cie), 4);
	made_word(&t, UINT32_MAX, 4);
	cr_text_put(&t, cie, sizeof(cie));
	for (uint64_t at = CODE + 16; at >= CODE; at -= 16) { /* in falling order */
		made_word(&t, 4 + 16 + 2, 4);
		made_word(&t, 0, 4);
		made_word(&t, at, 8);
		made_word(&t, 16, 8);
		cr_text_put(
			&t, (const uint8_t[]){DW_CFA_def_cfa_offset, (uint8_t)(at - CODE + 24)}, 2);
	}
	m = open_made(&t, false);
	assert_row(&m.c, CODE, "7+24 16:at-8");
	assert_row(&m.c, CODE + 15, "7+24 16:at-8");
	assert_row(&m.c, CODE + 16, "7+40 16:at-8");
	assert_row(&m.c, CODE + 32, "-");
	close_made(&m);
}

/*
 * An entry that is cut is no entry, and one that is whole gives the row that it gives in the whole
 * section.
 */
static void
test_what_is_cut_anywhere_does_no_harm(void **state)
{
	static const uint64_t at[] = {CODE + 4, CODE + 70};
	struct cr_text t = two_functions(), all = {0};
	bool found[CR_LEN(at)] = {false};
	struct cr_cfi_row want[CR_LEN(at)];
	struct made whole;

	(void)state;
	cr_text_put(&all, t.p, t.len);
	whole = open_made(&all, true);
	for (size_t i = 0; i < CR_LEN(at); i++)
		assert_true(cr_cfi_find(&whole.c, at[i], &want[i]));
	for (size_t n = 0; n < t.len; n++) {
		struct cr_text part = {0};
		struct made m;

		cr_text_put(&part, t.p, n);
		m = open_made(&part, true);
		for (size_t i = 0; i < CR_LEN(at); i++) {
			struct cr_cfi_row row;
			const bool now = cr_cfi_find(&m.c, at[i], &row);

			assert_true(now || !found[i]);
			found[i] = now;
			if (now)
				assert_memory_equal(&row, &want[i], cr_cfi_row_bytes(&want[i]));
		}
		close_made(&m);
		assert_false(n < (size_t)t.p[0] &&
			     (found[0] || found[1])); /* not even what they begin with */
	}
	assert_true(found[0] && found[1]);
	close_made(&whole);
	cr_text_fini(&t);
}

static void
assert_row_is_sane(const struct cr_cfi_row *row, size_t section_bytes)
{
	assert_in_range(row->n_rules, 0, CR_UNWIND_SLOTS);
	assert_in_range(row->n_at, 0, row->n_rules);
	assert_true(row->cfa.how == CR_CFI_VALUE || row->cfa.how == CR_CFI_VALUE_EXPR);
	assert_in_range(row->ra, 0, CR_UNWIND_SLOTS - 1);
	for (unsigned i = 0; i < row->n_rules; i++) {
		const struct cr_cfi_rule *r = &row->rules[i];

		assert_in_range(r->slot, 0, CR_UNWIND_SLOTS - 1);
		assert_in_range(r->how, CR_CFI_UNDEFINED, CR_CFI_VALUE_EXPR);
		assert_int_equal(r->how == CR_CFI_AT, i < row->n_at);
		if (r->how == CR_CFI_AT_EXPR || r->how == CR_CFI_VALUE_EXPR)
			assert_in_range(r->expr_len, 0, section_bytes);
	}
}

static void
test_what_is_changed_anywhere_does_no_harm(void **state)
{
	struct cr_text t = two_functions();
	unsigned n_asked = 0, n_found = 0;
	uint64_t seed = 1;

	(void)state;
	for (size_t n = 0; n < 3000; n++) {
		struct cr_text part = {0};
		struct cr_cfi_row row;
		struct made m;

		cr_text_put(&part, t.p, t.len);
		part.p[testing_random(&seed) % t.len] = (char)testing_random(&seed);
		m = open_made(&part, n & 1);
		for (uint64_t at = CODE; at < CODE + 100; at += 9, n_asked++)
			if (cr_cfi_find(&m.c, at, &row)) {
				assert_row_is_sane(&row, t.len);
				n_found++;
			}
		close_made(&m);
	}
	print_message("%u of %u rows\n", n_found, n_asked);
	assert_in_range(n_found, n_asked / 10, n_asked - n_asked / 10);
	cr_text_fini(&t);
}

/* ---- the same as libdw, in this very program */

/* What libdw says of a register, in the words of assert_row(). */
static void
put_libdw(struct cr_text *t, Dwarf_Frame *f, int reg)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	assert_int_equal(dwarf_frame_register(f, reg, mem, &ops, &n), 0);
	/* libdw also returns this for registers without a rule, except for the return address. */
	if (n == 0 && ops == mem && reg == RIP)
		cr_text_printf(t, " %d:none", reg);
	else if (n && ops[0].atom == DW_OP_call_frame_cfa && ops[n - 1].atom != DW_OP_stack_value)
		cr_text_printf(t, " %d:at%+lld", reg, n > 1 ? (long long)ops[1].number : 0);
	else if (n)
		cr_text_printf(t, " %d:more", reg);
}

static void
put_ours(struct cr_text *t, const struct cr_cfi_row *row, int reg)
{
	for (unsigned i = 0; i < row->n_rules; i++) {
		const struct cr_cfi_rule *r = &row->rules[i];

		if (r->slot != reg)
			continue;
		if (r->how == CR_CFI_AT || (r->how == CR_CFI_UNDEFINED && reg == RIP))
			put_rule(t, r);
		else if (r->how != CR_CFI_UNDEFINED)
			cr_text_printf(t, " %d:more", reg);
	}
}

static void
compare_at(Dwarf_CFI *libdw, struct cr_cfi *c, uint64_t addr, size_t *rows)
{
	static const int regs[] = {3, 6, 12, 13, 14, 15, 16};
	struct cr_text theirs = {0}, ours = {0};
	struct cr_cfi_row row;
	Dwarf_Frame *f;
	Dwarf_Op *ops;
	bool signal;
	size_t n;

	if (dwarf_cfi_addrframe(libdw, addr, &f) != 0) {
		assert_false(cr_cfi_find(c, addr, &row));
		return;
	}
	assert_true(cr_cfi_find(c, addr, &row));
	assert_int_equal(dwarf_frame_info(f, NULL, NULL, &signal), row.ra);
	assert_int_equal(signal, !!(row.flags & CR_CFI_SIGNAL));
	assert_int_equal(dwarf_frame_cfa(f, &ops, &n), 0);
	if (row.cfa.how == CR_CFI_VALUE) {
		assert_int_equal(n, 1);
		assert_int_equal(ops[0].number, row.cfa.reg);
		assert_int_equal(ops[0].number2, row.cfa.n);
	}
	for (size_t i = 0; i < CR_LEN(regs); i++) {
		put_libdw(&theirs, f, regs[i]);
		put_ours(&ours, &row, regs[i]);
	}
	cr_text_char(&theirs, '\n');
	cr_text_char(&ours, '\n');
	assert_string_equal(ours.p, theirs.p);
	cr_text_fini(&theirs);
	cr_text_fini(&ours);
	free(f);
	++*rows;
}

static void
test_every_row_of_this_program_is_that_of_libdw(void **state)
{
	struct cr_elf *e = cr_elf_open(open("/proc/self/exe", O_RDONLY));
	const struct cr_elf_section *frame, *text;
	struct cr_cursor all;
	struct cr_cfi c;
	Dwarf_CFI *libdw;
	Elf_Data *d;
	size_t rows = 0;

	(void)state;
	if (!e || e->machine != EM_X86_64) {
		cr_elf_close(e);
		testing_skip("not x86-64");
	}
	frame = cr_elf_section_named(e, ".eh_frame");
	text = cr_elf_section_named(e, ".text");
	assert_non_null(frame);
	assert_non_null(text);
	assert_non_null(d = cr_elf_data(e, frame));
	cr_cursor_init(&all, d->d_buf, d->d_size);
	cr_cfi_init(&c, x86_64(), all, frame->head.sh_addr, true);
	assert_non_null(libdw = dwarf_getcfi_elf(e->elf));
	for (uint64_t at = text->head.sh_addr; at < text->head.sh_addr + text->head.sh_size;
		at += 3)
		compare_at(libdw, &c, at, &rows);
	assert_in_range(rows, 1000, SIZE_MAX);
	dwarf_cfi_end(libdw);
	cr_cfi_fini(&c);
	cr_elf_close(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_found_with_and_without_a_table),
		cmocka_unit_test(test_each_instruction_says_what_it_should),
		cmocka_unit_test(test_states_are_remembered_to_a_depth),
		cmocka_unit_test(test_frames_of_signals_are_marked),
		cmocka_unit_test(test_debug_frame_is_read),
		cmocka_unit_test(test_what_is_cut_anywhere_does_no_harm),
		cmocka_unit_test(test_what_is_changed_anywhere_does_no_harm),
		cmocka_unit_test(test_every_row_of_this_program_is_that_of_libdw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
