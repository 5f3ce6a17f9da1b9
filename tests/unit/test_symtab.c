#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "symbol/asked_p.h"
#include "symbol/elf/symtab_p.h"

#include <string.h>

enum { LOCAL = 0, GLOBAL = CR_SYMBOL_GLOBAL, WEAK = CR_SYMBOL_WEAK, LABEL = CR_SYMBOL_UNTYPED };

struct given {
	uint64_t start, len;
	const char *name;
	int flags;
};

static void
add(struct cr_symtab *t, const struct given *g, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cr_symbol s = {.start = g[i].start, .name = g[i].name};

		s.end = g[i].start + g[i].len;
		s.flags = (uint8_t)g[i].flags;
		cr_symtab_add(t, &s);
	}
}

static const char *
found(struct cr_symtab *t, uint64_t addr)
{
	const struct cr_symbol *s = cr_symtab_find(t, 0, addr);

	return s ? s->name : "-";
}

static void
test_of_two_symbols_at_one_address_the_better_name_stays(void **state)
{
	static const struct {
		struct given a, b;
		const char *want;
		bool in_any_order;
	} cases[] = {
		{{0, 8, "weak", WEAK}, {0, 8, "global", GLOBAL}, "global", true},
		{{0, 8, "local", LOCAL}, {0, 8, "global", GLOBAL}, "global", true},
		{{0, 8, "weak", WEAK}, {0, 8, "local", LOCAL}, "local", true},
		{{0, 8, "_x", GLOBAL}, {0, 8, "x", GLOBAL}, "x", true},
		{{0, 8, "__long_name", GLOBAL}, {0, 8, "_x", GLOBAL}, "_x", true},
		{{0, 8, "abc", GLOBAL}, {0, 8, "abcdef", GLOBAL}, "abcdef", true},
		{{0, 8, "label", LABEL | GLOBAL}, {0, 8, "f", WEAK}, "f", true},
		{{0, 8, "first", GLOBAL}, {0, 8, "other", GLOBAL}, "first", false},
		{{0, 8, "SyS_read", GLOBAL}, {0, 8, "sys_read", GLOBAL}, "sys_read", false},
		{{0, 0, "sizeless", GLOBAL}, {0, 8, "f", WEAK}, "f", false},
		{{0, 8, "__libc_start_main@@GLIBC_2.34", GLOBAL},
			{0, 8, "__libc_start_main@GLIBC_2.2.5", GLOBAL},
			"__libc_start_main@@GLIBC_2.34", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		for (int swapped = 0; swapped <= cases[i].in_any_order; swapped++) {
			struct cr_symtab t = {0};

			add(&t, swapped ? &cases[i].b : &cases[i].a, 1);
			add(&t, swapped ? &cases[i].a : &cases[i].b, 1);
			cr_symtab_fix(&t);
			cr_symtab_index(&t);
			assert_string_equal(found(&t, 4), cases[i].want);
			cr_symtab_fini(&t);
		}
}

static void
test_names_are_compared_demangled(void **state)
{
	/* Mangled, the second is shorter; demangled it is longer. */
	static const struct given pair[] = {
		{0, 8, "_ZN1a1b1cILi1EEEvv", GLOBAL},
		{0, 8, "_Z1fSs", GLOBAL},
	};
	struct cr_symtab t = {.demangle = true};
	struct cr_text name = {0}, linkage = {0};

	(void)state;
	add(&t, pair, 2);
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
#ifdef HAVE_LIBIBERTY
	assert_string_equal(found(&t, 0), "_ZN1a1b1cILi1EEEvv");
	cr_symtab_names(&t, cr_symtab_find(&t, 0, 0), &name, &linkage);
	assert_string_equal(name.p, "void a::b::c<1>()");
	assert_string_equal(linkage.p, "_ZN1a1b1cILi1EEEvv");
#endif
	cr_text_fini(&name);
	cr_text_fini(&linkage);
	cr_symtab_fini(&t);
}

static void
test_a_symbol_without_a_size_reaches_to_the_next(void **state)
{
	static const struct given in[] = {
		{0x1000, 0, "a", GLOBAL},
		{0x1010, 4, "b", GLOBAL},
		{0x1020, 0, "last", GLOBAL},
	};
	struct cr_symtab t = {0};

	(void)state;
	add(&t, in, CR_LEN(in));
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
	assert_string_equal(found(&t, 0xfff), "-");
	assert_string_equal(found(&t, 0x100f), "a");
	assert_string_equal(found(&t, 0x1013), "b");
	assert_string_equal(found(&t, 0x1014), "-");
	assert_string_equal(found(&t, 0x2fff), "last"); /* the end of its page and one more */
	assert_string_equal(found(&t, 0x3000), "-");
	cr_symtab_fini(&t);
}

static void
test_of_several_without_a_size_the_last_stays(void **state)
{
	static const struct given in[] = {
		{0x100, 0, "__sys_long_name", GLOBAL},
		{0x100, 0, "_s", LOCAL},
		{0x100, 0, "__x", WEAK},
		{0x200, 0, "next", GLOBAL},
	};
	struct cr_symtab t = {0};

	(void)state;
	add(&t, in, CR_LEN(in));
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
	assert_string_equal(found(&t, 0x100), "__x");
	assert_string_equal(found(&t, 0x1ff), "__x");
	cr_symtab_fini(&t);
}

static void
test_modules_have_symbols_of_their_own_and_only_the_kernel_is_shifted(void **state)
{
	struct cr_symtab t = {0};

	(void)state;
	cr_symtab_add(&t, &(struct cr_symbol){0x1000, 0x1000, "kernel", 0, 0});
	cr_symtab_add(&t, &(struct cr_symbol){0x8000, 0x8000, "mod_a", 1, 0});
	cr_symtab_add(&t, &(struct cr_symbol){0x8100, 0x8100, "mod_b", 1, 0});
	cr_symtab_add(&t, &(struct cr_symbol){0x9010, 0x9010, "other", 2, 0});
	cr_symtab_fix(&t);
	cr_symtab_shift(&t, 0x800);
	cr_symtab_index(&t);
	assert_string_equal(found(&t, 0x800), "kernel");
	/* To the end of the next page, then shifted. */
	assert_string_equal(found(&t, 0x17ff), "kernel");
	assert_string_equal(found(&t, 0x1800), "-");
	assert_string_equal(found(&t, 0x8000), "-");
	assert_string_equal(cr_symtab_find(&t, 1, 0x80ff)->name, "mod_a");
	assert_string_equal(cr_symtab_find(&t, 1, 0x9fff)->name, "mod_b");
	assert_null(cr_symtab_find(&t, 1, 0xa000));
	assert_string_equal(cr_symtab_find(&t, 2, 0x9fff)->name, "other");
	assert_null(cr_symtab_find(&t, 3, 0x9010));
	cr_symtab_fini(&t);
}

/* What perf 6.1 says of these ranges in a perf-PID.map, address by address; -1 is no symbol. */
static void
test_overlaps_without_fixes_are_answered_as_perf_does(void **state)
{
	static const struct {
		uint64_t start, len;
	} map[] = {
		{20, 0},
		{4, 4},
		{37, 1},
		{2, 3},
		{4, 1},
		{27, 7},
		{7, 6},
		{3, 19},
		{3, 1},
		{8, 1},
		{34, 4},
		{35, 0},
		{37, 1},
		{23, 0},
	};
	static const int want[] = {
		-1,
		-1,
		3,
		7,
		1,
		1,
		1,
		1,
		6,
		6,
		6,
		6,
		6,
		-1,
		-1,
		-1,
		-1,
		-1,
		-1,
		-1,
		0,
		-1,
		-1,
		13,
		-1,
		-1,
		-1,
		5,
		5,
		5,
		5,
		5,
		5,
		5,
		10,
		10,
		10,
		10,
		-1,
		-1,
	};
	struct cr_symtab t = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(map); i++)
		add(&t, &(struct given){map[i].start, map[i].len, "f", 0}, 1);
	cr_symtab_index(&t);
	for (size_t i = 0; i < CR_LEN(want); i++) {
		const struct cr_symbol *s = cr_symtab_find(&t, 0, i);

		assert_int_equal(s ? s - t.all.p : -1, want[i]);
	}
	cr_symtab_fini(&t);
}

/* The tables of a shared object, by what perf 6.1 says of its 64 bytes of text. */
static void
test_overlaps_of_two_fixed_tables_are_answered_as_perf_does(void **state)
{
	static const struct given symtab[] = {
		{56, 0, "s1", LOCAL},
		{56, 0, "s3x", LOCAL},
		{32, 23, "s7", LOCAL},
		{48, 15, "s9x", LOCAL},
		{20, 10, "s10", LOCAL},
		{16, 0, "s14", LOCAL},
		{0, 27, "_s15", LOCAL},
		{24, 2, "s20", LOCAL},
		{4, 1, "s21", LOCAL},
		{44, 0, "_s22", LOCAL},
		{8016, 0, "_DYNAMIC", LOCAL},
		{36, 19, "s8x", GLOBAL},
		{0, 0, "base", GLOBAL},
		{4, 29, "_s18x", WEAK},
		{40, 23, "_s17x", WEAK},
		{20, 0, "_s4", GLOBAL},
		{8, 10, "_s2", GLOBAL},
		{20, 13, "s12", GLOBAL},
		{24, 22, "_s0", GLOBAL},
		{32, 12, "s13", WEAK},
		{16, 11, "_s23", WEAK},
		{48, 7, "s19", WEAK},
		{8, 18, "s5", GLOBAL},
		{16, 12, "s11", GLOBAL},
		{44, 16, "s6x", GLOBAL},
		{0, 14, "s16", GLOBAL},
	};
	static const struct given dynsym[] = {
		{36, 19, "s8x", GLOBAL},
		{24, 22, "_s0", GLOBAL},
		{32, 12, "s13", WEAK},
		{48, 7, "s19", WEAK},
		{44, 16, "s6x", GLOBAL},
		{0, 14, "s16", GLOBAL},
		{0, 0, "base", GLOBAL},
		{20, 0, "_s4", GLOBAL},
		{16, 12, "s11", GLOBAL},
		{4, 29, "_s18x", WEAK},
		{40, 23, "_s17x", WEAK},
		{8, 10, "_s2", GLOBAL},
		{20, 13, "s12", GLOBAL},
		{16, 11, "_s23", WEAK},
		{8, 18, "s5", GLOBAL},
	};
	static const struct {
		uint64_t end;
		const char *name;
	} want[] = {
		{4, "base"},
		{5, "s21"},
		{8, "-"},
		{16, "s5"},
		{28, "s11"},
		{32, "_s0"},
		{55, "s7"},
		{60, "s6x"},
		{64, "s3x"},
	};
	struct cr_symtab t = {0};
	uint64_t addr = 0;

	(void)state;
	add(&t, symtab, CR_LEN(symtab));
	cr_symtab_fix(&t);
	add(&t, dynsym, CR_LEN(dynsym));
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
	for (size_t i = 0; i < CR_LEN(want); i++)
		for (; addr < want[i].end; addr++)
			assert_string_equal(found(&t, addr), want[i].name);
	cr_symtab_fini(&t);
}

static uint32_t
random_below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % n;
}

/* As many black nodes on every way down, none of two reds in a row; into order, from left. */
static unsigned
blacks(const struct cr_symtree *t, uint32_t node, uint32_t *order, uint32_t *count)
{
	const struct cr_symtree_node *n = &t->nodes[node];
	unsigned left, right;

	if (!node)
		return 1;
	assert_false(n->red && (t->nodes[n->left].red || t->nodes[n->right].red));
	left = blacks(t, n->left, order, count);
	order[(*count)++] = node;
	right = blacks(t, n->right, order, count);
	assert_int_equal(left, right);
	return left + !n->red;
}

static void
test_the_tree_keeps_its_rules_over_random_changes(void **state)
{
	struct cr_symtree t = {0};
	uint64_t seed = 42;
	bool in[300] = {false};
	uint32_t order[CR_LEN(in)], now[CR_LEN(in)], items = 0;

	(void)state;
	cr_symtree_grow(&t, CR_LEN(in));
	for (int step = 0; step < 3000; step++) {
		const uint32_t i = random_below(&seed, CR_LEN(in));
		uint32_t count = 0, at = random_below(&seed, items + 1);

		if (in[i]) {
			for (at = 0; order[at] != i + 1;)
				at++;
			cr_symtree_erase(&t, i);
			items--;
			memmove(order + at, order + at + 1, (items - at) * sizeof(*order));
		} else {
			cr_symtree_insert(
				&t, i, at ? order[at - 1] : 0, at < items ? order[at] : 0);
			memmove(order + at + 1, order + at, (items - at) * sizeof(*order));
			order[at] = i + 1;
			items++;
		}
		in[i] = !in[i];
		blacks(&t, t.root, now, &count);
		assert_int_equal(count, items);
		assert_memory_equal(now, order, items * sizeof(*now));
	}
	cr_symtree_fini(&t);
}

/* perf's way down the tree, one address at a time. */
static const struct cr_symbol *
walk(const struct cr_symtab *t, uint64_t addr)
{
	uint32_t node = t->tree.root;

	while (node) {
		const struct cr_symbol *s = &t->all.p[node - 1];

		if (addr < s->start)
			node = t->tree.nodes[node].left;
		else if (addr > s->end || (addr == s->end && addr != s->start))
			node = t->tree.nodes[node].right;
		else
			return s;
	}
	return NULL;
}

/* A table of n symbols of random places, some at the same one, a third of them without a size. */
static void
add_random(struct cr_symtab *t, uint32_t n, uint64_t *seed, const struct cr_asked *asked)
{
	static const char *const names[] = {"f", "_f", "__ff", "g", "longer", "SyS_f"};

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t start = random_below(seed, 400);
		const uint64_t len = random_below(seed, 3) ? random_below(seed, 20) : 0;
		const struct cr_symbol s = {.start = start,
			.end = start + len + (random_below(seed, 30) ? 0 : 100),
			.name = names[random_below(seed, CR_LEN(names))],
			.flags = (uint8_t)random_below(seed, 8)};

		if (!asked || cr_asked_needs(asked, start))
			cr_symtab_add(t, &s);
		else
			t->partial = true;
	}
}

static void
see_random(struct cr_asked *asked, uint32_t n, uint64_t *seed, bool first_table, bool *far)
{
	struct cr_symtab t = {0};

	add_random(&t, n, seed, NULL);
	for (size_t i = 0; i < t.all.n; i++)
		if (!cr_asked_scan(asked, t.all.p[i].start, t.all.p[i].end, first_table))
			far[t.all.p[i].start] = true;
	cr_symtab_fini(&t);
}

static void
test_answers_without_the_tree_are_those_of_the_tree(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct cr_symtab t = {0};

		add_random(&t, 1 + random_below(&seed, 40), &seed, NULL);
		cr_symtab_fix(&t);
		add_random(&t, random_below(&seed, 10), &seed, NULL);
		cr_symtab_index(&t);
		for (uint64_t addr = 0; addr < 600; addr++)
			cr_symtab_find(&t, 0, addr);
		for (uint64_t addr = 0; t.tree.nodes && addr < 600; addr++)
			assert_ptr_equal(cr_symtab_find(&t, 0, addr), walk(&t, addr));
		cr_symtab_fini(&t);
	}
}

/* Two tables as of a file, a few addresses: all symbols, and those alone that have a say. */
static void
test_symbols_that_have_no_say_can_be_left_out(void **state)
{
	enum { ASKED = 5 };
	uint64_t seed = 11;
	int left_out = 0, compared = 0, overlaps = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		const uint64_t also = random_below(&seed, 450);
		const uint32_t n1 = random_below(&seed, 30), n2 = random_below(&seed, 30);
		struct cr_addrkey keys[ASKED];
		struct cr_symtab all = {0}, few = {.asked = keys, .n_asked = ASKED};
		uint32_t rows[ASKED], want[ASKED];
		struct cr_asked asked;
		bool far[600] = {false};
		uint64_t s1, s2;

		for (uint32_t i = 0; i < ASKED; i++)
			keys[i] = (struct cr_addrkey){random_below(&seed, 450), i, 0};
		cr_addrkey_sort(keys, ASKED);
		cr_asked_init(&asked, keys, ASKED, also);
		s1 = seed + 1;
		s2 = seed + 2;
		see_random(&asked, n1, &(uint64_t){s1}, true, far);
		see_random(&asked, n2, &(uint64_t){s2}, false, far);
		if (cr_asked_scan_done(&asked))
			overlaps++;
		else
			for (uint64_t start = 0; start < CR_LEN(far); start++)
				assert_false(far[start] && cr_asked_needs(&asked, start));
		for (int part = 0; part < 2; part++) {
			struct cr_symtab *t = part ? &few : &all;

			add_random(t, n1, &(uint64_t){s1}, part ? &asked : NULL);
			cr_symtab_fix(t);
			add_random(t, n2, &(uint64_t){s2}, part ? &asked : NULL);
			cr_symtab_fix(t);
			cr_symtab_index(t);
			cr_symtab_cut(t, also);
			cr_symtab_find_each(t, 0, 0, keys, ASKED, part ? rows : want);
		}
		for (uint32_t i = 0; i < ASKED && !few.short_of; i++) {
			assert_int_equal(rows[i] == CR_NO_ROW, want[i] == CR_NO_ROW);
			if (rows[i] == CR_NO_ROW)
				continue;
			assert_int_equal(few.all.p[rows[i]].start, all.all.p[want[i]].start);
			assert_string_equal(few.all.p[rows[i]].name, all.all.p[want[i]].name);
			compared++;
		}
		left_out += few.partial;
		cr_asked_fini(&asked);
		cr_symtab_fini(&few);
		cr_symtab_fini(&all);
	}
	assert_true(left_out > 5000 && compared > 5000);
	assert_in_range(overlaps, 1000, 19000);
}

static void
test_many_keys_are_sorted_and_equal_ones_stay_in_order(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (uint32_t n = 0; n < 3000; n = n * 2 + 3) {
		struct cr_addrkey *keys = cr_alloc(n, sizeof(*keys));

		for (uint32_t i = 0; i < n; i++)
			keys[i] = (struct cr_addrkey){
				(uint64_t)random_below(&seed, 700) << (i & 1 ? 40 : 3), i, 0};
		cr_addrkey_sort(keys, n);
		for (uint32_t i = 1; i < n; i++) {
			assert_true(keys[i - 1].addr <= keys[i].addr);
			if (keys[i - 1].addr == keys[i].addr)
				assert_true(keys[i - 1].row < keys[i].row);
		}
		free(keys);
	}
}

static void
test_what_reaches_over_an_address_can_be_cut_there(void **state)
{
	static const struct given in[] = {{0x100, 0, "_init", GLOBAL}, {0x400, 16, "main", GLOBAL}};
	struct cr_symtab t = {0};

	(void)state;
	add(&t, in, CR_LEN(in));
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
	cr_symtab_cut(&t, 0x200);
	cr_symtab_add(
		&t, &(struct cr_symbol){0x200, 0x210, "puts", 0, CR_SYMBOL_GLOBAL | CR_SYMBOL_PLT});
	cr_symtab_index(&t);
	assert_string_equal(found(&t, 0x1ff), "_init");
	assert_string_equal(found(&t, 0x200), "puts");
	assert_string_equal(found(&t, 0x210), "-");
	cr_symtab_fini(&t);
}

static void
test_sizes_past_the_end_of_the_address_space_do_no_harm(void **state)
{
	struct cr_symtab t = {0};

	(void)state;
	cr_symtab_add(&t, &(struct cr_symbol){UINT64_MAX, UINT64_MAX, "top", 0, 0});
	cr_symtab_add(&t, &(struct cr_symbol){UINT64_MAX - 8, UINT64_MAX, "below", 0, 0});
	cr_symtab_add(&t, &(struct cr_symbol){0x100, 0x10, "backwards", 0, 0});
	cr_symtab_fix(&t);
	cr_symtab_index(&t);
	assert_string_equal(found(&t, UINT64_MAX - 1), "below");
	cr_symtab_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_two_symbols_at_one_address_the_better_name_stays),
		cmocka_unit_test(test_names_are_compared_demangled),
		cmocka_unit_test(test_a_symbol_without_a_size_reaches_to_the_next),
		cmocka_unit_test(test_of_several_without_a_size_the_last_stays),
		cmocka_unit_test(
			test_modules_have_symbols_of_their_own_and_only_the_kernel_is_shifted),
		cmocka_unit_test(test_overlaps_without_fixes_are_answered_as_perf_does),
		cmocka_unit_test(test_overlaps_of_two_fixed_tables_are_answered_as_perf_does),
		cmocka_unit_test(test_the_tree_keeps_its_rules_over_random_changes),
		cmocka_unit_test(test_answers_without_the_tree_are_those_of_the_tree),
		cmocka_unit_test(test_symbols_that_have_no_say_can_be_left_out),
		cmocka_unit_test(test_many_keys_are_sorted_and_equal_ones_stay_in_order),
		cmocka_unit_test(test_what_reaches_over_an_address_can_be_cut_there),
		cmocka_unit_test(test_sizes_past_the_end_of_the_address_space_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
