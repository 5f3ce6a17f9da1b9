#include "testing.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit_maker.h"
#include "symbol/jit/jitdump.h"

/* Parse what was made, in a block of its exact size, which stays for the names: free() it. */
static void *
parsed(const void *p, size_t len, struct cr_jitdump *d)
{
	void *block = testing_exact(p, len);
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_jitdump_parse(block, len, d, &err), CR_OK);
	return block;
}

static void
test_names_of_dumps_are_told(void **state)
{
	static const struct {
		const char *path;
		bool want;
	} cases[] = {
		{"/tmp/jit-1.dump", true},
		{"jit-4711.dump", true},
		{"/a.dump/jit-12.dump", true},
		{"/tmp/jit-.dump", false},
		{"/tmp/jit-1a.dump", false},
		{"/tmp/xjit-1.dump", false},
		{"/tmp/jit-1.dump.so", false},
		{"jit-", false},
		{".dump", false},
		{"", false},
		{"/tmp/jit-1.dump (deleted)", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(cr_jitdump_is_name(cr_str_of(cases[i].path)), cases[i].want);
}

static void
test_code_comes_by_time_in_either_byte_order(void **state)
{
	(void)state;
	for (int foreign = 0; foreign <= 1; foreign++) {
		struct made_jit j = {.foreign = foreign};
		struct cr_jitdump d;
		void *block;

		made_jit_all(&j);
		block = parsed(j.t.p, j.t.len, &d);
		assert_int_equal(d.pid, 5);
		assert_false(d.arch_clock);
		assert_false(d.cut);
		assert_int_equal(d.damaged, 0);
		assert_int_equal(d.code.n, 3);
		assert_str(d.code.p[0].name, "f");
		assert_int_equal(d.code.p[0].time, 10);
		assert_int_equal(d.code.p[0].start, 0x7000);
		assert_int_equal(d.code.p[0].end, 0x7010);
		assert_int_equal(d.code.p[0].from, 0x7000);
		assert_int_equal(d.code.p[0].pid, 5);
		assert_int_equal(((const unsigned char *)block)[d.code.p[0].offset - 1], 0);
		assert_int_equal(((const unsigned char *)block)[d.code.p[0].offset], 0xcc);
		/* the move, which stands last in the file */
		assert_str(d.code.p[1].name, "f");
		assert_int_equal(d.code.p[1].offset, d.code.p[0].offset);
		assert_int_equal(d.code.p[1].start, 0x7100);
		assert_int_equal(d.code.p[1].end, 0x7110);
		assert_int_equal(d.code.p[1].from, 0x7000);
		assert_str(d.code.p[2].name, "g");
		assert_int_equal(d.code.p[2].end, 0x7020);
		cr_jitdump_fini(&d);
		cr_text_fini(&j.t);
		free(block);
	}
}

static void
test_code_of_the_same_time_stays_in_the_order_of_the_file(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	struct made_jit j = {.foreign = false};
	struct cr_jitdump d;
	void *block;

	(void)state;
	made_jit_header(&j, 5, 1);
	for (size_t i = 0; i < CR_LEN(names); i++)
		made_jit_load(&j, &(struct made_code){.time = i == 4 ? 1 : 7,
					  .pid = 5,
					  .addr = 0x7000,
					  .size = 1,
					  .name = names[i]});
	block = parsed(j.t.p, j.t.len, &d);
	assert_true(d.arch_clock);
	assert_str(d.code.p[0].name, "e");
	for (size_t i = 0; i < 4; i++)
		assert_str(d.code.p[i + 1].name, names[i]);
	cr_jitdump_fini(&d);
	cr_text_fini(&j.t);
	free(block);
}

/* A header, and one record that is not as it should be. */
static void
test_damaged_records_are_left_out_and_counted(void **state)
{
	static const struct made_code good = {
		.time = 1, .pid = 5, .addr = 0x7000, .size = 16, .name = "f"};
	static const struct {
		size_t at; /* of 8 bytes in the record of f */
		uint64_t value;
		uint64_t damaged;
		bool cut;
	} cases[] = {
		{MADE_JIT_PREFIX + 24, 0, 1, false},  /* size: none */
		{MADE_JIT_PREFIX + 24, 17, 1, false}, /* no room for the name's NUL */
		{MADE_JIT_PREFIX + 24, 18, 1, false}, /* nor for a name */
		{MADE_JIT_PREFIX + 24, 19, 1, false}, /* past the record */
		{MADE_JIT_PREFIX + 24, UINT64_MAX, 1, false},
		{MADE_JIT_PREFIX + 16, UINT64_MAX - 15, 1, false}, /* ends past all addresses */
		{0, (uint64_t)15 << 32, 0, true},                  /* shorter than its prefix */
		{0, (uint64_t)55 << 32, 1, true}, /* than its fields: what follows is no record */
		{0, (uint64_t)UINT32_MAX << 32, 0, true},
		{0, 0, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_jit j = {.foreign = false};
		struct cr_jitdump d;
		void *block;

		made_jit_header(&j, 5, 0);
		made_jit_load(&j, &good);
		memcpy(j.t.p + MADE_JIT_HEADER + cases[i].at, &cases[i].value, 8);
		block = parsed(j.t.p, j.t.len, &d);
		assert_int_equal(d.code.n, 0);
		assert_int_equal(d.damaged, cases[i].damaged);
		assert_int_equal(d.cut, cases[i].cut);
		cr_jitdump_fini(&d);
		cr_text_fini(&j.t);
		free(block);
	}
}

static void
test_moves_of_what_was_never_loaded_are_left_out(void **state)
{
	static const struct made_code move = {
		.time = 3, .pid = 5, .from = 0x7000, .addr = 0x7100, .size = 99, .index = 8};
	struct made_code load = {
		.time = 1, .pid = 5, .addr = 0x7000, .size = 16, .index = 7, .name = "f"};
	struct made_jit j = {.foreign = false};
	struct cr_jitdump d;
	void *block;

	(void)state;
	made_jit_header(&j, 5, 0);
	made_jit_move(&j, &move);
	made_jit_load(&j, &load);
	block = parsed(j.t.p, j.t.len, &d);
	assert_int_equal(d.code.n, 1);
	assert_int_equal(d.damaged, 1);
	cr_jitdump_fini(&d);
	free(block);

	load.index = 8;
	made_jit_load(&j, &load);
	block = parsed(j.t.p, j.t.len, &d);
	assert_int_equal(d.code.n, 3);
	assert_int_equal(d.code.p[2].end, 0x7110); /* no longer than what was loaded */
	cr_jitdump_fini(&d);
	cr_text_fini(&j.t);
	free(block);
}

static void
test_other_headers_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} cases[] = {{0, 0x4a695445}, {4, 2}, {4, 0}, {8, 39}, {8, 0}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_jit j = {.foreign = false};
		struct cr_err err = CR_ERR_INIT;
		struct cr_jitdump d;

		made_jit_all(&j);
		memcpy(j.t.p + cases[i].at, &cases[i].value, 4);
		assert_int_equal(cr_jitdump_parse(j.t.p, j.t.len, &d, &err), CR_EFORMAT);
		assert_int_equal(d.code.n, 0);
		cr_jitdump_fini(&d);
		cr_text_fini(&j.t);
	}
}

static void
test_a_longer_header_is_passed_over(void **state)
{
	struct made_jit j = {.foreign = false};
	struct cr_jitdump d;
	void *block;

	(void)state;
	made_jit_header(&j, 5, 0);
	j.t.p[8] = 48;
	cr_text_pad(&j.t, '\0', 8);
	made_jit_load(&j,
		&(struct made_code){.time = 1, .pid = 5, .addr = 0x7000, .size = 16, .name = "f"});
	block = parsed(j.t.p, j.t.len, &d);
	assert_int_equal(d.code.n, 1);
	assert_int_equal(d.code.p[0].offset, j.t.len - 16);
	cr_jitdump_fini(&d);
	cr_text_fini(&j.t);
	free(block);
}

static void
test_every_prefix_and_changed_bytes_do_no_harm(void **state)
{
	struct made_jit j = {.foreign = false};
	uint64_t seed = 5;

	(void)state;
	made_jit_all(&j);
	for (size_t len = 0; len <= j.t.len; len++) {
		void *block = testing_exact(j.t.p, len);
		struct cr_err err = CR_ERR_INIT;
		struct cr_jitdump d;
		const int rc = cr_jitdump_parse(block, len, &d, &err);

		assert_int_equal(rc, len < MADE_JIT_HEADER ? CR_ETRUNC : CR_OK);
		assert_true(d.code.n <= 3);
		cr_jitdump_fini(&d);
		free(block);
	}
	for (int round = 0; round < 5000; round++) {
		unsigned char *block = testing_exact(j.t.p, j.t.len);
		struct cr_err err = CR_ERR_INIT;
		struct cr_jitdump d;

		for (int i = 0; i < 3; i++) {
			const uint64_t r = testing_random(&seed);

			block[MADE_JIT_HEADER + r % (j.t.len - MADE_JIT_HEADER)] =
				(unsigned char)(r >> 40);
		}
		assert_int_equal(cr_jitdump_parse(block, j.t.len, &d, &err), CR_OK);
		for (size_t i = 0; i < d.code.n; i++) {
			assert_true(d.code.p[i].start < d.code.p[i].end);
			assert_true(d.code.p[i].offset + (d.code.p[i].end - d.code.p[i].start) <=
				    j.t.len);
			assert_true(i == 0 || d.code.p[i - 1].time <= d.code.p[i].time);
		}
		cr_jitdump_fini(&d);
		free(block);
	}
	cr_text_fini(&j.t);
}

/* ---- finding the file */

struct directory {
	char path[64];
};

static void
directory_file(const struct directory *f, const char *name, const struct made_jit *j)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", f->path, name);
	assert_non_null(out = fopen(path, "wb"));
	assert_int_equal(fwrite(j->t.p, 1, j->t.len, out), j->t.len);
	fclose(out);
}

static bool
found(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_jitdump d;
	const int rc = cr_jitdump_open(opts, m, &d, &err);

	assert_true(rc == CR_OK || rc == CR_ENOTFOUND);
	assert_int_equal(d.code.n, rc == CR_OK ? 3 : 0);
	cr_jitdump_fini(&d);
	return rc == CR_OK;
}

static void
test_dumps_are_found_where_they_are_said_to_be(void **state)
{
	static const uint8_t other[CR_JITDUMP_ID] = {1};
	struct directory f = {"/tmp/test_jitdump.XXXXXX"};
	char directory[96], path[96];
	struct made_jit j = {.foreign = false};
	struct cr_jit_marker m = {.path = CR_STR("/nonexistent/jit-5.dump"), .pid = 99999991};
	struct cr_symbol_opts opts = {.map_dir = NULL};

	(void)state;
	assert_non_null(mkdtemp(f.path));
	made_jit_all(&j);
	assert_false(found(&opts, &m));
	directory_file(&f, "jit-5.dump", &j);
	snprintf(path, sizeof(path), "%s/jit-5.dump", f.path);

	opts.map_dir = f.path;
	assert_true(found(&opts, &m));
	m.id = other;
	assert_false(found(&opts, &m));
	m.id = (const uint8_t *)j.t.p + 20;
	assert_true(found(&opts, &m));

	opts = (struct cr_symbol_opts){.symfs = f.path};
	assert_false(found(&opts, &m));
	m.path = CR_STR("/jit-5.dump");
	assert_true(found(&opts, &m));

	opts = (struct cr_symbol_opts){.symfs = NULL};
	m.path = cr_str_of(path);
	assert_true(found(&opts, &m));
	m.path.p++; /* relative */
	m.path.len--;
	assert_false(found(&opts, &m));

	/* That of a container, in a directory called after the pid outside. */
	snprintf(directory, sizeof(directory), "%s/99999991", f.path);
	assert_int_equal(mkdir(directory, 0700), 0);
	directory_file(&f, "99999991/jit-1.dump", &j);
	opts.map_dir = f.path;
	m.path = CR_STR("/tmp/jit-1.dump");
	assert_true(found(&opts, &m));

	strcat(directory, "/jit-1.dump");
	unlink(directory);
	*strrchr(directory, '/') = '\0';
	rmdir(directory);
	unlink(path);
	rmdir(f.path);
	cr_text_fini(&j.t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_dumps_are_told),
		cmocka_unit_test(test_code_comes_by_time_in_either_byte_order),
		cmocka_unit_test(test_code_of_the_same_time_stays_in_the_order_of_the_file),
		cmocka_unit_test(test_damaged_records_are_left_out_and_counted),
		cmocka_unit_test(test_moves_of_what_was_never_loaded_are_left_out),
		cmocka_unit_test(test_other_headers_are_refused),
		cmocka_unit_test(test_a_longer_header_is_passed_over),
		cmocka_unit_test(test_every_prefix_and_changed_bytes_do_no_harm),
		cmocka_unit_test(test_dumps_are_found_where_they_are_said_to_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
