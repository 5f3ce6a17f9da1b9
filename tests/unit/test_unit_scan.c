/*
 * The units that a scan finds, and the addresses that belong to them, are those of libdw: in the
 * programs of several compilers, and in this one.
 */
#include "testing.h"

#include "symbol/dwarf/dwarf_units_p.h"
#include "symbol/dwarf/unit_scan_p.h"
#include "symbol/elf/image_p.h"

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
	assert_true(cr_dwarf_open(&d, &opts, &files));
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

	(void)state;
	for (size_t i = 0; i < CR_LEN(files); i++)
		if (compare(open_corpus(files[i])) == 0)
			fail_msg("%s: no units", files[i]);
	assert_true(compare(open_path("/proc/self/exe")) > 1);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units_are_those_of_libdw),
		cmocka_unit_test(test_what_the_scan_does_not_understand_is_left_to_libdw),
		cmocka_unit_test(test_a_changed_head_gives_the_units_of_libdw_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
