#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/catalog.h"
#include "testing_left.h"

struct directory {
	char path[64];
};

static int
setup(void **state)
{
	struct directory *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	snprintf(f->path, sizeof(f->path), "/tmp/test_catalog.XXXXXX");
	*state = f;
	return mkdtemp(f->path) ? 0 : -1;
}

static int
teardown(void **state)
{
	struct directory *f = *state;
	char command[128];
	int rc;

	snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	rc = system(command);
	free(f);
	return rc;
}

static char *
in(const struct directory *f, const char *name)
{
	static char path[600];

	snprintf(path, sizeof(path), "%s/%s", f->path, name);
	return path;
}

static int
put(const struct directory *f, const char *name)
{
	const int fd = open(in(f, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "12345", 5), 5);
	return fd;
}

static bool
is_there(const struct directory *f, const char *name)
{
	return access(in(f, name), F_OK) == 0;
}

static void
age(const struct directory *f, const char *name, time_t seconds)
{
	const struct timespec t[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};

	assert_int_equal(utimensat(AT_FDCWD, in(f, name), t, 0), 0);
}

static void
test_a_listing_is_sorted_and_has_only_profiles(void **state)
{
	static const char *const put_there[] = {
		"b.cresset",
		"a b.cresset",
		"\x1b[31m\n\xff.cresset",
		".cresset",
		"notes.txt",
		"c.cresset.bak",
	};
	static const char *const want[] = {"\x1b[31m\n\xff", "a b", "b"};
	const struct directory *f = *state;
	const time_t before = time(NULL);
	struct cr_catalog c;
	struct cr_err err = CR_ERR_INIT;

	for (size_t i = 0; i < CR_LEN(put_there); i++)
		close(put(f, put_there[i]));
	assert_int_equal(mkdir(in(f, "folder.cresset"), 0700), 0);
	assert_int_equal(mkfifo(in(f, "pipe.cresset"), 0600), 0);
	assert_int_equal(cr_catalog_list(f->path, &c, &err), CR_OK);
	assert_int_equal(c.n, CR_LEN(want));
	for (size_t i = 0; i < c.n; i++) {
		assert_string_equal(c.entries[i].name, want[i]);
		assert_int_equal(c.entries[i].size_bytes, 5);
		assert_int_equal(access(c.entries[i].path, F_OK), 0);
		assert_true(c.entries[i].mtime_ns / 1000000000 >=
			    before - 2); /* file systems have a clock of their own */
	}
	cr_catalog_fini(&c);
}

static void
test_a_missing_folder_is_an_empty_catalogue(void **state)
{
	struct cr_catalog c;
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_catalog_list(in(*state, "none"), &c, &err), CR_OK);
	assert_int_equal(c.n, 0);
	cr_catalog_fini(&c);
	close(put(*state, "file"));
	assert_int_equal(cr_catalog_list(in(*state, "file"), &c, &err), CR_EIO);
}

/* The pid of a process that was and is no more. */
static long
dead_pid(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return (long)pid;
}

static void
test_what_killed_writers_left_is_swept(void **state)
{
	const struct directory *f = *state;
	char dead[64], held[64], live[64], old[64], other[64];
	struct cr_catalog c;
	struct cr_err err = CR_ERR_INIT;
	int fd;

	snprintf(dead, sizeof(dead), "x.cresset.tmp.%ld.00ff", dead_pid());
	snprintf(held, sizeof(held), "x.cresset.tmp.%ld.0100", dead_pid());
	snprintf(live, sizeof(live), "x.cresset.tmp.%ld.0123", (long)getpid());
	snprintf(old, sizeof(old), "a.cresset.tmp.b.cresset.tmp.%ld.0124", (long)getpid());
	snprintf(other, sizeof(other), "x.cresset.tmp.%ld.notes", dead_pid());
	close(put(f, dead));
	close(put(f, live));
	close(put(f, old));
	close(put(f, other));
	age(f, old, 25 * 60 * 60);
	fd = put(f, held);
	assert_int_equal(flock(fd, LOCK_EX), 0); /* as a writer in another container holds it */

	assert_int_equal(cr_catalog_list(f->path, &c, &err), CR_OK);
	assert_int_equal(c.n, 0);
	cr_catalog_fini(&c);
	assert_false(is_there(f, dead));
	assert_false(is_there(f, old));
	assert_true(is_there(f, live));
	assert_true(is_there(f, held));
	assert_true(is_there(f, other));
	close(fd);
}

static void
test_the_folder_comes_from_the_option_then_the_environment(void **state)
{
	static const struct {
		const char *dir, *store, *data, *home, *want;
	} cases[] = {
		{"/d", "/s", "/x", "/h", "/d"},
		{NULL, "/s", "/x", "/h", "/s"},
		{"", "", "/x", "/h", "/x/cresset"},
		{NULL, NULL, "relative", "/h", "/h/.local/share/cresset"},
		{NULL, NULL, NULL, "/h/", "/h/.local/share/cresset"},
		{NULL, NULL, NULL, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		char *got;

		cases[i].store ? setenv("CRESSET_STORE", cases[i].store, 1)
			       : unsetenv("CRESSET_STORE");
		cases[i].data ? setenv("XDG_DATA_HOME", cases[i].data, 1)
			      : unsetenv("XDG_DATA_HOME");
		cases[i].home ? setenv("HOME", cases[i].home, 1) : unsetenv("HOME");
		assert_int_equal(cr_catalog_dir(cases[i].dir, &got, &err),
			cases[i].want ? CR_OK : CR_EUSAGE);
		if (cases[i].want)
			assert_string_equal(got, cases[i].want);
		free(got);
	}
}

static void
test_the_folder_is_made_with_its_parents(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	char *path = cr_strdup(in(*state, "a/b//c/"));
	struct stat st;

	assert_int_equal(cr_catalog_make(path, &err), CR_OK);
	assert_int_equal(cr_catalog_make(path, &err), CR_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	close(put(*state, "file"));
	assert_int_equal(cr_catalog_make(in(*state, "file"), &err), CR_EIO);
	assert_int_equal(cr_catalog_make(in(*state, "file/below"), &err), CR_EIO);
	free(path);
}

static void
test_a_name_becomes_a_path_and_a_path_stays(void **state)
{
	char name_200[201], name_199[200];
	const struct {
		const char *name, *want;
	} cases[] = {
		{"x", "/d/x.cresset"},
		{"a b\n", "/d/a b\n.cresset"},
		{"x.cresset", "x.cresset"},
		{"../x", "../x"},
		{"/y/x", "/y/x"},
		{"", NULL},
		{".", NULL},
		{"..", NULL},
		{name_200, NULL},
	};
	struct cr_err err = CR_ERR_INIT;
	char *got;

	(void)state;
	memset(name_200, 'n', 200);
	memset(name_199, 'n', 199);
	name_200[200] = name_199[199] = '\0';
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_int_equal(cr_catalog_path("/d", cases[i].name, &got, &err),
			cases[i].want ? CR_OK : CR_EUSAGE);
		if (cases[i].want)
			assert_string_equal(got, cases[i].want);
		free(got);
	}
	assert_int_equal(cr_catalog_path("/d", name_199, &got, &err), CR_OK);
	free(got);
}

static void
test_a_fresh_name_comes_from_the_input(void **state)
{
	static const struct {
		const char *input, *want;
	} cases[] = {
		{"/x/perf.data", "perf"},
		{"perf.data.old", "perf"},
		{"a/nginx.folded.gz", "nginx"},
		{"-", "profile"},
		{"..", "profile"},
		{"/", "profile"},
		{".data", ".data"},
		{"x.cresset", "x"},
		{"a/out/", "out"},
		{"\xff\n.txt", "\xff\n"},
	};

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *got = cr_catalog_fresh(((struct directory *)*state)->path, cases[i].input);

		assert_string_equal(got, cases[i].want);
		free(got);
	}
}

static void
test_a_taken_name_gets_a_number(void **state)
{
	const struct directory *f = *state;
	char *got;

	close(put(f, "perf.cresset"));
	got = cr_catalog_fresh(f->path, "perf.data");
	assert_string_equal(got, "perf-2");
	free(got);
	close(put(f, "perf-2.cresset"));
	got = cr_catalog_fresh(f->path, "perf.data");
	assert_string_equal(got, "perf-3");
	free(got);
}

static void
test_removing_takes_the_file_and_says_when_there_is_none(void **state)
{
	const struct directory *f = *state;
	struct cr_err err = CR_ERR_INIT;

	close(put(f, "x.cresset"));
	assert_int_equal(cr_catalog_remove(f->path, "x", &err), CR_OK);
	assert_false(is_there(f, "x.cresset"));
	assert_int_equal(cr_catalog_remove(f->path, "x", &err), CR_ENOTFOUND);
	assert_int_equal(cr_catalog_remove(f->path, "..", &err), CR_EUSAGE);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_a_listing_is_sorted_and_has_only_profiles),
		test(test_a_missing_folder_is_an_empty_catalogue),
		test(test_what_killed_writers_left_is_swept),
		test(test_the_folder_comes_from_the_option_then_the_environment),
		test(test_the_folder_is_made_with_its_parents),
		test(test_a_name_becomes_a_path_and_a_path_stays),
		test(test_a_fresh_name_comes_from_the_input),
		test(test_a_taken_name_gets_a_number),
		test(test_removing_takes_the_file_and_says_when_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
