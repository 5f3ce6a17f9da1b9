#include "testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/source.h"
#include "packing.h"

struct place {
	char directory[64], file[128];
};

static int
place_make(void **state)
{
	struct place *at = calloc(1, sizeof(*at));

	strcpy(at->directory, "/tmp/cresset-test-XXXXXX");
	if (!mkdtemp(at->directory))
		return -1;
	snprintf(at->file, sizeof(at->file), "%s/file", at->directory);
	*state = at;
	return 0;
}

static int
place_remove(void **state)
{
	struct place *at = *state;

	unlink(at->file);
	rmdir(at->directory);
	free(at);
	return 0;
}

static void
file_write(const struct place *at, const void *p, size_t len)
{
	FILE *f = fopen(at->file, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void
test_a_file_is_mapped_as_it_is(void **state)
{
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	file_write(at, "hello", 5);
	assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_OK);
	assert_int_equal(cr_source_len(s), 5);
	assert_memory_equal(cr_source_bytes(s), "hello", 5);
	assert_null(cr_source_damage(s));
	assert_true(cr_source_mtime(s) > 0);
	cr_source_close(s);
}

static void
test_an_empty_file_has_no_bytes_but_a_place(void **state)
{
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	file_write(at, "", 0);
	assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_OK);
	assert_int_equal(cr_source_len(s), 0);
	assert_non_null(cr_source_bytes(s));
	cr_source_close(s);
	cr_source_close(NULL);
}

/* Files of /proc have no size until they are read. */
static void
test_a_file_without_a_size_is_read_to_its_end(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	(void)state;
	if (access("/proc/self/status", R_OK) != 0)
		testing_skip("/proc is not mounted");
	assert_int_equal(cr_source_open("/proc/self/status", 1 << 20, &s, &err), CR_OK);
	assert_true(cr_source_len(s) > 0);
	assert_memory_equal(cr_source_bytes(s), "Name:", 5);
	cr_source_close(s);
}

static void
test_what_cannot_be_read_is_told(void **state)
{
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	assert_int_equal(cr_source_open(at->directory, 100, &s, &err), CR_EFORMAT);
	assert_string_equal(err.text, "is a directory");
	assert_null(s);
	assert_int_equal(cr_source_open("/no/such/file", 100, &s, &err), CR_ENOTFOUND);
	assert_string_equal(err.text, "cannot open: no such file or directory");
}

/* Standard input becomes a pipe that a child writes n bytes to. */
static pid_t
pipe_in(size_t n)
{
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		for (size_t i = 0; i < n; i++)
			if (write(ends[1], "x", 1) != 1)
				break;
		_exit(0);
	}
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	return child;
}

static void
test_a_pipe_is_read_to_its_end_or_its_limit(void **state)
{
	static const struct {
		size_t n;
		uint64_t max;
		int want;
	} cases[] = {
		{0, 10, CR_OK},
		{70000, 70000, CR_OK},
		{70001, 70000, CR_ELIMIT},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_source *s;

		pipe_in(cases[i].n);
		assert_int_equal(cr_source_open("-", cases[i].max, &s, &err), cases[i].want);
		if (s)
			assert_int_equal(cr_source_len(s), cases[i].n);
		cr_source_close(s);
	}
}

static void
test_a_file_cut_while_it_is_read_gives_zeros_and_says_so(void **state)
{
	const struct place *at = *state;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), len = 4 * page;
	unsigned char *bytes = malloc(len);
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	memset(bytes, 'x', len);
	file_write(at, bytes, len);
	assert_int_equal(cr_source_open(at->file, len, &s, &err), CR_OK);
	assert_int_equal(truncate(at->file, (off_t)page), 0);
	assert_int_equal(cr_source_bytes(s)[0], 'x');
	assert_null(cr_source_damage(s));
	for (size_t i = page; i < len; i += 100)
		assert_int_equal(cr_source_bytes(s)[i], 0);
	assert_non_null(cr_source_damage(s));
	assert_int_equal(cr_source_bytes(s)[page - 1], 'x');
	cr_source_close(s);
	free(bytes);
}

static void
test_a_packed_file_is_unpacked_at_once_or_later(void **state)
{
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s, *later;
	unsigned char head[100];

	for (size_t k = 0; k < CR_LEN(packers); k++) {
		struct cr_text packed = {0};

		packers[k].pack(&packed, "main;f 3\n", 9);
		file_write(at, packed.p, packed.len);
		assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_OK);
		assert_int_equal(cr_source_len(s), 9);
		assert_memory_equal(cr_source_bytes(s), "main;f 3\n", 9);
		assert_true(cr_source_is_file(s));
		assert_null(cr_source_damage(s));

		assert_int_equal(cr_source_open_packed(at->file, 100, NULL, &later, &err), CR_OK);
		assert_int_equal(cr_source_len(later), packed.len);
		assert_int_equal(cr_source_identity(later), cr_source_identity(s));
		assert_int_equal(cr_source_peek(later, head, 4), 4);
		assert_memory_equal(head, "main", 4);
		assert_int_equal(cr_source_peek(later, head, sizeof(head)), 9);
		assert_memory_equal(head, "main;f 3\n", 9);
		assert_int_equal(cr_source_len(later), packed.len); /* still as it was */
		for (int twice = 0; twice < 2; twice++) {
			assert_int_equal(cr_source_unpack(later, 100, NULL, &err), CR_OK);
			assert_int_equal(cr_source_len(later), 9);
		}
		assert_int_equal(cr_source_identity(later), cr_source_identity(s));
		assert_int_equal(cr_source_peek(later, head, 4), 4);
		assert_memory_equal(head, "main", 4);
		cr_source_close(later);
		cr_source_close(s);

		assert_int_equal(cr_source_open(at->file, 8, &s, &err), CR_ELIMIT);
		assert_null(s);
		cr_text_fini(&packed);
	}
}

/*
 * Through a pipe, mapped, and mapped and packed: what comes out is UTF-8, and what is no character
 * is counted.
 */
static void
test_text_in_utf16_becomes_utf8(void **state)
{
	static const char le[] = "\xff\xfe"
				 "m\0;\0\xe4\0 \0"
				 "3\0\n\0\0\xd8",
			  be[] = "\xfe\xff\0m\0;\0\xe4\0 \0"
				 "3\0\n\xd8\0";
	static const char want[] = "m;\xc3\xa4 3\n\xef\xbf\xbd";
	const struct {
		const char *in;
		size_t len;
	} cases[] = {{le, sizeof(le) - 1}, {be, sizeof(be) - 1}};
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	unsigned char head[100];
	struct cr_source *s;

	for (size_t i = 0; i < CR_LEN(cases); i++)
		for (size_t k = 0; k <= CR_LEN(packers); k++) {
			struct cr_text file = {0};

			if (k < CR_LEN(packers))
				packers[k].pack(&file, cases[i].in, cases[i].len);
			else
				cr_text_put(&file, cases[i].in, cases[i].len);
			file_write(at, file.p, file.len);
			assert_int_equal(
				cr_source_open_packed(at->file, 100, NULL, &s, &err), CR_OK);
			assert_int_equal(cr_source_len(s), file.len);
			assert_int_equal(cr_source_peek(s, head, sizeof(head)),
				strlen(want) - 3); /* half a pair waits for the other */
			assert_memory_equal(head, want, strlen(want) - 3);
			assert_int_equal(cr_source_unpack(s, 100, NULL, &err), CR_OK);
			assert_int_equal(cr_source_len(s), strlen(want));
			assert_memory_equal(cr_source_bytes(s), want, strlen(want));
			assert_int_equal(cr_source_replaced(s), 1);
			cr_source_close(s);
			assert_int_equal(
				cr_source_open_memory(file.p, file.len, 100, &s, &err), CR_OK);
			assert_int_equal(cr_source_len(s), strlen(want));
			cr_source_close(s);
			assert_int_equal(
				cr_source_open(at->file, strlen(want) - 1, &s, &err), CR_ELIMIT);
			cr_text_fini(&file);
		}
}

/* One that is packed twice is unpacked once: what is in it is not a profile. */
static void
test_unpacking_is_done_once(void **state)
{
	const struct place *at = *state;
	struct cr_text once = {0}, twice = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	pack_zstd(&once, "a", 1);
	pack_zstd(&twice, once.p, once.len);
	file_write(at, twice.p, twice.len);
	assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_OK);
	assert_int_equal(cr_source_unpack(s, 100, NULL, &err), CR_OK);
	assert_int_equal(cr_source_len(s), once.len);
	cr_source_close(s);
	cr_text_fini(&once);
	cr_text_fini(&twice);
}

static void
test_damage_in_packed_data_is_told_and_the_rest_kept(void **state)
{
	const struct place *at = *state;
	struct cr_text packed = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;
	size_t first;

	pack_zstd(&packed, "kept", 4);
	first = packed.len;
	pack_zstd(&packed, "lost", 4);
	file_write(at, packed.p, first + 7);
	assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_OK);
	assert_int_equal(cr_source_len(s), 4);
	assert_non_null(cr_source_damage(s));
	assert_int_equal(cr_source_damage(s)->code, CR_ETRUNC);
	assert_int_equal(cr_source_damage(s)->offset, first + 7);
	assert_string_equal(cr_source_damage(s)->text, "zstd data: cut off");
	cr_source_close(s);

	file_write(at, packed.p, 7);
	assert_int_equal(cr_source_open(at->file, 100, &s, &err), CR_ETRUNC);
	assert_null(s);
	assert_string_equal(err.text, "zstd data: cut off");
	cr_text_fini(&packed);
}

/* Zeros take the place of the pages that are gone, and zeros behind packed data are passed over. */
static void
test_a_packed_file_cut_before_it_is_unpacked_says_so(void **state)
{
	const struct place *at = *state;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), len = 8 * page;
	char *bytes = packing_sample(len);
	struct cr_text packed = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;

	pack_zstd(&packed, "a", 1);
	cr_text_pad(&packed, '\0', page - packed.len);
	pack_zstd(&packed, bytes, len);
	file_write(at, packed.p, packed.len);
	assert_int_equal(cr_source_open_packed(at->file, 2 * len, NULL, &s, &err), CR_OK);
	assert_int_equal(truncate(at->file, (off_t)page), 0);
	assert_int_equal(cr_source_unpack(s, 2 * len, NULL, &err), CR_OK);
	assert_int_equal(cr_source_len(s), 1);
	assert_non_null(cr_source_damage(s));
	assert_string_equal(cr_source_damage(s)->text, "truncated while it was read");
	cr_source_close(s);
	cr_text_fini(&packed);
	free(bytes);
}

/* Bytes of the process that are in memory now. */
static size_t
resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	size_t whole = 0, pages = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%zu %zu", &whole, &pages) != 2)
		pages = 0;
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void
assert_sample(const struct cr_source *s, const char *bytes, size_t len)
{
	assert_int_equal(cr_source_len(s), len);
	assert_int_equal(memcmp(cr_source_bytes(s), bytes, len), 0);
}

static void
test_bytes_that_are_done_with_come_back_when_looked_at(void **state)
{
	const struct place *at = *state;
	const size_t len = ((size_t)16 << 20) + 100;
	char *bytes = packing_sample(len);
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;
	size_t before;

	file_write(at, bytes, len);
	assert_int_equal(cr_source_open(at->file, len, &s, &err), CR_OK);
	assert_sample(s, bytes, len);
	before = resident();
	cr_source_done(s, 0, len + 5);
	if (before)
		assert_true(resident() + len / 2 < before);
	assert_sample(s, bytes, len);
	before = resident();
	cr_source_done(s, 1, 2);
	cr_source_done(s, len - 1, len);
	cr_source_done(s, len, SIZE_MAX);
	cr_source_done(s, SIZE_MAX, 0);
	if (before)
		assert_true(resident() + len / 2 > before);
	assert_sample(s, bytes, len);
	cr_source_close(s);
	free(bytes);
}

/* Standard input becomes a pipe that a child writes these bytes to. */
static void
pipe_bytes(const char *bytes, size_t len)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	if (fork() == 0) {
		for (size_t done = 0; done < len;) {
			const ssize_t n = write(ends[1], bytes + done, len - done);

			if (n < 0)
				break;
			done += (size_t)n;
		}
		_exit(0);
	}
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
}

/* In memory, where pages must not be let go, and past what is kept there. */
static void
test_a_pipe_keeps_its_bytes_whatever_is_done_with(void **state)
{
	static const size_t sizes[] = {(size_t)3 << 20, ((size_t)64 << 20) + 12345};

	(void)state;
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		char *bytes = packing_sample(sizes[i]);
		struct cr_err err = CR_ERR_INIT;
		struct cr_source *s, *again;

		pipe_bytes(bytes, sizes[i]);
		assert_int_equal(cr_source_open("-", CR_SOURCE_MAX_PIPE, &s, &err), CR_OK);
		assert_sample(s, bytes, sizes[i]);
		cr_source_done(s, 0, sizes[i]);
		assert_sample(s, bytes, sizes[i]);
		assert_false(cr_source_is_file(s));
		pipe_bytes(bytes, sizes[i]);
		assert_int_equal(cr_source_open("-", CR_SOURCE_MAX_PIPE, &again, &err), CR_OK);
		assert_int_equal(cr_source_identity(s), cr_source_identity(again));
		cr_source_close(again);
		pipe_bytes(bytes, sizes[i] - 1);
		assert_int_equal(cr_source_open("-", CR_SOURCE_MAX_PIPE, &again, &err), CR_OK);
		assert_int_not_equal(cr_source_identity(s), cr_source_identity(again));
		cr_source_close(again);
		cr_source_close(s);
		free(bytes);
	}
}

static bool
stop_at_once(void *user, const char *what, uint64_t done, uint64_t whole)
{
	(void)user;
	assert_string_equal(what, "reading");
	assert_int_equal(done, 0);
	assert_int_equal(whole, 0);
	return false;
}

/* Its writer has not said anything yet, and may never do. */
static void
test_a_silent_pipe_can_be_stopped(void **state)
{
	const struct cr_progress progress = {stop_at_once, NULL};
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *s;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	assert_int_equal(cr_source_open_packed("-", 100, &progress, &s, &err), CR_ECANCEL);
	assert_null(s);
	close(ends[0]);
	close(ends[1]);
}

static void
test_identity_tells_files_apart_and_knows_them_again(void **state)
{
	const struct place *at = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *a, *b, *c;

	file_write(at, "one", 3);
	assert_int_equal(cr_source_open(at->file, 9, &a, &err), CR_OK);
	assert_int_equal(cr_source_open(at->file, 9, &b, &err), CR_OK);
	file_write(at, "more", 4);
	assert_int_equal(cr_source_open(at->file, 9, &c, &err), CR_OK);
	assert_int_equal(cr_source_identity(a), cr_source_identity(b));
	assert_int_not_equal(cr_source_identity(a), cr_source_identity(c));
	cr_source_close(a);
	cr_source_close(b);
	cr_source_close(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_is_mapped_as_it_is),
		cmocka_unit_test(test_an_empty_file_has_no_bytes_but_a_place),
		cmocka_unit_test(test_a_file_without_a_size_is_read_to_its_end),
		cmocka_unit_test(test_what_cannot_be_read_is_told),
		cmocka_unit_test(test_a_pipe_is_read_to_its_end_or_its_limit),
		cmocka_unit_test(test_a_file_cut_while_it_is_read_gives_zeros_and_says_so),
		cmocka_unit_test(test_a_packed_file_is_unpacked_at_once_or_later),
		cmocka_unit_test(test_text_in_utf16_becomes_utf8),
		cmocka_unit_test(test_unpacking_is_done_once),
		cmocka_unit_test(test_damage_in_packed_data_is_told_and_the_rest_kept),
		cmocka_unit_test(test_a_packed_file_cut_before_it_is_unpacked_says_so),
		cmocka_unit_test(test_bytes_that_are_done_with_come_back_when_looked_at),
		cmocka_unit_test(test_a_pipe_keeps_its_bytes_whatever_is_done_with),
		cmocka_unit_test(test_a_silent_pipe_can_be_stopped),
		cmocka_unit_test(test_identity_tells_files_apart_and_knows_them_again),
	};

	return cmocka_run_group_tests(tests, place_make, place_remove);
}
