/*
 * The units that a scan finds, and the addresses that belong to them, are those of libdw: in the
 * programs of several compilers, and in this one.
 */
#include "testing.h"

#include "symbol/dwarf/dwarf_cost_p.h"
#include "symbol/dwarf/dwarf_units_p.h"
#include "symbol/dwarf/unit_scan_p.h"
#include "symbol/elf/image_p.h"
#include "testing_elf.h"

#include <fcntl.h>
#include <unistd.h>

#define SPOTS 4096 /* asked addresses of a section */

static struct cr_elf *
open_path(const char *path)
{
	struct cr_elf *e = cr_elf_open(open(path, O_RDONLY | O_CLOEXEC));
	struct cr_elf *image;

	assert_non_null(e);
	if (!(image = cr_image_new(e, e)))
		return e;
	cr_elf_close(e);
	return image;
}

static struct cr_elf *
open_corpus(const char *name)
{
	const char *src = getenv("SRC");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/fuzz_lines/%s", src ? src : ".", name);
	return open_path(path);
}

/* Addresses all over the code; *n is their number. The caller frees them. */
static struct cr_addrkey *
keys_of(const struct cr_elf *e, size_t *n)
{
	CR_VEC(struct cr_addrkey) keys = {0};

	for (size_t i = 1; i < e->n_sections; i++) {
		const GElf_Shdr *h = &e->sections[i].head;
		const uint64_t step = CR_MAX(h->sh_size / SPOTS, 1);

		for (uint64_t at = 0; (h->sh_flags & SHF_EXECINSTR) && at < h->sh_size; at += step)
			cr_vec_push(
				&keys, ((struct cr_addrkey){h->sh_addr + at, (uint32_t)keys.n, 0}));
	}
	cr_addrkey_sort(keys.p, keys.n);
	*n = keys.n;
	return keys.p;
}

static void
assert_same_hits(const struct cr_dwarf_hits *have, const struct cr_dwarf_hits *want)
{
	assert_int_equal(have->units.n, want->units.n);
	for (size_t i = 0; i < want->units.n; i++) {
		const struct cr_dwarf_hit *a = &have->units.p[i], *b = &want->units.p[i];

		assert_int_equal(a->offset, b->offset);
		assert_int_equal(a->bytes, b->bytes);
		assert_int_equal(a->n, b->n);
		for (size_t k = 0; k < b->n; k++)
			assert_int_equal(a->keys[k].row, b->keys[k].row);
	}
}

/* Returns the number of units with asked addresses; 0 if the scan leaves the file to libdw. */
static size_t
compare(struct cr_elf *e)
{
	const struct cr_symbol_opts opts = {.home = "/"};
	const struct cr_debugfile files = {.debug = e, .runtime = e, .syms = e};
	struct cr_dwarf_hits have, want;
	struct cr_addrkey *keys;
	struct cr_dwarf d;
	size_t n, units = 0;

	keys = keys_of(e, &n);
	assert_true(n > 0);
	if (!cr_dwarf_open(&d, &opts, &files, CR_DWARF_VARIABLES)) {
		assert_true(cr_dwarf_is_costly(e, true));
		cr_elf_close(e);
		free(keys);
		return 0;
	}
	cr_dwarf_units(&d, keys, n, 1, &want);
	if (cr_dwarf_units_scan(e, keys, n, 1, &have)) {
		assert_same_hits(&have, &want);
		units = have.units.n;
		cr_dwarf_hits_fini(&have);
	}
	cr_dwarf_hits_fini(&want);
	cr_dwarf_close(&d);
	cr_elf_close(e);
	free(keys);
	return units;
}

static void
test_units_are_those_of_libdw(void **state)
{
	static const char *const files[] = {
		"gcc-3",
		"gcc-4",
		"gcc-5",
		"gcc-g1",
		"gcc-lto",
		"gcc-parts",
		"gcc-zlib",
		"clang-4",
		"clang-5",
		"clang-lines",
		"big-endian",
		"i386-object",
	};
	struct cr_elf *own;

	(void)state;
	for (size_t i = 0; i < CR_LEN(files); i++)
		if (compare(open_corpus(files[i])) == 0)
			fail_msg("%s: no units", files[i]);
	own = open_path("/proc/self/exe");
	if (!cr_elf_has_debug(own)) {
		cr_elf_close(own);
		testing_skip("this test is built without debug info");
	}
	assert_true(compare(own) > 1);
}

/* Units of DWARF 4 in other files have rules of their own. */
static void
test_what_the_scan_does_not_understand_is_left_to_libdw(void **state)
{
	(void)state;
	compare(open_corpus("clang-split"));
}

/* Every byte of a unit's head and of its first DIE, changed: libdw's units, or none. */
static void
test_a_changed_head_gives_the_units_of_libdw_or_none(void **state)
{
	static const unsigned char masks[] = {0xff, 0x80, 0x01, 0x04};
	size_t scanned = 0;

	(void)state;
	for (size_t at = 0; at < 64; at++)
		for (size_t m = 0; m < CR_LEN(masks); m++) {
			struct cr_elf *e = open_corpus("gcc-5"), *copy;
			const struct cr_elf_section *s = cr_elf_section_named(e, ".debug_info");
			size_t len;
			const char *file = elf_rawfile(e->elf, &len);
			unsigned char *p = malloc(len);

			assert_non_null(s);
			memcpy(p, file, len);
			p[s->head.sh_offset + at] ^= masks[m];
			cr_elf_close(e);
			assert_non_null(copy = cr_elf_memory(p, len));
			scanned += compare(copy) > 0;
			free(p);
		}
	assert_true(scanned > 50);
}

/* ---- a hostile abbreviation */

#define MANY 20000u /* attributes, units */

/* One abbreviation with many attributes that take no space. */
static void
bomb_abbrev(struct cr_text *t)
{
	testing_put(t, 0x001101, 3); /* code, DW_TAG_compile_unit, no children */
	for (uint32_t i = 0; i < MANY; i++)
		testing_put(t, 0x1913, 2); /* DW_AT_language, DW_FORM_flag_present */
	testing_put(t, 0, 3);
}

/* Units of one byte that share it. */
static void
bomb_info(struct cr_text *t)
{
	for (uint32_t i = 0; i < MANY; i++) {
		testing_put(t, 8, 4);
		testing_put(t, 4, 2);
		testing_put(t, 0, 4);
		testing_put(t, 8, 1);
		testing_put(t, 1, 1);
	}
}

/* Otherwise the time is the product of attributes and units. */
static void
test_units_cannot_share_a_long_abbreviation_for_ever(void **state)
{
	struct testing_section sections[] = {{.name = ".debug_abbrev"}, {.name = ".debug_info"}};
	enum cr_unit_scan_result got;
	struct cr_scanned_unit u;
	struct cr_unit_scan scan;
	struct testing_elf e;
	size_t n = 0;

	(void)state;
	bomb_abbrev(&sections[0].bytes);
	bomb_info(&sections[1].bytes);
	e = testing_elf_of(sections, CR_LEN(sections));
	assert_true(cr_unit_scan_init(&scan, e.elf));
	while ((got = cr_unit_scan_next(&scan, &u)) == CR_UNIT_SCAN_UNIT)
		n++;
	assert_int_equal(got, CR_UNIT_SCAN_UNSURE);
	assert_in_range(n, 1, 100);
	testing_elf_fini(&e);
}

/* A file with a unit whose list of ranges has n bases and one range. */
static struct testing_elf
bases_elf(uint16_t version, uint32_t n)
{
	struct testing_section sections[] = {{.name = ".debug_abbrev"}, {.name = ".debug_info"},
		{.name = version < 5 ? ".debug_ranges" : ".debug_rnglists"}};
	struct cr_text *abbrev = &sections[0].bytes, *info = &sections[1].bytes,
		       *list = &sections[2].bytes;

	testing_put(abbrev, 0x001101, 3); /* code, DW_TAG_compile_unit, no children */
	testing_put(abbrev, 0x1755, 2);   /* DW_AT_ranges, DW_FORM_sec_offset */
	testing_put(abbrev, 0, 3);
	testing_put(info, version < 5 ? 12 : 13, 4);
	testing_put(info, version, 2);
	testing_put(info, version < 5 ? 0 : 0x0801, version < 5 ? 4 : 2);
	testing_put(info, version < 5 ? 8 : 0, version < 5 ? 1 : 4);
	testing_put(info, 1, 1);
	testing_put(info, 0, 4);
	for (uint32_t i = 0; i < n; i++) {
		testing_put(list, version < 5 ? UINT64_MAX : 5, version < 5 ? 8 : 1);
		testing_put(list, 0x1000 + i, 8);
	}
	testing_put(list, version < 5 ? 2 : 0x0204, version < 5 ? 8 : 2); /* from base + 2 ... */
	testing_put(list, 6, version < 5 ? 8 : 1);
	testing_put(list, 0, 16);
	return testing_elf_of(sections, CR_LEN(sections));
}

/* Callers limit the entries that they read: a list may have nothing but bases. */
static void
test_each_base_of_a_list_counts(void **state)
{
	const uint32_t bases = 1000;

	(void)state;
	for (uint16_t version = 4; version <= 5; version++) {
		struct testing_elf e = bases_elf(version, bases);
		struct cr_scanned_unit u;
		struct cr_unit_scan scan;
		uint64_t lo, hi;

		assert_true(cr_unit_scan_init(&scan, e.elf));
		assert_int_equal(cr_unit_scan_next(&scan, &u), CR_UNIT_SCAN_UNIT);
		for (uint32_t i = 0; i < bases; i++) {
			assert_true(cr_scanned_range(&scan, &u, &lo, &hi));
			assert_true(lo == hi);
		}
		assert_true(cr_scanned_range(&scan, &u, &lo, &hi));
		assert_int_equal(lo, 0x1000 + bases - 1 + 2);
		assert_int_equal(hi, 0x1000 + bases - 1 + 6);
		assert_false(cr_scanned_range(&scan, &u, &lo, &hi));
		testing_elf_fini(&e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units_are_those_of_libdw),
		cmocka_unit_test(test_what_the_scan_does_not_understand_is_left_to_libdw),
		cmocka_unit_test(test_a_changed_head_gives_the_units_of_libdw_or_none),
		cmocka_unit_test(test_units_cannot_share_a_long_abbreviation_for_ever),
		cmocka_unit_test(test_each_base_of_a_list_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
