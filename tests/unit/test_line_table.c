#include "testing.h"

#include "symbol/dwarf/line_table_p.h"

/* Bytes of a section, little-endian. */
struct bytes {
	unsigned char p[1024];
	size_t n;
};

static void
put(struct bytes *b, uint64_t v, size_t bytes)
{
	assert_true(b->n + bytes <= sizeof(b->p));
	for (size_t i = 0; i < bytes; i++)
		b->p[b->n++] = (unsigned char)(v >> 8 * i);
}

static void
put_text(struct bytes *b, const char *s)
{
	for (; *s; s++)
		put(b, (unsigned char)*s, 1);
	put(b, 0, 1);
}

static void
put_at(struct bytes *b, size_t at, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		b->p[at + i] = (unsigned char)(v >> 8 * i);
}

enum { LINE_BASE = -3, LINE_RANGE = 12, OPCODE_BASE = 13 };

/* What follows the length of the header, up to the names. */
static void
put_machine(struct bytes *b, int version)
{
	static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

	put(b, 1, 1); /* of an instruction */
	if (version >= 4)
		put(b, 1, 1);
	put(b, 1, 1);
	put(b, (uint8_t)LINE_BASE, 1);
	put(b, LINE_RANGE, 1);
	put(b, OPCODE_BASE, 1);
	for (size_t i = 0; i < sizeof(operands); i++)
		put(b, operands[i], 1);
}

static void
put_names_old(struct bytes *b)
{
	put_text(b, "/usr/include");
	put_text(b, "sub/../lib");
	put(b, 0, 1);
	put_text(b, "main.c"); /* 1 */
	put(b, 0, 3);
	put_text(b, "stdio.h"); /* 2 */
	put(b, 1, 3);
	put_text(b, "./x.c"); /* 3 */
	put(b, 2, 3);
	put_text(b, "/abs//y.c"); /* 4 */
	put(b, 2, 3);
	put_text(b, "lost.c"); /* 5: in a directory that is not there */
	put(b, 9, 3);
	put(b, 0, 1);
}

static void
put_names_new(struct bytes *b)
{
	put(b, 1, 1);
	put(b, 0x01, 1); /* DW_LNCT_path */
	put(b, 0x08, 1); /* DW_FORM_string */
	put(b, 3, 1);
	put_text(b, "/home/me");
	put_text(b, "/usr/include");
	put_text(b, "../lib");
	put(b, 3, 1);
	put(b, 0x01, 1);
	put(b, 0x1f, 1); /* DW_FORM_line_strp */
	put(b, 0x02, 1); /* DW_LNCT_directory_index */
	put(b, 0x0b, 1); /* DW_FORM_data1 */
	put(b, 0x05, 1); /* DW_LNCT_MD5 */
	put(b, 0x1e, 1); /* DW_FORM_data16 */
	put(b, 3, 1);
	for (unsigned i = 0; i < 3; i++) {
		put(b, i * 3, 4);
		put(b, i, 1);
		put(b, 0, 8);
		put(b, 0, 8);
	}
}

static const char line_str[] = "m.c\0.h\0x"; /* at 0 "m.c", at 3 "", at 6 "" */

static void
put_address(struct bytes *b, uint64_t addr)
{
	put(b, 0, 1);
	put(b, 9, 1);
	put(b, 2, 1);
	put(b, addr, 8);
}

/* A row after a step of so many bytes and lines. */
static void
put_row(struct bytes *b, unsigned bytes, int lines)
{
	put(b, (unsigned)(lines - LINE_BASE) + LINE_RANGE * bytes + OPCODE_BASE, 1);
}

static void
put_end(struct bytes *b, unsigned bytes)
{
	put(b, 2, 1);
	put(b, bytes, 1);
	put(b, 0x010100, 3);
}

/* One table with the program of some function, which fills it in. */
static void
make(struct bytes *b, int version, void (*program)(struct bytes *))
{
	size_t header;

	*b = (struct bytes){.n = 0};
	put(b, 0, 4);
	put(b, (unsigned)version, 2);
	if (version >= 5)
		put(b, 8, 2);
	header = b->n;
	put(b, 0, 4);
	put_machine(b, version);
	if (version >= 5)
		put_names_new(b);
	else
		put_names_old(b);
	put_at(b, header, b->n - header - 4, 4);
	program(b);
	put_at(b, 0, b->n - 4, 4);
}

static void
two_sequences(struct bytes *b)
{
	put_address(b, 0x2000);
	put_row(b, 0, 8); /* 2000: 9 */
	put_row(b, 4, 1); /* 2004: 10 */
	put(b, 4, 1);     /* another file */
	put(b, 2, 1);
	put_row(b, 4, 0);  /* 2008: 10 of it */
	put_row(b, 0, -1); /* and in the same place 9 */
	put_end(b, 8);
	put_address(b, 0x1000);
	put(b, 3, 1); /* lines, by a number of several bytes: 1 + 999 */
	put(b, 0x07e7, 2);
	put(b, 1, 1); /* 1000: 1000 */
	put(b, 8, 1); /* 20 bytes on, as opcode 255 would be */
	put_row(b, 0, 1);
	put_end(b, 4);
	put_address(b, 0x10); /* thrown away by the linker */
	put_row(b, 0, 5);
	put_end(b, 200);
	put(b, 2, 1);
	put(b, 0, 1);
}

static struct cr_line_sections
sections_of(const void *p, size_t n)
{
	struct cr_line_sections s = {0};

	cr_cursor_init(&s.line, p, n);
	cr_cursor_init(&s.line_str, line_str, sizeof(line_str));
	return s;
}

static void
test_rows_hold_up_to_the_next(void **state)
{
	static const struct {
		uint64_t addr;
		uint32_t file, line;
	} want[] = {
		{0x20, 0, 0},
		{0xfff, 0, 0},
		{0x1000, 1, 1000},
		{0x1013, 1, 1000},
		{0x1014, 1, 1001},
		{0x1017, 1, 1001},
		{0x1018, 0, 0},
		{0x1fff, 0, 0},
		{0x2000, 1, 9},
		{0x2003, 1, 9},
		{0x2004, 1, 10},
		{0x2007, 1, 10},
		{0x2008, 2, 9},
		{0x200f, 2, 9},
		{0x2010, 0, 0},
	};
	struct cr_addrkey keys[CR_LEN(want)];

	(void)state;
	for (size_t i = 0; i < CR_LEN(want); i++)
		keys[i] = (struct cr_addrkey){want[i].addr, (uint32_t)i, 0};
	for (int version = 2; version <= 5; version++) {
		struct cr_line_place places[CR_LEN(want)] = {{0, 0}};
		struct cr_line_sections s;
		struct cr_line_table t;
		struct bytes b;

		make(&b, version, two_sequences);
		s = sections_of(b.p, b.n);
		assert_true(cr_line_table_open(&t, &s, 0, "/home/me"));
		cr_line_table_run(&t, 0x1000, keys, CR_LEN(want), places);
		for (size_t i = 0; i < CR_LEN(want); i++) {
			assert_int_equal(places[i].line, want[i].line);
			assert_int_equal(places[i].file, want[i].file);
		}
		cr_line_table_fini(&t);
	}
}

static void
assert_path(const struct cr_line_table *t, uint64_t file, const char *want)
{
	struct cr_text path = {0};

	cr_text_puts(&path, "a ");
	cr_line_table_path(t, file, &path);
	assert_string_equal(path.p + 2, want);
	cr_text_fini(&path);
}

static void
test_paths_are_put_together(void **state)
{
	struct cr_line_sections s;
	struct cr_line_table t;
	struct bytes b;

	(void)state;
	make(&b, 4, two_sequences);
	s = sections_of(b.p, b.n);
	assert_true(cr_line_table_open(&t, &s, 0, "/home/me"));
	assert_path(&t, 0, "");
	assert_path(&t, 1, "/home/me/main.c");
	assert_path(&t, 2, "/usr/include/stdio.h");
	assert_path(&t, 3, "/home/me/lib/x.c");
	assert_path(&t, 4, "/abs/y.c");
	assert_path(&t, 5, "/home/me/lost.c");
	assert_path(&t, 6, "");
	assert_path(&t, UINT64_MAX, "");
	cr_line_table_fini(&t);
	assert_true(cr_line_table_open(&t, &s, 0, NULL));
	assert_path(&t, 1, "main.c");
	assert_path(&t, 3, "lib/x.c");
	cr_line_table_fini(&t);
	assert_true(cr_line_table_open(&t, &s, 0, "../.././w"));
	assert_path(&t, 1, "../../w/main.c");
	cr_line_table_fini(&t);
	make(&b, 5, two_sequences);
	s = sections_of(b.p, b.n);
	assert_true(cr_line_table_open(&t, &s, 0, "/elsewhere"));
	assert_path(&t, 0, "/home/me/m.c");
	assert_path(&t, 1, "");
	cr_line_table_fini(&t);
}

/*
 * Every prefix, and every byte changed: nothing is read beyond the end, it ends, and a prefix has
 * no other lines.
 */
static void
test_broken_tables_cost_lines(void **state)
{
	struct cr_addrkey keys[64];
	unsigned n_opened = 0, n_refused = 0, n_lines[2] = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(keys); i++)
		keys[i] = (struct cr_addrkey){0x1000 + i * 0x41, (uint32_t)i, 0};
	for (int version = 4; version <= 5; version++) {
		struct cr_line_place want[CR_LEN(keys)] = {{0, 0}};
		struct cr_line_sections all;
		struct cr_line_table whole;
		struct bytes b;

		make(&b, version, two_sequences);
		all = sections_of(b.p, b.n);
		assert_true(cr_line_table_open(&whole, &all, 0, "/"));
		cr_line_table_run(&whole, 0, keys, CR_LEN(keys), want);
		for (size_t i = 0; i < 2 * b.n; i++) {
			const size_t n = i < b.n ? i : b.n;
			unsigned char *exact = testing_exact(b.p, n);
			struct cr_line_place places[CR_LEN(keys)] = {{0, 0}};
			struct cr_line_sections s = sections_of(exact, n);
			struct cr_line_table t;
			struct cr_text path = {0};

			if (i >= b.n)
				exact[i - b.n] = (unsigned char)(exact[i - b.n] + 1 + i % 255);
			if (cr_line_table_open(&t, &s, 0, "/")) {
				cr_line_table_run(&t, 0, keys, CR_LEN(keys), places);
				for (uint64_t f = 0; f < 8; f++)
					cr_line_table_path(&t, f, &path);
				assert_in_range(path.len, 0, 8 * (b.n + 2));
				n_opened++;
			} else {
				assert_int_equal(t.files.n, 0);
				n_refused++;
			}
			for (size_t k = 0; k < CR_LEN(keys); k++) {
				if (i < b.n && places[k].line)
					assert_int_equal(places[k].line, want[k].line);
				n_lines[i < b.n] += places[k].line > 0;
			}
			cr_line_table_fini(&t);
			cr_text_fini(&path);
			free(exact);
		}
		cr_line_table_fini(&whole);
	}
	print_message("%u opened, %u refused; %u lines of changed tables, %u of cut ones\n",
		n_opened, n_refused, n_lines[0], n_lines[1]);
	assert_true(n_opened > 100 && n_refused > 100 && n_lines[0] > 300);
}

/* Up and down again, over all addresses each time. */
static void
restless(struct bytes *b)
{
	for (int i = 0; i < 30; i++) {
		put_address(b, 0x1000);
		put_row(b, 0, 1);
		put_address(b, 0x100000);
		put_row(b, 0, 1);
	}
}

static void
test_rows_that_go_back_and_forth_end(void **state)
{
	const size_t n = 50000;
	struct cr_addrkey *keys = cr_alloc(n, sizeof(*keys));
	struct cr_line_place *places = cr_alloc(n, sizeof(*places));
	struct cr_line_sections s;
	struct cr_line_table t;
	struct bytes b;

	(void)state;
	for (size_t i = 0; i < n; i++)
		keys[i] = (struct cr_addrkey){0x1000 + i, (uint32_t)i, 0};
	make(&b, 4, restless);
	s = sections_of(b.p, b.n);
	assert_true(cr_line_table_open(&t, &s, 0, "/"));
	cr_line_table_run(&t, 0, keys, n, places);
	assert_int_equal(places[n - 1].line, 2);
	cr_line_table_fini(&t);
	free(keys);
	free(places);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_hold_up_to_the_next),
		cmocka_unit_test(test_paths_are_put_together),
		cmocka_unit_test(test_broken_tables_cost_lines),
		cmocka_unit_test(test_rows_that_go_back_and_forth_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
