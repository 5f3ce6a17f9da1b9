#include "testing.h"

#include "symbol/unwind/unwind_expr_p.h"

#include <dwarf.h>

enum { RSP = 7, RIP = 16 };

/* Memory has at each address the address, in the bytes asked for; nothing lies from 0x9000 on. */
static bool
read_memory(void *ctx, uint64_t addr, unsigned bytes, uint64_t *out)
{
	(void)ctx;
	*out = bytes == 8 ? addr : addr & ((UINT64_C(1) << 8 * bytes) - 1);
	return addr < 0x9000;
}

static bool
evaluate(const char *machine, uint64_t abi, const uint8_t *p, size_t len, const uint64_t *first,
	uint64_t *out)
{
	struct cr_unwind_regs regs = {.known = 0};
	const struct cr_unwind_expr e = {
		cr_unwind_arch_find(cr_str_of(machine), abi), &regs, false, read_memory, NULL};
	uint8_t *exact = testing_exact(p, len);
	bool ok;

	cr_unwind_set(&regs, RSP, 0x7000);
	cr_unwind_set(&regs, RIP, 0x102b);
	ok = cr_unwind_eval(&e, exact, len, first, out);
	free(exact);
	return ok;
}

static void
test_expressions_come_to_what_they_should(void **state)
{
	static const struct {
		uint8_t p[24];
		size_t len;
		uint64_t want;
	} cases[] = {
		{{DW_OP_breg0 + RSP, 8}, 2, 0x7008},
		{{DW_OP_bregx, RSP, 0x78}, 3, 0x6ff8},
		{{DW_OP_reg0 + RSP}, 1, 0x7000},
		{{DW_OP_regx, RSP}, 2, 0x7000},
		{{DW_OP_breg0 + RSP, 0xa0, 1, DW_OP_deref}, 4, 0x70a0},
		{{DW_OP_breg0 + RSP, 0x21, DW_OP_deref_size, 1}, 4, 0x21},
		/* What linkers write for a stub that pushes when it is half done. */
		{{DW_OP_breg0 + RSP, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11,
			 DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus},
			11, 0x7010},
		{{DW_OP_const1u, 0xff}, 2, 0xff},
		{{DW_OP_const1s, 0xff}, 2, UINT64_MAX},
		{{DW_OP_const2u, 1, 2}, 3, 0x201},
		{{DW_OP_const2s, 0xfe, 0xff}, 3, (uint64_t)-2},
		{{DW_OP_const4u, 1, 2, 3, 4}, 5, 0x4030201},
		{{DW_OP_const4s, 0xff, 0xff, 0xff, 0xff}, 5, UINT64_MAX},
		{{DW_OP_const8u, 1, 0, 0, 0, 0, 0, 0, 0x80}, 9, 0x8000000000000001},
		{{DW_OP_addr, 1, 2, 0, 0, 0, 0, 0, 0}, 9, 0x201},
		{{DW_OP_constu, 0x80, 1}, 3, 128},
		{{DW_OP_consts, 0x7f}, 2, UINT64_MAX},
		{{DW_OP_lit1, DW_OP_lit2, DW_OP_drop}, 3, 1},
		{{DW_OP_lit1, DW_OP_lit2, DW_OP_over}, 3, 1},
		{{DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_pick, 2}, 5, 1},
		{{DW_OP_lit5, DW_OP_lit2, DW_OP_swap, DW_OP_minus}, 4, (uint64_t)-3},
		{{DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop}, 5, 1},
		{{DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot}, 4, 2},
		{{DW_OP_lit7, DW_OP_dup, DW_OP_mul}, 3, 49},
		{{DW_OP_lit7, DW_OP_neg, DW_OP_lit2, DW_OP_div}, 4, (uint64_t)-3},
		{{DW_OP_lit7, DW_OP_lit4, DW_OP_mod}, 3, 3},
		{{DW_OP_lit7, DW_OP_neg, DW_OP_abs}, 3, 7},
		{{DW_OP_lit6, DW_OP_not}, 2, ~(uint64_t)6},
		{{DW_OP_lit6, DW_OP_lit3, DW_OP_or}, 3, 7},
		{{DW_OP_lit6, DW_OP_lit3, DW_OP_xor}, 3, 5},
		{{DW_OP_lit6, DW_OP_plus_uconst, 0x80, 1}, 4, 134},
		{{DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl}, 4, 0},
		{{DW_OP_lit8, DW_OP_neg, DW_OP_lit1, DW_OP_shra}, 4, (uint64_t)-4},
		{{DW_OP_lit8, DW_OP_lit1, DW_OP_shr}, 3, 4},
		{{DW_OP_lit1, DW_OP_neg, DW_OP_lit1, DW_OP_lt}, 4, 1},
		{{DW_OP_lit1, DW_OP_skip, 1, 0, DW_OP_lit2}, 5, 1},
		{{DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit2}, 5, 2},
		/* 5 + 4 + 3 + 2 + 1, in a loop. */
		{{DW_OP_lit0, DW_OP_lit5, DW_OP_swap, DW_OP_over, DW_OP_plus, DW_OP_swap,
			 DW_OP_lit1, DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xf6, 0xff, DW_OP_drop},
			13, 15},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		uint64_t have;

		assert_true(evaluate("x86_64", 2, cases[i].p, cases[i].len, NULL, &have));
		assert_int_equal(have, cases[i].want);
	}
}

static void
test_what_is_broken_comes_to_nothing(void **state)
{
	static const struct {
		uint8_t p[16];
		size_t len;
	} cases[] = {
		{{0}, 0},
		{{DW_OP_drop}, 1},
		{{DW_OP_lit1, DW_OP_plus}, 2},
		{{DW_OP_lit1, DW_OP_lit0, DW_OP_div}, 3},
		{{DW_OP_lit1, DW_OP_lit0, DW_OP_mod}, 3},
		{{DW_OP_breg0, 0}, 2},                /* rax is not known */
		{{DW_OP_bregx, 0x80, 0x80, 4, 0}, 5}, /* nobody has that register */
		{{DW_OP_const4u, 1, 2, 3}, 4},
		{{DW_OP_const2u, 0, 0x90, DW_OP_deref}, 4}, /* nothing is there */
		{{DW_OP_lit1, DW_OP_deref_size, 3}, 3},
		{{DW_OP_skip, 0xfd, 0xff}, 3}, /* for ever */
		{{DW_OP_skip, 1, 0}, 3},
		{{DW_OP_skip, 0xfc, 0xff}, 3},
		{{DW_OP_lit1, DW_OP_skip, 0xfc, 0xff}, 4},  /* ever more on the stack */
		{{DW_OP_lit1, DW_OP_lit1, DW_OP_fbreg}, 3}, /* has no place here */
		{{DW_OP_call_frame_cfa}, 1},
		{{DW_OP_lit1, DW_OP_pick, 1}, 3},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		uint64_t have;

		assert_false(evaluate("x86_64", 2, cases[i].p, cases[i].len, NULL, &have));
	}
}

static void
test_what_is_given_is_on_the_stack_already(void **state)
{
	const uint64_t cfa = 0x5000;
	uint64_t have;

	(void)state;
	assert_true(
		evaluate("x86_64", 2, (const uint8_t[]){DW_OP_lit8, DW_OP_minus}, 2, &cfa, &have));
	assert_int_equal(have, 0x4ff8);
}

static void
test_numbers_of_32_bits_wrap(void **state)
{
	uint64_t have;

	(void)state;
	assert_true(
		evaluate("x86_64", 1, (const uint8_t[]){DW_OP_lit1, DW_OP_neg}, 2, NULL, &have));
	assert_int_equal(have, UINT32_MAX);
	assert_true(
		evaluate("i686", 1, (const uint8_t[]){DW_OP_lit4, DW_OP_deref}, 2, NULL, &have));
	assert_int_equal(have, 4);
	assert_true(evaluate("armv7l", 1,
		(const uint8_t[]){DW_OP_lit2, DW_OP_neg, DW_OP_lit1, DW_OP_ge}, 4, NULL, &have));
	assert_int_equal(have, 0);
}

static void
test_machines_are_known_by_name_and_width(void **state)
{
	(void)state;
	assert_non_null(cr_unwind_arch_find(CR_STR("ppc64le"), 2));
	assert_non_null(cr_unwind_arch_find(CR_STR("s390x"), 2));
	assert_non_null(cr_unwind_arch_find(CR_STR("riscv64"), 2));
	assert_ptr_equal(cr_unwind_arch_find(CR_STR("aarch64"), 1),
		cr_unwind_arch_find(CR_STR("armv7l"), 1));
	assert_ptr_equal(
		cr_unwind_arch_find(CR_STR("x86_64"), 1), cr_unwind_arch_find(CR_STR("i386"), 1));
	assert_null(cr_unwind_arch_find(CR_STR("x86_64"), 0));
	assert_null(cr_unwind_arch_find(CR_STR("x86_64"), 3));
	assert_null(cr_unwind_arch_find(CR_STR("ia64"), 2));
	assert_null(cr_unwind_arch_find(CR_STR(""), 2));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions_come_to_what_they_should),
		cmocka_unit_test(test_what_is_broken_comes_to_nothing),
		cmocka_unit_test(test_what_is_given_is_on_the_stack_already),
		cmocka_unit_test(test_numbers_of_32_bits_wrap),
		cmocka_unit_test(test_machines_are_known_by_name_and_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
