#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "symbol/kernel/mapfile_p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The text in a block of its exact size and the one byte that is asked for. */
static char *
block(const char *text, size_t len)
{
	char *p = malloc(len + 1);

	assert_non_null(p);
	memcpy(p, text, len);
	p[len] = 'x';
	return p;
}

static void
read_perfmap(struct cr_symtab *t, const char *text, size_t len)
{
	*t = (struct cr_symtab){0};
	cr_perfmap_text(t, block(text, len), len);
}

static void
test_lines_of_a_perf_map_become_symbols(void **state)
{
	static const struct {
		const char *line, *name;
		uint64_t start, end;
	} cases[] = {
		{"7f00 10 f\n", "f", 0x7f00, 0x7f10},
		{"0x7F00 0x10 LazyCompile:~add /a b.js:1\n", "LazyCompile:~add /a b.js:1", 0x7f00,
			0x7f10},
		{"7f00\t10\tname with\ttab\n", "name with\ttab", 0x7f00, 0x7f10},
		{"7f00 10 last line without newline", "last line without newline", 0x7f00, 0x7f10},
		{"7f00 10 dos\r\n", "dos", 0x7f00, 0x7f10},
		{"7f00 0 sizeless\n", "sizeless", 0x7f00, 0x7f00},
		{"7f00 10 _Z3fooi\n", "_Z3fooi", 0x7f00, 0x7f10},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_symtab t;

		read_perfmap(&t, cases[i].line, strlen(cases[i].line));
		assert_int_equal(t.all.n, 1);
		assert_string_equal(t.all.p[0].name, cases[i].name);
		assert_int_equal(t.all.p[0].start, cases[i].start);
		assert_int_equal(t.all.p[0].end, cases[i].end);
		assert_ptr_equal(cr_symtab_find(&t, 0, 0x7f00), &t.all.p[0]);
		cr_symtab_fini(&t);
	}
}

static void
test_lines_that_make_no_sense_are_skipped(void **state)
{
	static const char text[] = "\n"
				   "7f00\n"
				   "7f00 10\n"
				   "7f00 10 \n"
				   " 7f00 10 leading blank\n"
				   "7f00  10 two blanks\n"
				   "xyz 10 not a number\n"
				   "7f00 1g not a number\n"
				   "ffffffffffffffff 10 past the end\n"
				   "11112222333344445 10 too long\n"
				   "0x 10 no digits\n"
				   "8000 10 good\n";
	struct cr_symtab t;

	(void)state;
	read_perfmap(&t, text, sizeof(text) - 1);
	assert_int_equal(t.all.n, 1);
	assert_string_equal(t.all.p[0].name, "good");
	cr_symtab_fini(&t);
}

static void
read_kallsyms(struct cr_kallsyms *k, const char *text, size_t len)
{
	*k = (struct cr_kallsyms){0};
	cr_kallsyms_text(k, block(text, len), len);
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000100 t beta\n"
			       "ffffffff81000100 W beta_weak\n"
			       "ffffffff81000180 R rodata_is_not_taken\n"
			       "ffffffff81000190 t .Llabel\n"
			       "ffffffff81000191 t $mark\n"
			       "ffffffff81000200 D data\n"
			       "ffffffffc0001000 t mod_init\t[nfs_x]\n"
			       "ffffffffc0001080 T mod_read\t[nfs_x]\n"
			       "ffffffffc0004000 t prog\t[bpf]";

static void
test_kallsyms_give_kernel_and_modules(void **state)
{
	static const struct {
		uint64_t addr;
		const char *module, *want;
	} cases[] = {
		{0xffffffff81000000, NULL, "_text"},
		{0xffffffff81000150, NULL, "beta_weak"},
		{0xffffffff810001ff, NULL, "beta_weak"},
		{0xffffffff81000200, NULL, "data"},
		{0xffffffff81001fff, NULL, "data"},
		{0xffffffff81002000, NULL, NULL},
		{0xffffffffc0001000, NULL, NULL},
		{0xffffffffc000107f, "[nfs_x]", "mod_init"},
		{0xffffffffc0002fff, "[nfs_x]", "mod_read"},
		{0xffffffffc0003000, "[nfs_x]", NULL},
		{0xffffffffc0004000, "[bpf]", "prog"},
	};
	struct cr_kallsyms k;

	(void)state;
	read_kallsyms(&k, kallsyms, sizeof(kallsyms) - 1);
	cr_symtab_index(&k.t);
	assert_false(k.hidden);
	assert_int_equal(cr_symtab_address(&k.t, "_text"), 0xffffffff81000000);
	assert_int_equal(cr_symtab_address(&k.t, "mod_read"), 0); /* a module's */
	assert_int_equal(cr_kallsyms_module(&k, "[ext4]"), 0);
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint16_t module =
			cases[i].module ? cr_kallsyms_module(&k, cases[i].module) : 0;
		const struct cr_symbol *s = cr_symtab_find(&k.t, module, cases[i].addr);

		if (cases[i].want)
			assert_string_equal(s->name, cases[i].want);
		else
			assert_null(s);
	}
	cr_kallsyms_fini(&k);
}

static void
test_hidden_addresses_are_noticed(void **state)
{
	static const char text[] = "0000000000000000 T _text\n0000000000000000 t f\t[m]\n";
	struct cr_kallsyms k;

	(void)state;
	read_kallsyms(&k, text, sizeof(text) - 1);
	assert_true(k.hidden);
	cr_kallsyms_fini(&k);
}

/* ---- only the lines around wanted addresses */

static uint64_t
random_below(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

#define MADE_START UINT64_C(0xffffffff81000000)
#define MADE_SPAN 0x4000u

/* Sorted symbols, several at some addresses, then a module; now and then in disorder. */
static size_t
make_kallsyms(char *text, size_t size, uint64_t *seed)
{
	static const char types[] = "tTWdRA";
	static const char *const odd[] = {"$", ".L", "L0", "L", "\x01", "\xe2\x82\xac", "a b"};
	static const char *const ends[] = {"\n", "\r\n", "\t\n", "\r\r\n"};
	uint64_t addr = MADE_START;
	size_t n = (size_t)snprintf(text, size,
		"0000000000000000 A percpu\n0000000000001000 D percpu_more\n%016llx T _text\n",
		(unsigned long long)addr);

	for (int i = 0; i < 40; i++) {
		if (random_below(seed, 3))
			addr += random_below(seed, MADE_SPAN / 40);
		if (random_below(seed, 400) == 0)
			addr -= 0x100;
		n += (size_t)snprintf(text + n, size - n,
			random_below(seed, 20) ? "%016llx %c %sf%d%s" : "%017llX  %c %sf%d%s",
			(unsigned long long)addr, types[random_below(seed, sizeof(types) - 1)],
			random_below(seed, 10) ? "" : odd[random_below(seed, CR_LEN(odd))], i,
			random_below(seed, 100) ? "\n" : ends[random_below(seed, CR_LEN(ends))]);
	}
	if (random_below(seed, 2))
		n += (size_t)snprintf(text + n, size - n, "%016llx t m\t[mod]\n",
			(unsigned long long)(addr + random_below(seed, 3) * 0x1000 - 0x1000));
	return n;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct cr_addrkey *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void
assert_same_answers(
	struct cr_kallsyms *all, struct cr_kallsyms *few, const struct cr_addrkey *asked, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cr_symbol *want = cr_symtab_find(&all->t, 0, asked[i].addr);
		const struct cr_symbol *have = cr_symtab_find(&few->t, 0, asked[i].addr);

		assert_int_equal(have != NULL, want != NULL);
		if (!want)
			continue;
		assert_string_equal(have->name, want->name);
		assert_int_equal(have->start, want->start);
		assert_int_equal(have->end, want->end);
	}
}

static void
test_wanted_addresses_get_the_same_answers_from_fewer_symbols(void **state)
{
	size_t fewer = 0, more = 0;
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		const uint64_t moved = (random_below(&seed, 3) - 1) * 0x200000;
		const uint64_t recorded = MADE_START + moved;
		struct cr_kallsyms all = {0}, few = {0};
		struct cr_addrkey asked[5] = {{0}};
		char text[4096];
		const size_t len = make_kallsyms(text, sizeof(text), &seed);
		const size_t n = 1 + random_below(&seed, 5);

		for (size_t i = 0; i < n; i++)
			asked[i].addr = recorded + random_below(&seed, MADE_SPAN * 2) - 0x100;
		if (random_below(&seed, 8) == 0)
			asked[0].addr = random_below(&seed, 2) ? 0x10 : UINT64_MAX - 0x10;
		qsort(asked, n, sizeof(*asked), compare_keys);
		few.wanted = (struct cr_kallsyms_wanted){asked, n, CR_STR("_text"), recorded};
		cr_kallsyms_text(&all, block(text, len), len);
		cr_kallsyms_text(&few, block(text, len), len);
		assert_int_equal(cr_symtab_address(&few.t, "_text"), MADE_START);
		assert_int_equal(few.modules.n, all.modules.n);
		cr_symtab_shift(&all.t, -moved);
		cr_symtab_shift(&few.t, -moved);
		cr_symtab_index(&all.t);
		cr_symtab_index(&few.t);
		assert_same_answers(&all, &few, asked, n);
		fewer += few.t.all.n;
		more += all.t.all.n;
		cr_kallsyms_fini(&all);
		cr_kallsyms_fini(&few);
	}
	assert_true(fewer * 2 < more);
}

static size_t
lines_of(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n' || i == len - 1;
	return n;
}

/*
 * The symbols are the first ones of the whole, but for the last: its line may be cut, and so be
 * another symbol.
 */
static void
assert_first_of(const struct cr_symtab *t, const struct cr_symtab *whole)
{
	assert_in_range(t->all.n, 0, whole->all.n);
	for (size_t i = 0; i < t->all.n; i++) {
		const struct cr_symbol *have = &t->all.p[i], *want = &whole->all.p[i];

		assert_int_not_equal(have->name[0], '\0');
		if (i + 1 == t->all.n)
			continue;
		assert_int_equal(have->start, want->start);
		assert_string_equal(have->name, want->name);
	}
}

static void
test_every_prefix_and_changed_bytes_do_no_harm(void **state)
{
	struct cr_kallsyms whole;
	struct cr_symtab map;
	uint64_t seed = 11;
	size_t before = 0;

	(void)state;
	read_kallsyms(&whole, kallsyms, sizeof(kallsyms) - 1);
	read_perfmap(&map, kallsyms, sizeof(kallsyms) - 1);
	assert_int_equal(map.all.n, 2); /* A and D are sizes, too */
	for (size_t len = 0; len < sizeof(kallsyms); len++) {
		struct cr_kallsyms k;
		struct cr_symtab t;

		read_kallsyms(&k, kallsyms, len);
		assert_first_of(&k.t, &whole.t);
		assert_in_range(k.t.all.n, before - (before > 0), before + 1);
		before = k.t.all.n;
		cr_kallsyms_fini(&k);
		read_perfmap(&t, kallsyms, len);
		assert_first_of(&t, &map);
		cr_symtab_fini(&t);
	}
	assert_int_equal(before, whole.t.all.n);
	cr_kallsyms_fini(&whole);
	cr_symtab_fini(&map);
	for (int round = 0; round < 2000; round++) {
		char text[sizeof(kallsyms)];
		struct cr_kallsyms k;

		memcpy(text, kallsyms, sizeof(text));
		for (int i = 0; i < 3; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[(seed >> 33) % (sizeof(text) - 1)] = "\n\t 0fT[\0"[seed >> 61];
		}
		read_kallsyms(&k, text, sizeof(text) - 1);
		assert_in_range(k.t.all.n, 1, lines_of(text, sizeof(text) - 1));
		for (size_t i = 0; i < k.t.all.n; i++) {
			assert_int_not_equal(k.t.all.p[i].name[0], '\0');
			assert_in_range(k.t.all.p[i].module, 0, k.modules.n);
		}
		cr_symtab_index(&k.t);
		for (size_t i = 0; i < k.t.live.n; i++)
			assert_non_null(cr_symtab_find(
				&k.t, k.t.all.p[k.t.live.p[i].row].module, k.t.live.p[i].addr));
		cr_kallsyms_fini(&k);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_a_perf_map_become_symbols),
		cmocka_unit_test(test_lines_that_make_no_sense_are_skipped),
		cmocka_unit_test(test_kallsyms_give_kernel_and_modules),
		cmocka_unit_test(test_hidden_addresses_are_noticed),
		cmocka_unit_test(test_wanted_addresses_get_the_same_answers_from_fewer_symbols),
		cmocka_unit_test(test_every_prefix_and_changed_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
