/*
 * Stepping over the DIEs of a unit gives the kinds, ranges and siblings that libdw gives, in the
 * programs of several compilers and in this one; and any bytes do no harm.
 */
#include "testing.h"

#include "symbol/dwarf/die_skim_p.h"
#include "symbol/dwarf/dwarf_file_p.h"
#include "symbol/elf/image_p.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

struct unit {
	struct cr_die_table table;
	struct cr_cursor bytes; /* from the header on */
	size_t dies, plain;
};

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

static void
assert_same_ranges(struct unit *u, Dwarf_Die *die, const struct cr_skimmed_die *own)
{
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at;

	if (own->ranges == CR_DIE_OTHER_RANGE)
		return;
	at = dwarf_ranges(die, 0, &base, &lo, &hi);
	assert_int_equal(at > 0, own->ranges == CR_DIE_PLAIN);
	if (at <= 0)
		return;
	assert_int_equal(own->low, lo);
	assert_int_equal(own->high, hi);
	assert_true(dwarf_ranges(die, at, &base, &lo, &hi) <= 0);
	u->plain++;
}

static void
compare(struct unit *u, Dwarf_Die die, unsigned depth)
{
	struct cr_skimmed_die own;
	struct cr_cursor c = u->bytes, next;
	Dwarf_Die child, sibling = {0};
	int rc;

	for (;; die = sibling) {
		c = u->bytes;
		cr_cursor_skip(&c, (uint64_t)((const unsigned char *)die.addr - c.p));
		assert_true(cr_die_skim(&u->table, c, &own));
		assert_int_equal(own.tag, dwarf_tag(&die));
		assert_int_equal(own.children, dwarf_haschildren(&die) == 1);
		assert_same_ranges(u, &die, &own);
		u->dies++;
		if (dwarf_child(&die, &child) == 0) {
			assert_ptr_equal(own.after.p, child.addr);
			compare(u, child, depth + 1);
		}
		if (depth == 0)
			return;
		rc = dwarf_siblingof(&die, &sibling);
		assert_true(rc >= 0);
		assert_true(cr_die_next(&u->table, u->bytes, &own, &next));
		assert_ptr_equal(next.p, sibling.addr);
		if (rc == 1) {
			assert_true(cr_cursor_left(&next) == 0 || *next.p == 0);
			return;
		}
	}
}

/* Returns the number of compared DIEs. */
static size_t
compare_file(struct cr_elf *e, size_t *plain)
{
	const struct cr_symbol_opts opts = {.home = "/"};
	const struct cr_debugfile files = {.debug = e, .runtime = e, .syms = e};
	struct cr_dwarf d;
	struct unit u = {.dies = 0};
	struct cr_die_unit head;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	assert_true(cr_dwarf_open(&d, &opts, &files, CR_DWARF_VARIABLES));
	while (dwarf_get_units(d.dbg, cu, &cu, NULL, NULL, &die, NULL) == 0) {
		const unsigned char *start = (const unsigned char *)die.addr - dwarf_cuoffset(&die);
		const struct cr_cursor abbrev = cr_dwarf_abbrev(&d, d.dbg);
		uint32_t len;

		memcpy(&len, start, sizeof(len));
		cr_cursor_init(&u.bytes, start,
			(abbrev.swap ? __builtin_bswap32(len) : len) + sizeof(len));
		u.bytes.swap = abbrev.swap;
		assert_true(cr_die_unit_read(u.bytes, &head));
		assert_true(cr_die_table_read(&u.table, &head, abbrev, UINT64_MAX));
		compare(&u, die, 0);
	}
	cr_die_table_fini(&u.table);
	cr_dwarf_close(&d);
	cr_elf_close(e);
	*plain += u.plain;
	return u.dies;
}

static void
test_dies_are_those_of_libdw(void **state)
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
	size_t plain = 0;

	(void)state;
	for (size_t i = 0; i < CR_LEN(files); i++)
		if (compare_file(open_corpus(files[i]), &plain) == 0)
			fail_msg("%s: no DIEs", files[i]);
	own = open_path("/proc/self/exe");
	if (!cr_elf_has_debug(own)) {
		cr_elf_close(own);
		testing_skip("this test is built without debug info");
	}
	assert_true(compare_file(own, &plain) > 1000);
	assert_true(plain > 100);
}

/* Random tables and units, in blocks of exact size. */
static void
test_any_bytes_do_no_harm(void **state)
{
	uint64_t seed = 3;
	size_t skimmed = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		unsigned char *table = malloc(40), *bytes = malloc(60);
		const struct cr_die_unit head = {
			.version = (uint16_t)(2 + round % 4), .addr_bytes = round & 4 ? 8 : 4};
		struct cr_die_table t = {0};
		struct cr_cursor abbrev, unit;
		struct cr_skimmed_die die;

		for (size_t i = 0; i < 60; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[i] = (unsigned char)(seed >> 40 & (round & 8 ? 0xff : 0x03));
			if (i < 40) /* codes, tags, names and forms that exist, and zeros */
				table[i] = (unsigned char)((seed >> 50) % 0x14);
		}
		memcpy(table, "\1\56\1\1\x13\x11\1\x12\6\0\0", 11);
		table[11] = round & 16 ? 2 : 0; /* another kind, or the end */
		cr_cursor_init(&abbrev, table, 40);
		cr_cursor_init(&unit, bytes, 60);
		if (cr_die_table_read(&t, &head, abbrev, round % 41) &&
			cr_die_skim(&t, unit, &die)) {
			cr_die_next(&t, unit, &die, &unit);
			skimmed++;
		}
		cr_die_table_fini(&t);
		free(table);
		free(bytes);
	}
	assert_true(skimmed > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dies_are_those_of_libdw),
		cmocka_unit_test(test_any_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
