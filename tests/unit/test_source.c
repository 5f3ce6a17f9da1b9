#include "testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cresset/bytes/source.h"

struct place {
	char folder[64], file[128];
};

static int
place_make(void **state)
{
	struct place *at = calloc(1, sizeof(*at));

	strcpy(at->folder, "/tmp/cresset-test-XXXXXX");
	if (!mkdtemp(at->folder))
		return -1;
	snprintf(at->file, sizeof(at->file), "%s/file", at->folder);
	*state = at;
	return 0;
}

static int
place_remove(void **state)
{
	struct place *at = *state;

	unlink(at->file);
	rmdir(at->folder);
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
	assert_false(cr_source_damaged(s));
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
		skip();
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

	assert_int_equal(cr_source_open(at->folder, 100, &s, &err), CR_EFORMAT);
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
	static const struct { size_t n; uint64_t max; int want; } cases[] = {
		{0, 10, CR_OK}, {70000, 70000, CR_OK}, {70001, 70000, CR_ELIMIT},
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
	assert_false(cr_source_damaged(s));
	for (size_t i = page; i < len; i += 100)
		assert_int_equal(cr_source_bytes(s)[i], 0);
	assert_true(cr_source_damaged(s));
	assert_int_equal(cr_source_bytes(s)[page - 1], 'x');
	cr_source_close(s);
	free(bytes);
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
		cmocka_unit_test(test_identity_tells_files_apart_and_knows_them_again),
	};

	return cmocka_run_group_tests(tests, place_make, place_remove);
}
