#include "testing.h"
#include "testing_directory.h"

#include "session/load.h"
#include "symbol/files/gate_p.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 *	out/secret       what nobody may get at by a name below root
 *	root/file        root/link -> file          root/up -> ../out/secret    root/away ->
 *	                                            /out/secret, absolute
 *	root/dir/file    root/sub -> dir            root/loop -> loop
 */
static int
bed_make(void **state)
{
	char *dir = strdup("/tmp/test_gate.XXXXXX");

	if (!mkdtemp(dir))
		return -1;
	*state = dir;
	return directory_shell(dir,
		       "mkdir -p out root/dir && echo secret >out/secret && echo file >root/file "
		       "&& "
		       "echo deeper >root/dir/file && cd root && ln -s file link && ln -s "
		       "../out/secret up && "
		       "ln -s %s/out/secret away && ln -s dir sub && ln -s loop loop && mkfifo "
		       "fifo && ln -s ../out outdir",
		       dir)
		       ? 0
		       : -1;
}

static int
bed_remove(void **state)
{
	char *dir = *state;

	directory_remove(dir);
	free(dir);
	return 0;
}

/* The first word of what is opened; "" for nothing. */
static const char *
opened(const struct cr_symbol_opts *opts, unsigned rules, uint32_t also, const char *dir,
	const char *path)
{
	static char text[16];
	char whole[256];
	ssize_t n;
	int fd;

	snprintf(whole, sizeof(whole), "%s%s", dir, path);
	fd = cr_gate_open(opts, whole, rules, also);
	if (fd < 0)
		return "";
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n - 1 : 0] = '\0';
	return text;
}

#define open_at(opts, dir, path) opened(opts, 0, CR_GATE_NOBODY, dir, path)

static void
test_only_regular_files_are_opened(void **state)
{
	const char *dir = *state;
	const struct cr_symbol_opts bare = {.home = "/nonexistent"};

	assert_string_equal(open_at(&bare, dir, "/root/file"), "file");
	assert_string_equal(open_at(&bare, dir, "/root/./dir//../dir/file"), "deeper");
	assert_string_equal(
		open_at(&bare, dir, "/root/fifo"), ""); /* opening it would wait for ever */
	assert_string_equal(open_at(&bare, dir, "/root/dir"), "");
	assert_string_equal(open_at(&bare, dir, "/root/nothing"), "");
	assert_string_equal(open_at(&bare, dir, "/root/loop"), "");
	assert_string_equal(open_at(&bare, "", "/dev/zero"), "");
	assert_string_equal(open_at(&bare, "", "/proc/self/cmdline"), "");
	assert_string_equal(open_at(&bare, "", "/proc/version"), "");
	assert_string_equal(open_at(&bare, "", ""), "");
	assert_string_equal(open_at(&bare, "", "/"), "");
}

static void
test_the_last_part_of_a_name_is_no_link(void **state)
{
	const char *dir = *state;
	const struct cr_symbol_opts bare = {.home = "/nonexistent"};

	assert_string_equal(open_at(&bare, dir, "/root/link"), "");
	assert_string_equal(open_at(&bare, dir, "/root/up"), "");
	assert_string_equal(open_at(&bare, dir, "/root/sub/file"), "deeper");
}

static void
test_nothing_outside_of_symfs_is_opened(void **state)
{
	static const char *const outside[] = {"/../out/secret", "/up", "/away",
		"/sub/../../out/secret", "/outdir/secret",
		"/dir/../../../../../../../../etc/passwd", "/loop"};
	const char *dir = *state;
	char root[128];
	const struct cr_symbol_opts at = {.symfs = root, .home = "/nonexistent"},
				    source = {.source_dir = root, .home = "/nonexistent"};

	for (int slash = 0; slash <= 1; slash++) {
		snprintf(root, sizeof(root), "%s/root%s", dir, slash ? "/" : "");
		for (size_t i = 0; i < CR_LEN(outside); i++) {
			assert_string_equal(open_at(&at, root, outside[i]), "");
			assert_string_equal(open_at(&source, root, outside[i]), "");
		}
		assert_string_equal(open_at(&at, root, "/link"),
			"file"); /* within it links are what they are in a chroot */
		assert_string_equal(open_at(&at, root, "/sub/file"), "deeper");
		assert_string_equal(open_at(&at, root, "/dir/../file"), "file");
	}
}

static void
test_links_of_a_directory_for_debug_files_are_followed(void **state)
{
	const char *dir = *state;
	char root[128];
	const struct cr_symbol_opts at = {.debug_dir = root, .home = "/nonexistent"};

	snprintf(root, sizeof(root), "%s/root", dir);
	assert_string_equal(open_at(&at, root, "/up"),
		"secret"); /* the user chose it, and a build-id has to agree */
	assert_string_equal(open_at(&at, root, "/../out/secret"), "");
}

static void
test_whose_file_it_is_decides_what_is_believed(void **state)
{
	const char *dir = *state;
	const struct cr_symbol_opts bare = {.home = "/nonexistent"};
	char path[128];

	if (geteuid() != 0)
		testing_skip("root, to give files to others");
	snprintf(path, sizeof(path), "%s/root/file", dir);
	assert_string_equal(opened(&bare, CR_GATE_OWNED, CR_GATE_NOBODY, path, ""), "file");
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_string_equal(opened(&bare, CR_GATE_OWNED, CR_GATE_NOBODY, path, ""), "");
	assert_string_equal(opened(&bare, CR_GATE_OWNED, 4711, path, ""), "");
	assert_string_equal(opened(&bare, CR_GATE_OWNED, 12345, path, ""), "file");
	assert_string_equal(opened(&bare, 0, CR_GATE_NOBODY, path, ""), "file");
	snprintf(path, sizeof(path), "%s/root", dir);
	assert_string_equal(
		opened(&(struct cr_symbol_opts){.map_dir = path, .home = "/nonexistent"},
			CR_GATE_OWNED, CR_GATE_NOBODY, path, "/file"),
		"file"); /* the user named the directory */
}

static void
test_a_file_with_another_name_is_not_believed(void **state)
{
	const char *dir = *state;
	const struct cr_symbol_opts bare = {.home = "/nonexistent"};
	char root[128];

	snprintf(root, sizeof(root), "%s/root", dir);
	assert_string_equal(
		opened(&bare, CR_GATE_OWNED, CR_GATE_NOBODY, root, "/dir/file"), "deeper");
	assert_true(directory_shell(dir, "ln root/dir/file root/hard"));
	assert_string_equal(opened(&bare, CR_GATE_OWNED, CR_GATE_NOBODY, root, "/hard"), "");
	assert_string_equal(opened(&bare, 0, CR_GATE_NOBODY, root, "/hard"), "deeper");
	assert_string_equal(
		opened(&(struct cr_symbol_opts){.map_dir = root, .home = "/nonexistent"},
			CR_GATE_OWNED, CR_GATE_NOBODY, root, "/hard"),
		"deeper");
}

static void
test_root_lends_its_rights_to_no_input(void **state)
{
	const char *dir = *state;
	struct cr_symbol_opts bare = {.home = "/nonexistent"};
	char path[128];

	if (geteuid() != 0)
		testing_skip("root");
	snprintf(path, sizeof(path), "%s/root/file", dir);
	assert_int_equal(chmod(path, 0600), 0);
	assert_string_equal(opened(&bare, CR_GATE_PUBLIC, CR_GATE_NOBODY, path, ""), "");
	assert_string_equal(
		opened(&bare, 0, CR_GATE_NOBODY, path, ""), "file"); /* a dso of root's own */
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_string_equal(opened(&bare, 0, CR_GATE_NOBODY, path, ""), "");
	bare.has_owner = true;
	bare.owner = 12345; /* recorded by the owner of the file */
	assert_string_equal(opened(&bare, CR_GATE_PUBLIC, CR_GATE_NOBODY, path, ""), "file");
}

/* As perf: what a recording of another user names would be opened with our rights. */
static void
test_a_recording_of_another_user_is_refused(void **state)
{
	const char *dir = *state;
	struct cr_load_opts opts = {.no_cache = true, .symbol = {.symfs = "/nonexistent"}};
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char path[128];

	if (geteuid() != 0)
		testing_skip("root, to give a recording to another user");
	if (!getenv("FIX"))
		testing_skip("FIX, the directory of the fixtures, is not set");
	assert_true(directory_shell(dir, "cat \"$FIX\"/good-two-threads.perf.data >r.data"));
	snprintf(path, sizeof(path), "%s/r.data", dir);
	assert_int_equal(cr_load_input(path, &opts, &p, &log, &err), CR_OK);
	cr_profile_free(p);
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_int_equal(cr_load_input(path, &opts, &p, &log, &err), CR_EUSAGE);
	assert_non_null(strstr(err.text, "--force-owner"));
	opts.force_owner = true;
	assert_int_equal(cr_load_input(path, &opts, &p, &log, &err), CR_OK);
	cr_profile_free(p);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_make, bed_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_only_regular_files_are_opened),
		TEST(test_the_last_part_of_a_name_is_no_link),
		TEST(test_nothing_outside_of_symfs_is_opened),
		TEST(test_links_of_a_directory_for_debug_files_are_followed),
		TEST(test_whose_file_it_is_decides_what_is_believed),
		TEST(test_a_file_with_another_name_is_not_believed),
		TEST(test_root_lends_its_rights_to_no_input),
		TEST(test_a_recording_of_another_user_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
